import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

interface RecordedStreams {
  opened: EventSource[];
  statesReceived: number;
}

/** Records the streams that a page opens. Returns the `readyState` of each and the number of states received. */
export async function recordStreams(page: Page) {
  await page.addInitScript(() => {
    const watched: RecordedStreams = { opened: [], statesReceived: 0 };
    globalThis.EventSource = class extends EventSource {
      constructor(address: string | URL) {
        super(address);
        watched.opened.push(this);
        this.addEventListener('state', () => (watched.statesReceived += 1));
      }
    };
    Object.assign(globalThis, { watched });
  });
  return async () =>
    await page.evaluate(() => {
      const { opened, statesReceived } = (globalThis as unknown as { watched: RecordedStreams }).watched;
      return { streams: opened.map(({ readyState }) => readyState), statesReceived: statesReceived };
    });
}

/** Opens a page and waits for its first live update. Before that, it may poll. */
export async function openAndWaitForUpdate(page: Page, link: string) {
  const readStreams = await recordStreams(page);
  await page.goto(link);
  await expect.poll(async () => (await readStreams()).statesReceived).toBeGreaterThan(0);
}
