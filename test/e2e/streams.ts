import type { Page } from '@playwright/test';

interface Watched {
  opened: EventSource[];
  statesHeard: number;
}

/** Records the streams that a page opens. Returns the `readyState` of each and the number of states received. */
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
