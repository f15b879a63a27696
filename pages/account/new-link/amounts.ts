import type { CurrencyCode } from '../../../src/shared/currencies.ts';
import { maximumAmountOf, minorUnitsOf } from '../../../src/shared/currencies.ts';
import { decimalSeparator } from '../../../src/shared/amount-input.ts';
import { splitFee } from '../../../src/shared/fees.ts';
import { formatMinor, parseAmount } from '../../../src/shared/money.ts';

export type AmountError = 'missing' | 'not_a_number' | 'not_positive' | 'too_many_decimals' | 'too_large';

/**
 * Parses an amount with a decimal comma or point. Returns the error if it is not an amount of the currency. With three
 * digits after it, a separator could also group thousands: it must be the decimal separator of the user's `locale`, or
 * follow a zero.
 */
export function parseAmountInput(input: string, currency: CurrencyCode, locale: string): number | AmountError {
  const text = input.replace(/\s/g, '');
  if (text === '') return 'missing';
  const [, whole, separator, fraction = ''] = /^(\d+)(?:([.,])(\d*))?$/.exec(text) ?? [];
  if (whole === undefined) return 'not_a_number';
  if (fraction.length > minorUnitsOf(currency)) return 'too_many_decimals';
  if (fraction.length === 3 && !/^0+$/.test(whole) && separator !== decimalSeparator(locale)) return 'not_a_number';
  if (whole.replace(/^0+/, '').length + fraction.length > 15) return 'too_large';
  const amount = Number(`${whole}.${fraction || '0'}`);
  const minor = parseAmount(amount, minorUnitsOf(currency));
  if (typeof minor !== 'bigint') return minor;
  return amount > maximumAmountOf(currency) ? 'too_large' : amount;
}

/** Fee of a method: a fixed amount in the currency, and a percentage. */
export interface Fee {
  fix: number;
  percent: number;
}

/** Amount that the buyer pays, and the merchant's net amount. */
export interface Split {
  buyerPays: string;
  netAmount: string;
}

/** Adds the fee to the amount or deducts it; null for a fee that the currency cannot express. */
export function splitAmount(
  amount: number,
  currency: CurrencyCode,
  { fix, percent }: Fee,
  isFeeOnTop: boolean,
): Split | null {
  const units = minorUnitsOf(currency);
  const minor = parseAmount(amount, units);
  // A percentage with four decimals is a number of millionths.
  const [fixedMinor, millionths] = [toMinorOrZero(fix, units), toMinorOrZero(percent, 4)];
  if (typeof minor !== 'bigint' || fixedMinor === null || millionths === null) return null;
  const fee = { fixedMinor, percentMillionths: Number(millionths) };
  const feeCalculation = isFeeOnTop ? 'forward_with_fee' : 'forward_without_fee';
  const split = splitFee({ amountMinor: minor, currency, feeCalculation }, fee);
  return { buyerPays: formatMinor(split.chargedMinor, units), netAmount: formatMinor(split.netMinor, units) };
}

/** Amount that the buyer pays; null for an invalid amount. Without a known fee, the amount itself. */
export function amountToPay(
  amount: number | AmountError,
  currency: CurrencyCode,
  fee: Fee | null,
  isFeeOnTop: boolean,
): string | number | null {
  if (typeof amount === 'string') return null;
  return (fee && splitAmount(amount, currency, fee, isFeeOnTop)?.buyerPays) ?? amount;
}

function toMinorOrZero(value: number, units: number): bigint | null {
  if (value === 0) return 0n;
  const minor = parseAmount(value, units);
  return typeof minor === 'bigint' ? minor : null;
}
