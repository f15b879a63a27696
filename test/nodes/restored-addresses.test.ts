import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { MINUTE } from '../../src/shared/time.ts';
import { resumeIssuing } from '../../src/wallets/accounts.ts';
import { writeBackup } from '../../src/backup/backup.ts';
import { restore as restoreBackup } from '../../src/startup/restore.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { SimulatedClock } from '../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { clockOfBlock, freshAccountKey, nodeInvoicesOf } from '../support/node-invoices.ts';
import { type Regtest, startRegtest } from '../support/regtest.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('addresses after lost writes', () => {
  let node: Regtest;
  let folder: string;
  /** Shared by all processes, so that leases expire for the next one. */
  let clock: SimulatedClock;
  let fixture: Fixture | null = null;
  before(async () => {
    node = await startRegtest();
    folder = mkdtempSync(join(tmpdir(), 'paylatch-restored-'));
    const { time } = await node.call<{ time: number }>('getblock', await node.call('getbestblockhash'));
    clock = clockOfBlock(time);
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await node.stop();
  });
  afterEach(async () => {
    await fixture?.close();
    fixture = null;
  });
  const current = () => {
    assert.ok(fixture);
    return fixture;
  };
  const { create, get } = nodeInvoicesOf(current, 'bitcoin');

  async function open(
    accountKey: string,
    more: Record<string, string> = {},
    database?: TestDatabase,
  ): Promise<Fixture> {
    const settings = { CHAIN_BTC_URL: node.url, CHAIN_BTC_NETWORK: 'regtest', CHAIN_BTC_ACCOUNT_KEY: accountKey };
    fixture = await openFixture({
      env: { ...settings, ADDRESS_GAP_LIMIT: '20', ...more },
      clock,
      ...(database && { database }),
    });
    // All addresses beyond the next index are derived, a few per round.
    for (let round = 0; round < 4; round += 1) await fixture.advance(MINUTE);
    return fixture;
  }
  const mine = async (blocks: number) => {
    await node.mine(blocks);
    await current().work();
  };
  const user = async (merchant = current().merchant) => await create({ type: 'user', amount: '200000' }, merchant);
  const account = async () =>
    await db(current().service().database)
      .selectFrom('wallet_accounts')
      .selectAll()
      .where('chain', '=', 'bitcoin')
      .executeTakeFirstOrThrow();
  const found = async () =>
    await db(current().service().database)
      .selectFrom('unissued_deposits')
      .select(['derivation_index', 'address', 'amount'])
      .orderBy('id')
      .execute();
  const refused = async () => {
    const { status, body } = await current().request('/v1/transaction/invoice', {
      body: { txId: 'refused', code: 'btc', amount: '200000', type: 'user' },
    });
    return [status, body.code, body.detail];
  };
  let copies = 0;
  const backUp = async (): Promise<string> => {
    copies += 1;
    const path = join(folder, `${copies}.backup`);
    await writeBackup({ database: current().service().database, path, now: current().clock.now() });
    return path;
  };
  const restored = async (path: string): Promise<TestDatabase> => {
    const store = await createTestDatabase();
    const target = openDatabase(store.url, (error) => console.error(error));
    await restoreBackup({ database: target, path });
    await target.close();
    return store;
  };

  test('after a restore the address of a recent payer is never issued to another merchant’s payer', async () => {
    const key = await freshAccountKey('bitcoin');
    await open(key);
    await user();
    const path = await backUp();
    const ann = await user();
    await node.pay(ann.walletAddress, 200_000n);
    await mine(2);
    assert.equal((await get(ann)).status, 'complete');
    await current().close();

    await open(key, {}, await restored(path));
    const bob = await current().makeMerchant('Bob');
    assert.deepEqual((await refused()).slice(0, 2), [503, 'chain_unavailable']);
    assert.match(String((await refused())[2]), /paylatch addresses resume/);
    assert.deepEqual(await found(), [{ derivation_index: 1, address: ann.walletAddress, amount: '200000' }]);
    const { addresses } = current().service().invoices.context;
    const { database } = current().service();
    await resumeIssuing({ database, clock: current().clock, addresses }, (await account()).id, 22);
    const bobs = await user(bob);
    assert.notEqual(bobs.walletAddress, ann.walletAddress);
    assert.equal((await account()).next_index, 23);

    await node.pay(ann.walletAddress, 300_000n);
    await mine(3);
    const state = await get(bobs, bob);
    assert.deepEqual([state.status, state.amount], ['pending', '0']);
    assert.deepEqual(
      (await found()).map(({ address, amount }) => [address, amount]),
      [
        [ann.walletAddress, '200000'],
        [ann.walletAddress, '300000'],
      ],
    );
    await node.pay(bobs.walletAddress, 200_000n);
    await mine(2);
    assert.equal((await get(bobs, bob)).amount, '200000');
  });

  test('indexes up to a mark outside the database are skipped, and the operator resolves the restore', async () => {
    const key = await freshAccountKey('bitcoin');
    const marks = { ADDRESS_MARKS: join(folder, 'marks') };
    await open(key, marks);
    await user();
    const path = await backUp();
    const [ann, ...others] = [await user(), await user(), await user()];
    await node.pay(ann?.walletAddress ?? '', 200_000n);
    await mine(2);
    await current().close();

    await open(key, marks, await restored(path));
    // The folder of marks may be as old as the backup.
    assert.equal((await refused())[0], 503);
    const { context } = current().service().invoices;
    await resumeIssuing(context, (await account()).id, 0);
    const bobs = await user(await current().makeMerchant('Bob'));
    assert.equal((await account()).next_index, 5);
    for (const issued of [ann, ...others]) assert.notEqual(issued?.walletAddress, bobs.walletAddress);
  });

  test('a deposit beyond the next index stops issuing, and is attributed to no wallet', async () => {
    const key = await freshAccountKey('bitcoin');
    await open(key);
    await user();
    const lost = await user();
    const { database } = current().service();
    const rows = db(database).deleteFrom('events').where('subject_kind', '=', 'crypto_transaction');
    await db(database).deleteFrom('callbacks').execute();
    await rows.execute();
    await db(database).deleteFrom('crypto_transactions').where('public_id', '=', lost.id).execute();
    await db(database).deleteFrom('wallets').where('address', '=', lost.walletAddress).execute();
    await db(database).updateTable('wallet_accounts').set({ next_index: 1, watched_to: 1 }).execute();
    for (let round = 0; round < 4; round += 1) await current().work();
    await node.pay(lost.walletAddress, 70_000n);
    await current().work();
    const { lost_writes_reason: reason, next_index: next } = await account();
    assert.deepEqual([reason, next], ['deposit', 2]);
    assert.equal((await refused())[0], 503);
    assert.match(current().log(), /deposit to an unissued address/);
    const { text } = await current().request('/metrics', { token: null });
    assert.match(text, /paylatch_lost_writes_total\{chain="bitcoin",reason="deposit"\} 1/);
  });
});
