import { type CurrencyCode, minorUnitsOf } from '../../api/currency.ts';

/**
 * Decimals of Hyperswitch's amounts (its code: `Currency::is_zero_decimal_currency` and
 * `is_three_decimal_currency`; every other currency has two). They equal ISO 4217 in our catalog.
 */
export const hyperswitchDecimals: Readonly<Record<CurrencyCode, number>> = {
  ARS: 2,
  AUD: 2,
  BDT: 2,
  BRL: 2,
  EUR: 2,
  IDR: 2,
  INR: 2,
  KES: 2,
  MXN: 2,
  MYR: 2,
  NGN: 2,
  NZD: 2,
  PHP: 2,
  THB: 2,
  USD: 2,
  VND: 0,
};

/** Converts an amount to Hyperswitch's minor units. */
export function toHyperswitchAmount(amountMinor: bigint, currency: CurrencyCode): number {
  return Number(rescale(amountMinor, minorUnitsOf(currency), hyperswitchDecimals[currency]));
}

/** Converts an amount from Hyperswitch's minor units. */
export function fromHyperswitchAmount(amount: number | bigint, currency: CurrencyCode): bigint {
  return rescale(BigInt(amount), hyperswitchDecimals[currency], minorUnitsOf(currency));
}

function rescale(amount: bigint, from: number, to: number): bigint {
  if (to >= from) return amount * 10n ** BigInt(to - from);
  const factor = 10n ** BigInt(from - to);
  if (amount % factor !== 0n) throw new Error(`The amount has more than ${to} decimals`);
  return amount / factor;
}
