// Databases: sqlite
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { adyen } from '../../../src/acquirers/adyen/index.ts';
import { webhookPath } from '../../../src/acquirers/registry.ts';
import { DAY, HOUR, SECOND, toMillis } from '../../../src/shared/time.ts';
import { createBuyers, type Link } from '../../support/buyer.ts';
import { SimulatedClock } from '../../support/clock.ts';
import { enableEveryMethod } from '../../support/every-method.ts';
import { createLink, detailOf } from '../../support/requests.ts';
import { openFixture, type Fixture } from '../../support/fixture.ts';
import { paidTwice } from '../simulators/charges.ts';
import { sendTo } from '../simulators/webhooks.ts';
import { type AdyenAccount, credentials, openAccount } from './account.ts';

const APPROVED = '4111111111111111';
const CHALLENGED = '4212345678901237';

/** The service with an account at a simulated Adyen: over HTTP in both directions, in simulated time. */
describe('payments through Adyen', () => {
  const clock = new SimulatedClock();
  let fixture: Fixture;
  let account: AdyenAccount;
  before(async () => {
    fixture = await openFixture({ clock });
    await enableEveryMethod(fixture, fixture.merchant);
    account = await openAccount({ now: () => toMillis(clock.now()) });
    const { accountStore, database } = fixture.service();
    const { webhookUser, webhookPassword } = account.vendor.credentials;
    const key = await database.inTransaction(async (unit) => {
      const stored = await accountStore.insert(unit, {
        ...{ adapter: 'adyen', name: 'Adyen Europe', merchantId: null },
        credentials: { ...credentials, apiUrl: account.vendor.url, webhookUser, webhookPassword },
      });
      const methods = new Set(adyen.capabilities.map(({ method }) => method));
      const routes = [...methods].map((paymentMethod) => ({ paymentMethod, country: '*', currency: '*', priority: 1 }));
      await accountStore.setRoutes(unit, stored, routes);
      return stored.key;
    });
    await fixture.work();
    account.vendor.webhooks.send = sendTo(fixture.url + webhookPath(key));
  });
  after(async () => {
    await fixture.close();
    await account.vendor.close();
    assert.deepEqual(paidTwice(account.vendor.charges()), []);
  });
  afterEach(() => account.vendor.webhooks.drop());

  const { startPayment, tryStartPayment, pay, stateOf } = createBuyers(() => fixture);
  const statusOf = async ({ reference }: Link) => (await detailOf(fixture, reference)).status.slice(19) as string;
  /** Delivers all webhooks and applies them. */
  const deliver = async () => {
    const results = await account.vendor.webhooks.deliver();
    await fixture.work();
    return results.map(({ status }) => status);
  };
  /** The buyer's browser comes back from the issuer. */
  const comeBack = async (result: 'authenticated' | 'failed') => {
    const navigation = account.vendor.completeChallenge(account.lastReference(), result);
    assert.ok(navigation);
    const { pathname, search } = new URL(navigation.url);
    return await fixture.request(`${pathname}${search}`, { token: null });
  };

  test('a card is approved by the answer; its webhook, twice and late, changes nothing', async () => {
    const link = await createLink(fixture);
    assert.equal((await pay(link, APPROVED)).body.response_type, 'confirmed');
    const { timeline } = await detailOf(fixture, link.reference);
    const results = await account.vendor.webhooks.deliverTwice();
    assert.deepEqual(
      results.map(({ status }) => status),
      [200, 200],
    );
    await fixture.advance(HOUR);
    await account.vendor.webhooks.redeliver(account.vendor.webhooks.history.slice(-1));
    await fixture.work();
    assert.deepEqual((await detailOf(fixture, link.reference)).timeline, timeline);
  });

  test('a declined card can be followed by another', async () => {
    const link = await createLink(fixture);
    account.vendor.next('charge', { outcome: 'declined', code: '12' });
    const { body } = await pay(link, APPROVED);
    assert.deepEqual([body.response_type, body.decline.code], ['declined', 'insufficient_funds']);
    await deliver();
    assert.equal((await pay(link, APPROVED)).body.response_type, 'confirmed');
  });

  test('a challenge is completed by the buyer’s return, before the webhook', async () => {
    const link = await createLink(fixture);
    assert.equal((await pay(link, CHALLENGED)).body.response_type, '3ds_redirect');
    const { status, headers } = await comeBack('authenticated');
    assert.deepEqual([status, headers.get('location')], [303, 'https://shop.example/paid']);
    assert.equal(await statusOf(link), 'confirmed');
    assert.deepEqual(await deliver(), [200]);
    assert.equal(await statusOf(link), 'confirmed');
  });

  test('a return with the result of another payment changes nothing', async () => {
    const cheap = await createLink(fixture, { amount: 0.5 });
    await pay(cheap, CHALLENGED);
    const navigation = account.vendor.completeChallenge(account.lastReference(), 'authenticated');
    const dear = await createLink(fixture, { amount: 900 });
    await pay(dear, CHALLENGED);
    const { search } = new URL(navigation?.url ?? '');
    await fixture.request(`${dear.path}/return${search}`, { token: null });
    assert.equal(await statusOf(dear), 'waiting');
  });

  test('buyers with invented results do not close the account to others', async () => {
    const link = await createLink(fixture);
    await pay(link, CHALLENGED);
    for (let number = 0; number < 6; number += 1)
      await fixture.request(`${link.path}/return?redirectResult=invented-${number}`, { token: null });
    const indonesian = { payment_method: 'virtual_account', country: 'IDN', currency: 'IDR', amount: 50_000 };
    const incomplete = await createLink(fixture, indonesian);
    for (let number = 0; number < 6; number += 1) await tryStartPayment(incomplete, 'virtual_account');
    const charges = account.vendor.charges().length;
    assert.equal((await pay(await createLink(fixture), APPROVED)).body.response_type, 'confirmed');
    // By Adyen, not by the sandbox, which is tried next.
    assert.equal(account.vendor.charges().length, charges + 1);
    assert.equal(await statusOf(link), 'waiting');
  });

  test('an abandoned challenge ends with the webhook of its cancellation', async () => {
    const link = await createLink(fixture);
    await pay(link, CHALLENGED);
    const { clientToken } = await stateOf(link);
    await fixture.request(`${link.path}/abandon`, { body: {}, token: clientToken });
    assert.equal(await statusOf(link), 'waiting');
    await deliver();
    assert.equal(await statusOf(link), 'pending');
    assert.equal((await pay(link, APPROVED)).body.response_type, 'confirmed');
  });

  test('an expired challenge is cancelled', async () => {
    const link = await createLink(fixture);
    await pay(link, CHALLENGED);
    await fixture.advance(3 * DAY);
    await deliver();
    assert.equal(await statusOf(link), 'failed');
    assert.equal(account.vendor.charges().at(-1)?.state, 'cancelled');
  });

  test('a charge whose answer is lost is confirmed by its webhook, whatever the order', async () => {
    const link = await createLink(fixture);
    account.vendor.next('charge', { fault: 'cut_after' });
    assert.equal((await pay(link, APPROVED)).body.response_type, 'processing');
    // The service cancels it, which Adyen refuses: it is captured.
    await fixture.advance(6 * SECOND);
    account.vendor.webhooks.reorder();
    assert.ok((await deliver()).every((status) => status === 200));
    assert.equal(await statusOf(link), 'confirmed');
  });

  test('a charge that Adyen never received is declined, and the buyer pays once', async () => {
    const link = await createLink(fixture);
    account.vendor.next('charge', { fault: 'cut_before' });
    assert.equal((await pay(link, APPROVED)).body.response_type, 'processing');
    await fixture.advance(6 * SECOND);
    await deliver();
    assert.equal(await statusOf(link), 'pending');
    assert.equal((await pay(link, APPROVED)).body.response_type, 'confirmed');
  });

  test('forged webhooks are refused', async () => {
    const link = await createLink(fixture);
    account.vendor.next('charge', { fault: 'cut_after' });
    await pay(link, APPROVED);
    const { webhooks } = account.vendor;
    for (const forgery of ['wrong_key', 'unsigned', 'changed'] as const)
      assert.equal(await webhooks.send(webhooks.forge(forgery)), 401, forgery);
    await fixture.work();
    assert.equal(await statusOf(link), 'waiting');
    await deliver();
    assert.equal(await statusOf(link), 'confirmed');
  });

  test('a refund succeeds, and can fail afterwards', async () => {
    const link = await createLink(fixture);
    await pay(link, APPROVED);
    await deliver();
    const { body } = await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: link.reference } });
    assert.deepEqual([body.refunds[0].state, body.refunded_amount], ['pending', 0]);
    // Polls ask for nothing: Adyen has no look-up.
    const refundsSent = () => account.vendor.requests.filter(({ path }) => path.endsWith('/refunds'));
    const sent = refundsSent();
    await fixture.advance(HOUR);
    assert.deepEqual(refundsSent(), sent);
    const refund = sent.at(-1)?.body as { reference: string };
    account.vendor.settleRefund(refund.reference, 'succeeded');
    await deliver();
    const refunded = await detailOf(fixture, link.reference);
    assert.deepEqual([refunded.refunds[0].state, refunded.refunded_amount], ['succeeded', 12.5]);
    account.vendor.settleRefund(refund.reference, 'failed_late');
    await deliver();
    const failed = await detailOf(fixture, link.reference);
    assert.deepEqual([failed.refunds[0].failure?.code, failed.refunded_amount], ['refund_failed', 0]);
  });

  test('a duplicate approval is reversed', async () => {
    const link = await createLink(fixture);
    account.vendor.next('charge', { fault: 'cut_after' });
    await pay(link, APPROVED);
    const [approval] = account.vendor.webhooks.drop();
    assert.ok(approval);
    // Adyen reports that it does not know the charge, though it does: the approval comes last.
    account.vendor.sendEvent(account.lastReference(), 'TECHNICAL_CANCEL', false);
    await deliver();
    assert.equal(await statusOf(link), 'pending');
    assert.equal((await pay(link, APPROVED)).body.response_type, 'confirmed');
    await account.vendor.webhooks.send(approval);
    await fixture.work();
    const charges = account.vendor.charges().slice(-2);
    assert.deepEqual(
      charges.map(({ refundedMinor }) => refundedMinor),
      [1250n, 0n],
    );
    await deliver();
    assert.equal(await statusOf(link), 'confirmed');
  });

  test('a wallet is paid, also after the expiry', async () => {
    const philippine = { payment_method: 'gcash_ewallet', country: 'PHL', currency: 'PHP', amount: 500 };
    const link = await createLink(fixture, philippine);
    const { instructions } = await startPayment(link, 'gcash_ewallet');
    assert.equal(instructions.action, 'redirect');
    account.vendor.completeChallenge(account.lastReference(), 'authenticated');
    await deliver();
    assert.equal(await statusOf(link), 'confirmed');

    const late = await createLink(fixture, philippine);
    await startPayment(late, 'gcash_ewallet');
    await fixture.advance(3 * DAY);
    assert.equal(await statusOf(late), 'failed');
    account.vendor.receiveFunds(account.lastReference());
    await deliver();
    assert.equal(await statusOf(late), 'confirmed');
  });

  test('a bank is chosen among Adyen’s', async () => {
    const malaysian = { payment_method: 'online_banking', country: 'MYS', currency: 'MYR', amount: 50 };
    const link = await createLink(fixture, malaysian);
    const { methods } = await stateOf(link);
    const banking = methods.find(({ code }) => code === 'online_banking');
    assert.deepEqual(
      banking?.choices?.map(({ code }) => code),
      ['fpx_mb2u', 'fpx_cimbclicks', 'fpx_pbb'],
    );
    await startPayment(link, 'online_banking', 'fpx_pbb');
    account.vendor.declinePayment(account.lastReference());
    await deliver();
    assert.equal(await statusOf(link), 'pending');
  });

  test('no card number, security code or API key is logged', async () => {
    assert.doesNotMatch(fixture.log(), new RegExp(`${APPROVED}|${CHALLENGED}|AQEtestAdyen`));
  });
});
