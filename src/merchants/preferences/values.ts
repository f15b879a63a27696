import { toAlpha2 } from '../../api/country.ts';
import { cryptoCurrencies, type CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import { isNameableOrigin } from '../../api/embedding.ts';
import { displayNameProblem, hasControlCharacter, httpUrlProblem } from '../../api/text.ts';
import type { Environment } from '../../system/settings.ts';
import { isLoopbackHost, isPrivateHost } from '../../http/address.ts';

/** A preference's value in its key's own type. */
export type StoredValue = boolean | number | string;

/** What a key's reader makes of a value: the value in the key's own type, or what is allowed instead. */
export type Reading = { value: StoredValue } | { problem: string };

/** What values of a key are, and how far they may go. */
export type ValueType =
  | { type: 'boolean' }
  | { type: 'integer'; minimum: number; maximum: number }
  | { type: 'decimal'; minimum: number; maximum: number }
  /** A whole number of a currency's smallest unit; a string, since wei do not fit a JSON number. */
  | { type: 'amount'; code: CryptoCurrencyCode }
  | { type: 'choice'; choices: readonly string[] }
  | { type: 'text'; max_length: number }
  /** An address of the currency's chain; which are, the chain that is set up knows. */
  | { type: 'address'; code: CryptoCurrencyCode; max_length: number }
  | { type: 'url' }
  | { type: 'country_list' }
  | { type: 'origin_list' }
  | { type: 'colour' };

/** What a value means for a key of this type. Lists are kept as a string that holds a JSON array. */
export function readValue(kind: ValueType, given: StoredValue | readonly string[], environment: Environment): Reading {
  const isList = kind.type === 'country_list' || kind.type === 'origin_list';
  if (typeof given === 'object' && !isList) return no('must not be a list');
  const value = typeof given === 'object' ? JSON.stringify(given) : given;
  switch (kind.type) {
    case 'boolean':
      return truth(value);
    case 'integer':
      return wholeNumber(kind, value);
    case 'decimal':
      return decimalNumber(kind, value);
    case 'amount':
      return smallestUnits(kind.code, value);
    case 'choice':
      return oneOf(kind.choices, value);
    case 'text':
      return name(kind.max_length, value);
    case 'address':
      return line(kind.max_length, value);
    case 'url':
      return webAddress(value, environment);
    case 'country_list':
      return countryList(value);
    case 'origin_list':
      return originList(value);
    case 'colour':
      return colour(value);
  }
}

const ok = (value: StoredValue): Reading => ({ value });
const no = (problem: string): Reading => ({ problem });

function truth(value: StoredValue): Reading {
  if (value === true || value === 'true') return ok(true);
  if (value === false || value === 'false') return ok(false);
  return no('must be true or false');
}

interface Range {
  minimum: number;
  maximum: number;
}

function wholeNumber({ minimum, maximum }: Range, value: StoredValue): Reading {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  const fits = typeof number === 'number' && Number.isInteger(number) && number >= minimum && number <= maximum;
  return fits ? ok(number) : no(`must be a whole number from ${minimum} to ${maximum}`);
}

function decimalNumber({ minimum, maximum }: Range, value: StoredValue): Reading {
  const number = typeof value === 'string' && /^\d{1,12}(\.\d{1,8})?$/.test(value) ? Number(value) : value;
  const fits =
    typeof number === 'number' && number >= minimum && number <= maximum && Number(number.toFixed(8)) === number;
  return fits ? ok(number) : no(`must be a number from ${minimum} to ${maximum}, with at most 8 decimals`);
}

function smallestUnits(code: CryptoCurrencyCode, value: StoredValue): Reading {
  const digits = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  const most = cryptoCurrencies[code].mostUnits;
  if (typeof digits === 'string' && /^(0|[1-9]\d{0,77})$/.test(digits) && BigInt(digits) <= most) return ok(digits);
  return no(
    `must be a whole number of the currency's smallest unit (satoshi, wei), without a point or an exponent, at most ${most}`,
  );
}

function oneOf(choices: readonly string[], value: StoredValue): Reading {
  return typeof value === 'string' && choices.includes(value) ? ok(value) : no(`must be one of: ${choices.join(', ')}`);
}

function line(max: number, value: StoredValue): Reading {
  const fits =
    typeof value === 'string' &&
    value.trim() !== '' &&
    [...value].length <= max &&
    value.isWellFormed() &&
    !hasControlCharacter(value);
  return fits ? ok(value) : no(`must be text of 1 to ${max} characters`);
}

function name(max: number, value: StoredValue): Reading {
  const read = line(max, value);
  const problem = 'value' in read ? displayNameProblem(String(read.value)) : null;
  return problem === null ? read : no(problem);
}

function webAddress(value: StoredValue, environment: Environment): Reading {
  if (typeof value !== 'string' || value.length > 2048) return no('must be a web address of at most 2048 characters');
  if (hasControlCharacter(value) || !value.isWellFormed()) return no('must be a web address');
  const problem = httpUrlProblem(value);
  if (problem) return no(problem);
  const { protocol, hostname } = new URL(value);
  const toThisMachine = isLoopbackHost(hostname);
  if (environment === 'sandbox' && toThisMachine) return ok(value);
  if (protocol !== 'https:') {
    return no(`must begin with https://${environment === 'sandbox' ? ' unless it leads to this machine' : ''}`);
  }
  if (isPrivateHost(hostname)) return no('must not lead to a private network');
  return ok(value);
}

/** A string that holds a JSON array of ISO 3166-1 codes, two or three letters; kept as it was given. */
function countryList(value: StoredValue): Reading {
  const allowed = 'must be a list of country codes, such as ["TH","VNM"]';
  if (typeof value !== 'string') return no(allowed);
  const codes = parseCountryList(value);
  if (!codes) return no(allowed);
  const unknown = codes.filter((code) => toAlpha2(code) === null);
  if (unknown.length > 0) return no(`holds codes that are no ISO 3166-1 country: ${unknown.slice(0, 5).join(', ')}`);
  return ok(value);
}

/** The codes in a country list as they were given, or null when it is no JSON array of short strings. */
export function parseCountryList(value: string): string[] | null {
  const items = parseArray(value, 500);
  return items?.every((code) => typeof code === 'string' && /^[A-Za-z]{2,3}$/.test(code)) ? (items as string[]) : null;
}

/** A JSON array of origins, as a string; kept as it was given. */
function originList(value: StoredValue): Reading {
  if (typeof value !== 'string') return no(originsAllowed);
  if (parseOriginList(value)) return ok(value);
  const wrong = parseArray(value, 100)?.find((item) => typeof item !== 'string' || !isNameableOrigin(item));
  return no(typeof wrong === 'string' ? originProblem(wrong) : originsAllowed);
}

const originsAllowed = 'must be a list of at most 100 origins, such as ["https://shop.example"]';

function originProblem(item: string): string {
  const origin = URL.canParse(item) ? new URL(item).origin : '';
  if (isNameableOrigin(origin)) return `must hold origins only: write ${origin} in place of ${item}`;
  return `${originsAllowed}; ${item} is none`;
}

/** The origins in a list as they were given, or null when it is no JSON array of origins. */
export function parseOriginList(value: string): string[] | null {
  const items = parseArray(value, 100);
  return items?.every((item) => typeof item === 'string' && isNameableOrigin(item)) ? (items as string[]) : null;
}

function parseArray(value: string, max: number): unknown[] | null {
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) && list.length <= max ? list : null;
  } catch {
    return null;
  }
}

function colour(value: StoredValue): Reading {
  return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)
    ? ok(value)
    : no('must be a colour such as #1f5f4a');
}
