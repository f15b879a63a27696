/*
 * Map of this folder: `refund.ts` stores requested refunds, `sources.ts` divides an amount among the received
 * payments, and `outcome.ts` calls the acquirers and applies their outcomes. `store.ts` has the queries. Reasons:
 * docs/decisions/one-entry-point.md.
 */

import { db, type FiatTransaction, type PaymentRefund, refundRecord } from '../schema.ts';
import { minorUnitsOf } from '../../api/currency.ts';
import { amountProblemTexts } from '../../api/fiat-transaction.ts';
import { parseAmount } from '../../shared/money.ts';
import { type Instant, SECOND } from '../../shared/time.ts';
import type { UnitOfWork } from '../../database/database.ts';
import { Problem, validationProblem } from '../../api/problem-error.ts';
import { randomId } from '../../system/random.ts';
import { type RelatedRecords, readRelatedRecords } from '../related-records.ts';
import { emailRefund } from '../emails.ts';
import type { PaymentsContext } from '../context.ts';
import { divideRefund, listRefundSources } from './sources.ts';
import { filterByRequest } from './store.ts';
import { findById, lockTransaction } from '../store.ts';
import { outOfBandText } from '../review/timeline-text.ts';
import { executeRefund, recordRefundEvent, setRefundedAmount } from './outcome.ts';

/** The refund job polls a refund after this time, in case its process died. Longer than any call's timeout. */
const STALE_REFUND_AFTER: Instant = 35 * SECOND;

/** A request to refund a transaction. */
export interface RefundCommand {
  /** In major units. Default: the full refundable amount. */
  amount?: number | undefined;
  /** True when the merchant has refunded the buyer outside the service: no acquirer is called. */
  isOutOfBand: boolean;
  /** Idempotency key, to resume an interrupted request. */
  requestName: string | null;
}

/**
 * Refunds a transaction through the acquirers that received the funds. Refunds are stored
 * before the acquirer is called, with an idempotency key each. They may still be pending on return. Also returns their
 * numbers: an amount received in several payments is refunded to each of them.
 */
export async function refundTransaction(
  context: PaymentsContext,
  transaction: FiatTransaction,
  { amount, isOutOfBand, requestName }: RefundCommand,
): Promise<{ refunded: FiatTransaction; numbers: number[] }> {
  const amountMinor = amount === undefined ? null : parseTransactionAmount(amount, transaction);
  const refunds = await context.database.inTransaction(async (unit) => {
    const locked = await lockTransaction(unit, transaction.merchantId, transaction.id);
    const related = await readRelatedRecords(unit, locked);
    const existing = filterByRequest(related.refunds, requestName);
    if (existing.length > 0) return requireSameRefund(existing, amountMinor, isOutOfBand);
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
  const refunded = (await findById(context.database, transaction.merchantId, transaction.id)) ?? transaction;
  return { refunded, numbers: refunds.map(({ number }) => number) };
}

/** Throws a `Problem` if a key is used for another refund after its first response was deleted. */
function requireSameRefund(
  existing: readonly PaymentRefund[],
  amountMinor: bigint | null,
  isOutOfBand: boolean,
): readonly PaymentRefund[] {
  const requestedMinor = existing.reduce((sum, refund) => sum + refund.amountMinor, 0n);
  const isSame = amountMinor === null || amountMinor === requestedMinor;
  if (isSame && existing.every((refund) => refund.isOutOfBand === isOutOfBand)) return existing;
  throw new Problem(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another refund of this transaction. Use a new key.',
  );
}

/** Parses an amount in a transaction's currency; throws a `Problem` for an invalid one. */
export function parseTransactionAmount(amount: number, { currency }: FiatTransaction): bigint {
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
  const sources = listRefundSources(context.acquirers, locked, related);
  const parts = divideRefund(sources, request.amountMinor, { isOutOfBand, transaction: locked });
  const now = context.clock.now();
  const inserted: PaymentRefund[] = [];
  for (const { source, chargeKey, accountKey, partMinor } of parts) {
    const row = await db(unit)
      .insertInto('refunds')
      .values(
        refundRecord.write({
          merchantId: locked.merchantId,
          transactionId: locked.id,
          number: refunds.length + inserted.length + 1,
          refundKey: randomId(context.random),
          requestName,
          ...{ source, chargeKey, accountKey },
          acquirerReference: null,
          amountMinor: partMinor,
          state: isOutOfBand ? 'succeeded' : 'pending',
          failureCode: null,
          failureDetail: null,
          reportedAt: null,
          isOutOfBand,
          checksMade: 0,
          nextCheckAt: isOutOfBand ? null : now + STALE_REFUND_AFTER,
          createdAt: now,
          updatedAt: now,
        }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    const refund = refundRecord.read(row);
    inserted.push(refund);
    if (isOutOfBand) await emailRefund(context, unit, locked, refund);
  }
  const amountMinor = parts.reduce((sum, { partMinor }) => sum + partMinor, 0n);
  const changed = { ...locked, updatedAt: now };
  return { refunds: inserted, transaction: await setRefundedAmount(unit, changed, locked.refundedMinor + amountMinor) };
}
