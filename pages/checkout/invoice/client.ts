import { drawnPage, focusAgain } from './drawn-page.ts';
import type { InvoicePageDocument } from '../../../src/api/invoice-page.ts';
import type { PageTexts } from '../../../src/api/page-state.ts';
import { browserClock } from '../elements/clock.ts';
import { QrCode } from '../elements/qr-code.ts';
import { Wording } from '../elements/text.ts';
import { ask } from '../store/ask.ts';
import { documentReadAtMs, drawn, live } from '../store/page-life.ts';
import { InvoicePage } from './invoice-page.ts';
import { InvoiceStore } from './invoice-store.ts';
import { titleOf } from './title.ts';

const { state, path, languages, language, ...given } = JSON.parse(
  document.getElementById('page-document')?.textContent ?? '',
) as InvoicePageDocument;

// The code of an invoice never changes, so the server's rendering of it is reused.
QrCode.drawAtOnce = (value) => (value === state.payTo?.uri ? (drawnPage?.code ?? null) : null);

const store = new InvoiceStore(
  state,
  path,
  { clock: browserClock, random: Math.random, fetch: fetch.bind(globalThis) },
  documentReadAtMs(),
);

const page = new InvoicePage();
page.clock = browserClock;
page.words = new Wording(given.texts, given.locale, given.amountLocale);
page.languages = languages;
page.language = language;
page.view = store.view;
store.subscribe((view) => {
  page.view = view;
});
page.addEventListener('look-again', () => void store.refresh());
page.addEventListener('language-select', (event) => void speak((event as CustomEvent<string>).detail));
document.body.prepend(page);
/** Language of the texts on the page. */
let spoken = language;
void begin();

async function begin() {
  await drawn(page);
  if (drawnPage) focusAgain(page, drawnPage);
  live(store, path);
  const chosen = drawnPage?.locale ?? language;
  if (chosen !== language) await speak(chosen);
}

/** Changes the language. The URL keeps it for a reload and for sharing. */
async function speak(tag: string) {
  page.language = tag;
  const answer = await ask<PageTexts>(fetch, `/texts/invoice/${tag}`, { method: 'GET' });
  if (page.language !== tag) return;
  if (answer.kind !== 'done') {
    page.language = spoken;
    if (answer.kind === 'lost') store.patch({ isOffline: true });
    return;
  }
  const { texts, locale, amountLocale, direction } = answer.body;
  spoken = tag;
  page.words = new Wording(texts, locale, amountLocale);
  document.documentElement.lang = locale;
  document.documentElement.dir = direction;
  document.title = titleOf(store.view.state, page.words);
  history.replaceState(null, '', `${path}?${new URLSearchParams({ locale: tag })}`);
}
