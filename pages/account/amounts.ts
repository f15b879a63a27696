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
