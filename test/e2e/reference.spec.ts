import type { Page } from '@playwright/test';
import { operations } from '../../src/api/operations.ts';
import { webhookEvents } from '../../src/api/webhook-events.ts';
import { problemCatalogue } from '../../src/api/problem.ts';
import { findings } from './barriers.ts';
import { expect, test } from './fixtures.ts';

const openReference = async (page: Page, url: string, hash = '') => await page.goto(`${url}/reference${hash}`);

/** A sample of each kind of section: checking all colors takes half a minute. */
const sampleSections = [
  '.bar',
  '#contents',
  '#start',
  '#createTransaction',
  '#getTransaction',
  '#problem-validation_failed',
];

interface Section {
  text: string;
  headings: string[];
  links: (string | null)[];
  endpoint: string | undefined;
  code: string | undefined;
  exampleCount: number;
}

/** Reads all elements with an anchor at once, because there are hundreds. */
async function readSections(page: Page): Promise<Partial<Record<string, Section>>> {
  return await page.evaluate(() => {
    const textOf = (element: Element | null) => element?.textContent.replaceAll(/\s+/g, ' ').trim();
    const read = (section: Element): [id: string, Section] => [
      section.id,
      {
        text: textOf(section) ?? '',
        headings: [...section.querySelectorAll('h1, h2, h3, h4')].map((heading) => textOf(heading) ?? ''),
        links: [...section.querySelectorAll('a')].map((link) => link.getAttribute('href')),
        endpoint: textOf(section.querySelector('.endpoint')),
        code: textOf(section.querySelector('.code')),
        exampleCount: section.querySelectorAll('.example').length,
      },
    ];
    return Object.fromEntries([...document.querySelectorAll('[id]')].map(read));
  });
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

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false });

  test('every operation, webhook and problem has an anchor and is complete', async ({ page, urls, request }) => {
    await openReference(page, urls.url);
    const document = await (await request.get(`${urls.url}/openapi.json`)).json();
    const sections = await readSections(page);
    const contents = await page
      .locator('#contents a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    for (const { id, method, path, summary, examples } of operations) {
      const section = sections[id];
      expect(section, id).toMatchObject({ endpoint: `${method} ${path}`, exampleCount: examples.length });
      const { headings = [], links = [], text = '', code } = section ?? {};
      expect(headings.filter((heading) => heading === summary)).toHaveLength(1);
      const described = document.paths[path][method.toLowerCase()];
      const body = described.requestBody?.content['application/json'].schema.properties ?? {};
      const query = (described.parameters ?? []).map(({ name = 'Idempotency-Key' }) => name);
      for (const name of [...Object.keys(body), ...query]) expect(text, `${id}: ${name}`).toContain(name);
      for (const status of Object.keys(described.responses)) {
        const codes =
          described.responses[status].content['application/problem+json']?.schema.allOf[1].properties.code.enum ?? [];
        for (const each of codes) expect(links.filter((link) => link === `#problem-${each}`)).toHaveLength(1);
      }
      expect(contents.filter((link) => link === `#${id}`)).toHaveLength(1);
      expect(code).toContain('curl ');
    }
    for (const [type, { summary, sentWhen }] of Object.entries(webhookEvents)) {
      const id = `webhook-${type.replaceAll('.', '-')}`;
      const { endpoint, text = '' } = sections[id] ?? {};
      expect(endpoint).toBe(type);
      for (const part of [summary, sentWhen.replaceAll('`', ''), 'timestamp', 'data']) expect(text).toContain(part);
      expect(contents.filter((link) => link === `#${id}`)).toHaveLength(1);
    }
    for (const [code, { title, cause }] of Object.entries(problemCatalogue)) {
      const { text } = sections[`problem-${code}`] ?? {};
      expect(text).toContain(title);
      expect(text).toContain(cause.replaceAll('`', ''));
    }
    await expect(page.getByLabel('Find')).toBeHidden();
  });

  test('no link is broken', async ({ page, urls }) => {
    await openReference(page, urls.url);
    const hrefs = await page
      .locator('a[href^="#"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(hrefs.length).toBeGreaterThan(100);
    for (const href of new Set(hrefs)) await expect(page.locator(href ?? '')).toHaveCount(1);
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
  expect(await findings(page, { withoutRules: ['color-contrast'] })).toEqual([]);
  await page.locator('details').evaluateAll((all) => all.forEach((each) => ((each as HTMLDetailsElement).open = true)));
  expect(await findings(page, { include: sampleSections })).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await layoutFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Contents' }).click();
  expect(await findings(page, { include: sampleSections })).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
});

test('search finds operations and problems', async ({ page, urls }) => {
  await openReference(page, urls.url);
  await page.keyboard.press('/');
  const find = page.getByLabel('Find');
  await expect(find).toBeFocused();
  await find.fill('CALLBACK secret keep_hours');
  await expect(page.locator('.operation:visible')).toHaveCount(1);
  await expect(page.locator('#rotateCallbackSecret')).toBeVisible();
  await expect(page.locator('#contents').getByRole('link', { name: /Read one transaction/ })).toBeHidden();
  await expect(page.getByRole('status')).toHaveText(/^1 of \d+ found$/);
  await find.fill('zeppelin quagga');
  await expect(page.getByText('No matches. Try fewer words.')).toBeVisible();
  // A hash shows its section despite the search.
  await page.evaluate(() => (location.hash = '#problem-link_expired'));
  await expect(page.locator('#problem-link_expired')).toBeInViewport();
  await expect(find).toHaveValue('');
  await expect(page.locator('.operation:visible')).toHaveCount(operations.length);
});

test('on a phone the contents cover the page and close after navigation', async ({ page, urls }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openReference(page, urls.url);
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await expect(contents).toBeHidden();
  await page.getByRole('button', { name: 'Contents' }).press('Enter');
  await contents.getByRole('link', { name: 'Problems' }).press('Enter');
  await expect(contents).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Problems', level: 2 })).toBeInViewport();
});

test('a copied example works unchanged', async ({ page, urls, context, request }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openReference(page, urls.url);
  const button = page.getByRole('button', { name: 'Copy: EUR in France' });
  await button.click();
  await expect(button).toHaveText('Copied');
  const copied = await page.evaluate(async () => await navigator.clipboard.readText());
  const [, address, body] = /^curl (\S+) \\\n[^]*-d '([^]*)'\n$/.exec(copied) ?? [];
  expect(copied).toContain('-H "Authorization: Bearer $ACCESS_TOKEN" \\\n');
  const response = await request.post(address ?? '', {
    headers: { authorization: `Bearer ${urls.token}`, 'content-type': 'application/json' },
    data: body ?? '',
  });
  expect(response.status()).toBe(200);
});
