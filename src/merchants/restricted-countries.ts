import { toAlpha2 } from '../contract/country.ts';
import type { Database } from '../platform/database/database.ts';
import { Problem } from '../platform/problem.ts';
import { parseCountryList } from './preferences/keys.ts';
import { readPreferences } from './preferences/store.ts';

/** Whether a merchant does not take payers who are in `country` (alpha-2). A country that nobody knows is let in. */
export async function isRestricted(
  database: Pick<Database, 'query'>,
  merchantId: number,
  country: string | null,
): Promise<boolean> {
  if (country === null) return false;
  const { 'restricted-country-list': list } = await readPreferences(database, merchantId, ['restricted-country-list']);
  if (typeof list !== 'string') return false;
  return (parseCountryList(list) ?? []).some((code) => toAlpha2(code) === country);
}

/** Refuses a payer who is in a country that the merchant does not take. */
export async function requireSupportedCountry(
  database: Pick<Database, 'query'>,
  merchantId: number,
  country: string | null,
): Promise<void> {
  if (!(await isRestricted(database, merchantId, country))) return;
  throw new Problem(
    'country_not_supported',
    `Payments from ${country ?? 'this country'} are not supported by this shop; nothing was charged.`,
  );
}
