import type { Page } from '@playwright/test';
import { signInAs } from './account.ts';
import { findings } from './barriers.ts';
import { expect, test } from './fixtures.ts';

/** Runs as HTML, closes its element, reverses the direction, and has no line break opportunity. */
const HOSTILE = `"><img src=x onerror="globalThis.hasRun=1"><script>globalThis.hasRun=1</script>{{7*7}}\${7}\u202eدفع`;
const LONG = 'W'.repeat(250);

/** Expects that no script ran and nothing overflows the page. */
async function expectSafe(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(() => {
    const wide = (root: ParentNode): string[] =>
      [...root.querySelectorAll<HTMLElement>('*')].flatMap((each) => [
        ...(each.getBoundingClientRect().right > innerWidth + 1 && isSeen(each) ? [describe(each)] : []),
        ...(each.shadowRoot ? wide(each.shadowRoot) : []),
      ]);
    const describe = (each: HTMLElement) => `${each.localName}.${each.className} ${each.textContent.slice(0, 30)}`;
    /** Scrollable or visually hidden elements may be wider. */
    const isSeen = (each: HTMLElement) => {
      const above = (of: Element) =>
        of.parentElement ?? ((of.getRootNode() as ShadowRoot).host as HTMLElement | undefined);
      for (let up: HTMLElement | null | undefined = each; up; up = above(up)) {
        const { overflowX, visibility, clipPath } = getComputedStyle(up);
        if (up !== each && overflowX !== 'visible') return false;
        if (visibility === 'hidden' || clipPath !== 'none') return false;
      }
      return true;
    };
    return {
      hasRun: 'hasRun' in globalThis,
      images: document.querySelectorAll('img[src="x"]').length,
      scrolls: document.documentElement.scrollWidth - innerWidth,
      wide: wide(document).slice(0, 5),
    };
  });
  expect({ where, ...found }).toEqual({ where, hasRun: false, images: 0, scrolls: 0, wide: [] });
}

const pages = [
  ...['overview', 'transactions', 'reusable-links', 'reviews', 'new-link', 'crypto', 'branding', 'settings'],
  ...['integration', 'team', 'audit-log'],
];

test('third-party content is text on every page, and each page fits a narrow phone', async ({ page, server, urls }) => {
  const { id: merchant, token } = await server.makeMerchant(HOSTILE.slice(0, 90));
  for (const [key, value] of [
    ['brand-name', HOSTILE.slice(0, 55)],
    ['callback-url', `${await server.receiverUrl()}/${'x'.repeat(400)}`],
  ] as const)
    await server.callApi('/v1/merchant/preferences', { method: 'PATCH', token, body: { key, value } });
  const create = async (transactionId: string, description: string) => {
    const body = {
      transaction_id: transactionId,
      payment_method: 'credit_card',
      amount: 12.5,
      country: 'USA',
      currency: 'USD',
      description,
      success_redirect_url: `https://shop.example/${'y'.repeat(400)}`,
      fail_redirect_url: 'https://shop.example/',
      type_of_calculation: 'forward_without_fee',
    };
    const { status, body: result } = await server.callApi('/fiat/v1/transaction', { token, body });
    expect(status, JSON.stringify(result)).toBe(200);
  };
  await create(HOSTILE.slice(0, 64), HOSTILE);
  await create('W'.repeat(64), LONG);
  await server.callApi('/fiat/v1/transaction/cancel', { token, body: { transaction_id: 'W'.repeat(64) } });
  await server.callApi('/v1/transaction/invoice', {
    token,
    body: { txId: HOSTILE.slice(0, 64), code: 'btc', amount: '150000', type: 'revolver', comment: LONG },
  });
  await server.callApi('/v1/tokens', { token, body: { name: HOSTILE.slice(0, 50), scopes: ['transaction:read'] } });
  await server.advance(1_000_000);

  await page.setExtraHTTPHeaders({ 'User-Agent': `${HOSTILE.replace(/[^ -~]/g, '')}${LONG}` });
  const person = await signInAs(page, server, 'owner', { merchant });
  await page.request.post(`${urls.url}/account/name`, {
    data: { name: HOSTILE.slice(0, 95) },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  expect(person.merchant).toBe(merchant);
  const visit = async (path: string) => {
    await page.goto(`${urls.url}/account/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('.skeleton, [aria-busy=true]')).toHaveCount(0);
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await expectSafe(page, `${path}, ${width} px wide`);
    }
    // Previews are frames without scripts, in which axe cannot run. Component tests check colors and target sizes.
    const withoutRules = ['color-contrast', 'target-size'];
    expect(await findings(page, { exclude: ['iframe'], withoutRules }), path).toEqual([]);
  };
  for (const path of pages) await visit(`${merchant}/${path}`);
  await visit('me');
  for (const reference of [HOSTILE.slice(0, 64), 'W'.repeat(64)])
    await visit(`${merchant}/transactions/${encodeURIComponent(reference)}`);
});
