import type { InvoicePageState } from '../../../src/api/invoice-page.ts';
import type { AmountPart } from '../elements/payment-summary.ts';

/*
 * Coins are written as wallets write them, in all languages alike: exact digits with a point, and the
 * currency behind them, set off so that the order stays in a line that runs the other way (UAX #9,
 * isolates). `Intl` knows neither four letters nor eighteen decimals.
 */

const ISOLATED = '\u2066';
const ISOLATE_ENDS = '\u2069';
const NO_BREAK_SPACE = '\u00a0';

/** The parts of `0.0015 BTC`. */
export function coinParts(amount: string, { coin }: Pick<InvoicePageState, 'coin'>): AmountPart[] {
  return [
    { type: 'literal', value: ISOLATED },
    { type: 'integer', value: amount },
    { type: 'literal', value: NO_BREAK_SPACE },
    { type: 'currency', value: coin.code.toUpperCase() },
    { type: 'literal', value: ISOLATE_ENDS },
  ];
}

export function inWords(amount: string, state: Pick<InvoicePageState, 'coin'>): string {
  return coinParts(amount, state)
    .map(({ value }) => value)
    .join('');
}
