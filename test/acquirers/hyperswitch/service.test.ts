// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { hyperswitch } from '../../../src/acquirers/hyperswitch/index.ts';
import { parseName } from '../../../src/acquirers/hyperswitch/ids.ts';
import { HOUR, SECOND, toMillis } from '../../../src/shared/time.ts';
import { changeAccounts } from '../../support/acquirer-accounts.ts';
import { createBuyers, type Link } from '../../support/buyer.ts';
import { SimulatedClock } from '../../support/clock.ts';
import { enableEveryMethod } from '../../support/every-method.ts';
import { createLink, submitCard } from '../../support/requests.ts';
import { openFixture, type Fixture } from '../../support/fixture.ts';
import { paidTwice } from '../simulators/charges.ts';
import { startHyperswitch } from '../simulators/hyperswitch/index.ts';
import { visitPage } from '../simulators/raw-client.ts';
import { sendTo } from '../simulators/webhooks.ts';
import { connect, testCards } from './connection.ts';

describe('a service with an account at Hyperswitch', () => {
  const clock = new SimulatedClock();
  let fixture: Fixture;
  let vendor: Awaited<ReturnType<typeof startHyperswitch>>;
  before(async () => {
    vendor = await startHyperswitch({ now: () => toMillis(clock.now()) });
    fixture = await openFixture({ clock });
    await enableEveryMethod(fixture, fixture.merchant);
    const { apiKey, hashKey } = vendor.credentials;
    const account = connect(fetch, { apiUrl: vendor.url, apiKey, responseHashKey: hashKey }, clock);
    changeAccounts(fixture.service(), ({ key }) => {
      return { key, adapter: hyperswitch.name, capabilities: hyperswitch.capabilities, ...account };
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
  const lastName = (kind: 'charge' | 'push') =>
    vendor.charges().findLast(({ reference }) => parseName(reference)?.kind === kind)?.reference ?? '';
  const challenged = async (): Promise<{ link: Link; url: string }> => {
    const link = await createLink(fixture);
    const { body } = await submitCard(fixture, link.reference, testCards.challenge);
    assert.equal(body.response_type, '3ds_redirect');
    return { link, url: body.redirect_url };
  };
  const deliver = async () => {
    const results = await vendor.webhooks.deliverTwice();
    assert.ok(results.every(({ status }) => status === 200));
    await fixture.work();
  };

  test('confirms a card without a challenge, and declines another', async () => {
    const link = await createLink(fixture);
    assert.equal((await submitCard(fixture, link.reference)).body.response_type, 'confirmed');
    const declined = await submitCard(fixture, (await createLink(fixture)).reference, '4000000000009995');
    assert.equal(declined.body.decline.code, 'insufficient_funds');
  });

  test('confirms a challenge when the buyer returns; webhooks in any order and twice change nothing', async () => {
    const { link, url } = await challenged();
    const { location } = await visitPage(url, { action: 'approve' });
    assert.ok(location);
    const returned = await fixture.request(location.slice(fixture.url.length), { token: null });
    assert.equal(returned.status, 303);
    assert.equal(await statusOf(link), 'confirmed');
    vendor.webhooks.reorder();
    await deliver();
    assert.equal(await statusOf(link), 'confirmed');
    assert.equal((await detailOf(link)).amount_received, 12.5);
  });

  test('confirms a challenge by the webhook alone, and refuses a forged one', async () => {
    const { link } = await challenged();
    vendor.completeChallenge(lastName('charge'), 'authenticated');
    const forged = vendor.webhooks.forge('changed');
    assert.equal(await vendor.webhooks.send(forged), 401);
    await fixture.work();
    assert.equal(await statusOf(link), 'waiting');
    await deliver();
    assert.equal(await statusOf(link), 'confirmed');
  });

  test('cancels a challenge that the buyer leaves', async () => {
    const { link } = await challenged();
    const name = lastName('charge');
    await fixture.advance(25 * HOUR);
    assert.equal(await statusOf(link), 'failed');
    assert.equal(vendor.charges().find(({ reference }) => reference === name)?.state, 'cancelled');
  });

  test('finds a charge whose answer was lost, and closes one that never arrived', async () => {
    vendor.next('charge', { fault: 'cut_after' });
    const link = await createLink(fixture);
    assert.equal((await submitCard(fixture, link.reference)).body.response_type, 'processing');
    await fixture.advance(6 * SECOND);
    assert.equal(await statusOf(link), 'confirmed');

    vendor.next('charge', { fault: 'cut_before' });
    const other = await createLink(fixture);
    assert.equal((await submitCard(fixture, other.reference)).body.response_type, 'processing');
    await fixture.advance(6 * SECOND);
    assert.equal(await statusOf(other), 'pending');
    assert.equal((await submitCard(fixture, other.reference)).body.response_type, 'confirmed');
  });

  test('refunds, and takes back a refund that fails later', async () => {
    const link = await createLink(fixture);
    await submitCard(fixture, link.reference);
    const { body } = await fixture.request('/fiat/v1/transaction/refund', {
      body: { transaction_id: link.reference, amount: 5 },
    });
    assert.equal(body.refunded_amount, 5);
    const refund = vendor.requests.findLast(({ path }) => path === '/refunds')?.body as { refund_id: string };
    vendor.settleRefund(refund.refund_id, 'failed_late');
    vendor.webhooks.reorder();
    await deliver();
    const detail = await detailOf(link);
    assert.equal(detail.refunded_amount, 0);
  });

  test('confirms a push payment by its webhook', async () => {
    const link = await createLink(fixture, {
      payment_method: 'gcash_ewallet',
      country: 'PHL',
      currency: 'PHP',
      amount: 500,
    });
    const started = await startPayment(link, 'gcash_ewallet');
    assert.equal(started.instructions.action, 'redirect');
    vendor.receiveFunds(lastName('push'));
    await deliver();
    assert.equal(await statusOf(link), 'confirmed');
    assert.equal((await detailOf(link)).amount_received, 500);
  });
});
