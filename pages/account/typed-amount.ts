import { decimalSeparator } from '../../src/shared/amount-input.ts';
import { minorUnitsOf } from '../../src/shared/minor-units.ts';
import { amountText } from './amounts.ts';

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
  const compact = text.replace(/[\s\u00a0\u202f']/g, '');
  // No thousands begin with a zero.
  const [, mark] = /^[1-9]\d{0,2}([.,])\d{3}$/.exec(compact) ?? [];
  const isGroup = mark !== undefined && mark !== decimalSeparator(locale);
  if (isGroup && decimals === 3) return null;
  const [, whole, , fraction = ''] =
    /^(\d+|\d{1,3}([.,])(?:\d{2,3}\2)*\d{3})(?:[.,](\d*))?$/.exec(isGroup ? compact.replace(mark, '') : compact) ?? [];
  if (whole === undefined || fraction.length > decimals) return null;
  return BigInt(whole.replace(/[.,]/g, '') + fraction.padEnd(decimals, '0'));
}
