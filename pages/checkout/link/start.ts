import type { PageDocument, PageTexts } from '../../../src/api/page-state.ts';
import { browserClock } from '../elements/clock.ts';
import { ParentChannel } from '../embed/parent-channel.ts';
import { Wording } from '../elements/text.ts';
import { bind, documentReadAtMs, drawn, live } from '../store/page-life.ts';
import { PaymentApi } from '../store/payment-api.ts';
import { PaymentStore, type PageWorld } from '../store/payment-store.ts';
import type { PageRequest } from '../store/requests.ts';
import type { Methods } from '../methods/methods.ts';
import { giveBack, type TypedSoFar } from './handover.ts';
import { needsMethods } from './needs-methods.ts';
import { LinkPage } from './link-page.ts';

/**
 * Replaces the server-rendered page, in the task that removed it. `methods` renders non-card methods; if null, it is
 * loaded once the payment allows such methods.
 */
export async function start(typedSoFar: TypedSoFar | null, methods: Methods | null) {
  const pageDocument = JSON.parse(document.getElementById('page-document')?.textContent ?? '') as PageDocument;

  const world: PageWorld = {
    clock: browserClock,
    random: Math.random,
    api: new PaymentApi(pageDocument.linkPath, fetch.bind(globalThis)),
    leave: (address) => location.assign(address),
  };
  const store = new PaymentStore(pageDocument.state, world, documentReadAtMs(), pageDocument);

  // A page outside a frame has no merchant page to ask. Created before any await, because the element sends one
  // handshake.
  const channel =
    pageDocument.embedding && window.parent !== window
      ? new ParentChannel(window, pageDocument.embedding.origins)
      : null;

  const page = new LinkPage();
  const use = (methods: Methods) => {
    world.beginMethod = methods.beginMethod;
    world.isStale = methods.isStale;
    page.methods = methods;
  };
  let areMethodsLoaded = methods !== null;
  if (methods) use(methods);
  if (typedSoFar?.method) void store.dispatch({ type: 'select_method', code: typedSoFar.method });

  bind(page, store, pageDocument, browserClock);
  page.address = location.origin + pageDocument.linkPath;
  page.languages = pageDocument.languages;
  page.language = pageDocument.language;

  let carry = (request: PageRequest): void => void store.dispatch(request);
  if (channel) {
    const { Embedding } = await import('../embed/embedding.ts');
    const embedding = new Embedding(channel, page, store, pageDocument, areMethodsLoaded ? 'methods' : 'link');
    world.showChallenge = embedding.showChallenge;
    delete world.leave;
    carry = (request) => embedding.carry(request);
    embedding.start();
  }
  page.addEventListener('page-request', (event) => carry((event as CustomEvent<PageRequest>).detail));
  document.body.prepend(page);
  await drawn(page);
  if (typedSoFar) giveBack(page, typedSoFar);
  live(store, pageDocument.linkPath);

  // A non-card method that was allowed after the page opened is loaded together with its texts.
  async function addMethods() {
    try {
      const response = await fetch(`/texts/methods/${page.words.locale}`);
      const { texts, locale, amountLocale } = (await response.json()) as PageTexts;
      use((await import('../methods/methods.ts')).methods);
      page.words = new Wording(texts, locale, amountLocale);
    } catch {
      // Retried with the next state.
      areMethodsLoaded = false;
    }
  }
  store.subscribe(({ state }) => {
    if (areMethodsLoaded || !needsMethods(state)) return;
    areMethodsLoaded = true;
    void addMethods();
  });

  let spoken = page.language;
  /** Changes the language. The link stores it for this and other devices. */
  async function chooseLanguage(tag: string) {
    page.language = tag;
    const answer = await world.api.post<PageTexts>('locale', null, { locale: tag });
    if (page.language !== tag) return;
    if (answer.kind === 'done') {
      spoken = tag;
      speak(page, store, answer.body);
      return;
    }
    page.language = spoken;
    store.patch({ isOffline: answer.kind === 'lost' });
  }
  page.addEventListener('language-select', (event) => void chooseLanguage((event as CustomEvent<string>).detail));
  const chosen = typedSoFar?.locale ?? page.language;
  if (chosen !== page.language) void chooseLanguage(chosen);
}

function speak(page: LinkPage, store: PaymentStore, { texts, locale, amountLocale, direction }: PageTexts) {
  page.words = new Wording(texts, locale, amountLocale);
  document.documentElement.lang = locale;
  document.documentElement.dir = direction;
  const { state } = store.view;
  document.title = page.words.text('page.title', {
    amount: page.words.amount(state.amount),
    merchant: state.merchant.name,
  });
}
