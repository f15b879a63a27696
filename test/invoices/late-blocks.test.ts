import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MINUTE, SECOND } from '../../src/shared/time.ts';
import { invoicesOf } from '../support/invoices.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { onSqlite } from '../support/databases.ts';

describe('a 30-minute invoice whose deposit is first seen in a block', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await fixture.work();
  });
  after(async () => await fixture.close());

  const { chain, create, get, pay, mine } = invoicesOf(() => fixture);

  /** Pays and mines without a scan in between; the miner's clock is behind by this much. */
  const mineUnseen = async (invoice: Awaited<ReturnType<typeof create>>, back: number) => {
    await pay(invoice);
    const { height } = await chain().mine(1);
    await db(fixture.service().database)
      .updateTable('simulated_blocks')
      .set(({ eb }) => ({ at: eb('at', '-', back) }))
      .where('chain', '=', 'bitcoin')
      .where('height', '=', height)
      .execute();
  };
  const after3 = async (invoice: Awaited<ReturnType<typeof create>>) => {
    await mine(3);
    const { status, labels } = await get(invoice);
    return [status, labels];
  };

  test('is late after the deadline, whatever the miner’s clock says', async () => {
    const invoice = await create();
    await fixture.advance(31 * MINUTE);
    assert.equal((await get(invoice)).status, 'failed');
    await mineUnseen(invoice, 2 * MINUTE);
    assert.deepEqual(await after3(invoice), ['approved_required', ['late']]);
  });

  onSqlite('is late if the block is read in the second of the deadline', async () => {
    const invoice = await create();
    await fixture.advance(30 * MINUTE - SECOND);
    fixture.clock.advance(2 * SECOND);
    await mineUnseen(invoice, 120 * MINUTE);
    assert.deepEqual(await after3(invoice), ['approved_required', ['late']]);
  });

  onSqlite('is in time before the deadline, although the miner’s clock runs ahead', async () => {
    const invoice = await create();
    await fixture.advance(29 * MINUTE);
    await mineUnseen(invoice, -90 * MINUTE);
    assert.deepEqual(await after3(invoice), ['complete', []]);
  });

  test('is in time if the block was mined in time during an outage past the deadline', async () => {
    for (const isRestarted of [false, true]) {
      const invoice = await create();
      await fixture.work();
      fixture.clock.advance(10 * MINUTE);
      await mineUnseen(invoice, 0);
      fixture.clock.advance(40 * MINUTE);
      if (isRestarted) await fixture.restart();
      fixture.clock.advance(MINUTE);
      assert.deepEqual(await after3(invoice), ['complete', []], String(isRestarted));
    }
  });

  onSqlite('is late if the block was mined after the deadline during an outage', async () => {
    const invoice = await create();
    await fixture.work();
    fixture.clock.advance(40 * MINUTE);
    await mineUnseen(invoice, 0);
    fixture.clock.advance(10 * MINUTE);
    assert.deepEqual(await after3(invoice), ['approved_required', ['late']]);
  });

  onSqlite('is late if the outage began after the deadline, although the miner’s clock is behind', async () => {
    const invoice = await create();
    await fixture.advance(31 * MINUTE);
    fixture.clock.advance(10 * MINUTE);
    await mineUnseen(invoice, 30 * MINUTE);
    fixture.clock.advance(10 * MINUTE);
    assert.deepEqual(await after3(invoice), ['approved_required', ['late']]);
  });

  onSqlite('is in time if it is in the mempool after an outage that began before the deadline', async () => {
    const invoice = await create();
    await fixture.work();
    fixture.clock.advance(10 * MINUTE);
    await pay(invoice);
    fixture.clock.advance(40 * MINUTE);
    await fixture.work();
    assert.deepEqual(await after3(invoice), ['complete', []]);
  });
});
