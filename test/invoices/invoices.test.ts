import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';
import { onSqlite } from '../support/databases.ts';
import { invoicesOf } from '../support/invoices.ts';
import { external } from '../support/withdrawals.ts';
import { signedIn } from '../support/users.ts';
import { openEndpoint } from '../support/webhook-endpoint.ts';
import { moveLastEventNumber } from '../support/event-numbers.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('crypto invoices', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await openFixture();
    await fixture.work();
  });
  afterEach(async () => await fixture.close());
  const { chain, create, get, list, pay, mine, review, prefer } = invoicesOf(() => fixture);

  const statusOf = async (transaction: { id: string }) => (await get(transaction)).status;
  const evict = async (txHash: string) => {
    await chain().evict(txHash);
    await fixture.work();
  };
  /** Sends an evicted payment of the requested amount again. */
  const sendAgain = async ({ walletAddress: address }: { walletAddress: string }, txHash: string) => {
    await chain().pay({ address, code: 'btc', amount: 150_000n }, txHash);
    await fixture.work();
  };

  test('an exact payment in time is seen, confirmed and complete', async () => {
    await prefer({ 'processing-fee-btc': 1.5 });
    const invoice = await create({ comment: 'Two cups' });
    assert.equal(invoice.status, 'pending');
    assert.match(invoice.walletAddress, /^bcrt1q/);
    assert.equal(invoice.uri, `bitcoin:${invoice.walletAddress}?amount=0.0015`);
    assert.equal(invoice.exchangeRate?.currencyAmount, '147.00');
    const txHash = await pay(invoice);
    await fixture.work();
    const current = await get(invoice);
    assert.deepEqual(
      [current.status, current.confirmations, current.amount, current.amountDue],
      ['waiting', 0, '150000', '0'],
    );
    await mine();
    assert.deepEqual([await statusOf(invoice), (await get(invoice)).confirmations], ['waiting', 1]);
    await mine();
    const paid = await get(invoice);
    assert.deepEqual([paid.status, paid.confirmations, paid.processingFee], ['complete', 2, '2250']);
    assert.deepEqual(
      paid.payments.map((payment) => [payment.txHash, payment.confirmations, payment.decision]),
      [[txHash, 2, 'accepted']],
    );
    const { body } = await fixture.request('/v1/events?limit=100');
    assert.deepEqual(
      body.events.map(({ type, data }: any) => [type, data.previous_status, data.status, data.sequence]),
      [
        ['crypto.transaction.created', null, 'pending', 1],
        ['crypto.transaction.updated', 'pending', 'waiting', 2],
        ['crypto.transaction.updated', 'waiting', 'confirmed', 3],
        ['crypto.transaction.updated', 'confirmed', 'complete', 4],
      ],
    );
  });

  onSqlite('a repeated request returns the same invoice; another amount or type is a conflict', async () => {
    const first = await create({ txId: 'cup-1' });
    assert.deepEqual(await create({ txId: 'cup-1' }), first);
    for (const change of [{ amount: '150001' }, { type: 'static' }]) {
      const body = { txId: 'cup-1', code: 'btc', amount: '150000', type: 'revolver', ...change };
      const { status, body: problem } = await fixture.request('/v1/transaction/invoice', { body });
      assert.deepEqual([status, problem.code], [409, 'tx_id_conflict']);
    }
    // The texts of an invoice that is not a user's are fixed too.
    assert.deepEqual(await create({ txId: 'cup-1', description: 'Two cups' }), first);
    // Another currency creates another invoice.
    assert.notEqual((await create({ txId: 'cup-1', code: 'eth' })).id, first.id);
  });

  test('a user invoice repeated with another amount keeps its wallet and shows the latest amount', async () => {
    await prefer({ 'min-amount-btc': '1000' });
    const first = await create({ txId: 'payer-1', type: 'user' });
    await pay(first, 5000n);
    await mine(2);
    const again = await create({ txId: 'payer-1', type: 'user', amount: '300000' });
    assert.deepEqual([again.id, again.walletAddress, again.status], [first.id, first.walletAddress, 'complete']);
    assert.deepEqual([again.amountRequired, again.amount, again.amountDue], ['300000', '5000', '0']);
    assert.equal(Number(again.exchangeRate?.currencyAmount), 2 * Number(first.exchangeRate?.currencyAmount));
    assert.deepEqual(await get(first), again);
    assert.deepEqual(await create({ txId: 'payer-1', type: 'user', amount: '300000' }), again);

    const body = { txId: 'payer-1', code: 'btc', amount: '300000', type: 'user' };
    const sendRequest = async (change: object) => {
      const { status, body: problem } = await fixture.request('/v1/transaction/invoice', {
        body: { ...body, ...change },
      });
      return [status, problem.code, problem.errors?.[0]?.code];
    };
    assert.deepEqual(await sendRequest({ amount: '999' }), [422, 'validation_failed', 'below_minimum']);
    assert.deepEqual(await sendRequest({ type: 'revolver' }), [409, 'tx_id_conflict', undefined]);
    const texts = { description: 'Two cups', returnUrl: 'https://shop.example/orders/7' };
    const described = await create({ ...body, ...texts });
    assert.deepEqual(described, { ...again, ...texts, updatedAt: described.updatedAt });
    assert.deepEqual(await get(first), described);
    assert.deepEqual(await create({ ...body, description: 'Three cups' }), {
      ...described,
      description: 'Three cups',
      updatedAt: (await get(first)).updatedAt,
    });
    const defaultType = { type: 'invoice_type_default', amount: '70000' };
    assert.equal((await create({ txId: 'payer-1', ...defaultType })).amountRequired, '70000');
  });

  onSqlite(
    'a repeated user invoice with an idempotency key: a replayed response restores no older amount',
    async () => {
      const repeat = async (amount: string, key: string) =>
        await fixture.request('/v1/transaction/invoice', {
          body: { txId: 'payer-1', code: 'btc', amount, type: 'user' },
          headers: { 'Idempotency-Key': key },
        });
      await repeat('1000', 'first');
      const second = await repeat('2000', 'second');
      await repeat('3000', 'third');
      assert.deepEqual((await repeat('2000', 'second')).body, second.body);
      assert.equal((await get(second.body)).amountRequired, '3000');
    },
  );

  test('twenty concurrent requests with one reference create one invoice', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, async () => await create({ txId: 'cup-1' })));
    assert.equal(new Set(all.map(({ id }) => id)).size, 1);
    assert.equal((await list()).length, 1);
  });

  test('underpayment, overpayment and late payment need review, with a label', async () => {
    const [less, more, late] = [await create(), await create(), await create()];
    await pay(less, 100_000n);
    await pay(more, 150_001n);
    await fixture.work();
    await fixture.advance(31 * MINUTE);
    await fixture.work();
    assert.equal(await statusOf(late), 'failed');
    await pay(late);
    await fixture.work();
    for (const [invoice, label] of [
      [less, 'underpaid'],
      [more, 'overpaid'],
      [late, 'late'],
    ] as const) {
      const { status, labels, availableActions } = await get(invoice);
      assert.deepEqual([status, labels, availableActions], ['approved_required', [label], ['approve', 'reject']]);
    }
    assert.equal((await list({ status: 'approved_required' })).length, 3);
    assert.equal((await get(less)).amountDue, '50000');
    const approved = await review('approve', less, { reason: 'A friend' });
    assert.deepEqual([approved.body.status, approved.body.amountDue], ['waiting', '0']);
    assert.equal(approved.body.decision.reason, 'A friend');
    assert.equal((await review('reject', more)).body.status, 'failed');
    assert.deepEqual([(await review('approve', more)).status], [409]);
    await mine(2);
    const { status, labels, amountDue } = await get(less);
    assert.deepEqual([status, labels, amountDue], ['complete', ['underpaid'], '0']);
    assert.equal(await statusOf(more), 'failed');
    assert.equal(await statusOf(late), 'approved_required');
  });

  onSqlite('a second payment does not belong to the invoice', async () => {
    const invoice = await create();
    await pay(invoice);
    await pay(invoice);
    await mine(2);
    assert.equal(await statusOf(invoice), 'complete');
    const [again] = await list({ status: 'approved_required' });
    assert.ok(again);
    assert.deepEqual([again.txId, again.probableTxId, again.labels], [null, invoice.txId, ['duplicate']]);
    assert.equal((await review('approve', again)).body.status, 'complete');
  });

  onSqlite('a second payment of a complete static invoice is a duplicate, unless another invoice matches', async () => {
    const payAgain = async (invoice: Awaited<ReturnType<typeof create>>) => {
      await pay(invoice);
      await fixture.work();
      const [payment] = await list({ status: 'approved_required' });
      return [payment?.txId, payment?.probableTxId, payment?.labels];
    };
    const first = await create({ type: 'static' });
    await pay(first);
    await mine(2);
    assert.equal(await statusOf(first), 'complete');
    assert.deepEqual(await payAgain(first), [null, first.txId, ['duplicate']]);
    const second = await create({ type: 'static' });
    await pay(second);
    await mine(2);
    assert.equal(await statusOf(second), 'complete');
    assert.deepEqual(await payAgain(second), [null, null, []]);
    assert.equal((await list({ status: 'approved_required' })).length, 2);
  });

  onSqlite('a replaced deposit reverts its invoice; the replacement counts', async () => {
    const invoice = await create();
    const first = await pay(invoice);
    await fixture.work();
    assert.equal(await statusOf(invoice), 'waiting');
    await chain().replace(first);
    await fixture.work();
    const { status, labels, payments } = await get(invoice);
    assert.deepEqual([status, labels, payments[0]?.confirmations], ['pending', ['replaced'], null]);
    const second = await pay(invoice);
    await fixture.work();
    await chain().replace(second, { address: invoice.walletAddress, code: 'btc', amount: 150_000n });
    await mine(2);
    assert.equal(await statusOf(invoice), 'complete');
  });

  test('a dropped deposit that returns after expiry needs review', async () => {
    const [late, brief] = [await create(), await create()];
    const first = await pay(late);
    await fixture.work();
    await evict(first);
    assert.equal(await statusOf(late), 'pending');
    await fixture.advance(20 * MINUTE);
    const third = await pay(brief);
    await fixture.work();
    await evict(third);
    await fixture.advance(11 * MINUTE);
    assert.deepEqual([await statusOf(late), await statusOf(brief)], ['failed', 'failed']);
    await sendAgain(late, first);
    await sendAgain(brief, third);
    await mine(2);
    for (const [invoice, labels] of [
      [late, ['late']],
      [brief, []],
    ] as const) {
      const { status, labels: shown, payments } = await get(invoice);
      assert.deepEqual(
        [status, shown, payments.map(({ decision }) => decision)],
        ['approved_required', labels, ['pending']],
      );
    }
  });

  test('a dropped deposit that returns after another was accepted is a duplicate', async () => {
    const [exact, less] = [await create(), await create({ amount: '160000' })];
    const [first, second] = [await pay(exact), await pay(less, 150_000n)];
    await fixture.work();
    await evict(first);
    await evict(second);
    assert.deepEqual([await statusOf(exact), await statusOf(less)], ['pending', 'pending']);
    await pay(exact);
    await pay(less);
    await fixture.work();
    await sendAgain(exact, first);
    await sendAgain(less, second);
    await mine(2);
    const duplicates = await list({ status: 'approved_required' });
    assert.deepEqual(
      duplicates.map(({ probableTxId, labels, amount }) => `${probableTxId} ${labels.join()} ${amount}`).sort(),
      [exact, less].map(({ txId }) => `${txId} duplicate 150000`).sort(),
    );
    for (const duplicate of duplicates) {
      const { body } = await review('reject', duplicate, { refundAddress: external.bitcoin });
      assert.equal(body.status, 'refunding');
    }
    await fixture.work();
    const { body } = await fixture.request('/v1/withdrawals');
    assert.deepEqual(
      body.withdrawals.map(({ purpose, spent, transactionId }: any) => `${purpose} ${spent} ${transactionId}`).sort(),
      duplicates.map(({ id }) => `refund 150000 ${id}`).sort(),
    );
    for (const invoice of [exact, less]) {
      const { status, labels, amount, payments } = await get(invoice);
      assert.deepEqual(
        [status, labels, amount, payments.map(({ decision }) => decision)],
        ['complete', [], invoice.amountRequired, ['accepted']],
      );
    }
  });

  test('an approved part of a payment that is dropped and returns stays approved', async () => {
    const invoice = await create({ amount: '260000' });
    const second = await pay(invoice, 150_000n);
    await pay(invoice, 100_000n);
    await fixture.work();
    await review('approve', invoice);
    await evict(second);
    await sendAgain(invoice, second);
    await mine(2);
    const { status, payments } = await get(invoice);
    assert.deepEqual([status, payments.map(({ decision }) => decision)], ['complete', ['accepted', 'accepted']]);
  });

  test('a dropped deposit that returns in time, or to a user’s wallet, is credited', async () => {
    const [invoice, user] = [await create(), await create({ type: 'user' })];
    const [first, second] = [await pay(invoice), await pay(user)];
    await fixture.work();
    await evict(first);
    await evict(second);
    await fixture.advance(10 * MINUTE);
    await sendAgain(invoice, first);
    await fixture.advance(HOUR);
    await sendAgain(user, second);
    await mine(2);
    const { status, payments } = await get(user);
    assert.deepEqual([await statusOf(invoice), status], ['complete', 'complete']);
    assert.ok((payments[0]?.seenAt ?? '') > (invoice.expiredAt ?? ''));
  });

  test('a rejection with a refund address is failed while there is no deposit to refund', async () => {
    await prefer({ 'new-tx-manual-approve': true });
    const [replaced, dropped] = [await create(), await create({ amount: '160000' })];
    const { walletAddress: address } = replaced;
    const refundAddress = external.bitcoin;
    const [first, second] = [await pay(replaced), await pay(dropped)];
    await fixture.work();
    assert.equal((await review('reject', replaced, { refundAddress })).body.status, 'refunding');
    assert.equal((await review('reject', dropped)).body.status, 'failed');
    await chain().replace(first, { address, code: 'btc', amount: 150_000n });
    await evict(second);
    assert.equal(await statusOf(replaced), 'failed');
    assert.deepEqual(
      (await list({ status: 'approved_required' })).map(({ txId, amount }) => [txId, amount]),
      [[null, '150000']],
    );
    const { body } = await fixture.request('/v1/events?limit=100');
    assert.deepEqual(
      body.events.filter(({ data }: any) => data.id === replaced.id).map(({ data }: any) => data.status),
      ['pending', 'approved_required', 'refunding', 'failed'],
    );
    const { status, body: problem } = await review('reject', dropped, { refundAddress });
    assert.deepEqual([status, problem.code], [409, 'nothing_to_review']);
    await chain().pay({ address: dropped.walletAddress, code: 'btc', amount: 160_000n }, second);
    await fixture.work();
    assert.equal((await review('reject', dropped, { refundAddress })).body.status, 'refunding');
    await evict(second);
    assert.equal(await statusOf(dropped), 'failed');
    await chain().pay({ address: dropped.walletAddress, code: 'btc', amount: 160_000n }, second);
    await fixture.work();
    assert.equal(await statusOf(dropped), 'refunding');
    // Earlier versions did not derive the status.
    await db(fixture.service().database)
      .updateTable('crypto_transactions')
      .set({ status: 'refunding' })
      .where('public_id', '=', replaced.id)
      .execute();
    await fixture.work();
    assert.deepEqual([await statusOf(replaced), await statusOf(dropped)], ['failed', 'refunding']);
  });

  test('a deposit in a block stays credited while the mempool of a node that lags behind lists it', async () => {
    const invoice = await create();
    const { unconfirmedDeposits } = chain();
    let listed: Awaited<ReturnType<typeof unconfirmedDeposits>> = [];
    chain().unconfirmedDeposits = async (...own) => (listed = await unconfirmedDeposits.apply(chain(), own));
    await pay(invoice);
    await fixture.work();
    assert.equal(listed.length, 1);
    chain().unconfirmedDeposits = unconfirmedDeposits;
    await mine(2);
    assert.equal(await statusOf(invoice), 'complete');
    chain().unconfirmedDeposits = async () => await Promise.resolve(listed);
    await fixture.advance(MINUTE);
    chain().unconfirmedDeposits = unconfirmedDeposits;
    await fixture.advance(MINUTE);
    assert.deepEqual([await statusOf(invoice), (await get(invoice)).amount], ['complete', '150000']);
  });

  test('a reorg reverses the credit, which is restored once', async () => {
    const invoice = await create();
    const txHash = await pay(invoice);
    await mine(2);
    assert.equal(await statusOf(invoice), 'complete');
    await chain().reorg(2);
    await fixture.work();
    const back = await get(invoice);
    assert.deepEqual([back.status, back.confirmations], ['waiting', 0]);
    await mine(2);
    assert.equal(await statusOf(invoice), 'complete');
    await chain().reorg(2, { drop: [txHash] });
    await fixture.work();
    assert.deepEqual([await statusOf(invoice), (await get(invoice)).labels], ['pending', ['replaced']]);
    const { body } = await fixture.request('/v1/events?limit=100');
    assert.deepEqual(
      body.events.map(({ data }: any) => data.status),
      ['pending', 'waiting', 'confirmed', 'complete', 'waiting', 'confirmed', 'complete', 'waiting', 'pending'],
    );
  });

  onSqlite('a reorg of a hundred blocks restores a deposit in the first of them once', async () => {
    for (const [code, name] of [
      ['btc', 'bitcoin'],
      ['usdt', 'ethereum'],
    ] as const) {
      const invoice = await create({ code });
      await pay(invoice);
      await mine(100, name);
      assert.deepEqual([await statusOf(invoice), (await get(invoice)).confirmations], ['complete', 100]);
      await chain(name).reorg(100);
      await fixture.work();
      const back = await get(invoice);
      assert.deepEqual([back.status, back.confirmations, back.processingFee], ['waiting', 0, '0'], code);
      await mine(100, name);
      const again = await get(invoice);
      assert.deepEqual([again.status, again.amount, again.payments.length], ['complete', '150000', 1]);
      const { body } = await fixture.request('/v1/wallets');
      const wallet = body.wallets.find((each: any) => each.walletAddress === invoice.walletAddress);
      assert.deepEqual([wallet.state, wallet.balance], ['free', '150000']);
    }
  });

  onSqlite('a reorg deeper than the kept blocks stops reading, and is reported', async () => {
    const invoice = await create();
    await pay(invoice);
    await mine(300);
    await chain().reorg(250);
    await fixture.work();
    await mine(2);
    const { body } = await fixture.request('/readyz', { token: null });
    assert.equal(body.chains.bitcoin.status, 'reorg_too_deep');
    assert.match(fixture.log(), /Scanning is stopped until the operator runs: paylatch chain reanchor/);
    assert.equal(await statusOf(invoice), 'complete');
  });

  test('a revolver wallet cools down after completion, and then serves only another amount', async () => {
    const first = await create();
    await pay(first);
    await mine(2);
    assert.equal(await statusOf(first), 'complete');
    const soon = await create({ amount: '70000' });
    assert.notEqual(soon.walletAddress, first.walletAddress);
    // The rest needs both blocks and time.
    await mine(100);
    assert.notEqual((await create({ amount: '80000' })).walletAddress, first.walletAddress);
    await pay(soon);
    await mine(2);
    assert.equal(await statusOf(soon), 'complete');
    await fixture.advance(DAY + HOUR);
    const same = await create();
    assert.notEqual(same.walletAddress, first.walletAddress);
    const other = await create({ amount: '90000' });
    assert.equal(other.walletAddress, first.walletAddress);
    assert.notEqual((await create({ amount: '60000' })).walletAddress, soon.walletAddress);
    // The first payer pays again: unidentified until reviewed.
    await pay(first);
    await fixture.work();
    assert.equal(await statusOf(other), 'approved_required');
  });

  onSqlite('static invoices share a wallet until rotation; later deposits are unattributed', async () => {
    await prefer({ 'wallet-rotate-amount-btc': '200000' });
    const [first, second] = [await create({ type: 'static' }), await create({ type: 'static', amount: '60000' })];
    assert.equal(first.walletAddress, second.walletAddress);
    await pay(second);
    await pay(first);
    await mine(2);
    assert.deepEqual([await statusOf(first), await statusOf(second)], ['complete', 'complete']);
    const third = await create({ type: 'static' });
    assert.notEqual(third.walletAddress, first.walletAddress);
    await pay(first);
    await mine(2);
    const [stray] = await list({ status: 'approved_required' });
    assert.ok(stray);
    assert.deepEqual(
      [stray.labels, stray.amount, stray.walletAddress],
      [['unattributed'], '150000', first.walletAddress],
    );
    assert.deepEqual(stray.availableActions, ['withdraw']);
    for (const verdict of ['approve', 'reject'] as const)
      assert.equal((await review(verdict, stray)).body.code, 'nothing_to_review');
  });

  test('lowering wallet-rotate-amount immediately rotates wallets that hold more', async () => {
    const states = async () => (await fixture.request('/v1/wallets')).body.wallets.map((each: any) => each.state);
    const shared = await create({ type: 'static' });
    const ownInvoice = await create();
    for (const invoice of [shared, ownInvoice]) await pay(invoice);
    await mine(2);
    const open = await create({ type: 'static', amount: '60000' });
    assert.equal(open.walletAddress, shared.walletAddress);
    assert.deepEqual(await states(), ['free', 'assigned']);
    await prefer({ 'wallet-rotate-amount-btc': '150001' });
    assert.deepEqual(await states(), ['free', 'assigned']);
    await prefer({ 'wallet-rotate-amount-btc': '150000' });
    assert.deepEqual(await states(), ['retired', 'rotated']);
    assert.notEqual((await create({ type: 'static' })).walletAddress, shared.walletAddress);
    await pay(open);
    await mine(2);
    assert.deepEqual([await statusOf(open), await states()], ['complete', ['assigned', 'retired', 'retired']]);
  });

  onSqlite('a wallet that holds the rotation amount is never assigned', async () => {
    const [shared, ownInvoice] = [await create({ type: 'static' }), await create()];
    for (const invoice of [shared, ownInvoice]) await pay(invoice);
    await mine(2);
    await fixture.advance(2 * DAY);
    await mine(100);
    // The state that a concurrent change leaves.
    await db(fixture.service().database).updateTable('wallets').set({ balance: '400000' }).execute();
    await db(fixture.service().database)
      .insertInto('preferences')
      .values({
        merchant_id: fixture.merchant.id,
        key: 'wallet-rotate-amount-btc',
        value: '"200000"',
        created_at: 0,
        updated_at: 0,
        updated_by: null,
      })
      .execute();
    assert.notEqual((await create({ type: 'static' })).walletAddress, shared.walletAddress);
    assert.notEqual((await create({ amount: '90000' })).walletAddress, ownInvoice.walletAddress);
    const states = (await fixture.request('/v1/wallets')).body.wallets.map((each: any) => each.state);
    assert.deepEqual(states, ['assigned', 'assigned', 'retired', 'retired']);
    await db(fixture.service().database)
      .updateTable('wallets')
      .set({ balance: '150000' })
      .where('state', '=', 'retired')
      .execute();
  });

  onSqlite('two static invoices with equal amounts: neither gets an ambiguous deposit', async () => {
    const [first, second] = [await create({ type: 'static' }), await create({ type: 'static' })];
    await pay(first);
    await fixture.work();
    assert.deepEqual([await statusOf(first), await statusOf(second)], ['pending', 'pending']);
    const [unidentified] = await list({ status: 'approved_required' });
    assert.deepEqual([unidentified?.txId, unidentified?.probableTxId, unidentified?.amount], [null, null, '150000']);
  });

  test('each review of a user invoice shows its own decision', async () => {
    await prefer({ 'new-tx-manual-approve': true });
    const invoice = await create({ type: 'user' });
    const reviews = [
      ['reject', false],
      ['approve', true],
      ['reject', false],
    ] as const;
    for (const [action, isApproved] of reviews) {
      await pay(invoice);
      await fixture.work();
      const { status, body } = await review(action, invoice);
      assert.equal(status, 200);
      const [listed] = await list();
      for (const { decision } of [body, await get(invoice), listed]) assert.equal(decision?.isApproved, isApproved);
      const events = await fixture.request('/v1/events?limit=100');
      assert.equal(events.body.events.at(-1).data.decision.isApproved, isApproved);
    }
    const { payments } = await get(invoice);
    assert.deepEqual(
      payments.map(({ decision }) => decision),
      ['rejected', 'accepted', 'rejected'],
    );
  });

  test('a review shows the reviewer’s name; webhooks do not contain it', async () => {
    const receiver = await openEndpoint();
    await prefer({ 'callback-url': receiver.url });
    const owner = await signedIn(fixture, 'owner', { name: 'Grace Okoro' });
    const [odd, other] = [await create(), await create()];
    await pay(odd, 7n);
    await pay(other, 8n);
    await fixture.work();
    const reviewer = { by: `person ${owner.id}`, byName: 'Grace Okoro' };
    const { status, body } = await owner.request('/v1/transaction/approve', { body: { id: odd.id } });
    assert.equal(status, 200);
    assert.deepEqual([body.decision.by, body.decision.byName], [reviewer.by, reviewer.byName]);
    await review('reject', other);
    const viewer = await signedIn(fixture, 'viewer');
    const readByViewer = await viewer.request(`/v1/transaction?id=${odd.id}`);
    for (const read of [readByViewer.body, await get(odd), (await list()).find(({ id }) => id === odd.id)])
      assert.deepEqual([read.decision.by, read.decision.byName], [reviewer.by, reviewer.byName]);
    assert.equal((await get(other)).decision?.byName, null);
    const events = await fixture.request('/v1/events?limit=100');
    const approved = events.body.events.find(({ data }: any) => data.decision?.isApproved);
    assert.deepEqual([approved.data.decision.by, approved.data.decision.byName], [reviewer.by, null]);
    assert.ok(!events.text.includes('Grace'));
    await fixture.work();
    await receiver.close();
    assert.ok(receiver.received.some(({ body: sent }) => sent.includes(`"${reviewer.by}"`)));
    assert.ok(!receiver.received.some(({ body: sent }) => sent.includes('Grace')));
  });

  test('a user invoice needs no amount; other types do', async () => {
    const request = async (fields: object) =>
      await fixture.request('/v1/transaction/invoice', { body: { txId: 'open-amount', code: 'btc', ...fields } });
    for (const type of ['static', 'revolver', 'invoice_type_default']) {
      const { status, body } = await request({ type });
      assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [422, '/amount', 'required'], type);
    }
    const { status, body: invoice, text } = await request({ type: 'user' });
    assert.equal(status, 200, text);
    assert.deepEqual(
      [invoice.amountRequired, invoice.amountRequiredUnit, invoice.amountDue, invoice.exchangeRate],
      [null, null, '0', null],
    );
    assert.doesNotMatch(invoice.uri, /amount/);
    const { pathname } = new URL(invoice.link.payment);
    assert.equal((await fixture.request(pathname, { token: null })).status, 200);
    await pay(invoice, 40_000n);
    await mine(2);
    const paid = await get(invoice);
    assert.deepEqual([paid.status, paid.amount, paid.labels], ['complete', '40000', []]);
    // A later amount is shown; a repeat without one keeps it.
    assert.equal((await request({ type: 'user', amount: '70000' })).body.amountRequired, '70000');
    assert.equal((await request({ type: 'user' })).body.amountRequired, '70000');
  });

  onSqlite('an invoice that cannot be expired does not delay others', async () => {
    const [broken, other] = [await create(), await create()];
    await moveLastEventNumber(fixture, { invoice: broken.id }, -1);
    await fixture.advance(2 * HOUR);
    assert.deepEqual([await statusOf(broken), await statusOf(other)], ['pending', 'failed']);
    await moveLastEventNumber(fixture, { invoice: broken.id }, 1);
    await fixture.advance(MINUTE);
    assert.equal(await statusOf(broken), 'failed');
  });

  onSqlite('the default type user needs no amount, and accepts no expiry', async () => {
    await prefer({ 'default-invoice-type': 'user' });
    const request = async (fields: object) =>
      await fixture.request('/v1/transaction/invoice', { body: { txId: 'by-default', code: 'btc', ...fields } });
    const expiredAt = new Date(fixture.clock.now() / 1000 + 3_600_000).toISOString();
    const { status, body } = await request({ type: 'invoice_type_default', expiredAt });
    assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [422, '/expiredAt', 'not_for_type']);
    const { body: invoice } = await request({ type: 'invoice_type_default' });
    assert.deepEqual([invoice.type, invoice.amountRequired, invoice.expiredAt], ['user', null, null]);
  });

  onSqlite('expiredAt must be at most 24 hours ahead; a repeated request is accepted after that', async () => {
    const at = (ahead: number) => new Date((fixture.clock.now() + ahead) / 1000).toISOString();
    const request = async (txId: string, expiredAt: string, headers = {}) =>
      await fixture.request('/v1/transaction/invoice', {
        ...{ body: { txId, code: 'btc', type: 'revolver', amount: '150000', expiredAt }, headers },
      });
    for (const [ahead, code] of [
      [0, 'in_the_past'],
      [DAY + SECOND, 'too_late'],
    ] as const) {
      const { status, body } = await request('expiring', at(ahead));
      assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [422, '/expiredAt', code]);
    }
    assert.equal((await request('longest', at(DAY))).status, 200);
    const expiredAt = at(10 * MINUTE);
    const key = { 'idempotency-key': 'expiring' };
    const first = await request('expiring', expiredAt, key);
    await fixture.advance(HOUR);
    const again = await request('expiring', expiredAt);
    assert.deepEqual([again.status, again.body.id, again.body.status], [200, first.body.id, 'failed']);
    assert.deepEqual((await request('expiring', expiredAt, key)).body, first.body);
  });

  onSqlite('a user’s wallet accepts any amount repeatedly, and never expires', async () => {
    await prefer({ 'min-amount-btc': '1000' });
    const wallet = await create({ type: 'user' });
    assert.equal(wallet.expiredAt, null);
    await fixture.advance(30 * DAY);
    await pay(wallet, 5000n);
    await mine(2);
    await pay(wallet, 7000n);
    await mine(1);
    assert.deepEqual([await statusOf(wallet), (await get(wallet)).amount], ['waiting', '12000']);
    await mine(1);
    assert.equal(await statusOf(wallet), 'complete');
    await pay(wallet, 999n);
    await mine(2);
    const [small] = await list({ status: 'approved_required' });
    assert.ok(small);
    assert.deepEqual([small.labels, small.probableTxId, small.amount], [['below_minimum'], wallet.txId, '999']);
    assert.deepEqual([await statusOf(wallet), (await get(wallet)).amount], ['complete', '12000']);
    assert.equal((await review('approve', small)).body.status, 'complete');
    assert.deepEqual([await statusOf(wallet), (await get(wallet)).amount], ['complete', '12000']);
  });

  test('only a manager forces a rotation; a user’s invoice then has a new wallet', async () => {
    const rotate = async (walletAddress: string, token = fixture.merchant.managerToken) =>
      await fixture.request('/v1/wallet/rotate', { body: { walletAddress }, token });
    const user = await create({ type: 'user', txId: 'payer-1' });
    await pay(user, 5000n);
    await mine(2);
    assert.equal((await rotate(user.walletAddress, fixture.merchant.token)).body.code, 'manager_only');
    const { body } = await rotate(user.walletAddress.toUpperCase());
    assert.deepEqual([body.wallet.state, body.wallet.balance], ['retired', '5000']);
    const again = await create({ type: 'user', txId: 'payer-1' });
    assert.deepEqual([again.id, again.walletAddress], [user.id, body.replacedBy]);
    await pay(again, 6000n);
    await pay(user, 7000n);
    await mine(2);
    assert.deepEqual([await statusOf(again), (await get(again)).amount], ['complete', '11000']);
    assert.deepEqual(
      (await list({ status: 'approved_required' })).map(({ labels, amount }) => [labels, amount]),
      [[['unattributed'], '7000']],
    );
    await chain().reorg(4);
    await fixture.work();
    assert.equal(await statusOf(again), 'waiting');

    const shared = await create({ type: 'static' });
    assert.equal((await rotate(shared.walletAddress)).body.wallet.state, 'rotated');
    assert.notEqual((await create({ type: 'static' })).walletAddress, shared.walletAddress);
    await pay(shared);
    await mine(2);
    assert.equal(await statusOf(shared), 'complete');
    const states = (await fixture.request('/v1/wallets')).body.wallets.map((each: any) => each.state);
    assert.deepEqual(states, ['assigned', 'retired', 'assigned', 'retired']);
  });

  test('a payment replaced after the rotation of a user’s wallet still belongs to its invoice', async () => {
    const user = await create({ type: 'user' });
    const first = await pay(user, 5000n);
    await fixture.work();
    const rotation = { body: { walletAddress: user.walletAddress }, token: fixture.merchant.managerToken };
    assert.equal((await fixture.request('/v1/wallet/rotate', rotation)).status, 200);
    const replacement = { address: user.walletAddress, code: 'btc', amount: 5000n } as const;
    await chain().replace(first, replacement);
    // A second payment replaces nothing.
    await pay(user, 4000n);
    await mine(2);
    const { status, amount, payments } = await get(user);
    assert.deepEqual([status, amount, payments.length], ['complete', '5000', 2]);
    const strays = (await list({ status: 'approved_required' })).map((each) => [each.labels, each.amount]);
    assert.deepEqual(strays, [[['unattributed'], '4000']]);
  });

  onSqlite('an invoice reopened by a reorg can still be paid at its address', async () => {
    await prefer({ 'wallet-rotate-amount-btc': '100000' });
    const invoice = await create();
    const txHash = await pay(invoice);
    await mine(2);
    assert.equal((await fixture.request('/v1/wallets')).body.wallets[0].state, 'retired');
    await chain().reorg(2, { drop: [txHash] });
    await fixture.work();
    assert.equal(await statusOf(invoice), 'pending');
    await pay(invoice);
    await mine(2);
    assert.equal(await statusOf(invoice), 'complete');
    assert.equal((await fixture.request('/v1/wallets')).body.wallets[0].state, 'retired');
  });

  onSqlite('preferences: every deposit needs review, or unmatched deposits are accepted', async () => {
    await prefer({ 'new-tx-manual-approve': true });
    const invoice = await create();
    await pay(invoice);
    await fixture.work();
    assert.equal(await statusOf(invoice), 'approved_required');
    await prefer({ 'new-tx-manual-approve': false, 'tx-manual-auto-approve': true });
    const other = await create();
    await pay(other, 1n);
    await mine(2);
    assert.deepEqual([await statusOf(other), (await get(other)).labels], ['complete', ['underpaid']]);
  });

  onSqlite('a deposit of a former payer to a reused wallet needs review, whatever the preferences', async () => {
    await prefer({ 'tx-manual-auto-approve': true });
    const former = await create();
    await pay(former);
    await mine(2);
    await fixture.advance(DAY + HOUR);
    await mine(100);
    const later = await create({ amount: '200000' });
    assert.equal(later.walletAddress, former.walletAddress);
    await pay(former);
    await mine(2);
    assert.deepEqual([await statusOf(later), (await get(later)).labels], ['approved_required', ['underpaid']]);
  });

  onSqlite('Ethereum tokens are identified by their contract; another currency is labeled wrong_wallet', async () => {
    const invoice = await create({ code: 'usdt', amount: '25000000' });
    assert.match(invoice.uri, /^ethereum:0x7e57/i);
    await pay({ ...invoice, code: 'usdc' }, undefined, 'ethereum');
    await mine(12, 'ethereum');
    assert.equal(await statusOf(invoice), 'pending');
    const [wrong] = await list({ status: 'approved_required' });
    assert.deepEqual([wrong?.code, wrong?.labels], ['usdc', ['wrong_wallet']]);
    await pay(invoice);
    await mine(12, 'ethereum');
    assert.equal(await statusOf(invoice), 'complete');
  });

  onSqlite('are listed by currency and time of change and creation, page by page', async () => {
    const [first, second] = [await create(), await create()];
    const now = () => new Date(fixture.clock.now() / 1000).toISOString();
    await fixture.advance(MINUTE);
    const later = now();
    const third = await create({ code: 'eth', amount: '1000000000000000' });
    await pay(first);
    await fixture.work();
    const idsOf = async (query: Record<string, string>) => (await list(query)).map(({ id }) => id);
    assert.deepEqual(await idsOf({}), [third.id, second.id, first.id]);
    assert.deepEqual(await idsOf({ code: 'eth' }), [third.id]);
    for (const search of [third.walletAddress, third.walletAddress.toLowerCase()])
      assert.deepEqual(await idsOf({ search }), [third.id]);
    assert.deepEqual(await idsOf({ search: first.walletAddress.toUpperCase() }), [first.id]);
    assert.deepEqual(await idsOf({ updated_since: later }), [third.id, first.id]);
    assert.deepEqual(
      [await idsOf({ since: later }), await idsOf({ till: later })],
      [[third.id], [second.id, first.id]],
    );
    const { body } = await fixture.request('/v1/transactions?per_page=2');
    assert.deepEqual(await idsOf({ cursor: body.next_cursor }), [first.id]);
  });

  test('amounts are in the smallest unit; coins are refused with the converted amount', async () => {
    const body = { txId: 'cup-1', code: 'btc', amount: '0.0015', type: 'static' };
    const { status, body: problem } = await fixture.request('/v1/transaction/invoice', { body });
    assert.equal(status, 422);
    assert.equal(problem.errors[0].code, 'amount_not_in_smallest_unit');
    assert.match(problem.errors[0].detail, /150000/);
    await prefer({ 'min-amount-btc': '200000' });
    const least = await fixture.request('/v1/transaction/invoice', { body: { ...body, amount: '150000' } });
    assert.equal(least.body.errors[0].code, 'below_minimum');
  });
});
