import type { Runner } from '../database/engine.ts';
import { toAlpha2 } from '../api/country.ts';
import { Problem } from '../api/problem-error.ts';
import { defaultPreference } from './preferences/keys.ts';
import { parseCountryList } from './preferences/values.ts';
import type { StoredValue } from './preferences/values.ts';
import { readPreferences } from './preferences/store.ts';

/**
 * The geo restriction: true if a merchant accepts no payments from `country` (alpha-2), because it is listed, or
 * unknown while the merchant blocks unknown countries.
 */
async function isRestricted(database: Runner, merchantId: number, country: string | null): Promise<boolean> {
  return evaluateRestriction(await readPreferences(database, merchantId, restrictionKeys), country);
}

export const restrictionKeys = ['restricted-country-list', 'unknown-country'] as const;

/** Evaluates the geo restriction from the values of its preferences. */
export function evaluateRestriction(
  { 'restricted-country-list': list, 'unknown-country': unknown }: Partial<Record<string, StoredValue>>,
  country: string | null,
): boolean {
  if (country === null) return (unknown ?? defaultPreference('unknown-country')) === 'refuse';
  if (typeof list !== 'string') return false;
  return (parseCountryList(list) ?? []).some((code) => toAlpha2(code) === country);
}

/**
 * Throws `country_not_supported` if the payer's country is restricted. `country` is that of the browser's IP address
 * (`http/client-address.ts`). Requests from a merchant's server are not checked: its address says nothing about the
 * payer.
 */
export async function requireSupportedCountry(
  database: Runner,
  merchantId: number,
  country: string | null,
): Promise<void> {
  if (!(await isRestricted(database, merchantId, country))) return;
  const detail =
    country === null
      ? 'This shop does not support payments from unknown countries, and your country could not be determined. Nothing was charged.'
      : `Payments from ${country} are not supported by this shop. Nothing was charged.`;
  throw new Problem('country_not_supported', detail);
}
