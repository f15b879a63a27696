import { z } from 'zod';
import { type CryptoCurrencyCode, cryptoCurrencies } from '../shared/crypto-currency.ts';
import { formatMinor } from '../shared/money.ts';

/*
 * Crypto amounts are whole numbers of the currency's smallest unit (satoshi, wei), as strings of decimal digits: a JSON
 * number has 16 significant digits, and wei need more.
 */

/** Number of decimal digits of the largest 256-bit number. */
const MAX_DIGITS = 78;

const decimalForm = /^[0-9]{1,78}(?:\.[0-9]{0,78})?(?:e[+-]?[0-9]{1,3})?$/i;

/**
 * A positive amount in the smallest unit, as text. `createInvoiceRequest` reports any other amount, with its conversion
 * from whole coins.
 */
export const smallestUnitText = z
  .string()
  .regex(/^[1-9][0-9]{0,77}$/, {
    error: `must be a whole number of the currency's smallest unit: digits only, at most ${MAX_DIGITS}, not beginning with 0`,
  })
  .meta({ pattern: '^[1-9][0-9]{0,77}$', examples: ['150000'] });

/** Converts an amount to whole coins without trailing zeros: `150000` satoshi are `0.0015`. */
export function toCoins(amount: bigint, code: CryptoCurrencyCode): string {
  const text = formatMinor(amount, cryptoCurrencies[code].decimals);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/**
 * Converts a decimal number of whole coins to the smallest unit, to explain the error to callers that sent `0.0015`
 * instead of satoshi; null if it is not a number, or has more decimals than the currency.
 */
export function fromCoins(text: string, code: CryptoCurrencyCode): bigint | null {
  if (!decimalForm.test(text)) return null;
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = cryptoCurrencies[code].decimals - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  if (shift >= 0) return shift > 2 * MAX_DIGITS ? null : digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return digits % divisor === 0n ? digits / divisor : null;
}
