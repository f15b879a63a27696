import { iso31661Alpha2ToAlpha3, iso31661Alpha3ToAlpha2 } from 'iso-3166';
import type { CurrencyCode } from '../../../src/shared/currencies.ts';

/** Countries with ways to pay of their own, and their currency there; a test holds them to the catalogue. */
export const homeCurrencies: Readonly<Record<string, CurrencyCode>> = {
  ...{ ARG: 'ARS', AUS: 'AUD', BGD: 'BDT', BRA: 'BRL', IDN: 'IDR', IND: 'INR', KEN: 'KES', MEX: 'MXN' },
  ...{ MYS: 'MYR', NGA: 'NGN', NZL: 'NZD', PHL: 'PHP', THA: 'THB', VNM: 'VND' },
};
/** Those that there are ways to pay in everywhere. */
export const worldCurrencies: readonly CurrencyCode[] = ['USD', 'EUR'];

/** The currencies to ask about for a country, its own first. */
export function currenciesOf(country: string): CurrencyCode[] {
  const home = homeCurrencies[country];
  return [...(home === undefined ? [] : [home]), ...worldCurrencies];
}

export interface Country {
  alpha3: string;
  name: string;
}

/** Every country by its name in the reader's language. */
export function countriesByName(nameOf: (alpha2: string) => string, locale: string): Country[] {
  const countries = Object.entries(iso31661Alpha3ToAlpha2).map(([alpha3, alpha2]) => ({
    alpha3,
    name: nameOf(alpha2),
  }));
  const { compare } = new Intl.Collator(locale);
  return countries.toSorted((one, other) => compare(one.name, other.name));
}

/** Where the reader seems to be, by how their browser is set; empty where it does not say. */
export function likelyCountry(language: string): string {
  try {
    return iso31661Alpha2ToAlpha3[new Intl.Locale(language).region ?? ''] ?? '';
  } catch {
    return '';
  }
}
