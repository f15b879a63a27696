import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { scenarios } from '../../testing/index.ts';
import { chromiumSwitches, findChromium } from '../../scripts/chromium.mjs';
import { Checkout } from './checkout.ts';
import { expect, test as base } from './fixtures.ts';

/** Settings of a browser's profile that keep sites from remembering anything, as people have them. */
const profiles = {
  'no site may keep anything': { profile: { default_content_setting_values: { cookies: 2 } } },
  'no other site than the page’s may keep anything': {
    profile: { cookie_controls_mode: 1, block_third_party_cookies: true },
  },
} as const;

for (const [what, preferences] of Object.entries(profiles)) {
  const test = base.extend({
    /** A browser with a profile of its own: these settings are not a context's. */
    context: async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'paylatch-profile-'));
      mkdirSync(join(folder, 'Default'));
      writeFileSync(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences));
      const context = await chromium.launchPersistentContext(folder, {
        executablePath: findChromium() ?? '',
        args: chromiumSwitches,
        locale: 'en-US',
      });
      await use(context);
      await context.close();
      // Processes of the browser may still write there.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  });

  test.describe(`where ${what}`, () => {
    test('a card pays, after the bank’s question as well', async ({ page, server }) => {
      const checkout = await Checkout.open(page, server);
      await checkout.form.fillAndPay(scenarios.challenge);
      // So it is: without this the test would show nothing.
      const storage = await checkout.frame.locator('html').evaluate(() => {
        try {
          return typeof localStorage.length;
        } catch (error) {
          return (error as Error).name;
        }
      });
      expect(storage).toBe('SecurityError');
      await checkout.form.issuer.approve();
      expect(await checkout.form.outcome()).toBe('success');
      expect((await server.detail(checkout.reference)).status).toBe('transaction_status_confirmed');
    });
  });
}

base('nothing of the form asks for anything that is kept', async ({ page, context, server }) => {
  await context.addInitScript(() => {
    const refuse = (owner: object, ...names: string[]) => {
      for (const name of names) {
        const get = () => {
          throw new Error(`${name} was asked for`);
        };
        Object.defineProperty(owner, name, { configurable: true, get, set: get });
      }
    };
    refuse(window, 'localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore');
    refuse(Document.prototype, 'cookie');
    refuse(Navigator.prototype, 'serviceWorker', 'storage');
    refuse(window, 'BroadcastChannel', 'SharedWorker');
  });
  const checkout = await Checkout.open(page, server);
  await checkout.form.fillAndPay(scenarios.challenge);
  await checkout.form.issuer.approve();
  expect(await checkout.form.outcome()).toBe('success');
});
