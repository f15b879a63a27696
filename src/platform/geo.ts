import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type CountryResponse, Reader } from 'mmdb-lib';
import { toAlpha2 } from '../contract/country.ts';
import { normalizeAddress } from './http/address.ts';

/** ISO 3166-1 alpha-2 of the country that an address is used in, or null when no source knows. */
export type CountryOfAddress = (address: string) => string | null;

/**
 * Looks addresses up in a database of registries and autonomous systems (CC0), inside an npm package,
 * IPv4 and IPv6 in one file.
 */
export function openCountryDatabase(): CountryOfAddress {
  const file = createRequire(import.meta.url).resolve(
    '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
  );
  const reader = new Reader<CountryResponse & { country_code?: string }>(readFileSync(file));
  return (address) => {
    const normal = normalizeAddress(address);
    const code = normal ? reader.get(normal)?.country_code : undefined;
    return code ? toAlpha2(code) : null;
  };
}
