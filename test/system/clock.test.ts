// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE } from '../../src/shared/time.ts';
import { systemClock } from '../../src/system/clock.ts';

const toMs = (duration: number) => duration / 1000;

test('the clock slows down after the system time is set back, until it has caught up', () => {
  let [wallMs, elapsedMs] = [Date.parse('2026-11-21T09:00:00Z'), 0];
  const clock = systemClock({ wallMs: () => wallMs, elapsedMs: () => elapsedMs });
  const pass = (duration: number) => {
    wallMs += toMs(duration);
    elapsedMs += toMs(duration);
    return clock.now();
  };
  const start = clock.now();
  assert.equal(pass(MINUTE) - start, MINUTE);
  wallMs -= toMs(HOUR);
  const jump = clock.now();
  assert.equal(jump, start + MINUTE + 1);
  // Work that is due in ten minutes becomes due.
  assert.equal(pass(20 * MINUTE) - jump, 10 * MINUTE);
  // Frequent readings still increase.
  assert.ok(clock.now() > jump + 10 * MINUTE);
  pass(100 * MINUTE);
  assert.equal(clock.now() > wallMs * 1000, true);
  // The system time has caught up.
  assert.equal(pass(MINUTE), wallMs * 1000);
  wallMs += toMs(HOUR);
  assert.equal(clock.now(), wallMs * 1000);
});
