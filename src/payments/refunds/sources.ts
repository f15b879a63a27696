import type { AcquirerAccount, Acquirers } from '../../acquirers/registry.ts';
import { findCapability } from '../../acquirers/registry.ts';
import type { MethodCapability } from '../../acquirers/adapter.ts';
import type { refundErrorCodes } from '../../api/fiat-transaction.ts';
import { Problem } from '../../api/problem-error.ts';
import { findPaymentMethod } from '../../methods/catalog.ts';
import type { RelatedRecords } from '../related-records.ts';
import { formatAmount } from '../review/timeline-text.ts';
import type { CardAttempt, CardAuthorization, FiatTransaction } from '../schema.ts';
import { sumRefunds } from './store.ts';

type RefundErrorCode = (typeof refundErrorCodes)[number];

/** A charge or push payment, and its refundable amount. */
export interface RefundSource {
  source: 'card' | 'push';
  chargeKey: string;
  accountKey: string;
  refundableMinor: bigint;
  /** Null if the account that received the payment can refund it. */
  errorCode: RefundErrorCode | null;
  /** True if the acquirer refunds the payment only in full. */
  isFullOnly: boolean;
}

/** The refunds that a transaction's acquirers can issue. */
export interface RefundOptions {
  maximumMinor: bigint;
  /** True if every amount up to the maximum can be refunded. */
  isPartialPossible: boolean;
  /** Null if the acquirers can refund everything. */
  errorCode: RefundErrorCode | null;
}

type Payment = Pick<FiatTransaction, 'merchantId' | 'country' | 'currency'>;

/** Finds the capability of an account for a payment that it has received; null if it declares none. */
export function capabilityOf(
  account: AcquirerAccount,
  { merchantId, country, currency }: Payment,
  paymentMethod: string,
): MethodCapability | null {
  const method = findPaymentMethod(paymentMethod);
  return method ? findCapability(account, { merchantId, method, country, currency }) : null;
}

/** Lists charges and push payments with a refundable amount, the largest first. */
export function listRefundSources(
  acquirers: Acquirers,
  payment: Payment,
  { attempts, authorizations, instructions, receipts, refunds }: RelatedRecords,
): RefundSource[] {
  const toSource = (
    source: RefundSource['source'],
    { chargeKey, accountKey, paymentMethod }: { chargeKey: string; accountKey: string; paymentMethod: string },
    receivedMinor: bigint,
  ): RefundSource => {
    const refundableMinor = receivedMinor - sumRefunds(refunds.filter((refund) => refund.chargeKey === chargeKey));
    const account = acquirers.find(accountKey);
    const capability = account?.[source] ? capabilityOf(account, payment, paymentMethod) : null;
    const isFullOnly = capability?.refunds === 'full';
    const errorCode = !account?.[source]
      ? 'acquirer_account_missing'
      : capability === null || capability.refunds === 'none'
        ? 'refund_not_supported'
        : isFullOnly && refundableMinor !== receivedMinor
          ? 'partial_refund_not_supported'
          : null;
    return { source, chargeKey, accountKey, refundableMinor, errorCode, isFullOnly };
  };
  const cards = attempts
    .filter(({ state }) => state === 'approved')
    .map((attempt) =>
      toSource('card', { ...attempt, chargeKey: attempt.attemptKey }, capturedAmount(attempt, authorizations)),
    );
  const pushPayments = instructions.map((each) => {
    const ownReceipts = receipts.filter(({ instructionsNumber }) => instructionsNumber === each.number);
    const receivedMinor = ownReceipts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    return toSource('push', { ...each, chargeKey: each.instructionsKey }, receivedMinor);
  });
  return [...cards, ...pushPayments]
    .filter(({ refundableMinor }) => refundableMinor > 0n)
    .toSorted((a, b) => (a.refundableMinor === b.refundableMinor ? 0 : a.refundableMinor > b.refundableMinor ? -1 : 1));
}

/** The captured amount of an approved attempt: all of it, unless it was only authorized. */
function capturedAmount(
  { attemptKey, amountMinor }: CardAttempt,
  authorizations: readonly CardAuthorization[],
): bigint {
  const authorization = authorizations.find((each) => each.attemptKey === attemptKey);
  if (!authorization) return amountMinor;
  return authorization.status === 'captured' ? authorization.capturedMinor : 0n;
}

/** Returns the refunds that the acquirers of these sources can issue. */
export function refundOptions(sources: readonly RefundSource[]): RefundOptions {
  const possible = sources.filter(({ errorCode }) => errorCode === null);
  return {
    maximumMinor: sumOf(possible),
    isPartialPossible: possible.length > 0 && possible.every(({ isFullOnly }) => !isFullOnly),
    errorCode: sources.find(({ errorCode }) => errorCode !== null)?.errorCode ?? null,
  };
}

/** A source, and the part of a refund that it pays. */
export type RefundPart = RefundSource & { partMinor: bigint };

/**
 * Divides an amount among sources: those refundable only in full first, then the largest. Null is the full amount. A
 * refund through an acquirer is limited by its capabilities; an out-of-band refund is not. Throws a `Problem` with the
 * reason for an amount that cannot be refunded.
 */
export function divideRefund(
  sources: readonly RefundSource[],
  requestedMinor: bigint | null,
  { isOutOfBand, transaction }: { isOutOfBand: boolean; transaction: FiatTransaction },
): RefundPart[] {
  const refundableMinor = sumOf(sources);
  const amountMinor = requestedMinor ?? refundableMinor;
  if (refundableMinor === 0n)
    throw new Problem(
      'not_refundable',
      transaction.receivedMinor === 0n ? 'No payment has been received.' : 'The payment is already fully refunded.',
    );
  if (amountMinor > refundableMinor)
    throw new Problem('not_refundable', `At most ${formatAmount(refundableMinor, transaction)} can be refunded.`);
  if (isOutOfBand)
    return allocate(
      sources.map((source) => ({ ...source, isFullOnly: false })),
      amountMinor,
    ).parts;

  const { maximumMinor, errorCode } = refundOptions(sources);
  if (amountMinor > maximumMinor) throw refundProblem(errorCode ?? 'refund_not_supported', maximumMinor, transaction);
  const possible = sources.filter((source) => source.errorCode === null);
  // Payments that are refunded only in full first: the others can complete any amount.
  const ordered = [...possible.filter(({ isFullOnly }) => isFullOnly), ...possible.filter((each) => !each.isFullOnly)];
  const { parts, remainingMinor } = allocate(ordered, amountMinor);
  if (remainingMinor > 0n) throw refundProblem('partial_refund_not_supported', maximumMinor, transaction);
  return parts;
}

function allocate(
  sources: readonly RefundSource[],
  amountMinor: bigint,
): { parts: RefundPart[]; remainingMinor: bigint } {
  let remainingMinor = amountMinor;
  const parts: RefundPart[] = [];
  for (const source of sources) {
    const { refundableMinor, isFullOnly } = source;
    const partMinor = refundableMinor < remainingMinor ? refundableMinor : remainingMinor;
    if (partMinor === 0n || (isFullOnly && partMinor < refundableMinor)) continue;
    remainingMinor -= partMinor;
    parts.push({ ...source, partMinor });
  }
  return { parts, remainingMinor };
}

const refundErrorTexts: Readonly<Record<RefundErrorCode, string>> = {
  refund_not_supported: 'The acquirer does not refund payments by this method.',
  partial_refund_not_supported: 'The acquirer refunds this payment only in full.',
  acquirer_account_missing: 'The acquirer account that received the payment is not set up.',
};

function refundProblem(errorCode: RefundErrorCode, maximumMinor: bigint, transaction: FiatTransaction): Problem {
  const possible =
    maximumMinor === 0n
      ? 'Refund it another way, and record it with out_of_band.'
      : `It can refund ${formatAmount(maximumMinor, transaction)}.`;
  return new Problem(errorCode, `${refundErrorTexts[errorCode]} ${possible}`);
}

function sumOf(sources: readonly RefundSource[]): bigint {
  return sources.reduce((sum, { refundableMinor }) => sum + refundableMinor, 0n);
}
