import type { Page } from '@playwright/test';

interface Watched {
  opened: EventSource[];
  statesHeard: number;
}

/** Holds on to the streams that a page opens, and tells how each is (`readyState`) and how many states have come by them. */
export async function watchStreams(page: Page) {
  await page.addInitScript(() => {
    const watched: Watched = { opened: [], statesHeard: 0 };
    globalThis.EventSource = class extends EventSource {
      constructor(address: string | URL) {
        super(address);
        watched.opened.push(this);
        this.addEventListener('state', () => (watched.statesHeard += 1));
      }
    };
    Object.assign(globalThis, { watched });
  });
  return async () =>
    await page.evaluate(() => {
      const { opened, statesHeard } = (globalThis as unknown as { watched: Watched }).watched;
      return { streams: opened.map(({ readyState }) => readyState), statesHeard };
    });
}
