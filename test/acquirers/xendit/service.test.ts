// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { xendit } from '../../../src/acquirers/xendit/index.ts';
import { HOUR, MINUTE, SECOND, toMillis } from '../../../src/shared/time.ts';
import { changeAccounts } from '../../support/acquirer-accounts.ts';
import { createBuyers, type Link } from '../../support/buyer.ts';
import { SimulatedClock } from '../../support/clock.ts';
import { enableEveryMethod } from '../../support/every-method.ts';
import { createLink, submitCard } from '../../support/requests.ts';
import { openFixture, type Fixture } from '../../support/fixture.ts';
import { paidTwice } from '../simulators/charges.ts';
import { visitPage } from '../simulators/raw-client.ts';
import { sendTo } from '../simulators/webhooks.ts';
import { startXendit } from '../simulators/xendit/index.ts';
import { connect, testCards } from './connection.ts';

describe('a service with an account at Xendit', () => {
  const clock = new SimulatedClock();
  let fixture: Fixture;
  let vendor: Awaited<ReturnType<typeof startXendit>>;
  before(async () => {
    vendor = await startXendit({ now: () => toMillis(clock.now()) });
    fixture = await openFixture({ clock });
    await enableEveryMethod(fixture, fixture.merchant);
    const account = connect(fetch, { ...vendor.credentials, apiUrl: vendor.url }, { clock, publicUrl: fixture.url });
    changeAccounts(fixture.service(), ({ key }) => {
      return { key, adapter: xendit.name, capabilities: xendit.capabilities, ...account };
    });
    vendor.webhooks.send = sendTo(`${fixture.url}/acquirers/sandbox/webhooks`);
  });
  after(async () => {
    assert.deepEqual(paidTwice(vendor.charges()), []);
    await fixture.close();
    await vendor.close();
  });
  beforeEach(() => {
    vendor.reset();
    vendor.webhooks.drop();
  });

  const { detailOf, startPayment } = createBuyers(() => fixture);
  const statusOf = async (link: Link) => (await detailOf(link)).status.replace('transaction_status_', '');
  const lastKey = () => vendor.charges().at(-1)?.reference ?? '';
  const challenged = async (number: string = testCards.challenge): Promise<{ link: Link; url: string }> => {
    const link = await createLink(fixture);
    const { body } = await submitCard(fixture, link.reference, number);
    assert.equal(body.response_type, '3ds_redirect');
    return { link, url: body.redirect_url };
  };
  const deliver = async () => {
    const results = await vendor.webhooks.deliverTwice();
    assert.ok(results.length > 0 && results.every(({ status }) => status === 200));
    await fixture.work();
  };
  const walletLink = async () =>
    await createLink(fixture, { payment_method: 'gcash_ewallet', country: 'PHL', currency: 'PHP', amount: 500 });

  test('confirms a card, and declines another for good by the network’s advice', async () => {
    const link = await createLink(fixture);
    assert.equal((await submitCard(fixture, link.reference, testCards.approved)).body.response_type, 'confirmed');
    vendor.next('charge', { outcome: 'declined', code: 'STOLEN_CARD' });
    const declined = await submitCard(fixture, (await createLink(fixture)).reference, testCards.approved);
    assert.equal(declined.body.decline.advice, 'do_not_retry');
    await deliver();
    assert.equal(await statusOf(link), 'confirmed');
  });

  test('confirms a challenge when the buyer returns; webhooks in any order and twice change nothing', async () => {
    for (const [number, action] of [
      [testCards.challenge, 'approve'],
      [testCards.frictionless, undefined],
    ] as const) {
      const { link, url } = await challenged(number);
      const { location } = await visitPage(url, action === undefined ? {} : { action });
      assert.ok(location);
      const returned = await fixture.request(location.slice(fixture.url.length), { token: null });
      assert.equal(returned.status, 303);
      assert.equal(await statusOf(link), 'confirmed');
      await deliver();
      await vendor.webhooks.redeliver();
      await fixture.work();
      assert.equal((await detailOf(link)).amount_received, 12.5);
    }
  });

  test('confirms a challenge by the webhook alone; forged webhooks change nothing', async () => {
    const { link } = await challenged();
    const other = await challenged();
    const [first, second] = [vendor.charges().at(-2)?.reference ?? '', lastKey()];
    vendor.completeChallenge(first, 'authenticated');
    vendor.completeChallenge(second, 'failed');
    for (const forgery of ['wrong_key', 'unsigned'] as const)
      assert.equal(await vendor.webhooks.send(vendor.webhooks.forge(forgery)), 401);
    await fixture.work();
    assert.equal(await statusOf(link), 'waiting');
    vendor.webhooks.reorder();
    await deliver();
    assert.deepEqual([await statusOf(link), await statusOf(other.link)], ['confirmed', 'pending']);
  });

  test('a webhook with the token that claims a payment is not believed', async () => {
    const { link } = await challenged();
    const key = lastKey();
    const { id } = vendor.charges().at(-1) ?? { id: '' };
    const data = { payment_request_id: id, reference_id: key, channel_code: 'CARDS', status: 'SUCCEEDED' };
    const status = await vendor.webhooks.send({
      ...{ event: 'payment.capture', reference: key },
      headers: { 'content-type': 'application/json', 'x-callback-token': vendor.credentials.callbackToken },
      body: JSON.stringify({ event: 'payment.capture', data }),
    });
    assert.equal(status, 200);
    await fixture.work();
    assert.equal(await statusOf(link), 'waiting');
  });

  test('cancels a challenge that the buyer leaves', async () => {
    const { link } = await challenged();
    const key = lastKey();
    await fixture.advance(25 * HOUR);
    assert.equal(await statusOf(link), 'failed');
    assert.equal(vendor.charges().find(({ reference }) => reference === key)?.state, 'cancelled');
  });

  test('finds a charge whose answer was lost, and never guesses about one that never arrived', async () => {
    vendor.next('charge', { fault: 'cut_after' });
    const link = await createLink(fixture);
    assert.equal((await submitCard(fixture, link.reference, testCards.approved)).body.response_type, 'processing');
    await fixture.advance(6 * SECOND);
    assert.equal(await statusOf(link), 'confirmed');

    vendor.next('charge', { fault: 'cut_before' });
    const other = await createLink(fixture);
    assert.equal((await submitCard(fixture, other.reference, testCards.approved)).body.response_type, 'processing');
    await fixture.advance(MINUTE);
    assert.equal(await statusOf(other), 'waiting');

    // A challenge whose page was lost: the webhook has its ID.
    vendor.next('charge', { fault: 'cut_after' });
    const lost = await createLink(fixture);
    await submitCard(fixture, lost.reference, testCards.challenge);
    vendor.expire(lastKey());
    await deliver();
    assert.equal(await statusOf(lost), 'pending');
    assert.equal((await submitCard(fixture, lost.reference, testCards.approved)).body.response_type, 'confirmed');
  });

  test('refunds, and takes back a refund that fails later', async () => {
    const link = await createLink(fixture);
    await submitCard(fixture, link.reference, testCards.approved);
    const { body } = await fixture.request('/fiat/v1/transaction/refund', {
      body: { transaction_id: link.reference, amount: 5 },
    });
    assert.equal(body.refunds[0].state, 'pending');
    const refund = vendor.requests.findLast(({ method, path }) => method === 'POST' && path === '/refunds');
    assert.ok(refund);
    const { reference_id } = refund.body as { reference_id: string };
    vendor.settleRefund(reference_id, 'succeeded');
    await deliver();
    assert.equal((await detailOf(link)).refunded_amount, 5);
    vendor.settleRefund(reference_id, 'failed_late');
    // Xendit does not answer the first look-up.
    vendor.next('fetchRefund', { fault: 'http_500' });
    await deliver();
    assert.equal((await detailOf(link)).refunded_amount, 5);
    await fixture.advance(6 * SECOND);
    const detail = await detailOf(link);
    assert.equal(detail.refunded_amount, 0);
    assert.equal(detail.refunds[0]?.state, 'failed');
  });

  test('confirms a push payment by its webhook, and another by polling', async () => {
    const link = await walletLink();
    const started = await startPayment(link, 'gcash_ewallet');
    assert.equal(started.instructions.action, 'redirect');
    vendor.receiveFunds(lastKey());
    await deliver();
    assert.equal(await statusOf(link), 'confirmed');
    assert.equal((await detailOf(link)).amount_received, 500);

    const polled = await walletLink();
    await startPayment(polled, 'gcash_ewallet');
    vendor.receiveFunds(lastKey());
    vendor.webhooks.drop();
    await fixture.advance(6 * MINUTE);
    assert.equal(await statusOf(polled), 'confirmed');
  });

  test('counts money that arrives after the instructions expired', async () => {
    const link = await walletLink();
    await startPayment(link, 'gcash_ewallet');
    const key = lastKey();
    await fixture.advance(20 * MINUTE);
    assert.equal(vendor.charges().find(({ reference }) => reference === key)?.state, 'cancelled');
    vendor.receiveFunds(key);
    await deliver();
    assert.equal((await detailOf(link)).amount_received, 500);
  });
});
