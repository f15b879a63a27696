import { db, type FiatTransaction, type PaymentRefund, refundRecord } from '../schema.ts';
import { minorUnitsOf } from '../../api/currency.ts';
import { amountProblemTexts } from '../../api/fiat-transaction.ts';
import { parseAmount } from '../../shared/money.ts';
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../../shared/time.ts';
import type { UnitOfWork } from '../../database/database.ts';
import type { Job } from '../../jobs/runner.ts';
import { claimDue, earliestDue } from '../../jobs/due.ts';
import { describeError } from '../../system/log.ts';
import { Problem, validationProblem } from '../../api/problem-error.ts';
import { randomId } from '../../system/random.ts';
import type { IssueRefund, RefundOutcome } from '../../acquirers/refund.ts';
import { type RelatedRecords, readRelatedRecords } from '../related-records.ts';
import { type PaymentsContext, findPushAcquirer } from '../context.ts';
import { findRefund, filterByRequest, sumRefunds, updateRefund } from './store.ts';
import { findById, lockTransaction } from '../store.ts';
import { transition } from '../transition.ts';
import { formatAmount, outOfBandText } from '../review/timeline-text.ts';

/** When a provider is asked about a refund whose process died; later than any answer can still come. */
const STALE_REFUND_AFTER: Instant = 35 * SECOND;
/** Pauses between questions about a refund that is on its way; then daily, and in the end a person must look. */
const refundPollBackoff: readonly Instant[] = [
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  6 * HOUR,
  ...Array.from({ length: 30 }, () => DAY),
];

/** One charge or expected payment by which money has come, and what of it can still go back. */
interface RefundSource {
  source: 'card' | 'push';
  chargeKey: string;
  provider: string;
  leftMinor: bigint;
}

/** What is asked for when money is to go back. */
export interface RefundOptions {
  /** In the currency's own decimals; all that is left when left out. */
  amount?: number | undefined;
  /** Whether the merchant has given it back in a way of their own, so that no provider is asked. */
  isOutOfBand: boolean;
  /** A request that was interrupted is taken up again by its name. */
  requestName: string | null;
}

/**
 * Gives money back by the way it came. It is written down before the provider is asked, under a key that the
 * provider never pays twice. Of several ways those that brought most go first. The money may still be on its
 * way when this answers.
 */
export async function refundTransaction(
  context: PaymentsContext,
  found: FiatTransaction,
  { amount, isOutOfBand, requestName }: RefundOptions,
): Promise<FiatTransaction> {
  const amountMinor = amount === undefined ? null : parseRefundAmount(amount, found);
  const begun = await context.database.inUnit(async (unit) => {
    const locked = await lockTransaction(unit, found.merchantId, found.id);
    const belongings = await readRelatedRecords(unit, locked);
    const own = filterByRequest(belongings.refunds, requestName);
    if (own.length > 0) return own;
    if (locked.status === 'pending' || locked.status === 'waiting')
      throw new Problem(
        'not_refundable',
        locked.receivedMinor > 0n
          ? 'The payment is still open: accept or reject the received amount, or wait until it ends.'
          : 'Nothing has been paid yet, so there is nothing to refund.',
      );
    const written = await insertRefunds(context, unit, { locked, belongings, amountMinor, isOutOfBand, requestName });
    if (isOutOfBand)
      await recordRefundEvent(context, unit, written.transaction, outOfBandText(written.refunds, locked));
    return written.refunds;
  });
  await Promise.all(begun.map((refund) => executeRefund(context, refund, found)));
  return (await findById(context.database, found.merchantId, found.id)) ?? found;
}

function parseRefundAmount(amount: number, { currency }: FiatTransaction): bigint {
  const minor = parseAmount(amount, minorUnitsOf(currency));
  if (typeof minor === 'bigint') return minor;
  const detail = amountProblemTexts[minor] + (minor === 'too_many_decimals' ? ` ${currency} has` : '');
  throw validationProblem([{ pointer: '/amount', code: minor, detail }]);
}

/** Writes down what goes back by which way, all that is left unless an amount is named; nobody has been asked for it yet. */
export async function insertRefunds(
  context: PaymentsContext,
  unit: UnitOfWork,
  asked: {
    locked: FiatTransaction;
    belongings: RelatedRecords;
    amountMinor: bigint | null;
    isOutOfBand: boolean;
    requestName: string | null;
  },
): Promise<{ refunds: PaymentRefund[]; transaction: FiatTransaction }> {
  const { locked, belongings, isOutOfBand, requestName } = asked;
  const { refunds } = belongings;
  const sources = listRefundSources(belongings);
  const refundableMinor = sources.reduce((sum, { leftMinor }) => sum + leftMinor, 0n);
  const amountMinor = asked.amountMinor ?? refundableMinor;
  if (refundableMinor === 0n) {
    const why = locked.receivedMinor === 0n ? 'Nothing has been paid.' : 'All that has been paid is refunded already.';
    throw new Problem('not_refundable', why);
  }
  if (amountMinor > refundableMinor)
    throw new Problem('not_refundable', `At most ${formatAmount(refundableMinor, locked)} can be refunded.`);

  const now = context.clock.now();
  const written: PaymentRefund[] = [];
  let left = amountMinor;
  for (const source of sources) {
    const part = source.leftMinor < left ? source.leftMinor : left;
    if (part === 0n) break;
    left -= part;
    const row = await db(unit)
      .insertInto('refunds')
      .values(
        refundRecord.write({
          merchantId: locked.merchantId,
          transactionId: locked.id,
          number: refunds.length + written.length + 1,
          refundKey: randomId(context.random),
          requestName,
          source: source.source,
          chargeKey: source.chargeKey,
          provider: source.provider,
          amountMinor: part,
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
    written.push(refundRecord.read(row));
  }
  return { refunds: written, transaction: await setRefundedAmount(unit, locked, locked.refundedMinor + amountMinor) };
}

async function setRefundedAmount(
  unit: UnitOfWork,
  transaction: FiatTransaction,
  refundedMinor: bigint,
): Promise<FiatTransaction> {
  await db(unit)
    .updateTable('fiat_transactions')
    .set({ amount_refunded_minor: Number(refundedMinor) })
    .where('merchant_id', '=', transaction.merchantId)
    .where('id', '=', transaction.id)
    .execute();
  return { ...transaction, refundedMinor };
}

/** Where money has come from that is not given back yet, the most first. */
function listRefundSources({ attempts, instructions, receipts, refunds }: RelatedRecords): RefundSource[] {
  const leftOf = (chargeKey: string, broughtMinor: bigint) =>
    broughtMinor - sumRefunds(refunds.filter((refund) => refund.chargeKey === chargeKey));
  const cards = attempts
    .filter(({ state }) => state === 'approved')
    .map(({ attemptKey, provider, amountMinor }) => ({
      source: 'card' as const,
      chargeKey: attemptKey,
      provider,
      leftMinor: leftOf(attemptKey, amountMinor),
    }));
  const pushes = instructions.map(({ instructionsKey, provider, number }) => {
    const brought = receipts.filter(({ instructionsNumber }) => instructionsNumber === number);
    const broughtMinor = brought.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    return {
      source: 'push' as const,
      chargeKey: instructionsKey,
      provider,
      leftMinor: leftOf(instructionsKey, broughtMinor),
    };
  });
  return [...cards, ...pushes]
    .filter(({ leftMinor }) => leftMinor > 0n)
    .toSorted((a, b) => (a.leftMinor === b.leftMinor ? 0 : a.leftMinor > b.leftMinor ? -1 : 1));
}

/** Tells of money that has gone back, or not. */
export async function recordRefundEvent(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  detail: string,
): Promise<void> {
  const { status, reason } = transaction;
  await transition(context, unit, transaction, { to: status, ...(reason && { reason }), detail });
}

/** Asks the provider for a refund, or what has become of it; one that fails is asked again later. */
export async function executeRefund(
  context: PaymentsContext,
  refund: PaymentRefund,
  { currency }: FiatTransaction,
): Promise<void> {
  if (refund.state !== 'pending') return;
  const refundMoney = acquirerRefund(context, refund);
  if (!refundMoney) return;
  const { refundKey, chargeKey, amountMinor } = refund;
  try {
    await applyRefundOutcome(context, refundKey, await refundMoney({ refundKey, chargeKey, amountMinor, currency }));
  } catch (error) {
    context.log.warn(
      { provider: refund.provider, error: describeError(error) },
      'a provider could not refund just now',
    );
  }
}

function acquirerRefund(context: PaymentsContext, { source, provider: name }: PaymentRefund): IssueRefund | null {
  if (source === 'push') {
    const provider = findPushAcquirer(context, name);
    return provider && (async (refund) => await provider.refund(refund));
  }
  const provider = context.acquirers.card;
  if (provider?.name === name) return async (refund) => await provider.refund(refund);
  context.log.error({ provider: name }, 'a refund waits for a provider that is not set up');
  return null;
}

/** The only way in which a provider's word about a refund changes anything; said twice, it changes nothing more. */
async function applyRefundOutcome(context: PaymentsContext, refundKey: string, outcome: RefundOutcome): Promise<void> {
  const known = await findRefund(context.database, refundKey);
  if (!known) throw new Error('A refund is gone');
  await context.database.inUnit(async (unit) => {
    const transaction = await lockTransaction(unit, known.merchantId, known.transactionId);
    const refund = await findRefund(unit, refundKey);
    if (refund?.state !== 'pending') return;
    const now = context.clock.now();
    if (outcome.kind === 'pending') {
      const pause = refundPollBackoff[refund.checksMade];
      if (pause === undefined)
        context.log.error({ transaction: transaction.id }, 'a refund is on its way for a month: a person must ask');
      const nextCheckAt = now + (pause ?? DAY);
      await updateRefund(unit, refund, { checksMade: refund.checksMade + 1, nextCheckAt });
      return;
    }
    const isRefused = outcome.kind === 'refused';
    await updateRefund(unit, refund, {
      state: isRefused ? 'failed' : 'succeeded',
      ...(isRefused && { failureCode: outcome.code, failureDetail: outcome.detail }),
      nextCheckAt: null,
      updatedAt: now,
    });
    const amount = formatAmount(refund.amountMinor, transaction);
    const kept = isRefused
      ? await setRefundedAmount(unit, transaction, transaction.refundedMinor - refund.amountMinor)
      : transaction;
    const detail = isRefused ? `refund of ${amount} refused: ${outcome.code}` : `${amount} refunded`;
    await recordRefundEvent(context, unit, kept, detail);
    unit.afterCommit(() => context.metrics.refunds.inc({ provider: refund.provider, outcome: outcome.kind }));
  });
}

/** Asks providers about refunds that are on their way, or whose answer was lost. */
export function createRefundJob(context: PaymentsContext): Job {
  return {
    name: 'refunds',
    due: earliestDue('refunds', 'next_check_at'),
    async round() {
      const { database, clock } = context;
      const rows = await database.inUnit(
        async (unit) => await claimDue(db, unit, { table: 'refunds', column: 'next_check_at', now: clock.now() }),
      );
      const due = rows.map(refundRecord.read);
      for (const refund of due) {
        const transaction = await findById(database, refund.merchantId, refund.transactionId);
        if (transaction) await executeRefund(context, refund, transaction);
      }
      return due.length;
    },
  };
}
