import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { SimulatedEthereum } from '../../src/chains/simulated/chain.ts';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { ChainError } from '../../src/chains/port.ts';
import { DAY, MINUTE, SECOND } from '../../src/shared/time.ts';
import {
  type AccountState,
  expectedAccountAt,
  type Movement,
  type WatchedWallet,
} from '../../src/deposits/balances/movements.ts';
import { onSqlite } from '../support/databases.ts';
import { invoicesOf } from '../support/invoices.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const ETHER = 10n ** 18n;
/** Wallets with an expiring invoice that are scanned per block. */
const LANE_SIZE = 200;

describe('the expected balance of a watched wallet', () => {
  const wallet: WatchedWallet = { walletId: 1, address: '0x1', height: 10, account: { balance: 100n, sentCount: 3 } };
  const block = (height: number) => ({ height, hash: `hash ${height}` });
  const evidence = {
    fees: new Map([['sent', { block: block(12), fee: 7n }]]),
    isInScannedChain: ({ hash }: { hash: string }) => hash !== 'hash 15',
  };
  const at = (height: number, ...movements: Movement[]): AccountState | null =>
    expectedAccountAt(wallet, movements, height, evidence);
  const sent: Movement = { kind: 'sent', block: block(12), txHash: 'sent', amount: 40n };
  const gas = (height: number | null, isReverted = false): Movement => ({
    ...{ kind: 'gas_funding', amount: 9n, isReverted },
    block: height === null ? null : block(height),
  });

  test('is its checkpoint plus the movements up to a block', () => {
    const deposits: Movement[] = [9, 10, 11, 12].map((height) => ({ kind: 'deposit', height, amount: 1n }));
    assert.deepEqual(at(11, ...deposits), { balance: 101n, sentCount: 3 });
    assert.deepEqual(at(12, ...deposits, sent, gas(11)), { balance: 64n, sentCount: 4 });
    assert.deepEqual(at(11, sent, gas(10)), { balance: 100n, sentCount: 3 });
    assert.deepEqual(at(12, gas(11, true)), { balance: 100n, sentCount: 3 });
  });

  onSqlite('is unknown while a movement is not mined, or is in an orphaned block', () => {
    assert.equal(at(12, gas(null)), null);
    assert.equal(at(15, gas(15)), null);
    assert.equal(at(15, { ...sent, block: block(15) }), null);
    assert.equal(at(15, { ...sent, txHash: 'of unknown fee' }), null);
    // The transaction was mined in another block.
    assert.equal(at(14, { ...sent, block: block(13) }), null);
  });
});

describe('ether that contracts send', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await fixture.work();
  });
  after(async () => await fixture.close());
  const { chain, create, get, list, pay, mine } = invoicesOf(() => fixture);
  const ether = async (body: Record<string, unknown> = {}) =>
    await create({ code: 'eth', amount: String(ETHER), ...body });
  const sendByContract = async ({ walletAddress: address }: { walletAddress: string }, amount = ETHER) =>
    await (chain('ethereum') as SimulatedEthereum).sendFromContract({ address, amount });
  const mineBlocks = async (blocks = 1) => await mine(blocks, 'ethereum');
  const watched = async ({ walletAddress }: { walletAddress: string }) =>
    await db(fixture.service().database)
      .selectFrom('watched_balances as watched')
      .innerJoin('wallets', 'wallets.id', 'watched.wallet_id')
      .selectAll('watched')
      .where('wallets.address', '=', walletAddress)
      .executeTakeFirst();

  test('completes an invoice; its wallet is watched until no reorg can reopen it', async () => {
    const invoice = await ether();
    await sendByContract(invoice);
    await mineBlocks(1);
    assert.equal((await get(invoice)).status, 'waiting');
    await mineBlocks(11);
    assert.equal((await get(invoice)).status, 'complete');
    await chain('ethereum').reorg(12);
    await fixture.work();
    // The same transfer in another block is the same deposit.
    await mineBlocks(1);
    const { status, labels, payments } = await get(invoice);
    assert.deepEqual([status, labels, payments.length], ['waiting', [], 1]);
    await mineBlocks(12);
    assert.equal((await get(invoice)).status, 'complete');
    await mineBlocks(199);
    assert.equal((await watched(invoice))?.is_patient, 0);
    await mineBlocks(1);
    await mineBlocks(1);
    // No reorg can reopen it, but the payer may pay late.
    assert.equal((await watched(invoice))?.is_patient, 2);
    await fixture.advance(7 * DAY + SECOND);
    await mineBlocks(1);
    await mineBlocks(200);
    assert.equal(await watched(invoice), undefined);
    // A reused wallet starts with a new checkpoint: ether received in between is not credited to the next invoice.
    await sendByContract(invoice, 2n * ETHER);
    await mineBlocks(1);
    const next = await ether({ amount: String(2n * ETHER) });
    assert.equal(next.walletAddress, invoice.walletAddress);
    await mineBlocks(1);
    assert.equal((await get(next)).status, 'pending');
    await sendByContract(next, 2n * ETHER);
    await mineBlocks(1);
    assert.equal((await get(next)).status, 'waiting');
  });

  test('is recorded for days after the last invoice of a wallet ended', async () => {
    const [unpaid, paid] = [await ether(), await ether()];
    await pay(paid);
    await mineBlocks(12);
    await fixture.advance(31 * MINUTE);
    await mineBlocks(1);
    await mineBlocks(201);
    await mineBlocks(1);
    await fixture.advance(6 * DAY);
    for (const invoice of [unpaid, paid]) await sendByContract(invoice);
    await mineBlocks(1);
    const { status, labels } = await get(unpaid);
    assert.deepEqual([status, labels], ['approved_required', ['late']]);
    assert.equal((await get(paid)).status, 'complete');
    const found = (await list({ status: 'approved_required' })).find(({ probableTxId }) => probableTxId === paid.txId);
    assert.deepEqual([found?.labels, found?.amount], [['duplicate'], String(ETHER)]);
  });

  for (const [failure, isStateMissing] of [
    ['fails once', false],
    ['no longer has the first balance', true],
  ] as const)
    onSqlite(
      `after an outage of 110 blocks, a node that ${failure}: earlier ether is ${isStateMissing ? 'not ' : ''}credited`,
      async (t) => {
        const invoice = await ether();
        const ethereum = chain('ethereum');
        const { height } = await ethereum.tip();
        await sendByContract(invoice);
        await ethereum.mine(110);
        const { balances } = ethereum;
        let failures = 0;
        t.mock.method(ethereum, 'balances', async (...args: Parameters<typeof balances>) => {
          if (args[2].height !== height || failures > 0) return await balances(...args);
          failures += 1;
          throw Object.assign(new ChainError('down', '429'), { isStateMissing });
        });
        await fixture.work();
        await mineBlocks(1);
        const { payments } = await get(invoice);
        assert.deepEqual([failures, payments.map(({ amount }) => amount)], [1, isStateMissing ? [] : [String(ETHER)]]);
      },
    );

  onSqlite('scans many wallets in turn, and misses none', async () => {
    const invoices: CryptoTransaction[] = [];
    for (let count = 0; count < LANE_SIZE + 10; count += 1) invoices.push(await ether());
    await mineBlocks(1);
    await mineBlocks(1);
    for (const invoice of [invoices[0], invoices.at(-1)]) if (invoice) await sendByContract(invoice);
    await mineBlocks(1);
    await mineBlocks(1);
    const paid = await list({ status: 'waiting' });
    assert.deepEqual(
      new Set(paid.map(({ id }) => invoices.findIndex((invoice) => invoice.id === id)).filter((place) => place >= 0)),
      new Set([0, LANE_SIZE + 9]),
    );
  });

  onSqlite('a user’s wallet is watched while it is active, with new checkpoints', async () => {
    const user = await ether({ type: 'user' });
    await pay(user, 5n);
    await mineBlocks(1);
    await sendByContract(user, 7n);
    await mineBlocks(1);
    const from = (await watched(user))?.height ?? 0;
    await mineBlocks(1100);
    const later = await watched(user);
    assert.deepEqual([later?.balance, (later?.height ?? 0) > from + 800], ['12', true]);
    await sendByContract(user, 11n);
    await mineBlocks(1);
    assert.equal((await get(user)).amount, '23');

    await fixture.advance(31 * DAY);
    await mineBlocks(1);
    await mineBlocks(200);
    assert.equal(await watched(user), undefined);
    await sendByContract(user, 13n);
    await pay(user, 17n);
    await mineBlocks(1);
    await sendByContract(user, 19n);
    await mineBlocks(1);
    assert.equal((await get(user)).amount, String(23n + 17n + 19n));
  });
});
