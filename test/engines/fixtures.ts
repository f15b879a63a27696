import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe } from 'node:test';
import { type RemoteServer, type ServerAddresses, startServerProcess } from '../support/server-process.ts';
import type { Browser } from './driver.ts';
import { firefox } from './firefox.ts';
import { Page } from './page.ts';
import { webkit } from './webkit.ts';

/** Fixtures of a test: a new visitor's page and the service. */
export interface EngineFixtures {
  page: Page;
  server: RemoteServer;
  urls: ServerAddresses;
}

/** Declares the same tests for each engine. After each test, the page must have reported no faults. */
export function onEveryEngine(declareTests: (fixtures: EngineFixtures) => void) {
  const bench = {} as EngineFixtures;
  let stopServer = async () => {};
  before(async () => {
    const { server, stop } = await startServerProcess({ watchPages: true });
    stopServer = stop;
    bench.server = server;
    bench.urls = await server.addresses();
  });
  after(async () => await stopServer());

  for (const engine of [firefox, webkit]) {
    describe(engine.name, () => {
      let browser: Browser | undefined;
      before(async () => {
        browser = await engine.launch();
      });
      after(async () => await browser?.close());
      beforeEach(async () => {
        if (!browser) throw new Error('The browser is not running');
        bench.page = new Page(await browser.newTab());
      });
      afterEach(async () => {
        const { tab } = bench.page;
        await tab.close();
        assert.deepEqual([...tab.takeFaults(), ...(await bench.server.takePageFaults())], []);
      });
      declareTests(bench);
    });
  }
}
