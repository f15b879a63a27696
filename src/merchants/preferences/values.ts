import { toAlpha2 } from '../../api/country.ts';
import { payerFields } from '../../api/payer.ts';
import { cryptoCurrencies, type CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import { isNameableOrigin } from '../../api/embedding.ts';
import { displayNameProblem, hasControlCharacter, httpUrlProblem } from '../../api/text.ts';
import type { Environment } from '../../system/settings.ts';
import { publicUrlProblem } from '../../http/address.ts';

/** A preference's value in the type of its key. */
export type StoredValue = boolean | number | string;

/** A parsed value in its key's type, or the validation error. */
export type ParsedValue = { value: StoredValue } | { problem: string };

/** The type and limits of a key's values. */
export type ValueType =
  | { type: 'boolean' }
  | { type: 'integer'; minimum: number; maximum: number }
  | { type: 'decimal'; minimum: number; maximum: number }
  /** An integer in a currency's smallest unit; a string, because wei exceed a JSON number. */
  | { type: 'amount'; code: CryptoCurrencyCode }
  | { type: 'choice'; choices: readonly string[] }
  | { type: 'text'; max_length: number }
  /** An address on the currency's chain, which the connected chain validates. */
  | { type: 'address'; code: CryptoCurrencyCode; max_length: number }
  | { type: 'url' }
  | { type: 'contact' }
  | { type: 'country_list' }
  | { type: 'origin_list' }
  | { type: 'color' };

/** Parses a value by its key's type. Lists are stored as a JSON array in a string. */
export function parseValue(
  kind: ValueType,
  input: StoredValue | readonly string[],
  environment: Environment,
): ParsedValue {
  const isList = kind.type === 'country_list' || kind.type === 'origin_list';
  if (typeof input === 'object' && !isList) return invalid('must not be a list');
  const value = typeof input === 'object' ? JSON.stringify(input) : input;
  switch (kind.type) {
    case 'boolean':
      return parseBoolean(value);
    case 'integer':
      return parseInteger(kind, value);
    case 'decimal':
      return parseDecimal(kind, value);
    case 'amount':
      return parseAmount(kind.code, value);
    case 'choice':
      return parseChoice(kind.choices, value);
    case 'text':
      return parseName(kind.max_length, value);
    case 'address':
      return parseLine(kind.max_length, value);
    case 'url':
      return parseUrl(value, environment);
    case 'contact':
      return parseContact(value, environment);
    case 'country_list':
      return validateCountryList(value);
    case 'origin_list':
      return validateOriginList(value);
    case 'color':
      return parseColor(value);
  }
}

const valid = (value: StoredValue): ParsedValue => ({ value });
const invalid = (problem: string): ParsedValue => ({ problem });

function parseBoolean(value: StoredValue): ParsedValue {
  if (value === true || value === 'true') return valid(true);
  if (value === false || value === 'false') return valid(false);
  return invalid('must be true or false');
}

interface Range {
  minimum: number;
  maximum: number;
}

function parseInteger({ minimum, maximum }: Range, value: StoredValue): ParsedValue {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  const fits = typeof number === 'number' && Number.isInteger(number) && number >= minimum && number <= maximum;
  return fits ? valid(number) : invalid(`must be an integer from ${minimum} to ${maximum}`);
}

function parseDecimal({ minimum, maximum }: Range, value: StoredValue): ParsedValue {
  const number = typeof value === 'string' && /^\d{1,13}(\.\d{1,8})?$/.test(value) ? Number(value) : value;
  const fits =
    typeof number === 'number' && number >= minimum && number <= maximum && Number(number.toFixed(8)) === number;
  return fits ? valid(number) : invalid(`must be a number from ${minimum} to ${maximum}, with at most 8 decimals`);
}

function parseAmount(code: CryptoCurrencyCode, value: StoredValue): ParsedValue {
  const digits = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  const max = cryptoCurrencies[code].maxUnits;
  if (typeof digits === 'string' && /^(0|[1-9]\d{0,77})$/.test(digits) && BigInt(digits) <= max) return valid(digits);
  return invalid(`must be an integer in the currency's smallest unit (satoshi, wei), at most ${max}`);
}

function parseChoice(choices: readonly string[], value: StoredValue): ParsedValue {
  return typeof value === 'string' && choices.includes(value)
    ? valid(value)
    : invalid(`must be one of: ${choices.join(', ')}`);
}

function parseLine(max: number, value: StoredValue): ParsedValue {
  const fits =
    typeof value === 'string' &&
    value.trim() !== '' &&
    [...value].length <= max &&
    value.isWellFormed() &&
    !hasControlCharacter(value);
  return fits ? valid(value) : invalid(`must be text of 1 to ${max} characters`);
}

function parseName(max: number, value: StoredValue): ParsedValue {
  const parsed = parseLine(max, value);
  const problem = 'value' in parsed ? displayNameProblem(String(parsed.value)) : null;
  return problem === null ? parsed : invalid(problem);
}

function parseUrl(value: StoredValue, environment: Environment): ParsedValue {
  if (typeof value !== 'string' || value.length > 2048) return invalid('must be a URL of at most 2048 characters');
  if (hasControlCharacter(value) || !value.isWellFormed()) return invalid('must be a URL');
  const problem = httpUrlProblem(value) ?? publicUrlProblem(new URL(value), environment === 'sandbox');
  return problem === null ? valid(value) : invalid(problem);
}

/** A contact for buyers: an email address, a phone number or a URL. */
function parseContact(value: StoredValue, environment: Environment): ParsedValue {
  if (typeof value === 'string' && /^https?:/i.test(value)) return parseUrl(value, environment);
  const { email, phone } = payerFields;
  const isContact = email.safeParse(value).success || phone.safeParse(value).success;
  return isContact ? valid(value) : invalid('must be an email address, a phone number or a URL');
}

/** A JSON array of ISO 3166-1 codes of two or three letters, as a string; stored unchanged. */
function validateCountryList(value: StoredValue): ParsedValue {
  const allowed = 'must be a list of country codes, such as ["TH","VNM"]';
  if (typeof value !== 'string') return invalid(allowed);
  const codes = parseCountryList(value);
  if (!codes) return invalid(allowed);
  const unknownCodes = codes.filter((code) => toAlpha2(code) === null);
  if (unknownCodes.length > 0)
    return invalid(`contains invalid ISO 3166-1 country codes: ${unknownCodes.slice(0, 5).join(', ')}`);
  return valid(value);
}

/** Parses a country list; null if it is not a JSON array of two- or three-letter codes. */
export function parseCountryList(value: string): string[] | null {
  const items = parseArray(value, 500);
  return items?.every((code) => typeof code === 'string' && /^[A-Za-z]{2,3}$/.test(code)) ? (items as string[]) : null;
}

/** A JSON array of origins, as a string; stored unchanged. */
function validateOriginList(value: StoredValue): ParsedValue {
  if (typeof value !== 'string') return invalid(originsAllowed);
  if (parseOriginList(value)) return valid(value);
  const invalidItem = parseArray(value, 100)?.find((item) => typeof item !== 'string' || !isNameableOrigin(item));
  return invalid(typeof invalidItem === 'string' ? originProblem(invalidItem) : originsAllowed);
}

const originsAllowed = 'must be a list of at most 100 origins, such as ["https://shop.example"]';

function originProblem(item: string): string {
  const origin = URL.canParse(item) ? new URL(item).origin : '';
  if (isNameableOrigin(origin)) return `must contain only origins: use ${origin} instead of ${item}`;
  return `${originsAllowed}; ${item} is not an origin`;
}

/** Parses an origin list; null if it is not a JSON array of origins. */
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

function parseColor(value: StoredValue): ParsedValue {
  return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)
    ? valid(value)
    : invalid('must be a color such as #1f5f4a');
}
