import type { PageTexts } from '../../src/contract/page-state.ts';
import { Wording } from '../elements/text.ts';
import { AccountApi } from './api.ts';
import { AccountApp } from './account-app.ts';
import { chosenLanguage, rememberLanguage } from './language.ts';
import iconSheet from './icons.svg';
import { setIconSheet } from './icons.ts';
import { Live } from './live.ts';
import type { AccountDocument } from './render.ts';

const given = JSON.parse(document.getElementById('account-document')?.textContent ?? '') as AccountDocument;

setIconSheet(iconSheet);

const app = new AccountApp();
app.api = new AccountApi(fetch.bind(globalThis));
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
app.words = new Wording(given.texts, given.locale, given.amountLocale);
app.addEventListener('language-select', (event) => {
  const tag = (event as CustomEvent<string>).detail;
  rememberLanguage(tag);
  void speak(tag);
});
void begin();

async function begin() {
  const chosen = chosenLanguage(given.languages);
  if (chosen !== null && chosen !== given.language) await speak(chosen);
  document.getElementById('before')?.remove();
  document.body.prepend(app);
}

/** Another language for the open page; what is on it stays. */
async function speak(tag: string) {
  const response = await fetch(`/texts/account/${tag}`).catch(() => null);
  if (!response?.ok) return;
  const { texts, locale, amountLocale, direction } = (await response.json()) as PageTexts;
  app.language = tag;
  app.words = new Wording(texts, locale, amountLocale);
  document.documentElement.lang = locale;
  document.documentElement.dir = direction;
}
