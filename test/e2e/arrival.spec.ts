import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { recordStreams } from './streams.ts';

/* Pages that arrive piece by piece, as on a slow network: each piece is painted, and nothing that is painted moves. */

interface ArrivingPage {
  url: string;
  /** Sends the next piece of the page; returns false after the last one. */
  sendPiece(): boolean;
  close(): void;
}

/** Forwards requests to the service, and holds back its page. */
async function holdPage(link: string): Promise<ArrivingPage> {
  const { origin, pathname, search } = new URL(link);
  let pieces: string[] = [];
  let outgoingPage: ServerResponse | null = null;
  const hold = async (response: IncomingMessage, outgoing: ServerResponse) => {
    pieces = piecesOf(await text(response));
    outgoingPage = outgoing;
  };
  const server = createServer((incoming, outgoing) => {
    const { 'accept-encoding': _encoding, ...headers } = incoming.headers;
    const { method, url = '/' } = incoming;
    const forwarded = request(origin + url, { method, headers }, (response) => {
      const { 'content-length': _length, ...responseHeaders } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, responseHeaders);
      if (url !== pathname + search) {
        response.pipe(outgoing);
        return;
      }
      outgoing.flushHeaders();
      void hold(response, outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}${search}`,
    sendPiece() {
      const piece = pieces.shift();
      if (piece === undefined) outgoingPage?.end();
      else outgoingPage?.write(piece);
      return piece !== undefined || outgoingPage === null;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The page's head with its styles, and its body in pieces. */
function piecesOf(html: string): string[] {
  const bodyAt = html.indexOf('<body');
  const body = html.slice(bodyAt).match(/[^]{1000,}?(?=<(?!\/|circle|path))|[^]+$/g) ?? [];
  return [html.slice(0, bodyAt), ...body];
}

/** Waits for a frame; a page that delays its first paint has none. */
async function waitForFrame(page: Page) {
  await page.evaluate(
    async () =>
      await Promise.race([
        new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        new Promise((resolve) => setTimeout(resolve, 500)),
      ]),
  );
}

interface Shift extends PerformanceEntry {
  sources: { previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

interface Arrival {
  /** Places of each shifted element before and after: x, y, width and height. */
  shifts: string[];
  isPaintedWhileArriving: boolean;
}

async function arrivalOf(page: Page): Promise<Arrival> {
  return await page.evaluate(
    async () =>
      await new Promise<Arrival>((resolve) => {
        const shifts: string[] = [];
        const place = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ');
        new PerformanceObserver((list) => {
          for (const { sources } of list.getEntries() as Shift[])
            for (const { previousRect, currentRect } of sources)
              shifts.push(`${place(previousRect)} to ${place(currentRect)}`);
        }).observe({ type: 'layout-shift', buffered: true });
        const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
        const [paint] = performance.getEntriesByName('first-contentful-paint');
        const isPaintedWhileArriving = (paint?.startTime ?? Infinity) < (navigation?.responseEnd ?? 0);
        requestAnimationFrame(() => requestAnimationFrame(() => resolve({ shifts, isPaintedWhileArriving })));
      }),
  );
}

// High enough for the whole page: only shifts of what is visible are recorded.
for (const [name, viewport] of Object.entries({
  phone: { width: 360, height: 2400 },
  desktop: { width: 1280, height: 1600 },
})) {
  test(`a page is painted on a ${name} as it arrives, and nothing shifts`, async ({ page, server }) => {
    await page.setViewportSize(viewport);
    const thai = { payment_method: 'online_banking', country: 'THA', currency: 'THB', amount: 1250.5 };
    const several = await server.createLinkWithMethods();
    const readStreams = await recordStreams(page);
    const links = [
      (await server.createLink()).link,
      several.link,
      `${several.link}?locale=ar`,
      (await server.createLinkWithMethods(thai)).link,
    ];
    for (const link of links) {
      await test.step(link, async () => {
        const arriving = await holdPage(link);
        try {
          await page.goto(arriving.url, { waitUntil: 'commit' });
          while (arriving.sendPiece()) await waitForFrame(page);
          await expect(page.locator('pay-button .pay')).toBeEnabled();
          await expect.poll(async () => (await readStreams()).statesReceived).toBeGreaterThan(0);
          expect(await arrivalOf(page)).toEqual({ shifts: [], isPaintedWhileArriving: true });
          await page.goto('about:blank');
        } finally {
          arriving.close();
        }
      });
    }
  });
}
