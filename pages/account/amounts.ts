import { minorUnitsOf } from '../../src/shared/minor-units.ts';
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

/**
 * Parses user input such as `12.50`, `12,50` or `1 250`; null if it is not an amount of the currency. With three decimals,
 * `1,250` is not accepted, because the comma could group thousands; `0,250` is, because no thousands begin with zero.
 */
export function parseTypedAmount(text: string, currency: string): bigint | null {
  const decimals = minorUnitsOf(currency);
  const compact = text.replace(/[\s\u00a0\u202f']/g, '').replace(/^0+,/, '0.');
  if (decimals === 3 && /^[^.]*,\d{3}$/.test(compact)) return null;
  const normalized = compact.replace(/,(\d{0,2})$/, '.$1').replace(/,/g, '');
  if (!/^\d{1,15}(\.\d*)?$/.test(normalized)) return null;
  const [whole = '', fraction = ''] = normalized.split('.');
  if (fraction.replace(/0+$/, '').length > decimals) return null;
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}
