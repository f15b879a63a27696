// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type NewDeposit,
  type AttributionRules,
  attributeDeposit,
  type CandidateInvoice,
  type ReceivingWallet,
} from '../../src/invoices/attribute.ts';
import { invoiceTypes } from '../../src/shared/crypto-status.ts';

const newDeposit: NewDeposit = { code: 'btc', amount: 1000n, seenAt: 50 };
const wallet: ReceivingWallet = { type: 'static', code: 'btc', isRetired: false, isReused: false };
const rules: AttributionRules = { reviewAll: false, acceptUnmatched: false, minAmount: 0n };
const candidate = (id: number, change: Partial<CandidateInvoice> = {}): CandidateInvoice => ({
  id,
  amountRequired: 1000n,
  tolerance: 0n,
  expiresAt: 100,
  received: 'nothing',
  ...change,
});
const unidentified = (intendedFor: number | null, labels: string[] = [], isAccepted = false) => ({
  kind: 'unidentified',
  intendedFor,
  labels,
  isAccepted,
});
const to = (id: number, isAccepted: boolean) => ({ kind: 'invoice', id, isAccepted });

describe('attribution of a new deposit', () => {
  const revolver = { type: 'revolver' } as const;
  const user = { type: 'user' } as const;
  const reused = { ...user, isReused: true };
  const openEnded = { amountRequired: null, expiresAt: null };
  const cases: [
    string,
    Partial<ReceivingWallet>,
    Partial<NewDeposit>,
    CandidateInvoice[],
    Partial<AttributionRules>,
    object,
  ][] = [
    ['to a retired wallet', { isRetired: true }, {}, [candidate(1)], { acceptUnmatched: true }, { kind: 'stray' }],
    [
      'static: the amount of exactly one invoice',
      {},
      {},
      [candidate(1), candidate(2, { amountRequired: 999n })],
      {},
      to(1, true),
    ],
    ['static: the amount of no invoice', {}, { amount: 998n }, [candidate(1)], {}, unidentified(null)],
    ['static: the amount of two invoices', {}, {}, [candidate(1), candidate(2)], {}, unidentified(null)],
    [
      'static: two within their tolerance',
      {},
      {},
      [candidate(1), candidate(2, { amountRequired: 1001n, tolerance: 1n })],
      {},
      unidentified(null),
    ],
    [
      'static: the amount of an open and an expired invoice',
      {},
      {},
      [candidate(1), candidate(2, { expiresAt: 10 })],
      {},
      unidentified(null),
    ],
    ['static: the amount of an expired invoice', {}, {}, [candidate(2, { expiresAt: 10 })], {}, to(2, false)],
    ['static: paid twice', {}, {}, [candidate(1, { received: 'accepted' })], {}, unidentified(1, ['duplicate'])],
    ['static: at the last moment', {}, { seenAt: 100 }, [candidate(1)], {}, to(1, true)],
    ['static: no invoice at all', {}, {}, [], {}, unidentified(null)],
    [
      'static: no match, with unmatched deposits accepted',
      {},
      {},
      [],
      { acceptUnmatched: true },
      unidentified(null, [], true),
    ],
    [
      'static: no match, with review of everything',
      {},
      {},
      [],
      { acceptUnmatched: true, reviewAll: true },
      unidentified(null),
    ],
    ['static: exact, with review of everything', {}, {}, [candidate(1)], { reviewAll: true }, to(1, false)],
    ['revolver: exact', revolver, {}, [candidate(1)], {}, to(1, true)],
    ['revolver: less', revolver, { amount: 3n }, [candidate(1)], {}, to(1, false)],
    [
      'revolver: less, with unmatched deposits accepted',
      revolver,
      { amount: 3n },
      [candidate(1)],
      { acceptUnmatched: true },
      to(1, true),
    ],
    [
      'revolver: less at a reused wallet, with unmatched deposits accepted',
      { ...revolver, isReused: true },
      { amount: 3n },
      [candidate(1)],
      { acceptUnmatched: true },
      to(1, false),
    ],
    ['revolver: exact at a reused wallet', { ...revolver, isReused: true }, {}, [candidate(1)], {}, to(1, true)],
    [
      'revolver: the remainder',
      revolver,
      { amount: 600n },
      [candidate(1, { received: 'unaccepted' })],
      {},
      to(1, false),
    ],
    [
      'revolver: the full amount after a part',
      revolver,
      {},
      [candidate(1, { received: 'unaccepted' })],
      {},
      to(1, false),
    ],
    ['revolver: twice', revolver, {}, [candidate(1, { received: 'accepted' })], {}, unidentified(1, ['duplicate'])],
    [
      'revolver: more after the full amount',
      revolver,
      { amount: 5n },
      [candidate(1, { received: 'accepted' })],
      {},
      unidentified(1, ['duplicate']),
    ],
    ['revolver: late', revolver, { seenAt: 101 }, [candidate(1)], {}, to(1, false)],
    ['revolver: a free wallet', revolver, {}, [], {}, unidentified(null)],
    ['user: any amount', user, { amount: 7n }, [candidate(1, openEnded)], { minAmount: 7n }, to(1, true)],
    ['user: again', user, { amount: 7n }, [candidate(1, { ...openEnded, received: 'accepted' })], {}, to(1, true)],
    [
      'user: below the minimum',
      user,
      { amount: 6n },
      [candidate(1, openEnded)],
      { minAmount: 7n },
      unidentified(1, ['below_minimum']),
    ],
    [
      'user: below the minimum, with unmatched deposits accepted',
      user,
      { amount: 6n },
      [candidate(1, openEnded)],
      { minAmount: 7n, acceptUnmatched: true },
      to(1, true),
    ],
    ['user: no candidate', user, {}, [], {}, unidentified(null)],
    ['user: exact, at a reused address', reused, {}, [candidate(1)], {}, to(1, true)],
    [
      'user: exact, at a reused address, with review of everything',
      reused,
      {},
      [candidate(1)],
      { reviewAll: true },
      to(1, false),
    ],
    [
      'user: less, at a reused address, with unmatched deposits accepted',
      reused,
      { amount: 999n },
      [candidate(1)],
      { acceptUnmatched: true },
      to(1, false),
    ],
    [
      'user: exact, at a reused address, after a partial payment',
      reused,
      {},
      [candidate(1, { received: 'unaccepted' })],
      {},
      to(1, false),
    ],
    [
      'user: a second payment, at a reused wallet without an expiry',
      reused,
      { amount: 7n },
      [candidate(1, { ...openEnded, received: 'accepted' })],
      {},
      to(1, true),
    ],
    ['static: exact, without an expiry', {}, {}, [candidate(1, { expiresAt: null })], {}, to(1, true)],
    ['user: part of a payment link', user, { amount: 6n }, [candidate(1)], { minAmount: 7n }, to(1, true)],
    ['of another currency', {}, { code: 'usdt' }, [candidate(1)], {}, unidentified(null, ['wrong_wallet'])],
  ];
  for (const [name, ofWallet, of, candidates, set, expected] of cases)
    test(name, () => {
      assert.deepEqual(
        attributeDeposit({ ...newDeposit, ...of }, { ...wallet, ...ofWallet }, candidates, { ...rules, ...set }),
        expected,
      );
    });

  test('accepts a deposit without review only if it is exact, in time, the first, and unambiguous', () => {
    fc.assert(
      fc.property(
        fc.record({ amount: fc.bigInt({ min: 1n, max: 6n }), seenAt: fc.nat(9) }),
        fc.constantFrom(...invoiceTypes.filter((type) => type !== 'user')),
        fc.array(
          fc.record({
            amountRequired: fc.bigInt({ min: 1n, max: 6n }),
            tolerance: fc.bigInt({ min: 0n, max: 1n }),
            expiresAt: fc.nat(9),
            received: fc.constantFrom('nothing', 'unaccepted', 'accepted'),
          }),
          { maxLength: 4 },
        ),
        fc.boolean(),
        (of, type, some, reviewAll) => {
          // The wallet of a revolver has one open invoice.
          const candidates = some.slice(0, type === 'revolver' ? 1 : 4).map((each, id) => ({ ...each, id }));
          const attribution = attributeDeposit({ ...newDeposit, ...of }, { ...wallet, type }, candidates, {
            ...rules,
            reviewAll,
          });
          if (attribution.kind === 'stray' || !attribution.isAccepted) return;
          assert.equal(attribution.kind, 'invoice');
          assert.equal(reviewAll, false);
          const fits = ({ amountRequired, tolerance }: CandidateInvoice) =>
            of.amount >= (amountRequired ?? 0n) - tolerance && of.amount <= (amountRequired ?? 0n) + tolerance;
          const intended = candidates.filter(fits);
          assert.equal(intended.length, 1);
          assert.equal(intended[0]?.id, attribution.kind === 'invoice' ? attribution.id : null);
          assert.equal(intended[0]?.received, 'nothing');
          assert.ok(of.seenAt <= (intended[0]?.expiresAt ?? 0));
        },
      ),
      { numRuns: 500 },
    );
  });
});
