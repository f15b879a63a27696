import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { packageRoot } from '../../src/system/root.ts';
import { freePort } from '../support/ports.ts';

/** Everything that `npm run dev` reads. The tests change a copy. */
const parts = [
  ...['src', 'client', 'pages', 'examples/shop', 'widget', 'public', 'scripts', 'runtime'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'],
];

/** Timeout for a start on a busy machine. */
const START_MS = 120_000;

interface DevelopmentServer {
  folder: string;
  link: string;
  origin: string;
  output: () => string;
  end(): Promise<number | null>;
}

async function startDevelopment(): Promise<DevelopmentServer> {
  const folder = mkdtempSync(join(tmpdir(), 'paylatch-dev-'));
  for (const part of parts) cpSync(join(packageRoot(), part), join(folder, part), { recursive: true });
  symlinkSync(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'));
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, ['scripts/dev.mjs'], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  await expect.poll(() => /Webhook secret/.test(output) || child.exitCode !== null, { timeout: START_MS }).toBe(true);
  const link = /Payment link +(\S+)/.exec(output)?.[1];
  if (link === undefined) throw new Error(`npm run dev did not start:\n${output}`);
  return {
    ...{ folder, link, origin: `http://localhost:${port}`, output: () => output },
    async end() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = (await ended) as [number | null];
      rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}

function edit(file: string, before: string, after: string): void {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(before)) throw new Error(`${file} does not contain ${before}`);
  writeFileSync(file, text.replace(before, after));
}

/** Marks the loaded document; a reload removes the mark. */
const mark = async (page: Page) => await page.evaluate(() => Object.assign(globalThis, { marked: true }));
const isMarked = async (page: Page) => await page.evaluate(() => 'marked' in globalThis);

test('npm run dev: pages work under their policy, and follow the sources', async ({ page }) => {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', ({ message }) => faults.push(message));
  const development = await startDevelopment();
  const { folder, link, origin } = development;
  const source = (path: string) => join(folder, path);
  try {
    await page.goto(link);
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await expect(page.getByRole('button', { name: /^Pay/ })).toBeVisible();
    expect(faults).toEqual([]);

    // Styles change in the open page.
    await mark(page);
    appendFileSync(source('pages/checkout/link/link-page.css'), '\nhtml { --changed: yes; }\n');
    const changed = async () =>
      await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--changed'));
    await expect.poll(changed).toBe('yes');
    expect(await isMarked(page)).toBe(true);
    await expect(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242');

    // Scripts that only the browser loads reload it.
    appendFileSync(
      source('pages/checkout/link/client-with-methods.ts'),
      "\ndocument.documentElement.id = 'changed';\n",
    );
    appendFileSync(source('pages/checkout/link/client.ts'), "\ndocument.documentElement.id = 'changed';\n");
    await expect(page.locator('html#changed')).toBeAttached();
    expect(await isMarked(page)).toBe(false);

    // An error in the server's sources is reported, and the previous version keeps running.
    await mark(page);
    const routes = source('src/http/health-routes.ts');
    appendFileSync(routes, '\nconst = ;\n');
    await expect(page.locator('vite-error-overlay')).toBeAttached();
    expect((await page.request.get(`${origin}/healthz`)).status()).toBe(200);

    // A correct change restarts the service and reloads the page. Requests wait for the new one.
    edit(routes, '\nconst = ;\n', '');
    edit(routes, "'/healthz'", "'/alive'");
    await expect
      .poll(async () => (await page.request.get(`${origin}/alive`, { timeout: START_MS })).status(), {
        timeout: START_MS,
      })
      .toBe(200);
    expect((await page.request.get(`${origin}/healthz`)).status()).toBe(404);
    await page.waitForFunction(() => !('marked' in globalThis));
    await expect.poll(development.output).toContain('Restarted after a change to src/http/health-routes.ts');
    expect(faults).toEqual([]);

    // Only sources are served, and only those in the folders of pages.
    for (const path of ['data/demo-shop.json', `@fs${folder}/data/demo-shop.json`, 'package.json', '@fs/etc/passwd']) {
      const response = await page.request.get(`${origin}/${path}`);
      expect([path, response.ok()]).toEqual([path, false]);
    }
  } catch (error) {
    throw new Error(`npm run dev printed:\n${development.output().slice(-4000)}`, { cause: error });
  } finally {
    expect(await development.end()).toBe(0);
  }
});
