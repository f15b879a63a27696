import { db, type FiatTransaction, type PaymentRefund, refundRecord } from '../schema.ts';
import { minorUnitsOf } from '../../api/currency.ts';
import { amountProblemTexts } from '../../api/fiat-transaction.ts';
import { parseAmount } from '../../shared/money.ts';
import { type Instant, SECOND } from '../../shared/time.ts';
import type { UnitOfWork } from '../../database/database.ts';
import { Problem, validationProblem } from '../../api/problem-error.ts';
import { randomId } from '../../system/random.ts';
import { type RelatedRecords, readRelatedRecords } from '../related-records.ts';
import type { PaymentsContext } from '../context.ts';
import { filterByRequest, sumRefunds } from './store.ts';
import { findById, lockTransaction } from '../store.ts';
import { formatAmount, outOfBandText } from '../review/timeline-text.ts';
import { executeRefund, recordRefundEvent, setRefundedAmount } from './outcome.ts';

/** The refund job polls a refund after this time, in case its process died. Longer than any call's timeout. */
const STALE_REFUND_AFTER: Instant = 35 * SECOND;

/** A charge or push payment, and its refundable amount. */
interface RefundSource {
  source: 'card' | 'push';
  chargeKey: string;
  accountKey: string;
  refundableMinor: bigint;
}

/** Options of a refund. */
export interface RefundOptions {
  /** In the currency's decimals. Default: the full refundable amount. */
  amount?: number | undefined;
  /** True when the merchant has refunded the buyer outside the service: no acquirer is called. */
  isOutOfBand: boolean;
  /** Idempotency key, to resume an interrupted request. */
  requestName: string | null;
}

/**
 * Refunds a transaction through the acquirers that received the funds, the largest amount first. Refunds are stored
 * before the acquirer is called, with an idempotency key each. They may still be pending on return.
 */
export async function refundTransaction(
  context: PaymentsContext,
  transaction: FiatTransaction,
  { amount, isOutOfBand, requestName }: RefundOptions,
): Promise<FiatTransaction> {
  const amountMinor = amount === undefined ? null : parseRefundAmount(amount, transaction);
  const refunds = await context.database.inTransaction(async (unit) => {
    const locked = await lockTransaction(unit, transaction.merchantId, transaction.id);
    const related = await readRelatedRecords(unit, locked);
    const existing = filterByRequest(related.refunds, requestName);
    if (existing.length > 0) return existing;
    if (locked.status === 'pending' || locked.status === 'waiting')
      throw new Problem(
        'not_refundable',
        locked.receivedMinor > 0n
          ? 'The payment is still open. Accept or reject the received amount, or wait until it expires.'
          : 'No payment has been received.',
      );
    const inserted = await insertRefunds(context, unit, { locked, related, amountMinor, isOutOfBand, requestName });
    if (isOutOfBand)
      await recordRefundEvent(context, unit, inserted.transaction, outOfBandText(inserted.refunds, locked));
    return inserted.refunds;
  });
  await Promise.all(refunds.map((refund) => executeRefund(context, refund, transaction)));
  return (await findById(context.database, transaction.merchantId, transaction.id)) ?? transaction;
}

function parseRefundAmount(amount: number, { currency }: FiatTransaction): bigint {
  const minor = parseAmount(amount, minorUnitsOf(currency));
  if (typeof minor === 'bigint') return minor;
  const detail = amountProblemTexts[minor] + (minor === 'too_many_decimals' ? ` ${currency} has` : '');
  throw validationProblem([{ pointer: '/amount', code: minor, detail }]);
}

/** Inserts refunds of an amount, or of the full refundable amount, without calling acquirers. */
export async function insertRefunds(
  context: PaymentsContext,
  unit: UnitOfWork,
  request: {
    locked: FiatTransaction;
    related: RelatedRecords;
    amountMinor: bigint | null;
    isOutOfBand: boolean;
    requestName: string | null;
  },
): Promise<{ refunds: PaymentRefund[]; transaction: FiatTransaction }> {
  const { locked, related, isOutOfBand, requestName } = request;
  const { refunds } = related;
  const sources = listRefundSources(related);
  const refundableMinor = sources.reduce((sum, source) => sum + source.refundableMinor, 0n);
  const amountMinor = request.amountMinor ?? refundableMinor;
  if (refundableMinor === 0n) {
    const detail =
      locked.receivedMinor === 0n ? 'No payment has been received.' : 'The payment is already fully refunded.';
    throw new Problem('not_refundable', detail);
  }
  if (amountMinor > refundableMinor)
    throw new Problem('not_refundable', `At most ${formatAmount(refundableMinor, locked)} can be refunded.`);

  const now = context.clock.now();
  const inserted: PaymentRefund[] = [];
  let remainingMinor = amountMinor;
  for (const source of sources) {
    const partMinor = source.refundableMinor < remainingMinor ? source.refundableMinor : remainingMinor;
    if (partMinor === 0n) break;
    remainingMinor -= partMinor;
    const row = await db(unit)
      .insertInto('refunds')
      .values(
        refundRecord.write({
          merchantId: locked.merchantId,
          transactionId: locked.id,
          number: refunds.length + inserted.length + 1,
          refundKey: randomId(context.random),
          requestName,
          source: source.source,
          chargeKey: source.chargeKey,
          accountKey: source.accountKey,
          acquirerReference: null,
          amountMinor: partMinor,
          state: isOutOfBand ? 'succeeded' : 'pending',
          failureCode: null,
          failureDetail: null,
          isOutOfBand,
          checksMade: 0,
          nextCheckAt: isOutOfBand ? null : now + STALE_REFUND_AFTER,
          createdAt: now,
          updatedAt: now,
        }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    inserted.push(refundRecord.read(row));
  }
  return { refunds: inserted, transaction: await setRefundedAmount(unit, locked, locked.refundedMinor + amountMinor) };
}

/** Lists charges and push payments with a refundable amount, the largest first. */
function listRefundSources({ attempts, instructions, receipts, refunds }: RelatedRecords): RefundSource[] {
  const refundableOf = (chargeKey: string, receivedMinor: bigint) =>
    receivedMinor - sumRefunds(refunds.filter((refund) => refund.chargeKey === chargeKey));
  const cards = attempts
    .filter(({ state }) => state === 'approved')
    .map(({ attemptKey, accountKey, amountMinor }) => ({
      source: 'card' as const,
      chargeKey: attemptKey,
      accountKey,
      refundableMinor: refundableOf(attemptKey, amountMinor),
    }));
  const pushes = instructions.map(({ instructionsKey, accountKey, number }) => {
    const ownReceipts = receipts.filter(({ instructionsNumber }) => instructionsNumber === number);
    const receivedMinor = ownReceipts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    return {
      source: 'push' as const,
      chargeKey: instructionsKey,
      accountKey,
      refundableMinor: refundableOf(instructionsKey, receivedMinor),
    };
  });
  return [...cards, ...pushes]
    .filter(({ refundableMinor }) => refundableMinor > 0n)
    .toSorted((a, b) => (a.refundableMinor === b.refundableMinor ? 0 : a.refundableMinor > b.refundableMinor ? -1 : 1));
}
