import { scenarios } from '../../testing/index.ts';
import { expect, test } from './fixtures.ts';

/** Executes if rendered as HTML; closes an attribute, an element and a script; reverses the text direction. */
const HOSTILE = `"><img src=x onerror="globalThis.isCompromised=1"></script><script>globalThis.isCompromised=1</script>{{7*7}}\u202eدفع`;

test('input of merchants and payers is rendered as text on every buyer page', async ({ page, linkPage, server }) => {
  const { token } = await server.makeMerchant(HOSTILE.slice(0, 90));
  const expectSafe = async (where: string) => {
    await page.waitForLoadState();
    const found = await page.evaluate(() => ({
      isCompromised: 'isCompromised' in globalThis,
      planted: document.querySelectorAll('img[src="x"]').length,
      scrolls: document.documentElement.scrollWidth - innerWidth,
    }));
    expect({ where, ...found }).toEqual({ where, isCompromised: false, planted: 0, scrolls: 0 });
  };
  page.on('dialog', () => expect('a dialog').toBe('none'));
  const call = async (path: string, body: object, method = 'POST') => {
    const { status, body: result } = await server.callApi(path, { method, token, body });
    expect(status, JSON.stringify(result)).toBe(200);
    return result;
  };
  let count = 0;
  const create = async () => {
    const transactionId = `${(count += 1)}${HOSTILE.slice(0, 60)}`;
    const { value } = await call('/fiat/v1/transaction', {
      ...{ transaction_id: transactionId, payment_method: 'credit_card', amount: 12.5 },
      ...{ country: 'USA', currency: 'USD', description: HOSTILE, type_of_calculation: 'forward_without_fee' },
      success_redirect_url: `https://shop.example/?${encodeURIComponent(HOSTILE)}`,
      fail_redirect_url: `https://shop.example/#${encodeURIComponent(HOSTILE)}`,
    });
    return { transactionId, link: String(value.link) };
  };

  for (const brand of [null, HOSTILE.slice(0, 50)]) {
    if (brand !== null) await call('/v1/merchant/preferences', { key: 'brand-name', value: brand }, 'PATCH');
    const { link } = await create();
    for (const search of ['', `?lang=${encodeURIComponent(HOSTILE)}#${encodeURIComponent(HOSTILE)}`]) {
      await page.goto(`${link}${search}`);
      await expect(page.getByText('onerror').first()).toBeVisible();
      await expectSafe(`the link page, brand ${brand}${search}`);
    }
    await linkPage.fillAndPay(scenarios.declined);
    expect(await linkPage.outcome()).toBe('decline');
    await expectSafe('a declined card');
    await page.goto((await create()).link);
    await linkPage.fillAndPay(scenarios.challenge);
    await expect(linkPage.issuer.heading).toBeVisible();
    await expectSafe('the sandbox issuer');

    const cancelled = await create();
    await call('/fiat/v1/transaction/cancel', { transaction_id: cancelled.transactionId });
    await page.goto(cancelled.link);
    expect(await linkPage.outcome()).toBe('cancel');
    await expectSafe('a canceled payment');

    const invoice = await call('/v1/transaction/invoice', {
      ...{ txId: `${(count += 1)}${HOSTILE.slice(0, 60)}`, code: 'btc', amount: '150000', type: 'revolver' },
      comment: HOSTILE,
    });
    await page.goto(String(invoice.link.payment));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectSafe('an invoice');
    await page.goto(`${new URL(String(invoice.link.payment)).origin}/sandbox/chain/${invoice.id}`);
    await expectSafe('the sandbox chain');
  }
});
