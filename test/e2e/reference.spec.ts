import type { APIRequestContext, Page } from '@playwright/test';
import { operationGroups } from '../../src/api/operation.ts';
import { operations } from '../../src/api/operations.ts';
import { webhookEvents } from '../../src/api/webhook-events.ts';
import { problemCatalog } from '../../src/api/problem.ts';
import { watchFor } from './account.ts';
import { findings } from './barriers.ts';
import { expect, test } from './fixtures.ts';

const openReference = async (page: Page, url: string, path = '') => await page.goto(`${url}/reference${path}`);

const pageOf = (group: string) => `/${group.toLowerCase().replaceAll(' ', '-')}`;
const pages = ['', ...Object.values(operationGroups).map(pageOf), '/problems'];

interface Section {
  text: string;
  headings: string[];
  links: (string | null)[];
  endpoint: string | undefined;
  samples: (string | null)[];
  exampleCount: number;
  /** Text of the last code figure. */
  lastCode: string | undefined;
}

interface Reading {
  /** Elements with an anchor, by ID. */
  sections: Partial<Record<string, Section>>;
  /** Links of the table of contents. */
  contents: (string | null)[];
  /** Targets of all links. */
  links: string[];
}

/** Reads a page as it is sent. The browser only parses it: rendering all pages takes ten times as long. */
async function read(page: Page, request: APIRequestContext, url: string, path: string): Promise<Reading> {
  const address = `${url}/reference${path}`;
  const html = await (await request.get(address)).text();
  return await page.evaluate(
    ({ html, address }) => {
      const parsed = new DOMParser().parseFromString(html, 'text/html');
      const base = parsed.createElement('base');
      base.href = address;
      parsed.head.prepend(base);
      const textOf = (element: Element | null) => element?.textContent.replaceAll(/\s+/g, ' ').trim();
      const readSection = (section: Element): [id: string, Section] => [
        section.id,
        {
          text: textOf(section) ?? '',
          headings: [...section.querySelectorAll('h1, h2, h3, h4')].map((heading) => textOf(heading) ?? ''),
          links: [...section.querySelectorAll('a')].map((link) => link.getAttribute('href')),
          endpoint: textOf(section.querySelector('.endpoint')),
          samples: [...(section.querySelector('.code')?.querySelectorAll('pre') ?? [])].map((sample) =>
            sample.getAttribute('data-language'),
          ),
          exampleCount: section.querySelectorAll('.example').length,
          lastCode: [...section.querySelectorAll('.code pre')].at(-1)?.textContent,
        },
      ];
      return {
        sections: Object.fromEntries([...parsed.querySelectorAll('[id]')].map(readSection)),
        contents: [...parsed.querySelectorAll('#contents a')].map((link) => link.getAttribute('href')),
        links: [...parsed.querySelectorAll('a')].map((link) => link.pathname + link.hash),
      };
    },
    { html, address },
  );
}

/** Elements that are wider than the page, or targets that are too small. */
async function layoutFaults(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const small = [
      ...document.querySelectorAll<HTMLElement>('.bar button, .contents a, .copy, summary, .codes a, input'),
    ]
      .filter((control) => control.checkVisibility())
      .filter((control) => control.getBoundingClientRect().height < 43.5)
      .map((control) => control.outerHTML.slice(0, 100));
    const overflow = document.documentElement.scrollWidth - innerWidth;
    return overflow > 0 ? [`${overflow} px too wide`, ...small] : small;
  });
}

test('every operation, webhook and problem has an anchor and is complete, and no link is broken', async ({
  page,
  urls,
  request,
}) => {
  const readings = new Map<string, Reading>();
  for (const path of pages) readings.set(path, await read(page, request, urls.url, path));
  const readingOf = (path: string) => readings.get(path) ?? { sections: {}, contents: [], links: [] };
  const document = await (await request.get(`${urls.url}/openapi.json`)).json();
  for (const group of Object.keys(operationGroups) as (keyof typeof operationGroups)[]) {
    const { sections, contents } = readingOf(pageOf(operationGroups[group]));
    for (const { id, method, path, summary, examples } of operations.filter((each) => each.group === group)) {
      const section = sections[id];
      expect(section, id).toMatchObject({ endpoint: `${method} ${path}`, exampleCount: examples.length });
      const { headings = [], links = [], text = '', samples = [] } = section ?? {};
      expect(headings.filter((heading) => heading === summary)).toHaveLength(1);
      const described = document.paths[path][method.toLowerCase()];
      const body = described.requestBody?.content['application/json'].schema.properties ?? {};
      const query = (described.parameters ?? []).map(({ name = 'Idempotency-Key' }) => name);
      for (const name of [...Object.keys(body), ...query]) expect(text, `${id}: ${name}`).toContain(name);
      for (const status of Object.keys(described.responses)) {
        const codes =
          described.responses[status].content['application/problem+json']?.schema.allOf[1].properties.code.enum ?? [];
        for (const each of codes) {
          expect(links.filter((link) => link === `/reference/problems#problem-${each}`)).toHaveLength(1);
        }
      }
      expect(contents.filter((link) => link?.endsWith(`#${id}`))).toHaveLength(1);
      expect(samples).toEqual(['curl', 'typescript', 'python', 'php']);
    }
  }
  expect(readingOf('').sections['content']?.samples).toEqual(['curl', 'typescript', 'python', 'php']);
  const { sections: webhooks, contents } = readingOf('/webhooks');
  for (const [type, { summary, sentWhen }] of Object.entries(webhookEvents)) {
    const id = `webhook-${type.replaceAll('.', '-')}`;
    const { endpoint, text = '', lastCode = '{}' } = webhooks[id] ?? {};
    expect(endpoint).toBe(type);
    const { example } = document.webhooks[type].post.requestBody.content['application/json'];
    expect(JSON.parse(lastCode), type).toEqual(example);
    for (const part of [summary, sentWhen.replaceAll('`', ''), 'timestamp', 'data']) expect(text).toContain(part);
    expect(contents.filter((link) => link?.endsWith(`#${id}`))).toHaveLength(1);
  }
  const { sections: problems } = readingOf('/problems');
  for (const [code, { title, cause }] of Object.entries(problemCatalog)) {
    const { text } = problems[`problem-${code}`] ?? {};
    expect(text).toContain(title);
    expect(text).toContain(cause.replaceAll('`', ''));
  }
  const anchors = [...readings].flatMap(([path, { sections }]) =>
    ['', ...Object.keys(sections).map((id) => `#${id}`)].map((hash) => `/reference${path}${hash}`),
  );
  const hrefs = new Set([...readings.values()].flatMap(({ links }) => links));
  expect(hrefs.size).toBeGreaterThan(100);
  expect([...hrefs].filter((href) => !anchors.includes(href))).toEqual(['/openapi.json', '/account']);
  expect((await request.get(`${urls.url}/reference/unknown`)).status()).toBe(404);
});

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false });

  test('the choice of a language changes every sample', async ({ page, urls }) => {
    await openReference(page, urls.url, '/exchange-rates');
    await expect(page.getByLabel('Search')).toBeHidden();
    await expect(page.locator('pre[data-language]:visible')).toContainText(['curl ']);
    await page.getByRole('radio', { name: 'Python' }).check();
    await expect(page.locator('pre[data-language]:visible')).toContainText(['from paylatch import Paylatch']);
    // On a phone, the samples have the choice instead of the bar.
    await expect(page.locator('.tabs:visible')).toHaveCount(0);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.locator('.tabs').first().getByText('PHP').click();
    await expect(page.locator('pre[data-language]:visible')).toContainText(['use Paylatch']);
  });
});

test('the policy allows no inline script or style, and no other origin', async ({ request, urls }) => {
  const response = await request.get(`${urls.url}/reference`);
  const policy = response.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toContain('unsafe');
  expect(policy).not.toMatch(/https?:|\*/);
  const html = await response.text();
  expect(html).not.toMatch(/ style="| on\w+="/);
  const conditional = await request.get(`${urls.url}/reference`, {
    headers: { 'if-none-match': response.headers()['etag'] ?? '' },
  });
  expect(conditional.status()).toBe(304);
});

test('accessible in light and dark mode, wide and narrow', async ({ page, urls }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 900 });
  await openReference(page, urls.url);
  expect(await findings(page)).toEqual([]);
  // A small page with every kind of field.
  await openReference(page, urls.url, '/preferences');
  await page
    .getByRole('button', { name: /^Try it/ })
    .first()
    .click();
  await page.locator('details').evaluateAll((all) => all.forEach((each) => ((each as HTMLDetailsElement).open = true)));
  expect(await findings(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await layoutFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Contents' }).click();
  expect(await findings(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
});

test('long examples are open and scroll, and long event names break', async ({ page, urls }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await openReference(page, urls.url, '/webhooks');
  const parts = page.getByRole('heading', { name: /^(Events|Operations)$/ });
  await expect(parts).toHaveText(['Events', 'Operations']);
  await expect(page.locator('.part + section')).toHaveClass(['webhook', 'operation']);
  const type = 'fiat.transaction.updated';
  const example = page.getByRole('group', { name: `Example of ${type}` });
  await expect(example).toBeVisible();
  expect(await example.evaluate((pre) => [pre.clientHeight <= 384, pre.scrollHeight > 384])).toEqual([true, true]);
  await example.press('End');
  await expect.poll(async () => await example.evaluate((pre) => pre.scrollTop)).toBeGreaterThan(0);
  await expect(page.locator('.examples details')).toHaveCount(0);
  const clipped = await page
    .locator('.contents a')
    .evaluateAll((links) =>
      links.filter((link) => link.scrollWidth > link.clientWidth).map((link) => link.textContent),
    );
  expect(clipped).toEqual([]);
  expect(await findings(page, { include: ['.webhook .examples'] })).toEqual([]);
});

test('search finds operations, webhooks and problems of all pages', async ({ page, urls }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/reference/search.json', async (route) => {
    await held;
    await route.continue();
  });
  await openReference(page, urls.url, '/exchange-rates');
  await page.getByRole('radio', { name: 'curl' }).focus();
  await page.keyboard.press('/');
  const find = page.getByLabel('Search');
  await expect(find).toBeFocused();
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await find.fill('access tokens');
  await expect(contents.getByRole('link', { name: 'Payments', exact: true }), 'contents until it loads').toBeVisible();
  await find.fill('refund_not_supported');
  await find.press('Enter');
  release();
  await expect(page, 'Enter before it loads').toHaveURL(/\/reference\/problems#problem-refund_not_supported$/);
  await find.fill('CALLBACK secret keep_hours');
  await expect(contents.getByRole('link')).toHaveText([
    /^Rotate the webhook secret/,
    /^Rotate a webhook endpoint’s secret/,
  ]);
  await expect(page.getByRole('status')).toHaveText(/^2 of \d+ found$/);
  await find.fill('zeppelin quagga');
  await expect(page.getByRole('status')).toHaveText('No matches. Try fewer words.');
  await find.fill('link_expired');
  await find.press('Enter');
  await expect(page).toHaveURL(/\/reference\/problems#problem-link_expired$/);
  await expect(page.locator('#problem-link_expired')).toBeInViewport();
});

test('anchors of the former single page open the page that has them now', async ({ page, urls }) => {
  for (const [hash, path] of [
    ['#createTransaction', '/reference/payments#createTransaction'],
    ['#webhook-fiat-transaction-updated', '/reference/webhooks#webhook-fiat-transaction-updated'],
    ['#problem-not_found', '/reference/problems#problem-not_found'],
    ['#crypto-invoices', '/reference/crypto-invoices'],
  ]) {
    await openReference(page, urls.url, hash);
    await page.waitForURL(urls.url + path);
  }
});

test('an example can be changed and sent in the sandbox', async ({ page, urls }) => {
  await openReference(page, urls.url, '/payments');
  const example = page.locator('#createTransaction .example').first();
  await example.getByRole('button', { name: /^Try it/ }).click();
  const body = example.getByLabel('Body');
  const reference = `try-${crypto.randomUUID()}`;
  await body.fill((await body.inputValue()).replace(/"transaction_id": "[^"]+"/, `"transaction_id": "${reference}"`));
  await example.getByLabel('Access token').fill('wrong');
  await example.getByRole('button', { name: 'Send request' }).click();
  await expect(example.getByRole('status')).toHaveText(/^401/);
  await expect(example.getByRole('status')).toHaveClass('bad');
  await example.getByLabel('Access token').fill(urls.token);
  await example.getByRole('button', { name: 'Send request' }).click();
  await expect(example.getByRole('status')).toHaveText(/^200/);
  await expect(example.locator('.try pre')).toContainText(reference);
  // The token stays in the memory of the page.
  await page
    .locator('#getTransaction .example')
    .first()
    .getByRole('button', { name: /^Try it/ })
    .click();
  await expect(page.locator('#getTransaction').getByLabel('Access token')).toHaveValue(urls.token);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(urls.token);
});

test('on a phone the contents cover the page and close after navigation', async ({ page, urls }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openReference(page, urls.url);
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await expect(contents).toBeHidden();
  await page.getByRole('button', { name: 'Contents' }).press('Enter');
  await contents.getByRole('link', { name: 'Errors' }).press('Enter');
  await expect(contents).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Errors', level: 1 })).toBeInViewport();
});

test('a copied example works unchanged', async ({ page, urls, context, request }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openReference(page, urls.url, pageOf(operationGroups.methods));
  const button = page.getByRole('button', { name: 'Copy: EUR in France' });
  const sawMessage = await watchFor(page, 'button', /^\s*Copied\s*$/);
  await button.click();
  const clipboard = async () => await page.evaluate(async () => await navigator.clipboard.readText());
  await sawMessage();
  const copied = await clipboard();
  const [, address, body] = /^curl (\S+) \\\n[^]*-d '([^]*)'$/.exec(copied) ?? [];
  expect(copied).toContain('-H "Authorization: Bearer $ACCESS_TOKEN" \\\n');
  const response = await request.post(address ?? '', {
    headers: { authorization: `Bearer ${urls.token}`, 'content-type': 'application/json' },
    data: body ?? '',
  });
  expect(response.status()).toBe(200);
  await page.getByRole('button', { name: 'Copy: POST /fiat/v1/merchant/payment-methods' }).click();
  // The page writes to the clipboard after the click.
  await expect.poll(clipboard).toBe('/fiat/v1/merchant/payment-methods');
});
