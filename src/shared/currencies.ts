/** ISO 4217 codes of supported currencies, with their decimals. */
export const currencyMinorUnits = {
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
} as const;

export type CurrencyCode = keyof typeof currencyMinorUnits;

export const currencyCodes = Object.keys(currencyMinorUnits) as CurrencyCode[];

/** Decimals of a currency: 2 for USD, 0 for VND. */
export function minorUnitsOf(currency: CurrencyCode): number {
  return currencyMinorUnits[currency];
}

/** Maximum amount of a payment: the largest power of ten worth at most 50 million US dollars in 2026. */
const maximumAmounts: Readonly<Record<CurrencyCode, number>> = {
  ARS: 10_000_000_000,
  AUD: 10_000_000,
  BDT: 1_000_000_000,
  BRL: 100_000_000,
  EUR: 10_000_000,
  IDR: 100_000_000_000,
  INR: 1_000_000_000,
  KES: 1_000_000_000,
  MXN: 100_000_000,
  MYR: 100_000_000,
  NGN: 10_000_000_000,
  NZD: 10_000_000,
  PHP: 1_000_000_000,
  THB: 1_000_000_000,
  USD: 10_000_000,
  VND: 1_000_000_000_000,
};

/** Maximum amount of a payment in a currency, in whole units. */
export function maximumAmountOf(currency: CurrencyCode): number {
  return maximumAmounts[currency];
}
