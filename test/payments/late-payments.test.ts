// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HOUR } from '../../src/shared/time.ts';
import { applyOutcome } from '../../src/payments/card/outcome.ts';
import { createLink, detailOf, submitCard } from '../support/requests.ts';
import { cardFor, ScriptedAcquirer } from '../support/scripted-acquirer.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('a late payment', () => {
  let fixture: Fixture;
  const acquirer = new ScriptedAcquirer();
  before(async () => {
    fixture = await openFixture({ wrapCardAcquirer: () => acquirer });
    acquirer.notify = async (attemptKey, outcome) => {
      await applyOutcome(fixture.service().payments, attemptKey, outcome);
    };
  });
  after(async () => await fixture.close());

  const goesThroughAfterAll = async (link: string) => {
    const charge = acquirer.approveDeclined([`${link}/return`]) ?? assert.fail('no declined charge');
    await acquirer.notifyOutcome(charge);
    return charge;
  };

  test('after a decline confirms the transaction', async () => {
    const { reference, link } = await createLink(fixture);
    await submitCard(fixture, reference, cardFor('decline'));
    await goesThroughAfterAll(link);
    const detail = await detailOf(fixture, reference);
    assert.equal(detail.status, 'transaction_status_confirmed');
    assert.equal(detail.late, undefined);
    assert.equal((await submitCard(fixture, reference)).body.code, 'already_paid');
  });

  test('after a failure confirms the transaction, marked late', async () => {
    const { reference, link } = await createLink(fixture);
    await submitCard(fixture, reference, cardFor('decline'));
    await fixture.advance(25 * HOUR);
    assert.equal((await detailOf(fixture, reference)).reason, 'expired');
    await goesThroughAfterAll(link);
    const detail = await detailOf(fixture, reference);
    assert.equal(detail.status, 'transaction_status_confirmed');
    assert.equal(detail.late, true);
    assert.equal(detail.reason, undefined);
    assert.equal(detail.amount_received, 12.5);
  });

  test('after another payment is reversed as a duplicate', async () => {
    const { reference, link } = await createLink(fixture);
    await submitCard(fixture, reference, cardFor('decline'));
    assert.equal((await submitCard(fixture, reference, cardFor('approve'))).body.response_type, 'confirmed');
    const second = await goesThroughAfterAll(link);
    await fixture.work();
    assert.equal(second.state, 'reversed');
    const detail = await detailOf(fixture, reference);
    assert.equal(detail.amount_received, 12.5);
    assert.deepEqual(
      detail.attempts.map((attempt: { state: string }) => attempt.state),
      ['reversed', 'approved'],
    );
  });

  test('is not undone by a decline after the approval', async () => {
    const { reference, link } = await createLink(fixture);
    await submitCard(fixture, reference, cardFor('approve'));
    const [charge] = [...acquirer.charges.values()].filter(({ returnUrl }) => returnUrl === `${link}/return`);
    const decline = { code: 'card_declined', network_code: '05', retryable: true, advice: 'use_other_card' } as const;
    await applyOutcome(fixture.service().payments, charge?.attemptKey ?? '', { kind: 'declined', decline });
    const detail = await detailOf(fixture, reference);
    assert.equal(detail.status, 'transaction_status_confirmed');
    assert.deepEqual([detail.attempts[0].state, detail.timeline.length], ['approved', 3]);
  });

  test('is applied once, however often the acquirer reports it', async () => {
    const { reference, link } = await createLink(fixture);
    await submitCard(fixture, reference, cardFor('challenge'));
    const charge = acquirer.completeChallenge([`${link}/return`], true) ?? assert.fail('no challenge');
    await Promise.all(Array.from({ length: 10 }, () => acquirer.notifyOutcome(charge)));
    await fixture.work();
    const detail = await detailOf(fixture, reference);
    assert.equal(detail.timeline.length, 3);
    assert.equal(detail.amount_received, 12.5);
    // A repeated report is not a duplicate charge.
    assert.deepEqual([charge.state, detail.attempts[0].state], ['approved', 'approved']);
  });
});
