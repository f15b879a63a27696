import { iso31661, iso31661Alpha2ToAlpha3, iso31661Alpha3ToAlpha2 } from 'iso-3166';
import { z } from 'zod';

/** Every assigned ISO 3166-1 alpha-2 code, in alphabetical order. */
export const countryCodes: readonly string[] = iso31661.map((country) => country.alpha2).toSorted();

/** ISO 3166-1 alpha-2 (`TH`), as in a card submission. */
export const countryAlpha2 = z
  .string()
  .refine((code) => Object.hasOwn(iso31661Alpha2ToAlpha3, code), {
    error: 'must be an ISO 3166-1 country code of two capital letters, such as TH',
    params: { code: 'unknown_country' },
  })
  .meta({ id: 'CountryAlpha2', description: 'ISO 3166-1 alpha-2', enum: countryCodes });

/**
 * ISO 3166-1 alpha-3 (`THA`), as in a transaction. `NZD` stands for New Zealand in the published catalog's country
 * column and is read as `NZL`.
 */
export const countryAlpha3 = z
  .string()
  .transform((code) => (code === 'NZD' ? 'NZL' : code))
  .refine((code) => Object.hasOwn(iso31661Alpha3ToAlpha2, code), {
    error: 'must be an ISO 3166-1 country code of three capital letters, such as THA',
    params: { code: 'unknown_country' },
  })
  .meta({
    id: 'CountryAlpha3',
    description: 'ISO 3166-1 alpha-3; NZD is read as NZL',
    enum: [...iso31661.map((country) => country.alpha3), 'NZD'].toSorted(),
  });

/** The alpha-3 code for an alpha-2 code; other text is returned unchanged. */
export function toAlpha3(code: string): string {
  return Object.hasOwn(iso31661Alpha2ToAlpha3, code) ? (iso31661Alpha2ToAlpha3[code] ?? code) : code;
}

/** The alpha-2 code for an alpha-2 or alpha-3 code (case-insensitive), or null if there is no such country. */
export function toAlpha2(code: string): string | null {
  const upper = code.toUpperCase();
  if (Object.hasOwn(iso31661Alpha2ToAlpha3, upper)) return upper;
  if (Object.hasOwn(iso31661Alpha3ToAlpha2, upper)) return iso31661Alpha3ToAlpha2[upper] ?? null;
  return null;
}
