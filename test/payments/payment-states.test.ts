// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TransactionStatus } from '../../src/api/fiat-transaction.ts';
import {
  expiryReason,
  canAccept,
  isPaid,
  isRejected,
  needsReview,
  canRenew,
  paymentDiscrepancy,
} from '../../src/payments/review/rules.ts';
import {
  type AttemptState,
  finalDecline,
  isAttemptOpen,
  MAX_ATTEMPTS,
  canTransition,
} from '../../src/payments/states.ts';
import type { FiatTransaction } from '../../src/payments/schema.ts';

const statuses = ['pending', 'waiting', 'failed', 'confirmed'] as const satisfies readonly TransactionStatus[];

describe('payment states', () => {
  test('a status has only the allowed transitions', () => {
    const allowed = [
      ...['pending pending', 'pending waiting', 'pending confirmed', 'pending failed'],
      ...['waiting waiting', 'waiting pending', 'waiting confirmed', 'waiting failed'],
      ...['failed failed', 'failed confirmed', 'failed pending'],
      ...['confirmed confirmed', 'confirmed waiting', 'confirmed pending', 'confirmed failed'],
    ];
    for (const from of statuses)
      for (const to of statuses)
        assert.equal(canTransition(from, to), allowed.includes(`${from} ${to}`), `${from} ${to}`);
  });

  test('an attempt without an outcome is open', () => {
    const open: Record<AttemptState, boolean> = {
      ...{ submitting: true, challenge: true, unknown: true },
      ...{ approved: false, declined: false, duplicate: false, reversed: false },
    };
    for (const [state, expected] of Object.entries(open))
      assert.equal(isAttemptOpen(state as AttemptState), expected, state);
    assert.equal(MAX_ATTEMPTS, 5);
  });

  test('the last decline advises no retry', () => {
    const decline = { code: 'insufficient_funds', network_code: '51', retryable: true, advice: 'retry_later' } as const;
    assert.deepEqual(finalDecline(decline as never), {
      ...{ code: 'insufficient_funds', network_code: '51', retryable: false, advice: 'do_not_retry' },
    });
  });
});

describe('a received amount', () => {
  const of = (change: Partial<FiatTransaction>) =>
    ({
      ...{ status: 'waiting', reason: null, amountMinor: 1000n, chargedMinor: 1000n, acceptedMinor: null },
      ...{ receivedMinor: 0n, refundedMinor: 0n },
      ...{ feeFixMinor: 100n, feePercentMillionths: 0, feeCalculation: 'forward_without_fee' },
      ...change,
    }) as FiatTransaction;

  test('is an underpayment, overpayment or the exact amount, after refunds', () => {
    assert.equal(paymentDiscrepancy(of({})), null);
    assert.equal(paymentDiscrepancy(of({ receivedMinor: 1000n })), null);
    assert.equal(paymentDiscrepancy(of({ receivedMinor: 999n })), 'underpaid');
    assert.equal(paymentDiscrepancy(of({ receivedMinor: 1001n })), 'overpaid');
    assert.equal(paymentDiscrepancy(of({ receivedMinor: 1001n, refundedMinor: 1n })), null);
    assert.equal(paymentDiscrepancy(of({ receivedMinor: 5n, refundedMinor: 5n })), null);
  });

  test('pays when exact, when accepted, or at least the amount once paid', () => {
    const cases: [Partial<FiatTransaction>, boolean][] = [
      [{ receivedMinor: 1000n }, true],
      [{ receivedMinor: 999n }, false],
      [{ receivedMinor: 1001n }, false],
      [{ receivedMinor: 1500n, refundedMinor: 500n }, true],
      [{ receivedMinor: 1001n, status: 'confirmed' }, true],
      [{ receivedMinor: 1000n, status: 'confirmed' }, true],
      [{ receivedMinor: 1000n, refundedMinor: 400n, status: 'confirmed' }, true],
      [{ receivedMinor: 999n, status: 'confirmed' }, false],
      [{ receivedMinor: 1001n, reason: 'reversed' }, true],
      [{ receivedMinor: 700n, acceptedMinor: 700n }, true],
      [{ receivedMinor: 800n, acceptedMinor: 700n }, true],
      [{ receivedMinor: 699n, acceptedMinor: 700n }, false],
      [{ receivedMinor: 1000n, acceptedMinor: 1500n }, true],
      [{ receivedMinor: 1000n, acceptedMinor: 1000n }, true],
      [{ receivedMinor: 999n, acceptedMinor: 1500n }, false],
      [{ receivedMinor: 1000n, status: 'failed', reason: 'rejected' }, false],
      [{ receivedMinor: 1000n, status: 'failed', reason: 'expired' }, true],
    ];
    for (const [change, expected] of cases) assert.equal(isPaid(of(change)), expected, JSON.stringify(change, plain));
  });

  test('is rejected only if the payment failed with that reason', () => {
    assert.equal(isRejected({ status: 'failed', reason: 'rejected' }), true);
    assert.equal(isRejected({ status: 'failed', reason: 'expired' }), false);
    assert.equal(isRejected({ status: 'confirmed', reason: 'rejected' }), false);
  });

  test('determines the reason of an expired payment', () => {
    assert.equal(expiryReason(of({})), 'expired');
    assert.equal(expiryReason(of({ reason: 'reversed' })), 'reversed');
    assert.equal(expiryReason(of({ reason: 'reversed', receivedMinor: 1n })), 'underpaid');
    assert.equal(expiryReason(of({ receivedMinor: 1001n })), 'overpaid');
  });

  test('allows a renewal only if nothing was paid or refunded', () => {
    assert.equal(canRenew(of({ status: 'failed', reason: 'expired' })), true);
    assert.equal(canRenew(of({ status: 'failed', reason: 'expired', refundedMinor: 1n })), true);
    assert.equal(canRenew(of({ status: 'failed', reason: 'reversed' })), true);
    assert.equal(canRenew(of({ status: 'failed', reason: 'reversed', refundedMinor: 1n })), false);
    assert.equal(canRenew(of({ status: 'failed', reason: 'cancelled' })), false);
    assert.equal(canRenew(of({ status: 'pending', reason: 'reversed' })), false);
  });

  test('needs a review while the payment is open or failed, and can be accepted above its fee', () => {
    const cases: [Partial<FiatTransaction>, undecided: boolean, acceptable: boolean][] = [
      [{ receivedMinor: 500n }, true, true],
      [{ receivedMinor: 500n, status: 'failed' }, true, true],
      [{ receivedMinor: 500n, status: 'confirmed' }, false, false],
      [{ receivedMinor: 500n, status: 'pending' }, false, false],
      [{ receivedMinor: 500n, refundedMinor: 500n }, false, false],
      [{}, false, false],
      [{ receivedMinor: 101n }, true, true],
      [{ receivedMinor: 100n }, true, false],
    ];
    for (const [change, undecided, acceptable] of cases) {
      assert.equal(needsReview(of(change)), undecided, JSON.stringify(change, plain));
      assert.equal(canAccept(of(change)), acceptable, JSON.stringify(change, plain));
    }
  });
});

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
