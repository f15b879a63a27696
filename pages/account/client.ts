import type { PageTexts } from '../../src/api/page-state.ts';
import { I18n } from '../checkout/elements/i18n.ts';
import { createAccountApi } from './api.ts';
import { AccountApp } from './account-app.ts';
import iconSheet from './icons.svg';
import { setIconSheet } from './icons.ts';
import { Live } from './live.ts';
import type { AccountDocument } from './render.ts';
import { store, stored } from './storage.ts';
import { translateComponents } from './web-awesome.ts';

const LANGUAGE_KEY = 'paylatch-account-language';

const given = JSON.parse(document.getElementById('account-document')?.textContent ?? '') as AccountDocument;

setIconSheet(iconSheet);

const app = new AccountApp();
app.api = createAccountApi({ fetch: fetch.bind(globalThis) });
app.live = new Live({
  open: (url) => new EventSource(url),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs);
    return () => clearTimeout(timer);
  },
  page: document,
});
app.languages = given.languages;
app.language = given.language;
app.i18n = new I18n(given.texts, given.locale, given.amountLocale);
translateComponents(app.i18n);
app.addEventListener('language-select', (event) => void speak((event as CustomEvent<string>).detail));
/** The language that the words on the page are of. */
let spoken = given.language;
void begin();

async function begin() {
  const chosen = stored(LANGUAGE_KEY);
  if (chosen !== null && given.languages.includes(chosen) && chosen !== given.language) await speak(chosen);
  document.getElementById('before')?.remove();
  document.body.prepend(app);
}

/** Another language for the open page, unless another one was chosen since; what is on the page stays. */
async function speak(tag: string) {
  app.language = tag;
  const read = await readTexts(tag).catch(() => null);
  if (app.language !== tag) return;
  if (read === null) {
    app.language = spoken;
    const detail = app.i18n.text('account.shell.problems.away.title');
    app.dispatchEvent(new CustomEvent('announce', { detail }));
    return;
  }
  const { texts, locale, amountLocale, direction } = read;
  spoken = tag;
  store(LANGUAGE_KEY, tag);
  app.i18n = new I18n(texts, locale, amountLocale);
  translateComponents(app.i18n);
  document.documentElement.lang = locale;
  document.documentElement.dir = direction;
}

async function readTexts(tag: string): Promise<PageTexts | null> {
  const response = await fetch(`/texts/account/${tag}`);
  return response.ok ? ((await response.json()) as PageTexts) : null;
}
