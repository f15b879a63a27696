/*
 * Map of this module: rules without I/O that pages and the service share. Money: `money.ts`, `currencies.ts`,
 * `fees.ts`, `rate-arithmetic.ts`. Cards: `card.ts`, `card-brands.ts`, `card-form.ts`. Crypto: `crypto-currency.ts`,
 * `chains/`. Permissions: `scopes.ts`, `roles.ts`. Messages of the card frame: `frame/`, `shape.ts`. Reasons:
 * docs/decisions/embedding.md and addresses.md.
 */

/**
 * Amounts are JSON numbers on the wire, and internally bigint minor units (ISO 4217). A double represents 15 digits
 * exactly, hence the limit.
 */
export const MAX_MINOR = 999_999_999_999_999n;

export type AmountProblem = 'not_positive' | 'too_many_decimals' | 'too_large';

/**
 * Converts a JSON number to minor units from its shortest decimal form, so that 4.35 is 435 cents and not 434.
 * Returns a problem if the currency cannot express it.
 */
export function parseAmount(amount: number, minorUnits: number): bigint | AmountProblem {
  if (!(amount > 0)) return 'not_positive';
  if (amount > Number(MAX_MINOR)) return 'too_large';
  const [mantissa = '', exponent = '0'] = String(amount).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const decimals = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  if (decimals > minorUnits) return 'too_many_decimals';
  const minor = digits * 10n ** BigInt(minorUnits - decimals);
  return minor > MAX_MINOR ? 'too_large' : minor;
}

/** `125000n` with 2 minor units is `'1250.00'`. */
export function formatMinor(minor: bigint, minorUnits: number): string {
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(minorUnits + 1, '0');
  if (minorUnits === 0) return sign + digits;
  return `${sign}${digits.slice(0, -minorUnits)}.${digits.slice(-minorUnits)}`;
}

/** The JSON number for an amount: exact, since `MAX_MINOR` keeps it within 15 digits. */
export function amountNumber(minor: bigint, minorUnits: number): number {
  return Number(formatMinor(minor, minorUnits));
}
