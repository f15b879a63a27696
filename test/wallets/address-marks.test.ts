import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { recordLostWrites, resumeIssuing } from '../../src/wallets/accounts.ts';
import { createMigratedDatabase, type TestDatabase, testEngine } from '../support/databases.ts';
import { invoicesOf } from '../support/invoices.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('marks outside the database', () => {
  let folder: string;
  let fixture: Fixture;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'paylatch-marks-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  afterEach(async () => await fixture.close());
  const open = async (name: string, database?: TestDatabase) => {
    fixture = await openFixture({
      env: { ADDRESS_MARKS: join(folder, name) },
      database: database ?? (await createMigratedDatabase()),
    });
    await fixture.work();
  };
  const { create } = invoicesOf(() => fixture);
  const user = async () => await create({ type: 'user' });
  /** Reasons for which issuing Bitcoin addresses is suspended, by the metrics of the running process. */
  const suspensions = async () => {
    const { text } = await fixture.request('/metrics');
    return Array.from(
      text.matchAll(/^paylatch_issuing_suspended\{chain="bitcoin",reason="(\w+)"\} 1$/gm),
      ([, reason]) => reason,
    );
  };

  test('lost writes under a running process skip ahead, and no address is issued twice', async () => {
    await open('running');
    const issued = [await user(), await user(), await user()];
    const { database } = fixture.service();
    await db(database).updateTable('wallet_accounts').set({ next_index: 1 }).where('chain', '=', 'bitcoin').execute();
    const next = await Promise.all([user(), user(), user()]);
    const addresses = [...issued, ...next].map(({ walletAddress }) => walletAddress);
    assert.equal(new Set(addresses).size, 6);
    assert.match(fixture.log(), /the database has lost writes/);
  });

  test('twenty concurrent addresses are not lost writes', async () => {
    await open('together');
    await Promise.all(Array.from({ length: 20 }, async () => await user()));
    await fixture.restart();
    await fixture.work();
    await user();
    assert.doesNotMatch(fixture.log(), /the database has lost writes/);
    const { next_index: next } = await db(fixture.service().database)
      .selectFrom('wallet_accounts')
      .select('next_index')
      .where('chain', '=', 'bitcoin')
      .executeTakeFirstOrThrow();
    assert.equal(next, 21);
  });

  test('a process that dies before it writes the first mark is not lost writes', async () => {
    await open('died');
    const { marks } = fixture.service().invoices.context.addresses;
    assert.ok(marks);
    marks.record = async () => await Promise.reject(new Error('The process has ended'));
    const body = { txId: 'died', code: 'btc', amount: '200000', type: 'user' };
    assert.equal((await fixture.request('/v1/transaction/invoice', { body })).status, 500);
    await fixture.restart();
    await fixture.work();
    await user();
    assert.doesNotMatch(fixture.log(), /the database has lost writes/);
  });

  test('a suspension by the operator stays, whatever the mark', async () => {
    await open('held');
    await user();
    const { invoices, database } = fixture.service();
    const { context } = invoices;
    const bitcoin = context.chains.all.find(({ name }) => name === 'bitcoin');
    assert.ok(bitcoin);
    await database.inTransaction(
      async (unit) => await recordLostWrites(unit, bitcoin.accountId, 'operator', fixture.clock.now()),
    );
    const issueTwenty = async () =>
      await fixture.request('/v1/transaction/invoice', {
        body: { txId: 'held', code: 'btc', amount: '200000', type: 'user' },
      });
    assert.equal((await issueTwenty()).status, 503);
    assert.deepEqual(await suspensions(), ['operator']);
    await fixture.restart();
    await fixture.work();
    assert.equal((await issueTwenty()).status, 503);
    assert.deepEqual(await suspensions(), ['operator']);
    await resumeIssuing(fixture.service().invoices.context, bitcoin.accountId, 0);
    assert.equal((await issueTwenty()).status, 200);
    assert.deepEqual(await suspensions(), []);
  });

  // SQLite has no standby.
  test('a suspension by a deposit to a lost address stays, whatever the mark', async () => {
    await open('deposit');
    await user();
    const { database } = fixture.service();
    // Database and marks were restored together; a payer pays to an address that was issued later.
    const deposit = { derivation_index: 5, chain: 'bitcoin', code: 'btc', address: 'lost', payment_key: 'lost' };
    await database.inTransaction(async (unit) => {
      const { id } = await db(unit)
        .updateTable('wallet_accounts')
        .set({ next_index: 6 })
        .where('chain', '=', 'bitcoin')
        .returning('id')
        .executeTakeFirstOrThrow();
      await db(unit)
        .insertInto('unissued_deposits')
        .values({ ...deposit, wallet_account_id: id, tx_hash: 'lost', amount: '1', height: 1, seen_at: 1 })
        .execute();
      await recordLostWrites(unit, id, 'deposit', fixture.clock.now());
    });
    await fixture.restart();
    await fixture.work();
    const body = { txId: 'next', code: 'btc', amount: '200000', type: 'user' };
    assert.equal((await fixture.request('/v1/transaction/invoice', { body })).status, 503);
    assert.deepEqual(await suspensions(), ['deposit']);
  });

  if (testEngine !== 'postgres') return;
  test('another timeline suspends issuing, unless a mark is conclusive', async () => {
    const failOver = async () =>
      await db(fixture.service().database)
        .updateTable('wallet_accounts')
        .set({ database_timeline: '1 00000000', next_index: 1 })
        .where('chain', '=', 'bitcoin')
        .execute();
    await open('timeline');
    const issued = [await user(), await user()];
    await failOver();
    issued.push(await user(), await user());
    assert.equal(new Set(issued.map(({ walletAddress }) => walletAddress)).size, 4);
    assert.match(fixture.log(), /"reason":"timeline"/);
    assert.deepEqual(await suspensions(), []);
    await fixture.close();

    fixture = await openFixture();
    await fixture.work();
    await user();
    await failOver();
    const { status, body } = await fixture.request('/v1/transaction/invoice', {
      body: { txId: 'refused', code: 'btc', amount: '200000', type: 'user' },
    });
    assert.deepEqual([status, body.code], [503, 'chain_unavailable']);
    await fixture.restart();
    await fixture.work();
    assert.match(fixture.log(), /"reason":"timeline"/);
    assert.deepEqual(await suspensions(), ['timeline']);
    const again = await fixture.request('/v1/transaction/invoice', {
      body: { txId: 'refused', code: 'btc', amount: '200000', type: 'revolver' },
    });
    assert.equal(again.status, 503);
  });

  test('after a failover, a reserved index without a mark does not suspend issuing, an issued one does', async () => {
    const failOver = async (fields: { next_index?: number }) =>
      await db(fixture.service().database)
        .updateTable('wallet_accounts')
        .set({ database_timeline: '1 00000000', ...fields })
        .where('chain', '=', 'bitcoin')
        .execute();
    await open('reserved');
    const issued = [await user(), await user()];
    // The commit of a third index succeeded, but its request lost the connection.
    await failOver({ next_index: 3 });
    issued.push(await user());
    assert.equal(new Set(issued.map(({ walletAddress }) => walletAddress)).size, 3);
    assert.deepEqual(await suspensions(), []);

    // This mark is older than the last address.
    const { marks } = fixture.service().invoices.context.addresses;
    assert.ok(marks);
    marks.record = async () => await Promise.resolve();
    await user();
    await failOver({});
    const body = { txId: 'stale', code: 'btc', amount: '200000', type: 'user' };
    assert.equal((await fixture.request('/v1/transaction/invoice', { body })).status, 503);
    assert.deepEqual(await suspensions(), ['timeline']);
  });
});
