import { typedSoFar } from './drawn-page.ts';
import type { PageDocument } from '../../src/contract/page-state.ts';
import { browserClock } from '../elements/clock.ts';
import { LightElement } from '../elements/light-element.ts';
import { Wording } from '../elements/text.ts';
import { giveBack } from './handover.ts';
import { LinkPage } from './link-page.ts';
import { PaymentApi } from '../payment/payment-api.ts';
import { PaymentStore } from '../payment/payment-store.ts';
import type { PageRequest } from '../payment/requests.ts';

const pageDocument = JSON.parse(document.getElementById('page-document')?.textContent ?? '') as PageDocument;

/** The server's time in the document was right when its first byte came. */
function documentReadAtMs(): number {
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : performance.now();
}

const store = new PaymentStore(
  pageDocument.state,
  {
    clock: browserClock,
    random: Math.random,
    api: new PaymentApi(location.pathname, fetch.bind(globalThis)),
    leave: (address) => location.assign(address),
  },
  documentReadAtMs(),
);

const page = new LinkPage();
page.words = new Wording(pageDocument.texts, pageDocument.locale, pageDocument.amountLocale);
page.clock = browserClock;
page.countryCodes = pageDocument.countryCodes;
page.address = location.origin + location.pathname;
page.wallClock = store.serverNowMs;
page.isAlive = true;
page.view = store.view;
page.addEventListener('page-request', (event) => void store.dispatch((event as CustomEvent<PageRequest>).detail));
store.subscribe((view) => {
  page.view = view;
});
document.body.prepend(page);
await drawn(page);
if (typedSoFar) giveBack(page, typedSoFar);

store.start();
if (document.hidden) store.pause();
document.addEventListener('visibilitychange', () => {
  if (document.hidden) store.pause();
  else void store.resume();
});
addEventListener('pageshow', (event) => {
  if (event.persisted) void store.resume();
});
addEventListener('online', () => void store.resume());
addEventListener('offline', () => store.patch({ isOffline: true }));

/** Resolves when the element and all that it draws have been drawn: in microtasks only, before the next paint. */
async function drawn(element: LightElement): Promise<void> {
  await element.updateComplete;
  for (const inner of element.querySelectorAll('*')) {
    if (inner instanceof LightElement) await inner.updateComplete;
  }
}
