import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { scenarios } from '../../testing/index.ts';
import { chromiumSwitches, findChromium } from '../../scripts/chromium.mjs';
import { Checkout } from './checkout.ts';
import { expect, test as base } from './fixtures.ts';

/** Browser profile settings that block site storage. */
const profiles = {
  'all storage is blocked': { profile: { default_content_setting_values: { cookies: 2 } } },
  'third-party storage is blocked': {
    profile: { cookie_controls_mode: 1, block_third_party_cookies: true },
  },
} as const;

for (const [what, preferences] of Object.entries(profiles)) {
  const test = base.extend({
    /** A browser with its own profile, because these settings cannot be set per context. */
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
      // Browser processes may still write to the folder.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  });

  test.describe(`if ${what}`, () => {
    test('a card with a challenge pays', async ({ page, server }) => {
      const checkout = await Checkout.open(page, server);
      await checkout.form.fillAndPay(scenarios.challenge);
      // Proves that storage is blocked.
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

base('the form uses no browser storage', async ({ page, context, server }) => {
  await context.addInitScript(() => {
    const refuse = (owner: object, ...names: string[]) => {
      for (const name of names) {
        const get = () => {
          throw new Error(`${name} was accessed`);
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
