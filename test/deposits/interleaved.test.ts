import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Service } from '../../src/app.ts';
import { MINUTE, SECOND } from '../../src/shared/time.ts';
import { acquireLease, createCursor, leaseExpiresAt, lockCursor, releaseLease } from '../../src/chains/cursor.ts';
import { approveTransaction } from '../../src/invoices/review.ts';
import { rotateWallet } from '../../src/invoices/rotate.ts';
import { lockWallet } from '../../src/wallets/wallet.ts';
import { openDatabase } from '../../src/database/open.ts';
import { SimulatedClock } from '../support/clock.ts';
import { createMigratedDatabase, testEngine } from '../support/databases.ts';
import { external, withdrawalsOf } from '../support/withdrawals.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

test('a process that takes over a chain never moves read_to_end_at back', async () => {
  const migrated = await createMigratedDatabase();
  const database = openDatabase(migrated.url, assert.ifError);
  const clock = new SimulatedClock();
  const now = clock.now();
  const one = { database, clock, holder: 'one' };
  const other = { database, clock, holder: 'other' };
  const caughtUpAt = async () =>
    (
      await db(database)
        .selectFrom('chain_cursors')
        .select('read_to_end_at')
        .where('chain', '=', 'bitcoin')
        .executeTakeFirstOrThrow()
    ).read_to_end_at;
  await createCursor(one, 'bitcoin');
  assert.equal(await acquireLease(one, 'bitcoin', now), true);
  await releaseLease(one, 'bitcoin', now);
  assert.equal(await caughtUpAt(), now);
  // It read the chain itself at an earlier time, before it lost the lease.
  assert.equal(await acquireLease(other, 'bitcoin', now - 60 * SECOND), true);
  assert.equal(await caughtUpAt(), now);
  await releaseLease(other, 'bitcoin', now - 60 * SECOND);
  assert.equal(await caughtUpAt(), now);
  assert.equal(await acquireLease(other, 'bitcoin', now + SECOND), true);
  assert.equal(await caughtUpAt(), now + SECOND);
  await database.close();
  await migrated.drop();
});

test('a lease of a process with a wrong clock does not outlast it', async () => {
  const migrated = await createMigratedDatabase();
  const database = openDatabase(migrated.url, assert.ifError);
  const clock = new SimulatedClock();
  const ahead = new SimulatedClock();
  ahead.advance(12 * MINUTE);
  const one = { database, clock, holder: 'one' };
  await createCursor(one, 'bitcoin');
  const dueForOthers = async () => {
    const { rows } = await sql<{ due: number }>`select (${leaseExpiresAt(clock.now())}) as due
      from chain_cursors where chain = 'bitcoin'`.execute(database.query);
    return Number(rows[0]?.due);
  };
  assert.equal(await acquireLease({ database, clock: ahead, holder: 'ended' }, 'bitcoin', null), true);
  assert.ok((await dueForOthers()) <= clock.now());
  assert.equal(await acquireLease(one, 'bitcoin', null), true);
  assert.equal(await acquireLease({ ...one, holder: 'other' }, 'bitcoin', null), false);
  assert.ok((await dueForOthers()) > clock.now());
  await database.close();
  await migrated.drop();
});

// SQLite has one writer at a time and no row locks.
if (testEngine === 'postgres')
  describe('interleaved units of two processes', () => {
    let fixture: Fixture;
    let other: Service;
    before(async () => {
      fixture = await openFixture();
      await fixture.work();
      other = await fixture.another();
      await prefer({ 'min-confirmation-btc': '2' });
    });
    after(async () => {
      await other.close();
      await fixture.close();
    });
    const { requestWithdrawal, chain, create, get, getWithdrawal, mine, pay, prefer } = withdrawalsOf(() => fixture);

    const jobNamed = (name: string) => {
      const job = fixture.service().invoices.jobs.find((each) => each.name === name);
      assert.ok(job);
      return job;
    };
    const walletAt = async (address: string) =>
      (
        await db(other.database)
          .selectFrom('wallets')
          .select('id')
          .where('address', '=', address)
          .executeTakeFirstOrThrow()
      ).id;
    /** Returns true once this many connections wait for a lock, false if `work` ends first. */
    const blocksOnLock = async (work: Promise<unknown>, connections = 1): Promise<boolean> => {
      const state = { isEnded: false };
      const end = () => {
        state.isEnded = true;
      };
      work.then(end, end);
      while (!state.isEnded) {
        const { rows } = await sql<{ waiting: number }>`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db(fixture.service().database));
        if ((rows[0]?.waiting ?? 0) >= connections) return true;
      }
      return false;
    };

    test('a block with deposits of a rotated wallet locks wallets in order of their IDs', async () => {
      const user = await create({ type: 'user' });
      const between = await create({ type: 'static' });
      await pay(user);
      await pay(between);
      await mine(1);
      const { context } = other.invoices;
      const { replacedBy } = await rotateWallet(context, fixture.merchant.id, user.walletAddress);
      const [middle, last] = [await walletAt(between.walletAddress), await walletAt(replacedBy ?? '')];
      assert.ok(middle < last);
      await chain().mine(1);
      let scan: Promise<number> = Promise.resolve(0);
      // Locks like a withdrawal from both wallets.
      await other.database.inTransaction(async (unit) => {
        await lockWallet(unit, middle);
        scan = jobNamed('watch_bitcoin').runOnce();
        assert.ok(await blocksOnLock(scan));
        await lockWallet(unit, last);
      });
      await scan;
      await fixture.work();
      assert.equal((await get(between)).status, 'complete');
      assert.equal((await get(user)).status, 'complete');
    });

    test('an approval that waits for a block counts its confirmations', async () => {
      const invoice = await create();
      await pay(invoice, 1n);
      await mine(1);
      assert.equal((await get(invoice)).status, 'approved_required');
      const wallet = await walletAt(invoice.walletAddress);
      await chain().mine(1);
      let scan: Promise<number> = Promise.resolve(0);
      let approved: Promise<unknown> = Promise.resolve();
      await other.database.inTransaction(async (unit) => {
        await lockWallet(unit, wallet);
        scan = jobNamed('watch_bitcoin').runOnce();
        assert.ok(await blocksOnLock(scan));
        const request = { id: invoice.id, reviewer: 'reviewer', reason: null };
        approved = approveTransaction(other.invoices.context, fixture.merchant.id, request);
        assert.ok(await blocksOnLock(approved, 2));
      });
      await Promise.all([scan, approved]);
      assert.equal((await get(invoice)).status, 'complete');
    });

    test('a withdrawal is not finalized by blocks that are being orphaned', async () => {
      const invoice = await create();
      await pay(invoice);
      await mine(2);
      const response = await requestWithdrawal({
        ...{ code: 'btc', walletAddress: invoice.walletAddress, source: 'credited', destination: external.bitcoin },
      });
      assert.equal(response.status, 200, response.text);
      await fixture.work();
      await mine(1);
      const { database } = other;
      const { height, block_hash: hash } = await db(database)
        .selectFrom('withdrawals')
        .select(['height', 'block_hash'])
        .where('public_id', '=', response.body.id)
        .executeTakeFirstOrThrow();
      assert.ok(height !== null && hash !== null);
      await chain().mine(1);
      await jobNamed('watch_bitcoin').runOnce();
      let finalized: Promise<number> = Promise.resolve(0);
      await database.inTransaction(async (unit) => {
        await lockCursor(unit, 'bitcoin');
        await db(unit).deleteFrom('chain_blocks').where('chain', '=', 'bitcoin').where('height', '=', height).execute();
        finalized = jobNamed('withdrawals_bitcoin').runOnce();
        assert.ok(await blocksOnLock(finalized));
      });
      await finalized;
      assert.equal((await getWithdrawal(response.body)).status, 'sent');
      await db(database).insertInto('chain_blocks').values({ chain: 'bitcoin', height, hash }).execute();
      await fixture.advance(20 * SECOND);
      assert.equal((await getWithdrawal(response.body)).status, 'confirmed');
    });
  });
