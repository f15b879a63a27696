import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js';
import { iso31661Alpha3ToAlpha2 } from 'iso-3166/1-a3-to-1-a2.js';
import type { Format } from '../format.ts';

/** A country's name by its code of three letters, as the API writes it. */
export function countryName(alpha3: string, format: Format): string {
  const alpha2 = iso31661Alpha3ToAlpha2[alpha3];
  return alpha2 === undefined ? alpha3 : format.country(alpha2);
}

/** All of them by name, in the reader's order. */
export function namedCountries(format: Format): { code: string; name: string }[] {
  return Object.entries(iso31661Alpha2ToAlpha3)
    .map(([alpha2, code]) => ({ code, name: format.country(alpha2) }))
    .sort((one, other) => one.name.localeCompare(other.name));
}
