import type { Clock } from '../elements/clock.ts';
import type { LightElement } from '../elements/light-element.ts';
import { I18n } from '../elements/i18n.ts';
import type { PageDocument } from '../../../src/api/page-state.ts';
import type { PaymentPage } from './payment-page.ts';
import type { PaymentStore } from './payment-store.ts';
import type { StateStore, PolledState, StateView } from './state-store.ts';

/** Time of the document's first byte, at which the server's time in it was correct. */
export function documentTimeMs(): number {
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : performance.now();
}

/** Connects a page to its store: the page shows each view. */
export function connectPage(page: PaymentPage, store: PaymentStore, pageDocument: PageDocument, clock: Clock) {
  page.i18n = new I18n(pageDocument.texts, pageDocument.locale, pageDocument.amountLocale);
  page.clock = clock;
  page.wallClock = store.serverNowMs;
  page.hasScript = true;
  page.view = store.view;
  store.subscribe((view) => {
    page.view = view;
  });
}

/** Keeps the state up to date while the page is visible. `path` is the page's path, `/p/ID`. */
export function startUpdates<State extends PolledState, View extends StateView<State>>(
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
  // After the first paint. If the module cannot load, the page polls.
  requestAnimationFrame(() =>
    setTimeout(() => {
      import('./state-stream.ts').then(
        ({ streamStates }) => streamStates(store, path),
        () => {},
      );
    }),
  );
}

/**
 * Resolves when the element and its descendants have rendered. Uses microtasks only, so it resolves before the next
 * paint.
 */
export async function renderComplete(element: LightElement): Promise<void> {
  await element.updateComplete;
  for (const descendant of element.querySelectorAll('*')) {
    // A LightElement of any module.
    if ('updateComplete' in descendant) await descendant.updateComplete;
  }
}
