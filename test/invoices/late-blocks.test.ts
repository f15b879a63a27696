import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MINUTE, SECOND } from '../../src/shared/time.ts';
import { invoicesOf } from '../support/invoices.ts';
import { openWorld, type World } from '../support/world.ts';

describe('an invoice of 30 minutes whose payment is first seen in a block', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
    await world.work();
  });
  after(async () => await world.close());

  const { chain, create, get, pay, mine } = invoicesOf(() => world);

  /** Somebody pays, and nobody looks before it is in a block, whose miner's clock is so far back. */
  const mineUnseen = async (invoice: Awaited<ReturnType<typeof create>>, back: number) => {
    await pay(invoice);
    const { height } = await chain().mine(1);
    await db(world.service().database)
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

  test('is late after the end, whatever the clock of the miner says', async () => {
    const invoice = await create();
    await world.advance(31 * MINUTE);
    assert.equal((await get(invoice)).status, 'failed');
    await mineUnseen(invoice, 2 * MINUTE);
    assert.deepEqual(await after3(invoice), ['approved_required', ['late']]);
  });

  test('is late also where the block is read in the second in which the invoice ends', async () => {
    const invoice = await create();
    await world.advance(30 * MINUTE - SECOND);
    world.clock.advance(2 * SECOND);
    await mineUnseen(invoice, 120 * MINUTE);
    assert.deepEqual(await after3(invoice), ['approved_required', ['late']]);
  });

  test('is in time before the end, though the clock of the miner runs ahead', async () => {
    const invoice = await create();
    await world.advance(29 * MINUTE);
    await mineUnseen(invoice, -90 * MINUTE);
    assert.deepEqual(await after3(invoice), ['complete', []]);
  });

  test('is in time where the block was made in time, during an outage that lasts beyond the end', async () => {
    for (const isRestarted of [false, true]) {
      const invoice = await create();
      await world.work();
      world.clock.advance(10 * MINUTE);
      await mineUnseen(invoice, 0);
      world.clock.advance(40 * MINUTE);
      if (isRestarted) await world.restart();
      world.clock.advance(MINUTE);
      assert.deepEqual(await after3(invoice), ['complete', []], String(isRestarted));
    }
  });

  test('is late where the block was made after the end, during an outage', async () => {
    const invoice = await create();
    await world.work();
    world.clock.advance(40 * MINUTE);
    await mineUnseen(invoice, 0);
    world.clock.advance(10 * MINUTE);
    assert.deepEqual(await after3(invoice), ['approved_required', ['late']]);
  });

  test('is late where the outage began after the end, though the clock of the miner is back', async () => {
    const invoice = await create();
    await world.advance(31 * MINUTE);
    world.clock.advance(10 * MINUTE);
    await mineUnseen(invoice, 30 * MINUTE);
    world.clock.advance(10 * MINUTE);
    assert.deepEqual(await after3(invoice), ['approved_required', ['late']]);
  });

  test('is in time where it still waits for a block after an outage that began before the end', async () => {
    const invoice = await create();
    await world.work();
    world.clock.advance(10 * MINUTE);
    await pay(invoice);
    world.clock.advance(40 * MINUTE);
    await world.work();
    assert.deepEqual(await after3(invoice), ['complete', []]);
  });
});
