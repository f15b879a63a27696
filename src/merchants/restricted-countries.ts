import type { Runner } from '../database/engine.ts';
import { toAlpha2 } from '../api/country.ts';
import { Problem } from '../api/problem-error.ts';
import { defaultOf } from './preferences/keys.ts';
import { parseCountryList } from './preferences/values.ts';
import type { StoredValue } from './preferences/values.ts';
import { readPreferences } from './preferences/store.ts';

/**
 * Whether a merchant does not take payers who are in `country` (alpha-2): because it is on the list,
 * or because nobody knows the country and the merchant lets none in that is unknown.
 */
export async function isRestricted(database: Runner, merchantId: number, country: string | null): Promise<boolean> {
  return refuses(await readPreferences(database, merchantId, restrictionKeys), country);
}

export const restrictionKeys = ['restricted-country-list', 'unknown-country'] as const;

/** The same by the values of those settings. */
export function refuses(
  { 'restricted-country-list': list, 'unknown-country': unknown }: Partial<Record<string, StoredValue>>,
  country: string | null,
): boolean {
  if (country === null) return (unknown ?? defaultOf('unknown-country')) === 'refuse';
  if (typeof list !== 'string') return false;
  return (parseCountryList(list) ?? []).some((code) => toAlpha2(code) === country);
}

/** Refuses a payer who is in a country that the merchant does not take. */
export async function requireSupportedCountry(
  database: Runner,
  merchantId: number,
  country: string | null,
): Promise<void> {
  if (!(await isRestricted(database, merchantId, country))) return;
  const detail =
    country === null
      ? 'This shop takes payments from known countries only, and the country of this address is not known; nothing was charged.'
      : `Payments from ${country} are not supported by this shop; nothing was charged.`;
  throw new Problem('country_not_supported', detail);
}
