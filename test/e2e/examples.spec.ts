import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { packageRoot } from '../../src/system/root.ts';
import { IssuerPage, PayForm, scenarios } from '../../testing/index.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/program.ts';
import type { ServerAddresses } from '../support/server-process.ts';
import { expect, test as base } from './fixtures.ts';

const vite = join(packageRoot(), 'node_modules', 'vite', 'bin', 'vite.js');

const commands = {
  'plain-html': () => ['server.mjs'],
  'server-rendered': () => ['server.mjs'],
  react: (port: number) => [vite, '--port', String(port), '--strictPort'],
  vue: (port: number) => [vite, '--port', String(port), '--strictPort'],
} satisfies Record<string, (port: number) => string[]>;
type Example = keyof typeof commands;

const test = base.extend<{
  copy: (example: Example) => Promise<string>;
  start: (example: Example) => Promise<string>;
}>({
  /** A copy of an example in a folder where Vite may write; its packages are found in a parent folder. */
  copy: async ({}, use) => {
    const above = join(packageRoot(), 'test-results', 'examples');
    await mkdir(above, { recursive: true });
    const folders: string[] = [];
    await use(async (example) => {
      // Copies are made concurrently, so each has its own server file next to it.
      const parent = await mkdtemp(join(above, `${example}-`));
      folders.push(parent);
      const folder = join(parent, example);
      await cp(join(packageRoot(), 'examples', 'server.mjs'), join(parent, 'server.mjs'));
      await cp(join(packageRoot(), 'examples', example), folder, {
        recursive: true,
        filter: (path) => !path.includes('node_modules'),
      });
      return folder;
    });
    for (const folder of folders) await rm(folder, { recursive: true });
  },

  /** Starts an example as in its README and returns its URL. */
  start: async ({ copy, urls, page }, use) => {
    const running: ChildProcess[] = [];
    await use(async (example) => {
      const port = await freePort();
      const child = run(await copy(example), commands[example](port), urls, { PORT: String(port) });
      running.push(child);
      const address = `http://localhost:${port}`;
      await until(`${example} responds`, async () => {
        if (child.exitCode !== null) throw new Error(`${example} ended with ${child.exitCode}`);
        return await fetch(address).then(
          ({ ok }) => ok,
          () => false,
        );
      });
      return address;
    });
    // A request of the page that is still running would fail with the server.
    await page.goto('about:blank');
    for (const child of running) {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
  },
});

function run(folder: string, args: string[], urls: ServerAddresses, env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '', SERVICE_URL: urls.url, ACCESS_TOKEN: urls.token, ...env },
  });
}

const formOf = (page: Page) => new PayForm(page.locator('pay-form'));

for (const example of ['plain-html', 'vue'] as const) {
  test(`${example}: a declined card, then an approved card`, async ({ page, start }) => {
    await page.goto(await start(example));
    const form = formOf(page);
    await form.fillAndPay(scenarios.declined);
    await expect(page.getByRole('status')).toContainText('Your card was declined');
    await form.fillAndPay(scenarios.approved);
    await expect(page.getByRole('status')).toHaveText('Thank you. The cups are on their way.');
  });
}

test('react: the page’s own button pays', async ({ page, start }) => {
  await page.goto(await start('react'));
  const payButton = page.getByRole('button', { name: /^Pay/ });
  const form = new PayForm(page.locator('pay-form'), { payButton });
  await form.fill(scenarios.approved);
  await expect(payButton).toHaveText('Pay $12.50 with Visa');
  await form.pay();
  await expect(page.getByRole('status')).toHaveText('Thank you. The cups are on their way.');
});

test.describe('server-rendered', () => {
  const formIn = (page: Page) =>
    new PayForm(page.locator('pay-form'), { payButton: page.getByRole('button', { name: /^Pay/ }) });

  test('the form is submitted after the payment, with its other fields', async ({ page, start }) => {
    await page.goto(await start('server-rendered'));
    await page.getByLabel('Gift message').fill('For <you> & me');
    await formIn(page).fillAndPay(scenarios.approved);
    await page.waitForURL(/\/orders\/order-/);
    await expect(page.getByRole('heading')).toHaveText('Thank you');
    await expect(page.getByText('“For <you> & me”')).toBeVisible();
  });

  test('a challenge comes before the form is submitted', async ({ page, start }) => {
    const address = await start('server-rendered');
    await page.goto(address);
    const form = formIn(page);
    await form.fillAndPay(scenarios.challenge);
    await form.issuer.approve();
    await page.waitForURL(/\/orders\/order-/);
    await expect(page.getByRole('heading')).toHaveText('Thank you');
  });

  test('a redirect to the challenge returns to the shop', async ({ page, start }) => {
    await page.goto(await start('server-rendered'));
    await page.locator('pay-form').evaluate((form) => form.setAttribute('redirect', 'top'));
    await formIn(page).fillAndPay(scenarios.challenge);
    await new IssuerPage(page).approve();
    await page.waitForURL(/\/orders\/order-/);
    await expect(page.getByRole('heading')).toHaveText('Thank you');
  });

  test('a form submitted without payment is not accepted', async ({ page, start }) => {
    await page.goto(await start('server-rendered'));
    await formIn(page).payButton.waitFor();
    await page.locator('form').evaluate((form: HTMLFormElement) => {
      const paid = document.createElement('input');
      paid.name = 'payment';
      paid.value = new FormData(form).get('payment') as string;
      form.append(paid);
      form.querySelector('pay-form')?.remove();
      form.submit();
    });
    await expect(page.getByRole('heading')).toHaveText('Not paid yet');
  });
});

for (const example of ['react', 'vue'] as const) {
  test(`${example}: the browser build contains the service’s URL and no token`, async ({ copy, urls }) => {
    const folder = await copy(example);
    const [code] = (await once(run(folder, [vite, 'build'], urls), 'exit')) as [number];
    expect(code).toBe(0);
    const entries = await readdir(join(folder, 'dist'), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const built = (await Promise.all(files.map(async (file) => await readFile(file, 'utf8')))).join('');
    expect(built).toContain(`${urls.url}/widget/v1/pay-form.js`);
    expect(built).not.toContain(urls.token);
  });
}
