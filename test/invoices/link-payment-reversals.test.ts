import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';
import { type StartedPayment, createBuyers, type Link } from '../support/buyer.ts';
import { onSqlite } from '../support/databases.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { invoicesOf } from '../support/invoices.ts';
import { cards, createLink } from '../support/requests.ts';
import { killAt } from '../support/kill-points.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

/** USD 500 at USD 98,000 per bitcoin. */
const SATOSHI = 510_205n;
const [confirmed, waiting, pending, failed] = (['confirmed', 'waiting', 'pending', 'failed'] as const).map(
  (status) => `transaction_status_${status}`,
);

describe('a payment link whose crypto deposits are replaced or dropped', () => {
  let fixture: Fixture;
  const posted: { type: string; data: Record<string, unknown> }[] = [];
  before(async () => {
    fixture = await openFixture({
      post: (_url, _headers, body) => {
        posted.push(JSON.parse(body));
        return Promise.resolve({ status: 204, retryAfter: null, body: '' });
      },
    });
    await enableEveryMethod(fixture, fixture.merchant);
    await prefer({ 'callback-url': 'http://localhost:1/callbacks' });
    await fixture.work();
  });
  after(async () => await fixture.close());

  const { stateOf, detailOf, startPayment, merchantAction, pay } = createBuyers(() => fixture);
  const { chain, list, mine, prefer } = invoicesOf(() => fixture);

  const setRate = (usd: string) => {
    const { context } = fixture.service().invoices;
    const { rates } = context;
    context.rates = {
      rate: (code, currency) =>
        code === 'btc' ? { ...rates.rate(code, currency), rate: usd } : rates.rate(code, currency),
    };
  };
  beforeEach(async () => {
    setRate('98000');
    await prefer({ 'min-confirmation-btc': null });
    await fixture.advance(20 * MINUTE);
  });

  const addressOf = ({ instructions }: StartedPayment): string => {
    assert.ok(instructions.action === 'crypto');
    return instructions.address;
  };
  /** A link over USD 500 with a deposit address, credited after this many confirmations. */
  const linkAfter = async (confirmations: number, fields: Record<string, unknown> = {}) => {
    await prefer({ 'min-confirmation-btc': String(confirmations) });
    const link = await createLink(fixture, { amount: 500, ...fields });
    const payment = await startPayment(link, 'crypto_payment', 'btc');
    return { link, started: payment, address: addressOf(payment) };
  };
  const send = async (address: string, amount = SATOSHI) => {
    const { txHash } = await chain().pay({ address, code: 'btc', amount });
    await fixture.work();
    return txHash;
  };
  /** Fee bump: replaces a mempool transaction. */
  const replace = async (txHash: string, address: string, amount = SATOSHI) => {
    const other = await chain().replace(txHash, { address, code: 'btc', amount });
    assert.ok(other);
    return other.txHash;
  };
  /** Webhooks of a payment in order: status, reason and received amount. */
  const reportedOf = ({ reference }: Link) =>
    posted
      .filter(({ type, data }) => type === 'fiat.transaction.updated' && data['transaction_id'] === reference)
      .map(({ data }) => [data['status'], data['reason'], data['amount_received']]);
  const statusOf = async (link: Link) => {
    const { status, reason, amount_received } = await detailOf(link);
    return [status, reason, amount_received];
  };
  const amountBehind = async (address: string) =>
    (await list()).find(({ walletAddress }) => walletAddress === address)?.amount;

  /** Asserts that sequence numbers have no gaps, and that each webhook names the previous status. */
  const assertWebhooksInOrder = async (link: Link) => {
    await fixture.work();
    const events = posted.filter(({ data }) => data['transaction_id'] === link.reference).map(({ data }) => data);
    const { timeline } = await detailOf(link);
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      timeline.slice(1).map(({ sequence }) => sequence),
    );
    events.forEach((data, index) =>
      assert.equal(data['previous_status'], index === 0 ? pending : events[index - 1]?.['status']),
    );
  };

  test('three confirmations, a reorg of three blocks, a double spend: the credit is reversed', async () => {
    const { link, started: payment, address } = await linkAfter(3);
    const hash = await send(address);
    await mine(3);
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
    await chain().reorg(3, { drop: [hash] });
    await fixture.advance(SECOND);
    assert.deepEqual(await statusOf(link), [pending, 'reversed', 0]);
    const { receipts, instructions, available_actions, timeline } = await detailOf(link);
    assert.deepEqual(receipts, []);
    assert.deepEqual(
      instructions.map(({ state, confirmations }) => [state, confirmations]),
      [['withdrawn', null]],
    );
    assert.deepEqual(available_actions, ['cancel']);
    assert.ok(timeline.some(({ detail }) => detail === '500.00 USD reversed'));
    await fixture.work();
    assert.ok(reportedOf(link).some(([status, reason]) => status === pending && reason === 'reversed'));
    await assertWebhooksInOrder(link);
    // The payer can pay again, at another address.
    const state = await stateOf(link);
    assert.deepEqual([state.phase, state.received], ['ready', null]);
    const again = await startPayment(link, 'crypto_payment', 'btc');
    assert.notEqual(addressOf(again), addressOf(payment));
    await send(addressOf(again));
    await mine(3);
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
  });

  onSqlite('a reorg of three blocks, then a fee-bumped replacement: credited once', async () => {
    const { link, address } = await linkAfter(2);
    const hash = await send(address);
    await mine(3);
    await chain().reorg(3);
    await replace(hash, address);
    await mine(3);
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
    assert.equal(await amountBehind(address), SATOSHI.toString());
    assert.equal((await detailOf(link)).receipts.length, 1);
    await assertWebhooksInOrder(link);
  });

  onSqlite('step by step: shows the confirmations of the replacement', async () => {
    const { link, address } = await linkAfter(2);
    const hash = await send(address);
    await mine(2);
    await chain().reorg(2);
    await fixture.work();
    assert.deepEqual(await statusOf(link), [waiting, 'reversed', 0]);
    const state = await stateOf(link);
    assert.deepEqual([state.phase, state.waitsFor], ['checking', { kind: 'confirmations', seen: 0, needed: 2 }]);
    assert.equal((await merchantAction(link, 'cancel')).status, 409);
    await replace(hash, address);
    await mine(2);
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
    await fixture.work();
    assert.deepEqual(reportedOf(link), [
      [waiting, undefined, 0],
      [confirmed, undefined, 500],
      [waiting, 'reversed', 0],
      [confirmed, undefined, 500],
    ]);
    await assertWebhooksInOrder(link);
  });

  onSqlite('a crash between any two steps: credited and reversed immediately after the restart', async () => {
    let deaths = 0;
    for (const isReversal of [false, true]) {
      let hasDied = true;
      for (let step = 1; hasDied; step += 1) {
        const { link, address } = await linkAfter(1);
        const hash = await send(address);
        if (isReversal) await mine();
        await prefer({ 'min-confirmation-btc': null });
        hasDied = await killAt(fixture, { step, when: 'after' }, async (outsideOf) => {
          await outsideOf(async () => {
            if (isReversal) await chain().reorg(1, { drop: [hash] });
            else await chain().mine(1);
          });
          await fixture.work();
        });
        if (hasDied) deaths += 1;
        setRate('98000');
        await fixture.work();
        assert.deepEqual(
          await statusOf(link),
          isReversal ? [pending, 'reversed', 0] : [confirmed, undefined, 500],
          `after step ${step}`,
        );
      }
    }
    assert.ok(deaths > 10);
  });

  onSqlite('no confirmations, fee bumps without a reorg: one change, credited once', async () => {
    const { link, address } = await linkAfter(0);
    let hash = await send(address);
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
    for (let bump = 0; bump < 3; bump += 1) {
      hash = await replace(hash, address);
      await fixture.work();
      assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
    }
    await mine(3);
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
    await fixture.work();
    assert.deepEqual(reportedOf(link), [
      [waiting, undefined, 0],
      [confirmed, undefined, 500],
    ]);
  });

  onSqlite('one confirmation, a reorg of one block, a fee bump: credited once', async () => {
    const { link, address } = await linkAfter(1);
    const hash = await send(address);
    await mine();
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
    await chain().reorg(1);
    await fixture.work();
    await replace(hash, address);
    await mine();
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
  });

  onSqlite(
    'a fifth of the amount, replaced four times with one satoshi more and then dropped: nothing is paid',
    async () => {
      const { link, address } = await linkAfter(0);
      const fifth = SATOSHI / 5n;
      let hash = await send(address, fifth);
      for (let more = 1n; more <= 4n; more += 1n) {
        hash = await replace(hash, address, fifth + more);
        await fixture.work();
        assert.deepEqual(await statusOf(link), [waiting, 'underpaid', 100]);
      }
      assert.equal(await chain().replace(hash), null);
      await fixture.work();
      const { status, amount_received, reason } = await detailOf(link);
      assert.deepEqual([amount_received, reason], [0, undefined]);
      assert.notEqual(status, confirmed);
      assert.deepEqual((await stateOf(link)).received, null);
    },
  );

  test('no confirmations, paid and dropped: no longer paid', async () => {
    const { link, address } = await linkAfter(0);
    const hash = await send(address);
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
    await chain().replace(hash);
    await fixture.work();
    assert.deepEqual(await statusOf(link), [pending, 'reversed', 0]);
    const { body } = await fixture.request(`/fiat/v1/transactions?reason=reversed&search=${link.reference}`);
    assert.equal(body.transactions.length, 1);
  });

  onSqlite('paid again after a reversal: the receipt has the date of the later payment', async () => {
    const { link, address } = await linkAfter(0);
    const hash = await send(address);
    const first = (await stateOf(link)).paidAt;
    await chain().replace(hash);
    await fixture.advance(HOUR);
    assert.equal((await pay(link, cards.visa)).body.response_type, 'confirmed');
    const { timeline } = await detailOf(link);
    const { paidAt } = await stateOf(link);
    assert.deepEqual([paidAt, paidAt === first], [timeline.at(-1)?.at, false]);
    // A refund does not change it.
    await fixture.advance(HOUR);
    await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: link.reference, amount: 1 } });
    assert.equal((await stateOf(link)).paidAt, paidAt);
  });

  onSqlite('a deposit mined again after a reorg is credited again, once', async () => {
    const { link, address } = await linkAfter(1);
    await send(address);
    for (const depth of [1, 2, 3]) {
      await mine(3);
      assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
      await chain().reorg(depth);
      await fixture.work();
    }
    await mine(4);
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
    assert.equal((await detailOf(link)).receipts.length, 1);
    await assertWebhooksInOrder(link);
  });

  onSqlite('of several parts, only the dropped one is reversed, and the remainder is requested', async () => {
    const { link, address } = await linkAfter(1);
    const first = await send(address, 200_000n);
    await mine();
    await send(address, SATOSHI - 200_000n);
    await mine();
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
    // Both are in the last two blocks; the second is mined again.
    await chain().reorg(2, { drop: [first] });
    await mine(2);
    assert.deepEqual(await statusOf(link), [waiting, 'underpaid', 304]);
    assert.deepEqual((await stateOf(link)).received, { value: '304.00', left: '196.00' });
    const remainder = await startPayment(link, 'crypto_payment', 'btc');
    assert.ok(remainder.instructions.action === 'crypto');
    await send(addressOf(remainder), BigInt(Math.round(Number(remainder.instructions.amount) * 1e8)));
    await mine();
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
  });

  onSqlite('a dropped overpayment leaves the exact amount, which is confirmed', async () => {
    const { link, address } = await linkAfter(0);
    const amounts = { first: await send(address, 2n * SATOSHI - 1n) };
    assert.equal((await statusOf(link))[1], 'overpaid');
    await replace(amounts.first, address, SATOSHI);
    await fixture.work();
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
  });

  onSqlite('a replacement after expiry keeps the value of the first version, however often', async () => {
    const { link, address } = await linkAfter(1);
    let hash = await send(address);
    await fixture.advance(16 * MINUTE);
    setRate('49000');
    await fixture.advance(16 * MINUTE);
    for (let bump = 0; bump < 3; bump += 1) {
      hash = await replace(hash, address);
      await fixture.advance(20 * MINUTE);
    }
    await mine();
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
    await chain().reorg(1);
    await replace(hash, address);
    await mine();
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
  });

  onSqlite('a late deposit keeps its value when it is replaced', async () => {
    const { link, address } = await linkAfter(1);
    setRate('49000');
    await fixture.advance(16 * MINUTE);
    const hash = await send(address);
    await mine();
    assert.deepEqual(await statusOf(link), [waiting, 'underpaid', 250]);
    setRate('9800');
    await fixture.advance(HOUR);
    await chain().reorg(1);
    await replace(hash, address);
    await mine();
    assert.deepEqual(await statusOf(link), [waiting, 'underpaid', 250]);
  });

  onSqlite('a replacement with a larger amount is late on its own', async () => {
    const { link, address } = await linkAfter(1);
    const hash = await send(address, 1000n);
    await fixture.advance(16 * MINUTE);
    setRate('49000');
    await fixture.advance(16 * MINUTE);
    await replace(hash, address, SATOSHI);
    await mine();
    assert.deepEqual(await statusOf(link), [waiting, 'underpaid', 250]);
  });

  onSqlite('dropped after the link has expired: failed, and a new link can be created', async () => {
    const { link, address } = await linkAfter(1);
    const hash = await send(address);
    await mine();
    await fixture.advance(2 * DAY);
    await chain().reorg(1, { drop: [hash] });
    await fixture.advance(SECOND);
    assert.deepEqual(await statusOf(link), [failed, 'reversed', 0]);
    assert.deepEqual((await detailOf(link)).available_actions, ['renew']);
    const { status } = await fixture.request('/fiat/v1/transaction/renew', {
      body: { transaction_id: link.reference },
    });
    assert.equal(status, 200);
    assert.equal((await detailOf(link)).status, pending);
  });

  onSqlite('dropped, and then the link expires: failed as reversed', async () => {
    const { link, address } = await linkAfter(0);
    const hash = await send(address);
    await chain().evict(hash);
    await fixture.work();
    await fixture.advance(2 * DAY);
    assert.deepEqual(await statusOf(link), [failed, 'reversed', 0]);
  });

  test('an accepted underpayment stays accepted while its deposit exists, and when it returns', async () => {
    const { link, address } = await linkAfter(1);
    await send(address, SATOSHI / 2n);
    await mine();
    assert.equal((await merchantAction(link, 'accept', 'a friend')).status, 200);
    const { amount_delivered: delivered, amount_received: received } = await detailOf(link);
    assert.deepEqual(await statusOf(link), [confirmed, 'underpaid', received]);
    // Another deposit arrives and is dropped.
    const more = await send(address, 100_000n);
    await mine();
    assert.ok((await detailOf(link)).amount_received > received);
    await chain().reorg(1, { drop: [more] });
    await fixture.advance(SECOND);
    const less = await detailOf(link);
    assert.deepEqual(
      [less.status, less.amount_received, less.amount_delivered, less.decision?.is_approved],
      [confirmed, received, delivered, true],
    );
    await chain().reorg(3);
    await fixture.work();
    const reversed = await detailOf(link);
    assert.deepEqual(
      [reversed.status, reversed.reason, reversed.amount_received, reversed.decision?.is_approved],
      [waiting, 'reversed', 0, true],
    );
    assert.notEqual(reversed.amount_delivered, delivered);
    await mine();
    const back = await detailOf(link);
    assert.deepEqual(
      [back.status, back.reason, back.amount_received, back.amount_delivered],
      [confirmed, 'underpaid', received, delivered],
    );
  });

  onSqlite('refunded out of band and then reversed: not requested again, and confirmed when mined again', async () => {
    for (const amount of [undefined, 100]) {
      const { link, address } = await linkAfter(1);
      const hash = await send(address);
      await mine();
      const { status, text } = await fixture.request('/fiat/v1/transaction/refund', {
        body: { transaction_id: link.reference, out_of_band: true, ...(amount && { amount }) },
      });
      assert.equal(status, 200, text);
      // In the mempool again, and mined again: nothing has failed.
      await chain().reorg(1);
      await fixture.work();
      assert.deepEqual(await statusOf(link), [waiting, 'reversed', 0]);
      await mine();
      assert.deepEqual([(await detailOf(link)).status, (await detailOf(link)).late], [confirmed, undefined]);
      await chain().reorg(1, { drop: [hash] });
      await fixture.advance(SECOND);
      assert.deepEqual(await statusOf(link), [failed, 'reversed', 0]);
      const detail = await detailOf(link);
      assert.deepEqual([detail.refunded_amount, detail.available_actions], [amount ?? 500, []]);
      assert.ok(!['ready', 'paid'].includes((await stateOf(link)).phase));
    }
  });

  onSqlite('after a drop in time, later deposits do not keep its rate, however often they are replaced', async () => {
    const { link, address } = await linkAfter(0);
    const first = await send(address);
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
    await chain().evict(first);
    await fixture.work();
    await fixture.advance(16 * MINUTE);
    setRate('49000');
    await fixture.advance(16 * MINUTE);
    await send(address);
    assert.equal((await statusOf(link))[2], 250);
    assert.equal((await detailOf(link)).status, waiting);
  });

  onSqlite('an acceptance ends with the deposit that it was for', async () => {
    const { link, address } = await linkAfter(1);
    const hash = await send(address, SATOSHI / 2n);
    await mine();
    assert.equal((await merchantAction(link, 'accept', 'a friend')).status, 200);
    await chain().reorg(1, { drop: [hash] });
    await fixture.advance(SECOND);
    assert.deepEqual([(await detailOf(link)).amount_received, (await detailOf(link)).decision], [0, undefined]);
    await send(address, SATOSHI / 2n);
    await mine();
    const again = await detailOf(link);
    assert.deepEqual([again.status, again.reason], [waiting, 'underpaid']);
  });

  onSqlite('rejected and then reversed: stays rejected, even when it returns', async () => {
    const { link, address } = await linkAfter(1);
    await send(address, SATOSHI / 2n);
    await mine();
    const { status } = await fixture.request('/fiat/v1/transaction/reject', {
      body: { transaction_id: link.reference, out_of_band: true },
    });
    assert.equal(status, 200);
    const [, , received] = await statusOf(link);
    await chain().reorg(1);
    await fixture.work();
    assert.deepEqual(await statusOf(link), [failed, 'rejected', 0]);
    assert.deepEqual((await detailOf(link)).available_actions, []);
    await mine();
    assert.deepEqual(await statusOf(link), [failed, 'rejected', received]);
    // It was refunded out of band.
    assert.deepEqual((await detailOf(link)).available_actions, []);
  });

  onSqlite('also paid by card: the card payment stands', async () => {
    const { link, address } = await linkAfter(1);
    assert.equal((await pay(link, cards.visa)).body.response_type, 'confirmed');
    const late = await send(address);
    await mine();
    assert.deepEqual(await statusOf(link), [confirmed, 'overpaid', 1000]);
    await chain().reorg(1, { drop: [late] });
    await fixture.advance(SECOND);
    assert.deepEqual(await statusOf(link), [confirmed, undefined, 500]);
  });

  test('statistics, export and list show the reversal', async () => {
    const merchant = await fixture.makeMerchant('Cups & Co');
    await enableEveryMethod(fixture, merchant);
    await prefer({ 'min-confirmation-btc': '0' }, merchant);
    const link = await createLink(fixture, { amount: 500 }, merchant.token);
    const payment = await startPayment(link, 'crypto_payment', 'btc');
    const hash = await send(addressOf(payment));
    const read = async (path: string) => await fixture.request(path, { token: merchant.token });
    assert.equal((await read('/v1/statistics')).body.total.paid_count, 1);
    await chain().evict(hash);
    await fixture.work();
    const { total, currencies } = (await read('/v1/statistics')).body;
    assert.deepEqual([total.paid_count, total.open_count, currencies[0].paid_amount], [0, 1, 0]);
    const { text } = await read('/fiat/v1/transactions/export');
    assert.match(text, /transaction_status_pending,reversed/);
    const { body } = await read('/fiat/v1/transactions?awaiting_review=true');
    assert.deepEqual(body.transactions, []);
  });
});
