// The service's decimals: those of `Intl` differ for currencies whose fractions are out of use.
import { minorUnitsOf } from '../src/shared/minor-units.ts';

/**
 * Minor units of a decimal amount: 1250n for `12.5` USD. Rounds half up to the currency's decimals, because shops
 * compute taxes with more decimals. Throws a `RangeError` for other strings, such as `1e21`.
 */
export function toMinorUnits(amount: string | number, currency: string): bigint {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(amount)) ?? [];
  if (whole === '') throw new RangeError(`${amount} is not a decimal amount.`);
  const decimals = minorUnitsOf(currency);
  const kept = BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals));
  const rounded = (fraction[decimals] ?? '0') >= '5' ? kept + 1n : kept;
  return sign === '-' ? -rounded : rounded;
}

/** The amount as the API expects it: 12.5 for 1250n of USD. */
export function fromMinorUnits(minor: bigint, currency: string): number {
  return Number(minor) / 10 ** minorUnitsOf(currency);
}
