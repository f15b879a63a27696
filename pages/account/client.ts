/*
 * Map of `pages/account/`: `client.ts` starts `account-app.ts`, which shows a page of `routes.ts` in the shell of
 * `shell/`. Each page has its own folder and extends `account-page.ts`. `api.ts` calls the service, `loader.ts` loads
 * the data of a page, and `live.ts` receives live updates. `parts.ts`, `fields.ts` and `choices.ts` have the shared
 * controls. Reasons: docs/decisions/account-area.md.
 */

import type { PageTexts } from '../../src/api/page-state.ts';
import { I18n } from '../checkout/elements/i18n.ts';
import { createAccountApi } from './api.ts';
import { AccountApp } from './account-app.ts';
import iconSprite from './icons.svg';
import { setIconSprite } from './icons.ts';
import { LiveUpdates } from './live.ts';
import type { AccountDocument } from './render.ts';
import { writeStored, readStored } from './storage.ts';
import { textBundlesFor } from './text-bundles.ts';
import { TextStore } from './text-store.ts';
import { translateComponents } from './web-awesome.ts';

const LANGUAGE_KEY = 'paylatch-account-language';

const pageData = JSON.parse(document.getElementById('account-document')?.textContent ?? '') as AccountDocument;

setIconSprite(iconSprite);

const app = new AccountApp();
app.api = createAccountApi({ fetch: fetch.bind(globalThis) });
app.live = new LiveUpdates({
  openStream: (url) => new EventSource(url),
  schedule(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  page: document,
});
app.languages = pageData.languages;
app.language = pageData.language;
const textStore = new TextStore(readTexts, pageData.language, textBundlesFor(location.pathname), pageData);
app.loadTexts = async (bundles) => await textStore.load(bundles);
showTexts();
app.addEventListener('language-select', (event) => void switchLanguage((event as CustomEvent<string>).detail));
/** Language of the displayed text. */
let shownLanguage = pageData.language;
void start();

async function start() {
  const storedLanguage = readStored(LANGUAGE_KEY);
  if (storedLanguage !== null && pageData.languages.includes(storedLanguage) && storedLanguage !== pageData.language)
    await switchLanguage(storedLanguage);
  document.getElementById('boot-frame')?.remove();
  document.body.prepend(app);
}

/** Switches the language and keeps the state of the page. A later selection takes precedence. */
async function switchLanguage(tag: string) {
  app.language = tag;
  const show = await textStore.prepare(tag).catch(() => null);
  if (app.language !== tag) return;
  if (show === null) {
    app.language = shownLanguage;
    const detail = app.i18n.text('account.shell.problems.unavailable.title');
    app.dispatchEvent(new CustomEvent('announce', { detail }));
    return;
  }
  shownLanguage = tag;
  writeStored(LANGUAGE_KEY, tag);
  show();
  showTexts();
}

function showTexts() {
  const { texts, locale, amountLocale, direction } = textStore.page;
  app.i18n = new I18n(texts, locale, amountLocale);
  translateComponents(app.i18n);
  document.documentElement.lang = locale;
  document.documentElement.dir = direction;
}

async function readTexts(bundle: string, language: string): Promise<PageTexts> {
  const response = await fetch(`/texts/account/${bundle}/${language}`);
  if (!response.ok) throw new Error(`${response.url} returned ${response.status}`);
  return (await response.json()) as PageTexts;
}
