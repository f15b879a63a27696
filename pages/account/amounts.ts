import { minorUnitsOf } from '../../src/shared/minor-units.ts';
import { decimalSeparator, parseAmountText } from '../../src/shared/amount-input.ts';
import { formatMinor, parseAmount } from '../../src/shared/money.ts';

/** Converts an amount of the API to minor units, without rounding. */
export function toMinor(amount: number, currency: string): bigint {
  const minor = parseAmount(amount, minorUnitsOf(currency));
  return typeof minor === 'bigint' ? minor : 0n;
}

/** Formats an exact decimal for `Format.money`. */
export function amountText(minor: bigint, currency: string): string {
  return formatMinor(minor, minorUnitsOf(currency));
}

/** An amount as a user of `locale` types it, without groups: `12,50`. */
export function typedAmountText(minor: bigint, currency: string, locale: string): string {
  return amountText(minor, currency).replace('.', decimalSeparator(locale));
}

/**
 * Parses user input such as `12.50`, `12,50` or `1 250`; null if it is not an amount of the currency. `1,250` groups
 * thousands where `locale` has a decimal point. With three decimals it is not accepted: it could be either.
 */
export function parseTypedAmount(text: string, currency: string, locale: string): bigint | null {
  const decimals = minorUnitsOf(currency);
  const [, separator] = /^[1-9]\d{0,2}([.,])\d{3}$/.exec(text.trim()) ?? [];
  if (decimals === 3 && separator !== undefined && separator !== decimalSeparator(locale)) return null;
  return parseAmountText(text, decimals, locale);
}
