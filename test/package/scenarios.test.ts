import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFieldError } from '../../pages/checkout/elements/card-errors.ts';
import { cardFieldNames } from '../../src/shared/card-form.ts';
import { scenarioOf } from '../../src/acquirers/sandbox/scenarios.ts';
import { scenarios } from '../../testing/scenarios.ts';

test('every named scenario matches the sandbox’s outcome for its card, and fills a valid form', () => {
  const played = Object.entries(scenarios).map(([name, { card_number }]) => [
    name,
    scenarioOf(card_number.replaceAll(' ', '')),
  ]);
  assert.deepEqual(Object.fromEntries(played), {
    approved: 'approve',
    challenge: 'challenge',
    frictionless: 'frictionless',
    declined: 'decline',
    insufficientFunds: 'insufficient_funds',
    expiredCard: 'expired_card',
    unknown: 'unknown',
    refundFails: 'refund_fails',
    captureFails: 'capture_fails',
    disputed: 'disputed',
  });
  for (const card of Object.values(scenarios)) {
    for (const name of cardFieldNames) assert.equal(findFieldError(name, card, Date.now()), null, name);
  }
});
