import { type CurrencyCode, currencyCodes, minorUnitsOf } from '../../api/currency.ts';
import { InvalidRequest } from '../port.ts';

/** An amount in Adyen's format: `value` in Adyen's own minor units. */
export interface AdyenAmount {
  currency: string;
  value: number;
}

/** Our currencies that Adyen's page "Currency codes and minor units" does not list. */
const unlisted: readonly CurrencyCode[] = [
  ...(['AFN', 'BIF', 'BTN', 'CDF', 'ERN', 'LRD', 'LSL', 'MGA', 'SDG', 'SSP', 'TJS', 'TMT', 'VES'] as const),
  ...(['XCG', 'ZWG'] as const),
];

/** Currencies that Adyen accepts. */
export const adyenCurrencies = currencyCodes.filter((code) => !unlisted.includes(code));

/** Decimals where Adyen differs from ISO 4217 (the same page: "differs from standard"). */
const differingDecimals: Partial<Record<CurrencyCode, number>> = { CLP: 2, CVE: 0, IDR: 0, ISK: 2 };

/** Decimals of a currency at Adyen. */
export function adyenDecimals(currency: CurrencyCode): number {
  return differingDecimals[currency] ?? minorUnitsOf(currency);
}

/** Amount increments, in our minor units, in currencies for which Adyen has fewer decimals. */
export const adyenIncrements: Partial<Record<CurrencyCode, bigint>> = { CVE: 100n, IDR: 100n };

/** Thrown for an amount that Adyen cannot express in its currency. */
export class UnsupportedAmount extends InvalidRequest {}

/** Converts an amount for Adyen. Throws `UnsupportedAmount`. */
export function toAdyenAmount(amountMinor: bigint, currency: CurrencyCode): AdyenAmount {
  if (unlisted.includes(currency)) throw new UnsupportedAmount(`Adyen does not accept ${currency}`);
  const value = rescale(amountMinor, minorUnitsOf(currency), adyenDecimals(currency));
  if (value === null)
    throw new UnsupportedAmount(`Adyen accepts ${currency} with at most ${adyenDecimals(currency)} decimals`);
  return { currency, value: Number(value) };
}

/** Converts an amount from Adyen; null in an unknown currency, or if it is not a whole number of our minor units. */
export function fromAdyenAmount({ currency, value }: AdyenAmount): {
  amountMinor: bigint;
  currency: CurrencyCode;
} | null {
  const code = adyenCurrencies.find((each) => each === currency);
  const amountMinor = code && rescale(BigInt(value), adyenDecimals(code), minorUnitsOf(code));
  return code && amountMinor !== undefined && amountMinor !== null ? { amountMinor, currency: code } : null;
}

/** Like `fromAdyenAmount`, rounded up to our minor unit: for amounts that a bank has converted, such as disputes. */
export function fromAdyenAmountRoundedUp({ currency, value }: AdyenAmount): ReturnType<typeof fromAdyenAmount> {
  const code = adyenCurrencies.find((each) => each === currency);
  const step = 10 ** Math.max(0, code ? adyenDecimals(code) - minorUnitsOf(code) : 0);
  return fromAdyenAmount({ currency, value: Math.ceil(value / step) * step });
}

/** Converts between numbers of decimals; null if digits would be lost. */
function rescale(amount: bigint, from: number, to: number): bigint | null {
  if (to >= from) return amount * 10n ** BigInt(to - from);
  const factor = 10n ** BigInt(from - to);
  return amount % factor === 0n ? amount / factor : null;
}
