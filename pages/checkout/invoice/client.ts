import { savedPage, restoreFocus } from './saved-page.ts';
import type { InvoicePageDocument } from '../../../src/api/invoice-page.ts';
import type { PageTexts } from '../../../src/api/page-state.ts';
import { browserClock } from '../elements/clock.ts';
import { QrCode } from '../elements/qr-code.ts';
import { I18n } from '../elements/i18n.ts';
import { requestJson } from '../store/request-json.ts';
import { documentTimeMs, renderComplete, startUpdates } from '../store/page-lifecycle.ts';
import { InvoicePage } from './invoice-page.ts';
import { InvoiceStore } from './invoice-store.ts';
import { pageTitle } from './title.ts';

const { state, path, languages, language, ...rest } = JSON.parse(
  document.getElementById('page-document')?.textContent ?? '',
) as InvoicePageDocument;

// The QR code of an invoice never changes, so the code that the server rendered is reused.
QrCode.renderSync = (value) => (value === state.paymentUri?.uri ? (savedPage?.code ?? null) : null);

const store = new InvoiceStore(
  state,
  path,
  { clock: browserClock, random: Math.random, fetch: fetch.bind(globalThis) },
  documentTimeMs(),
);

const page = new InvoicePage();
page.clock = browserClock;
page.i18n = new I18n(rest.texts, rest.locale, rest.amountLocale);
page.languages = languages;
page.language = language;
page.view = store.view;
store.subscribe((view) => {
  page.view = view;
});
page.addEventListener('refresh-state', () => void store.refresh());
page.addEventListener('language-select', (event) => void changeLanguage((event as CustomEvent<string>).detail));
document.body.prepend(page);
/** Language of the text on the page. */
let shownLanguage = language;
void start();

async function start() {
  await renderComplete(page);
  if (savedPage) restoreFocus(page, savedPage);
  startUpdates(store, path);
  const selected = savedPage?.locale ?? language;
  if (selected !== language) await changeLanguage(selected);
}

/** Changes the language. The URL keeps it for a reload and for sharing. */
async function changeLanguage(tag: string) {
  page.language = tag;
  const result = await requestJson<PageTexts>(fetch, `/texts/invoice/${tag}`, { method: 'GET' });
  if (page.language !== tag) return;
  if (result.kind !== 'done') {
    page.language = shownLanguage;
    // Shows whether the page is offline.
    if (result.kind === 'lost') void store.refresh();
    return;
  }
  const { texts, locale, amountLocale, direction } = result.body;
  shownLanguage = tag;
  page.i18n = new I18n(texts, locale, amountLocale);
  document.documentElement.lang = locale;
  document.documentElement.dir = direction;
  for (const link of document.querySelectorAll<HTMLElement>('[data-text]'))
    link.textContent = page.i18n.text(link.dataset['text'] ?? '');
  document.title = pageTitle(store.view.state, page.i18n);
  history.replaceState(null, '', `${path}?${new URLSearchParams({ locale: tag })}`);
}
