import { cryptoCurrencyCodes } from '../../contract/crypto-currency.ts';
import { toAlpha2 } from '../../contract/country.ts';
import { currencyCodes } from '../../contract/currency.ts';
import { isNameableOrigin } from '../../contract/embedding.ts';
import { hasControlCharacter, httpUrlProblem } from '../../contract/text.ts';
import type { Environment } from '../../platform/config.ts';
import { isLoopbackHost, isPrivateHost } from '../../platform/http/address.ts';

/** A preference's value in its key's own type. */
export type StoredValue = boolean | number | string;

/** What a key's reader makes of a value: the value in the key's own type, or what is allowed instead. */
export type Reading = { value: StoredValue } | { problem: string };

export interface KeyRule {
  /** Set by the service's managers only; (M) in the published table. */
  managerOnly: boolean;
  read(value: StoredValue, environment: Environment): Reading;
}

const ok = (value: StoredValue): Reading => ({ value });
const no = (problem: string): Reading => ({ problem });

function truth(value: StoredValue): Reading {
  if (value === true || value === 'true') return ok(true);
  if (value === false || value === 'false') return ok(false);
  return no('must be true or false');
}

function wholeNumber(min: number, max: number) {
  return (value: StoredValue): Reading => {
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    const fits = typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max;
    return fits ? ok(number) : no(`must be a whole number from ${min} to ${max}`);
  };
}

function decimalNumber(min: number, max: number) {
  return (value: StoredValue): Reading => {
    const number = typeof value === 'string' && /^\d{1,12}(\.\d{1,8})?$/.test(value) ? Number(value) : value;
    const fits = typeof number === 'number' && number >= min && number <= max;
    return fits ? ok(number) : no(`must be a number from ${min} to ${max}`);
  };
}

/** A whole number of a currency's smallest unit; a string, since wei do not fit a JSON number. */
function smallestUnits(value: StoredValue): Reading {
  const digits = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof digits === 'string' && /^(0|[1-9]\d{0,77})$/.test(digits)) return ok(digits);
  return no("must be a whole number of the currency's smallest unit (satoshi, wei), without a point or an exponent");
}

function oneOf(values: readonly string[]) {
  return (value: StoredValue): Reading =>
    typeof value === 'string' && values.includes(value) ? ok(value) : no(`must be one of: ${values.join(', ')}`);
}

function line(max: number) {
  return (value: StoredValue): Reading => {
    const fits =
      typeof value === 'string' &&
      value.trim() !== '' &&
      [...value].length <= max &&
      value.isWellFormed() &&
      !hasControlCharacter(value);
    return fits ? ok(value) : no(`must be text of 1 to ${max} characters`);
  };
}

function callbackUrl(value: StoredValue, environment: Environment): Reading {
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

function webAddress(value: StoredValue, environment: Environment): Reading {
  return callbackUrl(value, environment);
}

/** A string that holds a JSON array of ISO 3166-1 codes, two or three letters; kept as it was given. */
function countryList(value: StoredValue): Reading {
  const allowed = 'must be a string that holds a JSON array of country codes, such as ["TH","VNM"]';
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
  const allowed = 'must be a string that holds a JSON array of origins, such as ["https://shop.example"]';
  return typeof value === 'string' && parseOriginList(value) ? ok(value) : no(allowed);
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

const merchant = (read: KeyRule['read']): KeyRule => ({ managerOnly: false, read });
const manager = (read: KeyRule['read']): KeyRule => ({ managerOnly: true, read });

const fixedKeys: Readonly<Record<string, KeyRule>> = {
  'callback-url': merchant(callbackUrl),
  'new-tx-manual-approve': merchant(truth),
  'tx-manual-auto-approve': merchant(truth),
  'auto-withdrawal': merchant(truth),
  'default-invoice-type': merchant(oneOf(['static', 'revolver', 'user'])),
  'restricted-country-list': merchant(countryList),
  'unknown-country': merchant(oneOf(['allow', 'refuse'])),
  'additional-currency': merchant(oneOf(currencyCodes)),
  'wallet-reuse-delay-minutes': merchant(wholeNumber(0, 525_600)),
  'embed-origin-list': merchant(originList),
  'brand-name': merchant(line(60)),
  'brand-color': merchant(colour),
  'brand-logo-url': merchant(webAddress),
  'link-lifetime-minutes': merchant(wholeNumber(1, 525_600)),
};

const perCurrencyKeys: Readonly<Record<string, KeyRule>> = {
  'auto-withdrawal-destination': merchant(line(128)),
  'max-fee-limit-auto-withdrawal': merchant(decimalNumber(0, 1e12)),
  'min-confirmation': manager(wholeNumber(0, 1000)),
  'min-amount': manager(smallestUnits),
  'processing-fee': manager(decimalNumber(0, 100)),
  'wallet-rotate-amount': merchant(smallestUnits),
  'payment-tolerance-percent': manager(decimalNumber(0, 100)),
};

/** Every key there is, `{CODE}` written out for each cryptocurrency that is set up. */
export const preferenceKeys: ReadonlyMap<string, KeyRule> = new Map([
  ...Object.entries(fixedKeys),
  ...Object.entries(perCurrencyKeys).flatMap(([key, rule]) =>
    cryptoCurrencyCodes.map((code): [string, KeyRule] => [`${key}-${code}`, rule]),
  ),
]);
