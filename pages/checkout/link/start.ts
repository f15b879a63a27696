import { nothing } from 'lit';
import type { PageDocument, PageState, PageTexts } from '../../../src/api/page-state.ts';
import { browserClock } from '../elements/clock.ts';
import { ParentChannel } from '../embed/parent-channel.ts';
import { keepCountryNames } from '../elements/country-field.ts';
import { I18n } from '../elements/i18n.ts';
import { connectPage, documentTimeMs, renderComplete, startUpdates } from '../store/page-lifecycle.ts';
import { PaymentApi } from '../store/payment-api.ts';
import { PaymentStore, type PageEnvironment } from '../store/payment-store.ts';
import { openMethod } from '../store/page-view.ts';
import type { PageRequest } from '../store/requests.ts';
import type { Methods } from '../methods/methods.ts';
import { restoreInput, type SavedInput } from './saved-input.ts';
import { needsMethods } from './needs-methods.ts';
import { LinkPage } from './link-page.ts';

/**
 * Replaces the server-rendered page, in the task that removed it. `methods` renders non-card methods; if null, it is
 * loaded once the payment allows such methods.
 */
export async function startLinkPage(savedInput: SavedInput | null, methods: Methods | null) {
  const pageDocument = JSON.parse(document.getElementById('page-document')?.textContent ?? '') as PageDocument;

  const env: PageEnvironment = {
    clock: browserClock,
    random: Math.random,
    api: new PaymentApi(pageDocument.linkPath, fetch.bind(globalThis)),
    navigate: (url) => location.assign(url),
  };
  const store = new PaymentStore(pageDocument.state, env, documentTimeMs(), pageDocument);

  // A page outside a frame has no merchant page to ask. Created before any await, because the element sends one
  // handshake.
  const channel =
    pageDocument.embedding && window.parent !== window
      ? new ParentChannel(window, pageDocument.embedding.origins)
      : null;

  if (savedInput) keepCountryNames(pageDocument.locale, savedInput.countries);
  const page = new LinkPage();
  const useMethods = (methods: Methods) => {
    env.startMethod = methods.startMethod;
    env.isStale = methods.isStale;
    page.methods = methods;
  };
  let areMethodsLoaded = methods !== null;
  if (methods) useMethods(methods);
  if (savedInput?.method) void store.dispatch({ type: 'select_method', code: savedInput.method });

  connectPage(page, store, pageDocument, browserClock);
  page.items = savedInput?.items ?? nothing;
  page.address = location.origin + pageDocument.linkPath;
  page.languages = pageDocument.languages;
  page.language = pageDocument.language;

  let handleRequest = (request: PageRequest): void => void store.dispatch(request);
  if (channel) {
    const { EmbedBridge } = await import('../embed/embed-bridge-on-demand.ts');
    const bridge = new EmbedBridge(channel, page, store, pageDocument, areMethodsLoaded ? 'methods' : 'link');
    env.showChallenge = bridge.showChallenge;
    delete env.navigate;
    handleRequest = (request) => bridge.handle(request);
    bridge.start();
  }
  page.addEventListener('page-request', (event) => handleRequest((event as CustomEvent<PageRequest>).detail));
  document.body.prepend(page);
  await renderComplete(page);
  if (savedInput) restoreInput(page, savedInput);
  startUpdates(store, pageDocument.linkPath);

  // A non-card method that was allowed after the page opened is loaded together with its text.
  async function loadMethods() {
    try {
      const response = await fetch(`/texts/methods/${page.i18n.locale}`);
      const { texts, locale, amountLocale } = (await response.json()) as PageTexts;
      useMethods((await import('../methods/methods-on-demand.ts')).methods);
      page.i18n = new I18n(texts, locale, amountLocale);
    } catch {
      // Browsers don't repeat a failed import, so the page reloads, unless the card is open. In a frame, a reload would
      // end the channel.
      const mayReload = () => !channel && openMethod(store.view)?.action !== 'card';
      if (mayReload() && (await store.poll()) && mayReload()) location.replace(pageDocument.linkPath);
      // Retried with the next state.
      areMethodsLoaded = false;
    }
  }
  store.subscribe(({ state }) => {
    if (areMethodsLoaded || !needsMethods(state)) return;
    areMethodsLoaded = true;
    void loadMethods();
  });

  let shownLanguage = page.language;
  /** Changes the language. The link stores it for this and other devices. */
  async function changeLanguage(tag: string) {
    page.language = tag;
    const result = await env.api.post<PageTexts>('locale', null, { locale: tag });
    if (page.language !== tag) return;
    if (result.kind === 'done') {
      shownLanguage = tag;
      applyLanguage(page, store.view.state, result.body);
      // A language in the URL would override the stored one after a reload.
      history.replaceState(null, '', page.address);
      return;
    }
    page.language = shownLanguage;
    // Shows whether the page is offline.
    if (result.kind === 'lost') void store.refresh();
  }
  page.addEventListener('language-select', (event) => void changeLanguage((event as CustomEvent<string>).detail));
  const selected = savedInput?.locale ?? page.language;
  if (selected !== page.language) void changeLanguage(selected);
}

/** Translates the page, and the server-rendered parts that it keeps. */
function applyLanguage(page: LinkPage, state: PageState, { texts, locale, amountLocale, direction }: PageTexts) {
  const i18n = new I18n(texts, locale, amountLocale);
  page.i18n = i18n;
  document.documentElement.lang = locale;
  document.documentElement.dir = direction;
  for (const element of document.querySelectorAll<HTMLElement>('[data-text], [data-amount]')) {
    const { text, amount } = element.dataset;
    if (text) element.textContent = i18n.text(text);
    if (amount) element.textContent = i18n.amount({ value: amount, currency: state.amount.currency });
  }
  document.title = i18n.text('page.title', { amount: i18n.amount(state.amount), merchant: state.merchant.name });
}
