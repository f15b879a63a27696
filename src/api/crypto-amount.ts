import { z } from 'zod';
import { type CryptoCurrencyCode, cryptoCurrencies } from '../shared/crypto-currency.ts';
import { formatMinor } from '../shared/money.ts';

/*
 * Money on a chain is a whole number of the currency's smallest unit (satoshi, wei, a token's own), written
 * in decimal digits, never as a JSON number: a double carries sixteen digits, and wei need more.
 */

/** As many digits as the largest number of 256 bits has. */
const MOST_DIGITS = 78;

const decimalForm = /^[0-9]{1,78}(?:\.[0-9]{0,78})?(?:e[+-]?[0-9]{1,3})?$/i;

/**
 * A positive amount in the smallest unit, as text. Whether a point or an exponent was a mistake of units is
 * said by `amountInCoins`, which knows the currency.
 */
export const smallestUnitText = z
  .string()
  .regex(/^[1-9][0-9]{0,77}$/, {
    error: `must be a whole number of the currency's smallest unit: digits only, at most ${MOST_DIGITS}, not beginning with 0`,
  })
  .meta({ pattern: '^[1-9][0-9]{0,77}$', examples: ['150000'] });

/** The whole coins that an amount is, without zeros at the end: `150000` satoshi are `0.0015`. */
export function inCoins(amount: bigint, code: CryptoCurrencyCode): string {
  const text = formatMinor(amount, cryptoCurrencies[code].decimals);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/**
 * The smallest units that a decimal number of whole coins means, for whoever wrote `0.0015` where satoshi
 * are asked for; null when it is none, or has more decimals than the currency.
 */
export function fromCoins(text: string, code: CryptoCurrencyCode): bigint | null {
  if (!decimalForm.test(text)) return null;
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = cryptoCurrencies[code].decimals - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  if (shift >= 0) return shift > 2 * MOST_DIGITS ? null : digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return digits % divisor === 0n ? digits / divisor : null;
}
