import type { Page } from '@playwright/test';
import { creation, submission } from '../support/requests.ts';
import { openDialog, signInAs } from './account.ts';
import { expect, test } from './fixtures.ts';

/** More than the tab stops of any page of the account area with little data. */
const MAX_STOPS = 120;

/** Expression for the focused element, in shadow roots too. */
const INNERMOST =
  '(() => { let e = document.activeElement; while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement; return e; })()';

/** Finds the focused element, in shadow roots too, and the faults of its focus indicator. */
const focusedElement = () => {
  const path: Element[] = [];
  for (let element = document.activeElement; element; element = element.shadowRoot?.activeElement ?? null)
    path.unshift(element);
  const [innermost] = path;
  if (!innermost || innermost === document.body) return null;
  const known = globalThis as unknown as { stops?: Map<Element, number> };
  known.stops ??= new Map();
  const isRepeated = known.stops.has(innermost);
  known.stops.set(innermost, known.stops.size);
  const outlineOf = (element: Element) => {
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element);
    const width = outlineStyle === 'none' ? 0 : parseFloat(outlineWidth);
    return width < 2 ? null : { element, extent: width + parseFloat(outlineOffset) };
  };
  // The ring is drawn around the control, or around another part of its component.
  const parts = path.flatMap((element) => [
    element,
    ...(element.parentElement ? [element.parentElement] : []),
    ...(element.shadowRoot?.querySelectorAll('*') ?? []),
  ]);
  const ring = parts.map(outlineOf).find((each) => each !== null);
  const faults = isRepeated ? ['focused twice'] : [];
  if (!ring) faults.push('no focus ring');
  else {
    const rect = ring.element.getBoundingClientRect();
    const parentOf = (element: Element) =>
      element.assignedSlot ?? element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null;
    for (let parent = parentOf(ring.element); parent && parent !== document.body; parent = parentOf(parent)) {
      const { overflowX, overflowY, display } = getComputedStyle(parent);
      if (display === 'contents') continue;
      const box = parent.getBoundingClientRect();
      const isClipped = (overflow: string, ...gaps: number[]) =>
        overflow !== 'visible' && Math.min(...gaps) < ring.extent - 1;
      if (
        isClipped(overflowX, rect.left - box.left, box.right - rect.right) ||
        isClipped(overflowY, rect.top - box.top, box.bottom - rect.bottom)
      )
        faults.push(`ring cut off by ${parent.tagName.toLowerCase()}.${parent.className}`);
    }
  }
  const outer = path.at(-1);
  return { faults, isInMain: document.querySelector('main')?.contains(outer ?? null) ?? false };
};

/** Presses Tab until the focus leaves the page's content; returns the faults of the stops. */
async function walk(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  const devtools = await page.context().newCDPSession(page);
  await page.locator('main').focus();
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(focusedElement);
    if (!focused?.isInMain) {
      await devtools.detach();
      return stop === 0 ? [`${name}: no tab stop`] : faults;
    }
    const { result } = await devtools.send('Runtime.evaluate', { expression: INNERMOST });
    const { nodes } = await devtools.send('Accessibility.getPartialAXTree', {
      objectId: result.objectId ?? '',
      fetchRelatives: false,
    });
    const [node] = nodes;
    const text = String(node?.name?.value ?? '');
    if (text === '') faults.push(`${name}, stop ${stop}: no name`);
    faults.push(...focused.faults.map((fault) => `${name}, “${text}”: ${fault}`));
  }
  return [...faults, `${name}: Tab does not leave the page`];
}

test('every tab stop of every page has a name and a complete focus ring, once', async ({ page, server }) => {
  // Its own merchant: data of other tests would add tab stops.
  const { id: merchant, token } = await server.makeMerchant('Kettle & Co');
  const link = creation();
  const { transaction_id: reference } = link;
  await server.callApi('/fiat/v1/transaction', { token, body: link });
  await server.callApi('/fiat/v1/transaction/submit', { token, body: submission(reference) });
  const invoice = { txId: 'order-1', code: 'btc', amount: '150000', type: 'revolver' };
  const { body } = await server.callApi('/v1/transaction/invoice', { token, body: invoice });
  for (const act of ['pay underpay', 'mine 1']) await server.runChainAction(body['id'] as string, act);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await signInAs(page, server, 'manager', { merchant });
  const { url } = await server.addresses();
  const ofMerchant = [
    ...['overview', 'transactions', `transactions/${reference}`, 'reviews', 'new-link', 'reusable-links'],
    ...['reusable-links/new', 'crypto', 'branding', 'settings', 'email', 'integration', 'webhooks', 'methods'],
    ...['acquirers', 'acquirers/new', 'team', 'audit-log'],
  ];
  const faults: string[] = [];
  for (const path of [...ofMerchant.map((each) => `${merchant}/${each}`), 'merchants', 'me']) {
    await page.goto(`${url}/account/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('.skeleton, [aria-busy=true]')).toHaveCount(0);
    faults.push(...(await walk(page, path)));
  }
  expect(faults).toEqual([]);
  // A dialog keeps the focus, and Escape returns it to its button.
  await page.goto(`${url}/account/${merchant}/team`);
  const invite = page.getByRole('button', { name: 'Invite member' });
  await invite.focus();
  await page.keyboard.press('Enter');
  await expect(openDialog(page).getByLabel('Email')).toBeFocused();
  const isOutside = () => document.activeElement?.matches('body, wa-dialog *') === false;
  for (let stop = 0; stop < 8; stop += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(isOutside)).toBe(false);
  }
  await page.keyboard.press('Escape');
  await expect(invite).toBeFocused();
});
