// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { webhookPath } from '../../src/acquirers/registry.ts';
import { toMillis } from '../../src/shared/time.ts';
import { createBuyers } from '../support/buyer.ts';
import { SimulatedClock } from '../support/clock.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { createLink } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { type AdyenAccount, credentials, openAccount } from './adyen/account.ts';
import { sendTo } from './simulators/webhooks.ts';

const CARD = '4111111111111111';

describe('an acquirer account', () => {
  const clock = new SimulatedClock();
  let fixture: Fixture;
  let account: AdyenAccount;
  let setDisabled: (isDisabled: boolean) => Promise<void>;
  before(async () => {
    fixture = await openFixture({ clock });
    await enableEveryMethod(fixture, fixture.merchant);
    account = await openAccount({ now: () => toMillis(clock.now()) });
    const { accountStore, database } = fixture.service();
    const { webhookUser, webhookPassword } = account.vendor.credentials;
    const stored = await database.inTransaction(async (unit) => {
      const inserted = await accountStore.insert(unit, {
        ...{ adapter: 'adyen', name: 'Adyen Asia', merchantId: null },
        credentials: { ...credentials, apiUrl: account.vendor.url, webhookUser, webhookPassword },
      });
      const methods = ['credit_card', 'qr_code', 'gcash_ewallet'];
      const routes = methods.map((paymentMethod) => ({ paymentMethod, country: '*', currency: '*', priority: 1 }));
      await accountStore.setRoutes(unit, inserted, routes);
      return inserted;
    });
    setDisabled = async (isDisabled) => {
      await database.inTransaction(async (unit) => {
        const current = (await accountStore.list(unit)).find(({ key }) => key === stored.key);
        assert.ok(current);
        await accountStore.update(unit, current, { disabledAt: isDisabled ? current.updatedAt : null });
      });
      await fixture.work();
    };
    await fixture.work();
    account.vendor.webhooks.send = sendTo(fixture.url + webhookPath(stored.key));
  });
  after(async () => {
    await fixture.close();
    await account.vendor.close();
  });

  const { startPayment, pay, detailOf } = createBuyers(() => fixture);
  const deliver = async () => {
    await account.vendor.webhooks.deliver();
    await fixture.work();
  };
  const refund = async (reference: string, fields: object = {}) =>
    await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: reference, ...fields } });

  test('refunds wallet payments in part, but no PromptPay payments', async () => {
    const wallet = await createLink(fixture, {
      payment_method: 'gcash_ewallet',
      country: 'PHL',
      currency: 'PHP',
      amount: 500,
    });
    const qr = await createLink(fixture, { payment_method: 'qr_code', country: 'THA', currency: 'THB', amount: 500 });
    for (const link of [wallet, qr]) {
      await startPayment(link, link === wallet ? 'gcash_ewallet' : 'qr_code');
      account.vendor.receiveFunds(account.lastReference());
    }
    await deliver();
    assert.deepEqual((await detailOf(wallet)).refund_options, { maximum: 500, partial: true });
    assert.equal((await refund(wallet.reference, { amount: 100 })).status, 200);
    const { available_actions, refund_options } = await detailOf(qr);
    assert.deepEqual(available_actions, ['refund_out_of_band']);
    assert.deepEqual(refund_options, { maximum: 0, partial: false, refusal: 'refund_not_supported' });
    assert.equal((await refund(qr.reference)).body.code, 'refund_not_supported');
  });

  test('refunds its payments while disabled; another account receives new ones', async () => {
    const link = await createLink(fixture);
    await pay(link, CARD);
    const charged = account.vendor.charges().length;
    await setDisabled(true);
    assert.deepEqual((await detailOf(link)).available_actions, ['refund']);
    assert.equal((await refund(link.reference)).status, 200);
    const sent = account.vendor.requests.filter(({ path }) => path.endsWith('/refunds')).at(-1);
    account.vendor.settleRefund((sent?.body as { reference: string } | undefined)?.reference ?? '', 'succeeded');
    await deliver();
    assert.equal((await detailOf(link)).refunded_amount, 12.5);
    await pay(await createLink(fixture), CARD);
    assert.equal(account.vendor.charges().length, charged);
    await setDisabled(false);
  });

  test('is not called again for a card that must not be retried', async () => {
    const link = await createLink(fixture);
    account.vendor.next('charge', { outcome: 'declined', code: '5' });
    const first = await pay(link, CARD);
    assert.deepEqual([first.body.decline.advice, first.body.attempts_left], ['do_not_retry', 4]);
    const charged = account.vendor.charges().length;
    const again = await pay(link, CARD);
    assert.deepEqual(
      [again.body.response_type, again.body.decline, again.body.attempts_left],
      ['declined', first.body.decline, 4],
    );
    assert.equal(account.vendor.charges().length, charged);
    const [attempt, ...others] = (await detailOf(link)).attempts;
    assert.equal(others.length, 0);
    assert.equal(attempt?.decline?.advice, 'do_not_retry');
    assert.equal((await pay(link, '5555444433331111')).body.response_type, 'confirmed');
  });
});
