import type { CurrencyCode } from '../../../src/shared/currencies.ts';
import { maximumAmountOf, minorUnitsOf } from '../../../src/shared/currencies.ts';
import { splitFee } from '../../../src/shared/fees.ts';
import { formatMinor, parseAmount } from '../../../src/shared/money.ts';

export type AmountMistake = 'missing' | 'not_a_number' | 'not_positive' | 'too_many_decimals' | 'too_large';

/** What was typed as an amount, a comma or a point before its decimals; a mistake where it is none of the currency. */
export function parseAmountInput(input: string, currency: CurrencyCode): number | AmountMistake {
  const text = input.replace(/\s/g, '');
  if (text === '') return 'missing';
  const [, whole, fraction = ''] = /^(\d+)(?:[.,](\d*))?$/.exec(text) ?? [];
  if (whole === undefined) return 'not_a_number';
  if (fraction.length > minorUnitsOf(currency)) return 'too_many_decimals';
  if (whole.replace(/^0+/, '').length + fraction.length > 15) return 'too_large';
  const amount = Number(`${whole}.${fraction || '0'}`);
  const minor = parseAmount(amount, minorUnitsOf(currency));
  if (typeof minor !== 'bigint') return minor;
  return amount > maximumAmountOf(currency) ? 'too_large' : amount;
}

/** What a method costs: a fixed part in the currency's own decimals, and percent of the amount. */
export interface Fee {
  fix: number;
  percent: number;
}

/** What the buyer pays and what is left of it, in the currency's own decimals. */
export interface Split {
  buyerPays: string;
  merchantGets: string;
}

/** The fee on top of the amount, or off it; null for a fee that the currency cannot express. */
export function splitAmount(amount: number, currency: CurrencyCode, { fix, percent }: Fee, isOnTop: boolean): Split | null {
  const units = minorUnitsOf(currency);
  const minor = parseAmount(amount, units);
  // Percent with four decimals are millionths.
  const [fixMinor, millionths] = [toMinorOrZero(fix, units), toMinorOrZero(percent, 4)];
  if (typeof minor !== 'bigint' || fixMinor === null || millionths === null) return null;
  const fee = { fixMinor, percentMillionths: Number(millionths) };
  const split = splitFee(minor, fee, isOnTop ? 'forward_with_fee' : 'forward_without_fee');
  return { buyerPays: formatMinor(split.chargedMinor, units), merchantGets: formatMinor(split.deliveredMinor, units) };
}

function toMinorOrZero(value: number, units: number): bigint | null {
  if (value === 0) return 0n;
  const minor = parseAmount(value, units);
  return typeof minor === 'bigint' ? minor : null;
}
