// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAY, SECOND } from '../../../src/shared/time.ts';
import { cards, createLink, detailOf, submitCard } from '../../support/requests.ts';
import { openFixture, type Fixture } from '../../support/fixture.ts';

describe('sandbox cards with later events', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  test('a refund succeeds, and fails 30 seconds later', async () => {
    const { reference } = await createLink(fixture);
    assert.equal((await submitCard(fixture, reference, cards.refundFails)).body.response_type, 'confirmed');
    await fixture.advance(DAY);
    const { body } = await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: reference } });
    assert.deepEqual([body.refunds[0].state, body.refunded_amount], ['succeeded', 12.5]);
    await fixture.advance(31 * SECOND);
    const { refunds, refunded_amount, status } = await detailOf(fixture, reference);
    assert.deepEqual(
      [refunds[0].state, refunds[0].failure.code, refunded_amount, status],
      ['failed', 'account_closed', 0, 'transaction_status_confirmed'],
    );
  });

  test('a dispute opens after 30 seconds, and is lost after its deadline', async () => {
    const { reference } = await createLink(fixture);
    await submitCard(fixture, reference, cards.disputed);
    const disputes = async () => (await detailOf(fixture, reference)).disputes;
    assert.deepEqual(await disputes(), []);
    await fixture.advance(31 * SECOND);
    const [opened] = await disputes();
    assert.deepEqual([opened.state, opened.amount, opened.reason_code], ['needs_response', 12.5, '10.4']);
    await fixture.advance(7 * DAY + SECOND);
    const [closed, ...others] = await disputes();
    assert.deepEqual([closed.state, closed.respond_by, others], ['lost', null, []]);
  });
});
