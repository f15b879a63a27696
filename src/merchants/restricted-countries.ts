import { toAlpha2 } from '../contract/country.ts';
import type { Database } from '../platform/database/database.ts';
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
