import { minorUnitsOf } from '../contract/currency.ts';
import { formatMinor } from '../contract/money.ts';
import { type FiatTransaction, keptOf, type Verdict } from './transaction.ts';

/** An amount for a line of the timeline: `1125.00 THB`. */
export function inWords(minor: bigint, { currency }: Pick<FiatTransaction, 'currency'>): string {
  return `${formatMinor(minor, minorUnitsOf(currency))} ${currency}`;
}

/** What somebody has decided about all that is kept: `1125.00 THB accepted: a friend of the house`. */
export function decidedInWords(
  verdict: 'accepted' | 'rejected',
  transaction: FiatTransaction,
  { reason }: Verdict,
): string {
  return `${inWords(keptOf(transaction), transaction)} ${verdict}${reason === null ? '' : `: ${reason}`}`;
}
