import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DisputeReport } from '../../src/acquirers/adapter.ts';
import type { DisputeSummary } from '../../src/api/fiat-transaction.ts';
import { applyDispute } from '../../src/payments/disputes.ts';
import { DAY, type Instant, SECOND } from '../../src/shared/time.ts';
import { createLink, detailOf, submitCard } from '../support/requests.ts';
import { db } from '../support/tables.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('a dispute', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  const paid = async () => {
    const link = await createLink(fixture);
    await submitCard(fixture, link.reference);
    const { attempt_key: chargeKey } = await db(fixture.service().database)
      .selectFrom('card_attempts')
      .select('attempt_key')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    let reportedAt: Instant = fixture.clock.now();
    const respondBy = reportedAt + 7 * DAY;
    const report = async (state: DisputeReport['state'], change: Partial<DisputeReport> = {}, account = 'sandbox') => {
      reportedAt += SECOND;
      return await applyDispute(fixture.service().payments, account, {
        ...{ disputeKey: `dispute ${link.reference}`, chargeKey, state, amountMinor: 1250n, currency: 'USD' },
        ...{ reasonCode: '10.4', reason: 'Fraud', respondBy },
        updatedAt: reportedAt,
        ...change,
      });
    };
    const disputes = async () => (await detailOf(fixture, link.reference)).disputes;
    const events = async () =>
      (await detailOf(fixture, link.reference)).timeline
        .filter(({ type }: { type: string }) => type.startsWith('fiat.dispute'))
        .map(({ type, detail }: { type: string; detail: string }) => [type, detail]);
    return { ...link, report, disputes, events };
  };

  test('is shown with its state and deadline, reported, and leaves the status unchanged', async () => {
    const { reference, report, disputes, events } = await paid();
    assert.equal(await report('needs_response'), true);
    const [dispute] = await disputes();
    assert.deepEqual(
      [dispute.number, dispute.state, dispute.amount, dispute.currency, dispute.reason_code, dispute.reason],
      [1, 'needs_response', 12.5, 'USD', '10.4', 'Fraud'],
    );
    assert.ok(dispute.respond_by);
    await report('under_review', { respondBy: null });
    await report('won', { respondBy: null });
    // A second chargeback follows.
    await report('lost', { respondBy: null });
    assert.deepEqual(await events(), [
      ['fiat.dispute.created', `dispute of 12.50 USD: needs_response, respond by ${dispute.respond_by}`],
      ['fiat.dispute.updated', 'dispute of 12.50 USD: under_review'],
      ['fiat.dispute.closed', 'dispute of 12.50 USD: won'],
      ['fiat.dispute.closed', 'dispute of 12.50 USD: lost'],
    ]);
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_confirmed');
    const { body } = await fixture.request('/v1/events');
    const reported = body.events.filter(
      ({ data }: { data: { transaction_id?: string } }) => data.transaction_id === reference,
    );
    const sequences = reported.map(({ data }: { data: { sequence: number } }) => data.sequence);
    assert.deepEqual(
      sequences,
      sequences.toSorted((a: number, b: number) => a - b),
    );
    assert.equal(reported.at(-1).type, 'fiat.dispute.closed');
  });

  test('that is reported twice or out of order counts once', async () => {
    const { report, disputes, events } = await paid();
    const at = fixture.clock.now() + 100 * SECOND;
    await report('lost', { updatedAt: at });
    await report('lost', { updatedAt: at });
    await report('needs_response', { updatedAt: at - SECOND });
    assert.equal((await disputes())[0].state, 'lost');
    assert.equal((await events()).length, 1);
  });

  test('is updated by reports that name only the charge', async () => {
    const { report, disputes } = await paid();
    await report('lost', { disputeKey: 'first' });
    await report('needs_response', { disputeKey: 'second' });
    await report('won', { disputeKey: null });
    assert.deepEqual(
      (await disputes()).map(({ state, reference }: DisputeSummary) => [state, reference]),
      [
        ['lost', 'first'],
        ['won', 'second'],
      ],
    );
  });

  test('counts once if the first report names only the charge', async () => {
    const { report, disputes } = await paid();
    const at = fixture.clock.now() + 100 * SECOND;
    await report('won', { disputeKey: null, updatedAt: at });
    await report('needs_response', { disputeKey: 'late', updatedAt: at - SECOND });
    assert.deepEqual(
      (await disputes()).map(({ state }: DisputeSummary) => state),
      ['won'],
    );
    await report('lost', { disputeKey: 'late', updatedAt: at + SECOND });
    assert.deepEqual(
      (await disputes()).map(({ state, reference }: DisputeSummary) => [state, reference]),
      [['lost', 'late']],
    );
  });

  test('that was answered or closed is not moved back by a debit', async () => {
    const { report, disputes } = await paid();
    const debit = async () => {
      await report('needs_response', { isDebit: true });
      return (await disputes()).map(({ state }: DisputeSummary) => state);
    };
    assert.deepEqual(await debit(), ['needs_response']);
    await report('inquiry');
    assert.deepEqual(await debit(), ['needs_response']);
    for (const state of ['under_review', 'won', 'lost'] as const) {
      await report(state, { respondBy: null });
      assert.deepEqual(await debit(), [state]);
    }
  });

  test('of another account’s payment changes nothing', async () => {
    const { report, disputes } = await paid();
    assert.equal(await report('lost', {}, 'chains'), false);
    assert.equal(await report('lost', { chargeKey: 'unknown' }), false);
    assert.deepEqual(await disputes(), []);
  });
});
