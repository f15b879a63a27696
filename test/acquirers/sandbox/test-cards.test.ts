// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAY, SECOND } from '../../../src/shared/time.ts';
import { cards, createLink, detailOf, submitCard } from '../../support/requests.ts';
import { openWorld, type World } from '../../support/world.ts';

describe('sandbox cards with later events', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(async () => await world.close());

  test('a refund succeeds, and fails 30 seconds later', async () => {
    const { reference } = await createLink(world);
    assert.equal((await submitCard(world, reference, cards.refundFails)).body.response_type, 'confirmed');
    await world.advance(DAY);
    const { body } = await world.request('/fiat/v1/transaction/refund', { body: { transaction_id: reference } });
    assert.deepEqual([body.refunds[0].state, body.refunded_amount], ['succeeded', 12.5]);
    await world.advance(31 * SECOND);
    const { refunds, refunded_amount, status } = await detailOf(world, reference);
    assert.deepEqual(
      [refunds[0].state, refunds[0].failure.code, refunded_amount, status],
      ['failed', 'account_closed', 0, 'transaction_status_confirmed'],
    );
  });

  test('a dispute opens after 30 seconds, and is lost after its deadline', async () => {
    const { reference } = await createLink(world);
    await submitCard(world, reference, cards.disputed);
    const disputes = async () => (await detailOf(world, reference)).disputes;
    assert.deepEqual(await disputes(), []);
    await world.advance(31 * SECOND);
    const [opened] = await disputes();
    assert.deepEqual([opened.state, opened.amount, opened.reason_code], ['needs_response', 12.5, '10.4']);
    await world.advance(7 * DAY + SECOND);
    const [closed, ...others] = await disputes();
    assert.deepEqual([closed.state, closed.respond_by, others], ['lost', null, []]);
  });
});
