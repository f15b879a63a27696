import type { FiatTransaction } from '../schema.ts';
import { minorUnitsOf } from '../../api/currency.ts';
import { formatMinor } from '../../shared/money.ts';
import { amountAfterRefunds, type ReviewDecision } from '../transaction.ts';

/** Formats an amount for the timeline: `1125.00 THB`. */
export function formatAmount(minor: bigint, { currency }: Pick<FiatTransaction, 'currency'>): string {
  return `${formatMinor(minor, minorUnitsOf(currency))} ${currency}`;
}

/** Timeline text of an out-of-band refund: `125.00 THB refunded out of band`. */
export function outOfBandText(refunds: readonly { amountMinor: bigint }[], transaction: FiatTransaction): string {
  const sum = refunds.reduce((total, { amountMinor }) => total + amountMinor, 0n);
  return `${formatAmount(sum, transaction)} refunded out of band`;
}

/** Timeline text of a review: `1125.00 THB accepted: bank fee deducted`. */
export function reviewText(
  action: 'accepted' | 'rejected',
  transaction: FiatTransaction,
  { reason }: ReviewDecision,
): string {
  return `${formatAmount(amountAfterRefunds(transaction), transaction)} ${action}${reason === null ? '' : `: ${reason}`}`;
}
