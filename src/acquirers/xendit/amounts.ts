import { type CurrencyCode, minorUnitsOf } from '../../api/currency.ts';
import { amountNumber, parseAmount } from '../../shared/money.ts';
import { InvalidRequest } from '../port.ts';

/** Currencies of payment requests (field `currency` of Xendit's page "Create a payment request"). */
export const xenditCurrencies = [
  ...(['AUD', 'EUR', 'GBP', 'HKD', 'IDR', 'JPY', 'MXN', 'MYR', 'PHP', 'SGD', 'THB', 'USD', 'VND'] as const),
] satisfies CurrencyCode[];

/**
 * Decimals of Xendit's amounts, which are numbers in major units. Xendit accepts no fractions of a rupiah,
 * although ISO 4217 has two decimals for it.
 */
export function xenditDecimals(currency: CurrencyCode): number {
  return currency === 'IDR' ? 0 : minorUnitsOf(currency);
}

/** Amount increments, in our minor units, in currencies for which Xendit has fewer decimals. */
export const xenditIncrements: Partial<Record<CurrencyCode, bigint>> = { IDR: 100n };

/** Thrown for an amount with more decimals than Xendit accepts in its currency. */
export class UnsupportedAmount extends InvalidRequest {}

/** Converts an amount for Xendit. Throws `UnsupportedAmount`. */
export function toXenditAmount(amountMinor: bigint, currency: CurrencyCode): number {
  if (!xenditCurrencies.some((each) => each === currency))
    throw new UnsupportedAmount(`Xendit does not accept ${currency}`);
  if (amountMinor % (xenditIncrements[currency] ?? 1n) !== 0n)
    throw new UnsupportedAmount(`Xendit accepts ${currency} with at most ${xenditDecimals(currency)} decimals`);
  return amountNumber(amountMinor, minorUnitsOf(currency));
}

/** Converts an amount from Xendit. Throws if it is not a positive amount of the currency. */
export function fromXenditAmount(amount: number, currency: CurrencyCode): bigint {
  const minor = parseAmount(amount, minorUnitsOf(currency));
  if (typeof minor !== 'bigint') throw new Error(`Xendit reported an amount in ${currency} that is ${minor}`);
  return minor;
}
