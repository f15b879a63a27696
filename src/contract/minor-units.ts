/** ISO 4217 codes that a payment can be made in, with their number of decimals. */
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
