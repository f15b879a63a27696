import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { SimulatedEthereum } from '../../src/chains/simulated/chain.ts';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { DAY } from '../../src/shared/time.ts';
import {
  type AccountState,
  expectedAccountAt,
  type Movement,
  type WatchedWallet,
} from '../../src/deposits/balances/movements.ts';
import { onSqlite } from '../support/databases.ts';
import { invoicesOf } from '../support/invoices.ts';
import { openWorld, type World } from '../support/world.ts';

const ETHER = 10n ** 18n;
/** Wallets that are looked at in one block where each has an invoice that ends. */
const AT_ONCE = 200;

describe('what an account must hold', () => {
  const wallet: WatchedWallet = { walletId: 1, address: '0x1', height: 10, account: { balance: 100n, sentCount: 3 } };
  const block = (height: number) => ({ height, hash: `hash ${height}` });
  const evidence = {
    fees: new Map([['sent', { block: block(12), fee: 7n }]]),
    isInReadChain: ({ hash }: { hash: string }) => hash !== 'hash 15',
  };
  const at = (height: number, ...movements: Movement[]): AccountState | null =>
    expectedAccountAt(wallet, movements, height, evidence);
  const sent: Movement = { kind: 'sent', block: block(12), txHash: 'sent', amount: 40n };
  const gas = (height: number | null, isReverted = false): Movement => ({
    ...{ kind: 'gas_funding', amount: 9n, isReverted },
    block: height === null ? null : block(height),
  });

  test('is what it held, with what has come and gone since, up to a block', () => {
    const deposits: Movement[] = [9, 10, 11, 12].map((height) => ({ kind: 'deposit', height, amount: 1n }));
    assert.deepEqual(at(11, ...deposits), { balance: 101n, sentCount: 3 });
    assert.deepEqual(at(12, ...deposits, sent, gas(11)), { balance: 64n, sentCount: 4 });
    assert.deepEqual(at(11, sent, gas(10)), { balance: 100n, sentCount: 3 });
    assert.deepEqual(at(12, gas(11, true)), { balance: 100n, sentCount: 3 });
  });

  onSqlite('cannot be said while something of ours is on its way, or in a block of another chain', () => {
    assert.equal(at(12, gas(null)), null);
    assert.equal(at(15, gas(15)), null);
    assert.equal(at(15, { ...sent, block: block(15) }), null);
    assert.equal(at(15, { ...sent, txHash: 'of unknown cost' }), null);
    // Its transaction is in another block than it was.
    assert.equal(at(14, { ...sent, block: block(13) }), null);
  });
});

describe('ether that contracts send', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
    await world.work();
  });
  after(async () => await world.close());
  const { chain, create, get, list, pay, mine } = invoicesOf(() => world);
  const ether = async (body: Record<string, unknown> = {}) =>
    await create({ code: 'eth', amount: String(ETHER), ...body });
  const inside = async ({ walletAddress: address }: { walletAddress: string }, amount = ETHER) =>
    await (chain('ethereum') as SimulatedEthereum).transferInside({ address, amount });
  const mined = async (blocks = 1) => await mine(blocks, 'ethereum');
  const watched = async ({ walletAddress }: { walletAddress: string }) =>
    await db(world.service().database)
      .selectFrom('watched_balances as watched')
      .innerJoin('wallets', 'wallets.id', 'watched.wallet_id')
      .selectAll('watched')
      .where('wallets.address', '=', walletAddress)
      .executeTakeFirst();

  test('completes an invoice; its wallet is looked at until no reorganisation can open it again', async () => {
    const invoice = await ether();
    await inside(invoice);
    await mined(1);
    assert.equal((await get(invoice)).status, 'waiting');
    await mined(11);
    assert.equal((await get(invoice)).status, 'complete');
    await chain('ethereum').reorganise(12);
    await world.work();
    // The same transfer in another block is the same payment.
    await mined(1);
    const { status, labels, payments } = await get(invoice);
    assert.deepEqual([status, labels, payments.length], ['waiting', [], 1]);
    await mined(12);
    assert.equal((await get(invoice)).status, 'complete');
    await mined(199);
    assert.ok(await watched(invoice));
    await mined(1);
    await mined(1);
    assert.equal(await watched(invoice), undefined);
    // A wallet that serves again is begun with anew: what came to it meanwhile is none of the next invoice's.
    await inside(invoice, 2n * ETHER);
    await mined(1);
    await world.advance(2 * DAY);
    const next = await ether({ amount: String(2n * ETHER) });
    assert.equal(next.walletAddress, invoice.walletAddress);
    await mined(1);
    assert.equal((await get(next)).status, 'pending');
    await inside(next, 2n * ETHER);
    await mined(1);
    assert.equal((await get(next)).status, 'waiting');
  });

  onSqlite('many wallets are looked at by turns, and each is', async () => {
    const invoices: CryptoTransaction[] = [];
    for (let made = 0; made < AT_ONCE + 10; made += 1) invoices.push(await ether());
    await mined(1);
    await mined(1);
    for (const invoice of [invoices[0], invoices.at(-1)]) if (invoice) await inside(invoice);
    await mined(1);
    await mined(1);
    const paid = await list({ status: 'waiting' });
    assert.deepEqual(
      new Set(paid.map(({ id }) => invoices.findIndex((invoice) => invoice.id === id)).filter((place) => place >= 0)),
      new Set([0, AT_ONCE + 9]),
    );
  });

  onSqlite('a user’s wallet is looked at while it is used, and adds up what has moved there', async () => {
    const user = await ether({ type: 'user' });
    await pay(user, 5n);
    await mined(1);
    await inside(user, 7n);
    await mined(1);
    const from = (await watched(user))?.height ?? 0;
    await mined(1100);
    const later = await watched(user);
    assert.deepEqual([later?.balance, (later?.height ?? 0) > from + 800], ['12', true]);
    await inside(user, 11n);
    await mined(1);
    assert.equal((await get(user)).amount, '23');

    await world.advance(31 * DAY);
    await mined(1);
    await mined(200);
    assert.equal(await watched(user), undefined);
    await inside(user, 13n);
    await pay(user, 17n);
    await mined(1);
    await inside(user, 19n);
    await mined(1);
    assert.equal((await get(user)).amount, String(23n + 17n + 19n));
  });
});
