// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HOUR } from '../../src/shared/time.ts';
import { applyOutcome } from '../../src/payments/card/outcome.ts';
import { createLink, detailOf, submitCard } from '../support/requests.ts';
import { cardFor, ScriptedProvider } from '../support/scripted-provider.ts';
import { openWorld, type World } from '../support/world.ts';

describe('money that comes when nobody expects it any more', () => {
  let world: World;
  const provider = new ScriptedProvider();
  before(async () => {
    world = await openWorld({ wrapCardAcquirer: () => provider });
    provider.notify = async (attemptKey, outcome) => {
      await applyOutcome(world.service().payments, attemptKey, outcome);
    };
  });
  after(async () => await world.close());

  const goesThroughAfterAll = async (link: string) => {
    const charge = provider.changeMind([`${link}/return`]) ?? assert.fail('no declined charge');
    await provider.notifyAbout(charge);
    return charge;
  };

  test('after a decline it confirms the transaction', async () => {
    const { reference, link } = await createLink(world);
    await submitCard(world, reference, cardFor('decline'));
    await goesThroughAfterAll(link);
    const detail = await detailOf(world, reference);
    assert.equal(detail.status, 'transaction_status_confirmed');
    assert.equal(detail.late, undefined);
    assert.equal((await submitCard(world, reference)).body.code, 'already_paid');
  });

  test('after a failure it confirms the transaction, marked late', async () => {
    const { reference, link } = await createLink(world);
    await submitCard(world, reference, cardFor('decline'));
    await world.advance(25 * HOUR);
    assert.equal((await detailOf(world, reference)).reason, 'expired');
    await goesThroughAfterAll(link);
    const detail = await detailOf(world, reference);
    assert.equal(detail.status, 'transaction_status_confirmed');
    assert.equal(detail.late, true);
    assert.equal(detail.reason, undefined);
    assert.equal(detail.amount_received, 12.5);
  });

  test('beside a payment that was made already it is given back', async () => {
    const { reference, link } = await createLink(world);
    await submitCard(world, reference, cardFor('decline'));
    assert.equal((await submitCard(world, reference, cardFor('approve'))).body.response_type, 'confirmed');
    const second = await goesThroughAfterAll(link);
    await world.work();
    assert.equal(second.state, 'reversed');
    const detail = await detailOf(world, reference);
    assert.equal(detail.amount_received, 12.5);
    assert.deepEqual(
      detail.attempts.map((attempt: { state: string }) => attempt.state),
      ['reversed', 'approved'],
    );
  });

  test('a decline that comes after the approval changes nothing', async () => {
    const { reference, link } = await createLink(world);
    await submitCard(world, reference, cardFor('approve'));
    const [charge] = [...provider.books.values()].filter(({ returnUrl }) => returnUrl === `${link}/return`);
    const decline = { code: 'card_declined', network_code: '05', retryable: true, advice: 'use_other_card' } as const;
    await applyOutcome(world.service().payments, charge?.attemptKey ?? '', { kind: 'declined', decline });
    const detail = await detailOf(world, reference);
    assert.equal(detail.status, 'transaction_status_confirmed');
    assert.deepEqual([detail.attempts[0].state, detail.timeline.length], ['approved', 3]);
  });

  test('the same word of the provider, said ten times at once, changes one thing', async () => {
    const { reference, link } = await createLink(world);
    await submitCard(world, reference, cardFor('challenge'));
    const charge = provider.decide([`${link}/return`], true) ?? assert.fail('no challenge');
    await Promise.all(Array.from({ length: 10 }, () => provider.notifyAbout(charge)));
    await world.work();
    const detail = await detailOf(world, reference);
    assert.equal(detail.timeline.length, 3);
    assert.equal(detail.amount_received, 12.5);
    // Nor is it taken for a second charge, and reversed.
    assert.deepEqual([charge.state, detail.attempts[0].state], ['approved', 'approved']);
  });
});
