import { type CurrencyCode, minorUnitsOf } from '../../api/currency.ts';
import { amountNumber, parseAmount } from '../../shared/money.ts';
import { NotSent } from '../port.ts';

/**
 * Decimals of Xendit's amounts, which are numbers of whole currency units. Xendit accepts no fractions of a rupiah or
 * dong, although ISO 4217 has two decimals for the rupiah.
 */
export const xenditDecimals: Readonly<Record<CurrencyCode, number>> = {
  ARS: 2,
  AUD: 2,
  BDT: 2,
  BRL: 2,
  EUR: 2,
  IDR: 0,
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

/** Thrown for an amount with more decimals than Xendit accepts in its currency. */
export class UnsupportedAmount extends NotSent {}

/** Converts an amount for Xendit. Throws `UnsupportedAmount`. */
export function toXenditAmount(amountMinor: bigint, currency: CurrencyCode): number {
  const decimals = minorUnitsOf(currency);
  if (amountMinor % 10n ** BigInt(decimals - xenditDecimals[currency]) !== 0n)
    throw new UnsupportedAmount(`Xendit accepts ${currency} with at most ${xenditDecimals[currency]} decimals`);
  return amountNumber(amountMinor, decimals);
}

/** Converts an amount from Xendit. Throws if it is not a positive amount of the currency. */
export function fromXenditAmount(amount: number, currency: CurrencyCode): bigint {
  const minor = parseAmount(amount, minorUnitsOf(currency));
  if (typeof minor !== 'bigint') throw new Error(`Xendit reported an amount in ${currency} that is ${minor}`);
  return minor;
}
