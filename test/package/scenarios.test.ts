import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFieldError } from '../../pages/checkout/elements/card-errors.ts';
import { cardFieldNames } from '../../src/shared/card-form.ts';
import { scenarios } from '../../testing/scenarios.ts';

test('the card details of every scenario fill a valid form', () => {
  for (const card of Object.values(scenarios)) {
    for (const name of cardFieldNames) assert.equal(findFieldError(name, card, Date.now()), null, name);
  }
});
