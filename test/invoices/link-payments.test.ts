// Databases: sqlite
import { cryptoCurrencyCodes } from '../../src/shared/crypto-currency.ts';
import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import type { OfferedMethod } from '../../src/api/page-state.ts';
import { HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';
import { type StartedPayment, createBuyers, type Link } from '../support/buyer.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { invoicesOf } from '../support/invoices.ts';
import { dumpRows } from '../support/rows.ts';
import { createLink } from '../support/requests.ts';
import { bitcoinAddress } from '../support/simulated-chains.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

/** USD 20 at USD 98,000 per bitcoin: 0.00020408…, rounded up. */
const SATOSHI = 20409n;

/** Fee for spending one more coin at the simulated chain's 5 sat/vB. */
const COST_OF_COIN = 5n * 68n;

describe('a payment link paid in crypto', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await enableEveryMethod(fixture, fixture.merchant);
  });
  after(async () => await fixture.close());

  const { stateOf, detailOf, startPayment, tryStartPayment, simulate, confirm, merchantAction } = createBuyers(
    () => fixture,
  );
  const { chain, list, mine, review, prefer } = invoicesOf(() => fixture);

  /** Sets the exchange rate of bitcoin. */
  const setRate = (usd: string) => {
    const { context } = fixture.service().invoices;
    const { rates } = context;
    context.rates = {
      rate: (code, currency) =>
        code === 'btc' ? { ...rates.rate(code, currency), rate: usd } : rates.rate(code, currency),
    };
  };
  // Expires all rate locks, and resets the rate.
  beforeEach(async () => {
    setRate('98000');
    await fixture.advance(20 * MINUTE);
  });

  const linkOf20 = async (fields: Record<string, unknown> = {}) => await createLink(fixture, { amount: 20, ...fields });
  const crypto = async (link: Link): Promise<OfferedMethod> => {
    const offered = (await stateOf(link)).methods.find(({ code }) => code === 'crypto_payment');
    assert.ok(offered);
    return offered;
  };
  const addressOf = ({ instructions }: StartedPayment): string => {
    assert.ok(instructions.action === 'crypto');
    return instructions.address;
  };
  const payTo = async (payment: StartedPayment, amount: bigint) =>
    (await chain().pay({ address: addressOf(payment), code: 'btc', amount })).txHash;
  /** The crypto transaction of a started payment. */
  const transactionOf = async (payment: StartedPayment): Promise<CryptoTransaction> => {
    const transaction = (await list()).find(({ walletAddress }) => walletAddress === addressOf(payment));
    assert.ok(transaction);
    return transaction;
  };

  test('shows the amount in each currency, at rates locked for 15 minutes', async () => {
    const link = await linkOf20();
    const { choices, quoteExpiresAt } = await crypto(link);
    const expected = [
      ['btc', 'Bitcoin', '0.00020409', undefined],
      ['eth', 'Ether', '0.00634921', 'Ethereum (simulated)'],
      ['usdt', 'USDT', '20', 'Ethereum (simulated)'],
      ['usdc', 'USDC', '20', 'Ethereum (simulated)'],
      ['ltc', 'Litecoin', '0.21052632', undefined],
    ];
    const listed = choices?.filter(({ code }) => expected.some(([each]) => each === code));
    assert.deepEqual(
      listed?.map(({ code, name, amount, network }) => [code, name, amount, network]),
      expected,
    );
    const { serverTime } = await stateOf(link);
    assert.equal(Date.parse(quoteExpiresAt ?? '') - Date.parse(serverTime), 15 * 60_000);
    setRate('49000');
    await fixture.advance(14 * MINUTE);
    const locked = await crypto(link);
    assert.deepEqual([locked.choices, locked.quoteExpiresAt], [choices, quoteExpiresAt]);
    // A choice in the last minute gets the full time.
    const payment = await startPayment(link, 'crypto_payment', 'btc');
    assert.ok(payment.instructions.action === 'crypto' && payment.instructions.amount === '0.00020409');
    const now = (await stateOf(link)).serverTime;
    assert.equal(Date.parse(payment.expiresAt) - Date.parse(now), 15 * 60_000);
    await fixture.advance(MINUTE);
    const renewed = await crypto(await linkOf20());
    assert.equal(renewed.choices?.[0]?.amount, '0.00040817');
  });

  test('requests exactly the shown amount, at the address of its own wallet', async () => {
    const link = await linkOf20();
    const payment = await startPayment(link, 'crypto_payment', 'btc');
    assert.deepEqual(payment.instructions, {
      action: 'crypto',
      currency: 'BTC',
      network: 'Bitcoin (simulated)',
      address: addressOf(payment),
      amount: '0.00020409',
      uri: `bitcoin:${addressOf(payment)}?amount=0.00020409`,
      minConfirmations: 2,
    });
    const transaction = await transactionOf(payment);
    assert.deepEqual(
      [transaction.txId, transaction.fiatTransactionId, transaction.type, transaction.status],
      [null, link.reference, 'user', 'pending'],
    );
    assert.deepEqual(
      [transaction.amountRequired, transaction.exchangeRate?.currencyAmount, transaction.exchangeRate?.exchangeRate],
      [SATOSHI.toString(), '20.00', '98000'],
    );
    const { status, headers } = await fixture.request(new URL(transaction.link.payment).pathname, { token: null });
    assert.deepEqual([status, new URL(headers.get('location') ?? '').pathname], [303, `${link.path}/return`]);
    // A repeated request returns the same instructions.
    assert.deepEqual(await startPayment(link, 'crypto_payment', 'btc'), payment);
    assert.deepEqual((await startPayment(await linkOf20(), 'crypto_payment', 'usdt')).instructions.action, 'crypto');
  });

  test('is paid by the exact amount once confirmed, in link and crypto transaction', async () => {
    const link = await linkOf20();
    const payment = await startPayment(link, 'crypto_payment', 'btc');
    assert.deepEqual((await stateOf(link)).coinTransactions, []);
    const hash = await payTo(payment, SATOSHI);
    await fixture.work();
    assert.deepEqual((await stateOf(link)).waitsFor, { kind: 'confirmations', seen: 0, needed: 2 });
    assert.deepEqual((await stateOf(link)).coinTransactions, [{ hash, url: null }]);
    assert.equal((await detailOf(link)).amount_received, 0);
    await mine();
    assert.deepEqual((await stateOf(link)).waitsFor, { kind: 'confirmations', seen: 1, needed: 2 });
    await mine();
    const detail = await detailOf(link);
    assert.deepEqual([detail.status, detail.amount_received], ['transaction_status_confirmed', 20]);
    assert.deepEqual((await transactionOf(payment)).status, 'complete');
    const paid = await stateOf(link);
    assert.deepEqual([paid.coinTransactions, paid.selectedBrand], [[{ hash, url: null }], 'BTC']);
  });

  test('is reported only by webhooks of the payment; in version 1 also by those of its crypto transaction', async () => {
    let cursor: string | null = null;
    const reported = async (): Promise<string[]> => {
      const { body }: any = await fixture.request(`/v1/events?limit=100${cursor === null ? '' : `&after=${cursor}`}`);
      cursor = body.next;
      return body.events.map(({ type }: any) => type);
    };
    const payLink = async () => {
      const link = await linkOf20();
      const payment = await startPayment(link, 'crypto_payment', 'btc');
      const txHash = await payTo(payment, SATOSHI);
      await mine(2);
      return { txHash, detail: await detailOf(link), events: await reported() };
    };
    while ((await reported()).length > 0);
    const { txHash, detail, events } = await payLink();
    assert.deepEqual(new Set(events), new Set(['fiat.transaction.updated']));
    assert.deepEqual(
      detail.receipts.map(({ reference, amount }) => [reference.split(':')[0], amount]),
      [[txHash, 20]],
    );
    await prefer({ 'callback-version': 1 });
    assert.deepEqual(
      new Set((await payLink()).events),
      new Set(['crypto.transaction.created', 'crypto.transaction.updated', 'fiat.transaction.updated']),
    );
    await prefer({ 'callback-version': null });
  });

  test('credits an underpayment in proportion; the remainder, at the current rate, completes it', async () => {
    const link = await linkOf20();
    const payment = await startPayment(link, 'crypto_payment', 'btc');
    await payTo(payment, SATOSHI / 2n);
    await fixture.work();
    const pending = await stateOf(link);
    const half = { value: '9.99', left: '10.01' };
    assert.deepEqual([pending.phase, pending.waitsFor?.kind, pending.received], ['checking', 'confirmations', half]);
    await mine(2);
    const state = await stateOf(link);
    assert.deepEqual([state.phase, state.received], ['ready', half]);
    assert.equal((await detailOf(link)).reason, 'underpaid');
    setRate('196000');
    await fixture.advance(16 * MINUTE);
    assert.equal((await crypto(link)).choices?.[0]?.amount, '0.00005108');
    const remainder = await startPayment(link, 'crypto_payment', 'btc');
    assert.notEqual(addressOf(remainder), addressOf(payment));
    await payTo(remainder, 5108n);
    await fixture.work();
    assert.equal((await stateOf(link)).received, null);
    await mine(2);
    assert.equal((await detailOf(link)).status, 'transaction_status_confirmed');
  });

  test('is paid by parts whose sum is the amount, whatever the value of each', async () => {
    // Their separate values are 9.79, 0.09 and 10.10.
    const parts = [10_000n, 100n, SATOSHI - 10_100n];
    for (const isSeenTogether of [true, false]) {
      const link = await linkOf20();
      const payment = await startPayment(link, 'crypto_payment', 'btc');
      for (const part of parts) {
        await payTo(payment, part);
        if (!isSeenTogether) await fixture.work();
      }
      await confirm(payment);
      const { status, reason, amount_received, receipts } = await detailOf(link);
      assert.deepEqual([status, reason, amount_received], ['transaction_status_confirmed', undefined, 20]);
      assert.deepEqual(
        receipts.map(({ amount }) => amount),
        [9.79, 0.1, 10.11],
      );
    }
  });

  test('is paid exactly by the requested remainder, at any of its addresses, even in parts', async () => {
    const remainderOf = (part: bigint) => {
      const remainingMinor = 2000n - (part * 2000n) / SATOSHI;
      return (remainingMinor * 1_000_000n + 97_999n) / 98_000n;
    };
    // A remainder that at the first address alone would exceed the price by a cent.
    let part = 1000n;
    while (((part + remainderOf(part)) * 2000n) / SATOSHI <= 2000n) part += 1n;
    // A remainder whose halves at both addresses would each be rounded down.
    for (const toFirst of [1000n, 500n, 371n, 0n]) {
      const link = await linkOf20();
      const first = await startPayment(link, 'crypto_payment', 'btc');
      await payTo(first, part);
      await mine(2);
      const second = await startPayment(link, 'crypto_payment', 'btc');
      assert.notEqual(addressOf(second), addressOf(first));
      assert.ok(second.instructions.action === 'crypto');
      const remainder = remainderOf(part);
      assert.equal(second.instructions.amount, (Number(remainder) / 1e8).toFixed(8));
      const here = (remainder * toFirst) / 1000n;
      if (here > 0n) await payTo(first, here);
      if (here < remainder) await payTo(second, remainder - here);
      await mine(2);
      const { status, reason, amount_received, receipts } = await detailOf(link);
      assert.deepEqual([status, reason, amount_received], ['transaction_status_confirmed', undefined, 20]);
      const cents = receipts.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
      assert.equal(cents, 2000);
    }
  });

  test('applies the tolerance to the sum of its parts', async () => {
    await prefer({ 'payment-tolerance-percent-btc': '1' });
    const link = await linkOf20();
    const payment = await startPayment(link, 'crypto_payment', 'btc');
    await prefer({ 'payment-tolerance-percent-btc': null });
    await payTo(payment, 10_000n);
    await payTo(payment, SATOSHI - 10_150n);
    await confirm(payment);
    const { status, amount_received } = await detailOf(link);
    assert.deepEqual([status, amount_received], ['transaction_status_confirmed', 20]);
  });

  test('reports the amount of an overpayment and of a duplicate payment', async () => {
    for (const [amounts, received] of [
      [[2n * SATOSHI], 40],
      [[SATOSHI, SATOSHI], 40],
      [[SATOSHI + 1n], 20],
    ] as const) {
      const link = await linkOf20();
      const payment = await startPayment(link, 'crypto_payment', 'btc');
      for (const amount of amounts) await payTo(payment, amount);
      await mine(2);
      const detail = await detailOf(link);
      assert.equal(detail.amount_received, received);
      assert.equal(detail.reason, received === 20 ? undefined : 'overpaid');
    }
  });

  test('an expired rate lock is replaced; a late deposit is valued at the current rate', async () => {
    const link = await linkOf20();
    const payment = await startPayment(link, 'crypto_payment', 'btc');
    setRate('49000');
    await fixture.advance(15 * MINUTE + SECOND);
    assert.deepEqual((await stateOf(link)).ended, { code: 'crypto_payment', reason: 'expired' });
    assert.equal((await transactionOf(payment)).status, 'failed');
    await payTo(payment, SATOSHI);
    await mine(2);
    const state = await stateOf(link);
    assert.deepEqual([state.phase, state.received], ['ready', { value: '10.00', left: '10.00' }]);
    const late = await transactionOf(payment);
    assert.deepEqual([late.status, late.labels], ['complete', ['late']]);
    // Valued once: a later rate changes nothing.
    setRate('1');
    await fixture.advance(HOUR);
    assert.equal((await stateOf(link)).received?.value, '10.00');
    assert.equal(payment.code, 'crypto_payment');
  });

  test('late deposits add up: the amount of the remainder completes the payment', async () => {
    setRate('98000');
    const link = await linkOf20();
    const payment = await startPayment(link, 'crypto_payment', 'btc');
    await fixture.advance(16 * MINUTE);
    await payTo(payment, 10_205n);
    await mine(2);
    const { methods, received: first } = await stateOf(link);
    assert.deepEqual(first, { value: '10.00', left: '10.00' });
    // The coin of the first part is selected.
    const chosen = methods[0]?.choices?.filter(({ isChosen }) => isChosen).map(({ code }) => code);
    assert.deepEqual(chosen, ['btc']);
    setRate('49000');
    await payTo(payment, 20_408n);
    await mine(2);
    const { status, amount_received: received, reason } = await detailOf(link);
    assert.deepEqual([status, received, reason], ['transaction_status_confirmed', 20, undefined]);
  });

  test('a deposit orphaned before it is credited is removed, and credited once when mined again', async () => {
    const link = await linkOf20();
    const payment = await startPayment(link, 'crypto_payment', 'btc');
    await payTo(payment, SATOSHI);
    await mine();
    await chain().reorg(1);
    await fixture.work();
    assert.deepEqual((await stateOf(link)).waitsFor, { kind: 'confirmations', seen: 0, needed: 2 });
    await mine(2);
    assert.equal((await detailOf(link)).amount_received, 20);
    const other = await linkOf20();
    const lost = await startPayment(other, 'crypto_payment', 'btc');
    const hash = await payTo(lost, SATOSHI);
    await mine();
    await chain().reorg(1, { drop: [hash] });
    await fixture.advance(SECOND);
    const { phase, waitsFor, received } = await stateOf(other);
    assert.deepEqual([phase, waitsFor, received], ['ready', null, null]);
  });

  test('a currency with a higher minimum amount is not offered', async () => {
    await prefer({ 'min-amount-btc': '20410' });
    const link = await linkOf20();
    assert.deepEqual(
      (await crypto(link)).choices?.map(({ code }) => code),
      cryptoCurrencyCodes.filter((code) => code !== 'btc'),
    );
    const { status, body } = await tryStartPayment(link, 'crypto_payment', 'btc');
    assert.deepEqual([status, body.errors[0].code], [422, 'invalid_choice']);
    await prefer({ 'min-amount-btc': null });
  });

  test('a deposit in review is shown on the page; approved it is credited, rejected it is not', async () => {
    await prefer({ 'new-tx-manual-approve': true });
    for (const [verdict, received] of [
      ['approve', 20],
      ['reject', 0],
    ] as const) {
      const link = await linkOf20();
      const payment = await startPayment(link, 'crypto_payment', 'btc');
      await payTo(payment, SATOSHI);
      await mine(3);
      assert.deepEqual((await stateOf(link)).waitsFor, { kind: 'confirmations', seen: 2, needed: 2 });
      await fixture.advance(SECOND);
      assert.equal((await review(verdict, await transactionOf(payment))).status, 200);
      await fixture.work();
      assert.equal((await detailOf(link)).amount_received, received, verdict);
      assert.equal((await stateOf(link)).phase, received > 0 ? 'paid' : 'ready');
    }
    await prefer({ 'new-tx-manual-approve': null });
  });

  test('the erasure of the payer includes the review reason, its events and their webhooks', async () => {
    await prefer({ 'new-tx-manual-approve': true });
    const email = 'zoe.quill@post.example';
    const link = await linkOf20({ payer: { email } });
    const payment = await startPayment(link, 'crypto_payment', 'btc');
    await payTo(payment, SATOSHI);
    await mine(3);
    await review('reject', await transactionOf(payment), { reason: `${email} paid twice` });
    await fixture.work();
    const erased = await fixture.request('/v1/payers/erase', {
      ...{ body: { email }, token: fixture.merchant.managerToken },
    });
    assert.deepEqual(erased.body, { transactions: 1 });
    const rows = Object.entries(await dumpRows(fixture.service().database));
    assert.deepEqual(
      rows.flatMap(([table, all]) => (all.join().includes(email) ? [table] : [])),
      [],
    );
    assert.equal((await transactionOf(payment)).decision?.reason, '[erased] paid twice');
    await prefer({ 'new-tx-manual-approve': null });
  });

  test('the merchant learns that a deposit awaits approval, once, whatever the webhook version', async () => {
    await prefer({ 'new-tx-manual-approve': true });
    const link = await linkOf20();
    const payment = await startPayment(link, 'crypto_payment', 'btc');
    const eventsOf = async () => {
      const { body } = await fixture.request(`/fiat/v1/transaction/events?transaction_id=${link.reference}`);
      return body.events.map(({ data }: any) => [data.sequence, data.previous_status, data.status, data.reason]);
    };
    const approvalOf = async () => {
      const { timeline, instructions } = await detailOf(link);
      const details = timeline.flatMap(({ sequence, detail }) => (detail === 'awaits approval' ? [sequence] : []));
      return { details, inReview: instructions.map(({ in_review }) => in_review ?? false) };
    };
    const waiting = 'transaction_status_waiting';
    assert.deepEqual(await approvalOf(), { details: [], inReview: [false] });
    await payTo(payment, SATOSHI);
    await mine(3);
    assert.deepEqual((await eventsOf()).at(-1), [2, waiting, waiting, undefined]);
    assert.deepEqual(await approvalOf(), { details: [2], inReview: [true] });
    assert.equal((await review('reject', await transactionOf(payment))).status, 200);
    await fixture.work();
    assert.deepEqual((await approvalOf()).inReview, [false]);
    // A second deposit needs an approval of its own. It arrives after the link has expired.
    await fixture.advance(25 * HOUR);
    const before = await detailOf(link);
    assert.equal(before.status, 'transaction_status_failed');
    await payTo(payment, SATOSHI);
    await mine(3);
    const after = await detailOf(link);
    assert.deepEqual([after.status, after.reason], [before.status, before.reason]);
    const { details, inReview } = await approvalOf();
    assert.deepEqual([details.length, inReview], [2, [true]]);
    assert.equal((await review('reject', await transactionOf(payment))).status, 200);
    await fixture.work();
    const sequences = (await eventsOf()).map(([sequence]: [number]) => sequence);
    assert.deepEqual(
      sequences,
      sequences.map((_: number, index: number) => index + 1),
    );
    await prefer({ 'new-tx-manual-approve': null });
  });

  test('is refunded only by a manager; the error explains how', async () => {
    const link = await linkOf20();
    const payment = await startPayment(link, 'crypto_payment', 'btc');
    await payTo(payment, SATOSHI);
    await mine(2);
    const { status, body } = await fixture.request('/fiat/v1/transaction/refund', {
      body: { transaction_id: link.reference },
    });
    assert.deepEqual([status, body.code], [409, 'refund_not_supported']);
    const { refunds, available_actions } = await detailOf(link);
    assert.deepEqual([refunds, available_actions], [[], ['refund_out_of_band']]);
  });

  test('has its own wallet, which is not rotated', async () => {
    const payment = await startPayment(await linkOf20(), 'crypto_payment', 'btc');
    const { status, body } = await fixture.request('/v1/wallet/rotate', {
      body: { walletAddress: addressOf(payment) },
      token: fixture.merchant.managerToken,
    });
    assert.deepEqual([status, body.errors?.[0]?.code], [422, 'not_for_type']);
  });

  test('is swept with deposits of other links once their sum is large enough', async () => {
    const destination = bitcoinAddress(900);
    await prefer({
      'auto-withdrawal': true,
      'auto-withdrawal-destination-btc': destination,
      'wallet-rotate-amount-btc': (5n * 1_000_000n).toString(),
    });
    // A destination takes effect after a delay.
    await fixture.advance(25 * HOUR);
    const withdrawals = async () => {
      const { body } = await fixture.request('/v1/withdrawals');
      return body.withdrawals.map(({ spent, destination: to }: { spent: string; destination: string }) => [spent, to]);
    };
    // Earlier deposits are included; uneconomic coins stay.
    const before = (await list({ status: 'complete' }))
      .flatMap(({ payments }) => payments.map(({ amount }) => BigInt(amount)))
      .reduce((sum, amount) => (amount > COST_OF_COIN ? sum + amount : sum), 0n);
    for (const amount of [2_000_000n, 2_000_000n]) {
      await payTo(await startPayment(await linkOf20(), 'crypto_payment', 'btc'), amount);
      await mine(2);
    }
    assert.deepEqual(await withdrawals(), []);
    await payTo(await startPayment(await linkOf20(), 'crypto_payment', 'btc'), 1_000_000n);
    await mine(2);
    assert.deepEqual(await withdrawals(), [[(5_000_000n + before).toString(), destination]]);
    await prefer({ 'auto-withdrawal': false, 'wallet-rotate-amount-btc': null });
  });

  test('can be canceled; a later deposit is a late payment, as for other methods', async () => {
    const link = await linkOf20();
    const payment = await startPayment(link, 'crypto_payment', 'btc');
    assert.equal((await merchantAction(link, 'cancel')).status, 200);
    await simulate(payment, 'exact');
    await confirm(payment);
    const detail = await detailOf(link);
    assert.deepEqual([detail.status, detail.late], ['transaction_status_confirmed', true]);
  });

  test('a node that does not respond makes the method unavailable', async () => {
    const link = await linkOf20();
    const query = db(fixture.service().database);
    const cursors = await query.selectFrom('chain_cursors').select(['chain', 'height', 'hash']).execute();
    await query.updateTable('chain_cursors').set({ height: null, hash: null }).execute();
    const { status, body } = await tryStartPayment(link, 'crypto_payment', 'usdt');
    assert.deepEqual([status, body.code], [502, 'acquirer_unavailable']);
    for (const { chain: name, ...at } of cursors)
      await query.updateTable('chain_cursors').set(at).where('chain', '=', name).execute();
    await fixture.work();
  });
});
