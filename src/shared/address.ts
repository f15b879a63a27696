import { addressTable } from './address-table.ts';

/** A field of a postal address, named as in a card submission. */
type AddressField = 'address' | 'city' | 'state' | 'postcode';

/** A required field of a country's addresses; `label` is the key of a text for its local name, if that differs. */
export interface RequiredField {
  name: AddressField;
  label: string;
}

const fieldsByLetter: Readonly<Record<string, RequiredField>> = {
  A: { name: 'address', label: 'address' },
  C: { name: 'city', label: 'city' },
  S: { name: 'state', label: 'state' },
  s: { name: 'state', label: 'state_state' },
  p: { name: 'state', label: 'state_province' },
  f: { name: 'state', label: 'state_prefecture' },
  e: { name: 'state', label: 'state_emirate' },
  Z: { name: 'postcode', label: 'postcode' },
  z: { name: 'postcode', label: 'zip' },
};

/** Required fields of the addresses of each country (ISO 3166-1 alpha-2), in local order. */
const requiredByCountry = new Map<string, readonly RequiredField[]>();
for (const [letters, codes] of Object.entries(addressTable)) {
  const fields = [...letters].flatMap((letter) => fieldsByLetter[letter] ?? []);
  for (const code of codes.match(/../g) ?? []) requiredByCountry.set(code, fields);
}

/** ISO 3166-1 alpha-2 codes of all countries. */
export const addressCountries: readonly string[] = [...requiredByCountry.keys()];

/** Required fields of a country's addresses, in local order; none for an unknown country. */
export function requiredAddressFields(country: string): readonly RequiredField[] {
  return requiredByCountry.get(country) ?? [];
}

/** Countries of the languages that write the family name first (Unicode CLDR, `nameOrderLocales`). */
const familyNameFirst = /CN|HK|HU|JP|KP|KR|MO|TW|VN/;

export function isFamilyNameFirst(country: string): boolean {
  return familyNameFirst.test(country);
}
