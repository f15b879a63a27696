import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';
import { type StartedPayment, createBuyers, type Link } from '../support/buyer.ts';
import { onSqlite } from '../support/databases.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { invoicesOf } from '../support/invoices.ts';
import { cards, createLink } from '../support/requests.ts';
import { dieAt } from '../support/saboteur.ts';
import { openWorld, type World } from '../support/world.ts';

/** 500 dollars at 98000 for a bitcoin. */
const SATOSHI = 510_205n;
const [confirmed, waiting, pending, failed] = (['confirmed', 'waiting', 'pending', 'failed'] as const).map(
  (status) => `transaction_status_${status}`,
);

describe('a payment link paid in coins whose deposits are replaced or vanish', () => {
  let world: World;
  const posted: { type: string; data: Record<string, unknown> }[] = [];
  before(async () => {
    world = await openWorld({
      post: (_url, _headers, body) => {
        posted.push(JSON.parse(body));
        return Promise.resolve({ status: 204, retryAfter: null, body: '' });
      },
    });
    await enableEveryMethod(world, world.merchant);
    await prefer({ 'callback-url': 'http://localhost:1/callbacks' });
    await world.work();
  });
  after(async () => await world.close());

  const { stateOf, detailOf, startPayment, merchantAction, pay } = createBuyers(() => world);
  const { chain, list, mine, prefer } = invoicesOf(() => world);

  const setRate = (usd: string) => {
    const { context } = world.service().invoices;
    const { rates } = context;
    context.rates = {
      rate: (code, currency) =>
        code === 'btc' ? { ...rates.rate(code, currency), rate: usd } : rates.rate(code, currency),
    };
  };
  beforeEach(async () => {
    setRate('98000');
    await prefer({ 'min-confirmation-btc': null });
    await world.advance(20 * MINUTE);
  });

  const addressOf = ({ instructions }: StartedPayment): string => {
    assert.ok(instructions.action === 'crypto');
    return instructions.address;
  };
  /** A link over 500 dollars, with an address to pay it to after so many confirmations. */
  const linkAfter = async (confirmations: number, fields: Record<string, unknown> = {}) => {
    await prefer({ 'min-confirmation-btc': String(confirmations) });
    const link = await createLink(world, { amount: 500, ...fields });
    const begun = await startPayment(link, 'crypto_payment', 'btc');
    return { link, begun, address: addressOf(begun) };
  };
  const send = async (address: string, amount = SATOSHI) => {
    const { txHash } = await chain().pay({ address, code: 'btc', amount });
    await world.work();
    return txHash;
  };
  /** The payer bumps the fee: another transaction takes the place of one that waits. */
  const replace = async (txHash: string, address: string, amount = SATOSHI) => {
    const other = await chain().replace(txHash, { address, code: 'btc', amount });
    assert.ok(other);
    return other.txHash;
  };
  /** What the merchant's server was sent about a payment: status, reason and received amount, in order. */
  const toldOf = ({ reference }: Link) =>
    posted
      .filter(({ type, data }) => type === 'fiat.transaction.updated' && data['transaction_id'] === reference)
      .map(({ data }) => [data['status'], data['reason'], data['amount_received']]);
  const shown = async (link: Link) => {
    const { status, reason, amount_received } = await detailOf(link);
    return [status, reason, amount_received];
  };
  const amountBehind = async (address: string) =>
    (await list()).find(({ walletAddress }) => walletAddress === address)?.amount;

  /** The sequence numbers of webhooks are without gaps, and each names the status before it. */
  const assertToldInOrder = async (link: Link) => {
    await world.work();
    const own = posted.filter(({ data }) => data['transaction_id'] === link.reference).map(({ data }) => data);
    const { timeline } = await detailOf(link);
    assert.deepEqual(
      own.map(({ sequence }) => sequence),
      timeline.slice(1).map(({ sequence }) => sequence),
    );
    own.forEach((data, index) =>
      assert.equal(data['previous_status'], index === 0 ? pending : own[index - 1]?.['status']),
    );
  };

  test('L2: three confirmations, a reorganisation of three, a double spend: the credit is reversed', async () => {
    const { link, begun, address } = await linkAfter(3);
    const hash = await send(address);
    await mine(3);
    assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
    await chain().reorganise(3, { drop: [hash] });
    await world.advance(SECOND);
    assert.deepEqual(await shown(link), [pending, 'reversed', 0]);
    const { receipts, instructions, available_actions, timeline } = await detailOf(link);
    assert.deepEqual(receipts, []);
    assert.deepEqual(
      instructions.map(({ state, confirmations }) => [state, confirmations]),
      [['withdrawn', null]],
    );
    assert.deepEqual(available_actions, ['cancel']);
    assert.ok(timeline.some(({ detail }) => detail === '500.00 USD reversed'));
    await world.work();
    assert.ok(toldOf(link).some(([status, reason]) => status === pending && reason === 'reversed'));
    await assertToldInOrder(link);
    // The buyer may pay again, at another address.
    const state = await stateOf(link);
    assert.deepEqual([state.phase, state.received], ['ready', null]);
    const again = await startPayment(link, 'crypto_payment', 'btc');
    assert.notEqual(addressOf(again), addressOf(begun));
    await send(addressOf(again));
    await mine(3);
    assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
  });

  onSqlite('L3: a reorganisation of three, mined again as its fee-bumped twin: counted once', async () => {
    const { link, address } = await linkAfter(2);
    const hash = await send(address);
    await mine(3);
    await chain().reorganise(3);
    await replace(hash, address);
    await mine(3);
    assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
    assert.equal(await amountBehind(address), SATOSHI.toString());
    assert.equal((await detailOf(link)).receipts.length, 1);
    await assertToldInOrder(link);
  });

  onSqlite('L3 step by step: waits for the confirmations of the twin, and says so', async () => {
    const { link, address } = await linkAfter(2);
    const hash = await send(address);
    await mine(2);
    await chain().reorganise(2);
    await world.work();
    assert.deepEqual(await shown(link), [waiting, 'reversed', 0]);
    const state = await stateOf(link);
    assert.deepEqual([state.phase, state.waitsFor], ['checking', { what: 'confirmations', seen: 0, needed: 2 }]);
    assert.equal((await merchantAction(link, 'cancel')).status, 409);
    await replace(hash, address);
    await mine(2);
    assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
    await world.work();
    assert.deepEqual(toldOf(link), [
      [waiting, undefined, 0],
      [confirmed, undefined, 500],
      [waiting, 'reversed', 0],
      [confirmed, undefined, 500],
    ]);
    await assertToldInOrder(link);
  });

  onSqlite('a process that dies between any two steps: credited, and reversed, at once after the restart', async () => {
    let deaths = 0;
    for (const isReversal of [false, true]) {
      let hasDied = true;
      for (let step = 1; hasDied; step += 1) {
        const { link, address } = await linkAfter(1);
        const hash = await send(address);
        if (isReversal) await mine();
        await prefer({ 'min-confirmation-btc': null });
        hasDied = await dieAt(world, { step, when: 'after' }, async (outsideOf) => {
          await outsideOf(async () => {
            if (isReversal) await chain().reorganise(1, { drop: [hash] });
            else await chain().mine(1);
          });
          await world.work();
        });
        if (hasDied) deaths += 1;
        setRate('98000');
        await world.work();
        assert.deepEqual(
          await shown(link),
          isReversal ? [pending, 'reversed', 0] : [confirmed, undefined, 500],
          `after step ${step}`,
        );
      }
    }
    assert.ok(deaths > 10);
  });

  onSqlite('L4: no confirmations, fee bumps without a reorganisation: one change, counted once', async () => {
    const { link, address } = await linkAfter(0);
    let hash = await send(address);
    assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
    for (let bump = 0; bump < 3; bump += 1) {
      hash = await replace(hash, address);
      await world.work();
      assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
    }
    await mine(3);
    assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
    await world.work();
    assert.deepEqual(toldOf(link), [
      [waiting, undefined, 0],
      [confirmed, undefined, 500],
    ]);
  });

  onSqlite('L5: one confirmation, a reorganisation of one block, a fee bump: counted once', async () => {
    const { link, address } = await linkAfter(1);
    const hash = await send(address);
    await mine();
    assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
    await chain().reorganise(1);
    await world.work();
    await replace(hash, address);
    await mine();
    assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
  });

  onSqlite('L6: a fifth, replaced four times by one satoshi more and then taken back: nothing is paid', async () => {
    const { link, address } = await linkAfter(0);
    const fifth = SATOSHI / 5n;
    let hash = await send(address, fifth);
    for (let more = 1n; more <= 4n; more += 1n) {
      hash = await replace(hash, address, fifth + more);
      await world.work();
      assert.deepEqual(await shown(link), [waiting, 'underpaid', 100]);
    }
    assert.equal(await chain().replace(hash), null);
    await world.work();
    const { status, amount_received, reason } = await detailOf(link);
    assert.deepEqual([amount_received, reason], [0, undefined]);
    assert.notEqual(status, confirmed);
    assert.deepEqual((await stateOf(link)).received, null);
  });

  test('L7: no confirmations, paid and taken back: paid no more', async () => {
    const { link, address } = await linkAfter(0);
    const hash = await send(address);
    assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
    await chain().replace(hash);
    await world.work();
    assert.deepEqual(await shown(link), [pending, 'reversed', 0]);
    const { body } = await world.request(`/fiat/v1/transactions?reason=reversed&search=${link.reference}`);
    assert.equal(body.transactions.length, 1);
  });

  onSqlite('a deposit that comes back after a reorganisation counts again, once', async () => {
    const { link, address } = await linkAfter(1);
    await send(address);
    for (const depth of [1, 2, 3]) {
      await mine(3);
      assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
      await chain().reorganise(depth);
      await world.work();
    }
    await mine(4);
    assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
    assert.equal((await detailOf(link)).receipts.length, 1);
    await assertToldInOrder(link);
  });

  onSqlite('of parts only the one that vanished is reversed, and the rest is asked for', async () => {
    const { link, address } = await linkAfter(1);
    const first = await send(address, 200_000n);
    await mine();
    await send(address, SATOSHI - 200_000n);
    await mine();
    assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
    // Both are in the last two blocks; the second comes back.
    await chain().reorganise(2, { drop: [first] });
    await mine(2);
    assert.deepEqual(await shown(link), [waiting, 'underpaid', 304]);
    assert.deepEqual((await stateOf(link)).received, { value: '304.00', left: '196.00' });
    const rest = await startPayment(link, 'crypto_payment', 'btc');
    assert.ok(rest.instructions.action === 'crypto');
    await send(addressOf(rest), BigInt(Math.round(Number(rest.instructions.amount) * 1e8)));
    await mine();
    assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
  });

  onSqlite('an overpayment that vanishes leaves what was asked for, and confirms', async () => {
    const { link, address } = await linkAfter(0);
    const amounts = { first: await send(address, 2n * SATOSHI - 1n) };
    assert.equal((await shown(link))[1], 'overpaid');
    await replace(amounts.first, address, SATOSHI);
    await world.work();
    assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
  });

  onSqlite('a twin that is sent when the time is over is worth what the first one was, however often', async () => {
    const { link, address } = await linkAfter(1);
    let hash = await send(address);
    await world.advance(16 * MINUTE);
    setRate('49000');
    await world.advance(16 * MINUTE);
    for (let bump = 0; bump < 3; bump += 1) {
      hash = await replace(hash, address);
      await world.advance(20 * MINUTE);
    }
    await mine();
    assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
    await chain().reorganise(1);
    await replace(hash, address);
    await mine();
    assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
  });

  onSqlite('a late deposit keeps its worth when it is replaced', async () => {
    const { link, address } = await linkAfter(1);
    setRate('49000');
    await world.advance(16 * MINUTE);
    const hash = await send(address);
    await mine();
    assert.deepEqual(await shown(link), [waiting, 'underpaid', 250]);
    setRate('9800');
    await world.advance(HOUR);
    await chain().reorganise(1);
    await replace(hash, address);
    await mine();
    assert.deepEqual(await shown(link), [waiting, 'underpaid', 250]);
  });

  onSqlite('a replacement that pays more than the first one is late by itself', async () => {
    const { link, address } = await linkAfter(1);
    const hash = await send(address, 1000n);
    await world.advance(16 * MINUTE);
    setRate('49000');
    await world.advance(16 * MINUTE);
    await replace(hash, address, SATOSHI);
    await mine();
    assert.deepEqual(await shown(link), [waiting, 'underpaid', 250]);
  });

  onSqlite('vanished after the link has expired: failed, and a new link can be made', async () => {
    const { link, address } = await linkAfter(1);
    const hash = await send(address);
    await mine();
    await world.advance(2 * DAY);
    await chain().reorganise(1, { drop: [hash] });
    await world.advance(SECOND);
    assert.deepEqual(await shown(link), [failed, 'reversed', 0]);
    assert.deepEqual((await detailOf(link)).available_actions, ['renew']);
    const { status } = await world.request('/fiat/v1/transaction/renew', { body: { transaction_id: link.reference } });
    assert.equal(status, 200);
    assert.equal((await detailOf(link)).status, pending);
  });

  onSqlite('vanished, and then the link expires: failed as reversed', async () => {
    const { link, address } = await linkAfter(0);
    const hash = await send(address);
    await chain().evict(hash);
    await world.work();
    await world.advance(2 * DAY);
    assert.deepEqual(await shown(link), [failed, 'reversed', 0]);
  });

  test('an acceptance of less stands while what was accepted is there, and again when it comes back', async () => {
    const { link, address } = await linkAfter(1);
    await send(address, SATOSHI / 2n);
    await mine();
    assert.equal((await merchantAction(link, 'accept', 'a friend')).status, 200);
    const { amount_delivered: delivered, amount_received: received } = await detailOf(link);
    assert.deepEqual(await shown(link), [confirmed, 'underpaid', received]);
    // More comes, and vanishes.
    const more = await send(address, 100_000n);
    await mine();
    assert.ok((await detailOf(link)).amount_received > received);
    await chain().reorganise(1, { drop: [more] });
    await world.advance(SECOND);
    const less = await detailOf(link);
    assert.deepEqual(
      [less.status, less.amount_received, less.amount_delivered, less.decision?.is_approved],
      [confirmed, received, delivered, true],
    );
    await chain().reorganise(3);
    await world.work();
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

  onSqlite(
    'refunded out of band and then reversed: asked for no second time, and confirmed in time when it comes back',
    async () => {
      for (const amount of [undefined, 100]) {
        const { link, address } = await linkAfter(1);
        const hash = await send(address);
        await mine();
        const { status, text } = await world.request('/fiat/v1/transaction/refund', {
          body: { transaction_id: link.reference, out_of_band: true, ...(amount && { amount }) },
        });
        assert.equal(status, 200, text);
        // Back in the mempool, and mined again: nothing has failed.
        await chain().reorganise(1);
        await world.work();
        assert.deepEqual(await shown(link), [waiting, 'reversed', 0]);
        await mine();
        assert.deepEqual([(await detailOf(link)).status, (await detailOf(link)).late], [confirmed, undefined]);
        await chain().reorganise(1, { drop: [hash] });
        await world.advance(SECOND);
        assert.deepEqual(await shown(link), [failed, 'reversed', 0]);
        const detail = await detailOf(link);
        assert.deepEqual([detail.refunded_amount, detail.available_actions], [amount ?? 500, []]);
        assert.ok(!['ready', 'paid'].includes((await stateOf(link)).phase));
      }
    },
  );

  onSqlite(
    'taken back in time, nothing that is sent later has its rate, nor by sending it again and again',
    async () => {
      const { link, address } = await linkAfter(0);
      const first = await send(address);
      assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
      await chain().evict(first);
      await world.work();
      await world.advance(16 * MINUTE);
      setRate('49000');
      await world.advance(16 * MINUTE);
      await send(address);
      assert.equal((await shown(link))[2], 250);
      assert.equal((await detailOf(link)).status, waiting);
    },
  );

  onSqlite('an acceptance ends with the money that it was for', async () => {
    const { link, address } = await linkAfter(1);
    const hash = await send(address, SATOSHI / 2n);
    await mine();
    assert.equal((await merchantAction(link, 'accept', 'a friend')).status, 200);
    await chain().reorganise(1, { drop: [hash] });
    await world.advance(SECOND);
    assert.deepEqual([(await detailOf(link)).amount_received, (await detailOf(link)).decision], [0, undefined]);
    await send(address, SATOSHI / 2n);
    await mine();
    const again = await detailOf(link);
    assert.deepEqual([again.status, again.reason], [waiting, 'underpaid']);
  });

  onSqlite('rejected and then reversed: stays rejected, also when it comes back', async () => {
    const { link, address } = await linkAfter(1);
    await send(address, SATOSHI / 2n);
    await mine();
    assert.equal((await merchantAction(link, 'reject')).status, 200);
    const [, , received] = await shown(link);
    await chain().reorganise(1);
    await world.work();
    assert.deepEqual(await shown(link), [failed, 'rejected', 0]);
    assert.deepEqual((await detailOf(link)).available_actions, []);
    await mine();
    assert.deepEqual(await shown(link), [failed, 'rejected', received]);
    assert.ok((await detailOf(link)).available_actions.includes('reject'));
  });

  onSqlite('paid by card as well: what the card has paid stands', async () => {
    const { link, address } = await linkAfter(1);
    assert.equal((await pay(link, cards.visa)).body.response_type, 'confirmed');
    const late = await send(address);
    await mine();
    assert.deepEqual(await shown(link), [confirmed, 'overpaid', 1000]);
    await chain().reorganise(1, { drop: [late] });
    await world.advance(SECOND);
    assert.deepEqual(await shown(link), [confirmed, undefined, 500]);
  });

  test('statistics, the export and the list follow', async () => {
    const merchant = await world.makeMerchant('Cups & Co');
    await enableEveryMethod(world, merchant);
    await prefer({ 'min-confirmation-btc': '0' }, merchant);
    const link = await createLink(world, { amount: 500 }, merchant.token);
    const begun = await startPayment(link, 'crypto_payment', 'btc');
    const hash = await send(addressOf(begun));
    const read = async (path: string) => await world.request(path, { token: merchant.token });
    assert.equal((await read('/v1/statistics')).body.total.paid_count, 1);
    await chain().evict(hash);
    await world.work();
    const { total, currencies } = (await read('/v1/statistics')).body;
    assert.deepEqual([total.paid_count, total.open_count, currencies[0].paid_amount], [0, 1, 0]);
    const { text } = await read('/fiat/v1/transactions/export');
    assert.match(text, /transaction_status_pending,reversed/);
    const { body } = await read('/fiat/v1/transactions?awaits_decision=true');
    assert.deepEqual(body.transactions, []);
  });
});
