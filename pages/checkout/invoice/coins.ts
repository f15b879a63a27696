import type { InvoicePageState } from '../../../src/api/invoice-page.ts';
import type { AmountPart } from '../elements/payment-summary.ts';

/*
 * Coin amounts are formatted as in wallets, in every language: all digits with a decimal point, followed by the
 * currency code. They are isolated, so that their order is kept in right-to-left text (UAX #9, isolates). `Intl`
 * supports neither four-letter codes nor eighteen decimals.
 */

const ISOLATE_START = '\u2066';
const ISOLATE_END = '\u2069';
const NO_BREAK_SPACE = '\u00a0';

/** Parts of `0.0015 BTC`. */
export function coinParts(amount: string, { coin }: Pick<InvoicePageState, 'coin'>): AmountPart[] {
  return [
    { type: 'literal', value: ISOLATE_START },
    { type: 'integer', value: amount },
    { type: 'literal', value: NO_BREAK_SPACE },
    { type: 'currency', value: coin.code.toUpperCase() },
    { type: 'literal', value: ISOLATE_END },
  ];
}

export function formatCoins(amount: string, state: Pick<InvoicePageState, 'coin'>): string {
  return coinParts(amount, state)
    .map(({ value }) => value)
    .join('');
}
