// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  isCredited,
  isExactAmount,
  type EvaluatedDeposit,
  type EvaluatedTransaction,
  evaluateInvoice,
  toEvaluated,
  toleranceOf,
} from '../../src/invoices/evaluate.ts';
import { cryptoLabels, invoiceTypes } from '../../src/shared/crypto-status.ts';

const invoice: EvaluatedTransaction = {
  kind: 'invoice',
  type: 'revolver',
  amountRequired: 1000n,
  tolerance: 0n,
  expiresAt: 100,
  minConfirmations: 3,
  rejection: null,
  givenLabels: [],
};
const payment = (
  amount: bigint,
  confirmations: number | null,
  more: Partial<EvaluatedDeposit> = {},
): EvaluatedDeposit => ({
  amount,
  confirmations,
  seenAt: 50,
  decision: 'accepted',
  writtenOffAt: null,
  ...more,
});
const NOW = 60;

describe('evaluation of a crypto transaction', () => {
  const cases: [string, Partial<EvaluatedTransaction>, EvaluatedDeposit[], number, object][] = [
    ['no deposit', {}, [], NOW, { status: 'pending', labels: [], amountDue: 1000n, confirmations: 0 }],
    ['expired', {}, [], 100, { status: 'failed', labels: [] }],
    [
      'type user never expires',
      { type: 'user', amountRequired: null, expiresAt: null },
      [],
      1e15,
      { status: 'pending', amountDue: 0n },
    ],
    ['seen', {}, [payment(1000n, 0)], NOW, { status: 'waiting', amount: 1000n, amountCredited: 0n, amountDue: 0n }],
    [
      'too few confirmations',
      {},
      [payment(1000n, 2)],
      NOW,
      { status: 'waiting', confirmations: 2, amountCredited: 0n },
    ],
    ['enough confirmations', {}, [payment(1000n, 3)], NOW, { status: 'complete', labels: [], amountCredited: 1000n }],
    ['seen in time, confirmed after expiry', {}, [payment(1000n, 3)], 500, { status: 'complete', labels: [] }],
    ['replaced', {}, [payment(1000n, null)], NOW, { status: 'pending', labels: ['replaced'], amount: 0n }],
    [
      'replaced by another deposit',
      {},
      [payment(1000n, null), payment(1000n, 1)],
      NOW,
      { status: 'waiting', labels: ['replaced'] },
    ],
    [
      'without an invoice, and dropped',
      { kind: 'unidentified', expiresAt: null },
      [payment(5n, null)],
      NOW,
      { status: 'failed' },
    ],
    [
      'partly rejected at a user’s wallet',
      { type: 'user', amountRequired: null, expiresAt: null },
      [payment(5n, 9, { decision: 'rejected' }), payment(70n, 3)],
      NOW,
      { status: 'complete', amount: 70n, amountCredited: 70n },
    ],
    [
      'at a retired wallet',
      { kind: 'stray', expiresAt: null },
      [payment(5n, 9)],
      NOW,
      { status: 'approved_required', amountCredited: 0n },
    ],
    ['dropped after expiry', {}, [payment(1000n, null)], 100, { status: 'failed', labels: ['replaced'] }],
    [
      'less, in review',
      {},
      [payment(400n, 9, { decision: 'undecided' })],
      NOW,
      { status: 'approved_required', labels: ['underpaid'], amountDue: 600n, amountCredited: 0n },
    ],
    [
      'less, accepted',
      {},
      [payment(400n, 9)],
      NOW,
      { status: 'complete', labels: ['underpaid'], amountCredited: 400n },
    ],
    [
      'two parts, one of them confirmed',
      {},
      [payment(400n, 9), payment(600n, 1)],
      NOW,
      { status: 'waiting', labels: [], confirmations: 1, amountCredited: 400n },
    ],
    [
      'more',
      {},
      [payment(1001n, 0, { decision: 'undecided' })],
      NOW,
      { status: 'approved_required', labels: ['overpaid'] },
    ],
    [
      'within the tolerance',
      { tolerance: 5n },
      [payment(995n, 3)],
      NOW,
      { status: 'complete', labels: [], amountDue: 0n },
    ],
    [
      'late',
      {},
      [payment(1000n, 1, { seenAt: 101, decision: 'undecided' })],
      200,
      { status: 'approved_required', labels: ['late'] },
    ],
    ['at the last moment', {}, [payment(1000n, 3, { seenAt: 100 })], 200, { status: 'complete', labels: [] }],
    ['without an expiry', { expiresAt: null }, [payment(1000n, 3)], 200, { status: 'complete', labels: [] }],
    [
      'with several labels, in order',
      { givenLabels: ['wrong_wallet', 'duplicate'] },
      [payment(1000n, 1, { seenAt: 101 })],
      200,
      { labels: ['duplicate', 'late', 'wrong_wallet'] },
    ],
    ['rejected', { rejection: 'refunding' }, [payment(1000n, 9)], NOW, { status: 'refunding', amountCredited: 0n }],
    ['without a refund', { rejection: 'refunding' }, [payment(1000n, null)], NOW, { status: 'failed' }],
    ['written off', { rejection: 'refunding' }, [payment(1000n, 9, { writtenOffAt: 55 })], NOW, { status: 'failed' }],
    ['refunded', { rejection: 'refunded' }, [payment(1000n, 9)], NOW, { status: 'refunded', amountCredited: 0n }],
    [
      'unidentified',
      { amountRequired: null, givenLabels: ['duplicate'] },
      [payment(7n, 3)],
      NOW,
      { status: 'complete', labels: ['duplicate'] },
    ],
    ['no confirmations required', { minConfirmations: 0 }, [payment(1000n, 0)], NOW, { status: 'complete' }],
  ];
  for (const [name, change, payments, now, expected] of cases)
    test(name, () => {
      const { status, labels, amount, amountCredited, amountDue, confirmations } = evaluateInvoice(
        { ...invoice, ...change },
        payments,
        now,
      );
      assert.deepEqual(
        { status, labels, amount, amountCredited, amountDue, confirmations, ...expected },
        { status, labels, amount, amountCredited, amountDue, confirmations },
      );
    });

  test('an amount is exact within the tolerance, above and below', () => {
    const terms = { amountRequired: 1000n, tolerance: 5n };
    for (const amount of [995n, 1000n, 1004n, 1005n]) assert.ok(isExactAmount(terms, amount), String(amount));
    for (const amount of [994n, 1006n]) assert.ok(!isExactAmount(terms, amount), String(amount));
    assert.ok(isExactAmount({ amountRequired: null, tolerance: 0n }, 1n));
  });

  test('a tolerance is a percentage of the amount', () => {
    assert.equal(toleranceOf(1000n, { code: 'btc', tolerancePercent: '0.5' }), 5n);
    assert.equal(toleranceOf(1000n, { code: 'btc', tolerancePercent: '0' }), 0n);
  });

  test('an invoice of type user requires no amount', () => {
    const stored = (type: (typeof invoiceTypes)[number]) => toEvaluated({ ...invoice, type } as never).amountRequired;
    assert.deepEqual([stored('revolver'), stored('static'), stored('user')], [1000n, 1000n, null]);
  });

  test('a deposit that left the chain is not credited, even with no confirmations required', () => {
    const terms = { kind: 'invoice', rejection: null, minConfirmations: 0 } as const;
    assert.ok(isCredited(terms, { decision: 'accepted', confirmations: 0 }));
    assert.ok(!isCredited(terms, { decision: 'accepted', confirmations: null }));
  });

  const anyPayment = fc.record({
    amount: fc.bigInt({ min: 1n, max: 2000n }),
    confirmations: fc.option(fc.nat(5), { nil: null }),
    seenAt: fc.nat(200),
    decision: fc.constantFrom('accepted' as const, 'undecided' as const, 'rejected' as const),
    writtenOffAt: fc.constant(null),
  });
  const anyTransaction = fc.record({
    kind: fc.constantFrom('invoice' as const, 'unidentified' as const, 'stray' as const),
    type: fc.constantFrom(...invoiceTypes),
    amountRequired: fc.option(fc.bigInt({ min: 1n, max: 2000n }), { nil: null }),
    tolerance: fc.bigInt({ min: 0n, max: 50n }),
    expiresAt: fc.option(fc.nat(200), { nil: null }),
    minConfirmations: fc.nat(4),
    rejection: fc.constantFrom(null, null, null, 'refunding' as const, 'failed' as const),
    givenLabels: fc.subarray([...cryptoLabels]),
  });

  test('credits only accepted, confirmed deposits; completes only if all of them are credited', () => {
    fc.assert(
      fc.property(anyTransaction, fc.array(anyPayment, { maxLength: 4 }), fc.nat(200), (transaction, payments, now) => {
        const judged = evaluateInvoice(transaction, payments, now);
        const present = payments.filter(
          ({ confirmations, decision }) =>
            confirmations !== null && (transaction.rejection !== null || decision !== 'rejected'),
        );
        const sum = (some: readonly EvaluatedDeposit[]) => some.reduce((total, { amount }) => total + amount, 0n);
        assert.equal(judged.amount, sum(present));
        const deep = present.filter(
          (each) => each.decision === 'accepted' && (each.confirmations ?? 0) >= transaction.minConfirmations,
        );
        const isNever = transaction.rejection !== null || transaction.kind === 'stray';
        assert.equal(judged.amountCredited, isNever ? 0n : sum(deep));
        if (judged.status === 'complete') assert.equal(judged.amountCredited, judged.amount);
        if (judged.status === 'complete' || judged.status === 'waiting') assert.ok(present.length > 0);
        if (present.some(({ decision }) => decision === 'undecided') && transaction.rejection === null)
          assert.equal(judged.status, 'approved_required');
        assert.equal(
          judged.labels.includes('underpaid') &&
            judged.labels.includes('overpaid') &&
            transaction.givenLabels.length === 0,
          false,
        );
        if (transaction.amountRequired !== null && present.length > 0 && transaction.givenLabels.length === 0)
          assert.equal(
            isExactAmount(transaction, judged.amount),
            !judged.labels.includes('underpaid') && !judged.labels.includes('overpaid'),
          );
      }),
    );
  });

  test('another block never moves a transaction back', () => {
    const order = ['failed', 'pending', 'approved_required', 'waiting', 'complete'];
    fc.assert(
      fc.property(
        anyTransaction,
        fc.array(anyPayment, { minLength: 1, maxLength: 4 }),
        fc.nat(200),
        (transaction, payments, now) => {
          const deeper = payments.map((each) => ({
            ...each,
            confirmations: each.confirmations === null ? null : each.confirmations + 1,
          }));
          const [before, after] = [
            evaluateInvoice(transaction, payments, now),
            evaluateInvoice(transaction, deeper, now),
          ];
          assert.ok(order.indexOf(after.status) >= order.indexOf(before.status));
          assert.ok(after.amountCredited >= before.amountCredited);
        },
      ),
    );
  });
});
