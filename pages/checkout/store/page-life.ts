import type { Clock } from '../elements/clock.ts';
import type { LightElement } from '../elements/light-element.ts';
import { Wording } from '../elements/text.ts';
import type { PageDocument } from '../../../src/api/page-state.ts';
import type { PaymentPage } from './payment-page.ts';
import type { PaymentStore } from './payment-store.ts';
import type { StateStore, ToldState, ToldView } from './state-store.ts';

/** The server's time in the document was right when its first byte came. */
export function documentReadAtMs(): number {
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : performance.now();
}

/** Joins a page to its store: what the store sees, the page shows. */
export function bind(page: PaymentPage, store: PaymentStore, pageDocument: PageDocument, clock: Clock) {
  page.words = new Wording(pageDocument.texts, pageDocument.locale, pageDocument.amountLocale);
  page.clock = clock;
  page.countryCodes = pageDocument.countryCodes;
  page.wallClock = store.serverNowMs;
  page.isAlive = true;
  page.view = store.view;
  store.subscribe((view) => {
    page.view = view;
  });
}

/** Follows the state for as long as the page is seen. `path` is the page's own, `/p/ID`. */
export function live<State extends ToldState, View extends ToldView<State>>(
  store: StateStore<State, View>,
  path: string,
) {
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
  addEventListener('offline', () => store.patch({ isOffline: true } as Partial<View>));
  // After the first paint; where it cannot be had, the page asks.
  requestAnimationFrame(() =>
    setTimeout(() => {
      import('./state-stream.ts').then(
        ({ streamStates }) => streamStates(store, path),
        () => {},
      );
    }),
  );
}

/** Resolves when the element and all that it draws have been drawn: in microtasks only, before the next paint. */
export async function drawn(element: LightElement): Promise<void> {
  await element.updateComplete;
  for (const inner of element.querySelectorAll('*')) {
    // A LightElement, of whichever module.
    if ('updateComplete' in inner) await inner.updateComplete;
  }
}
