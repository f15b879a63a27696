import type { PreferenceKey } from '../../../client/api.ts';
import { coinsText } from '../format.ts';
import { cryptoCurrencies, type CryptoCurrencyCode } from '../../../src/shared/crypto-currency.ts';

export type PreferenceValue = string | number | boolean | null;

/** Amounts are typed as text, and read as a number where that is exact. */
export function isSameValue(one: PreferenceValue | undefined, other: PreferenceValue | undefined): boolean {
  return one === other || (typeof one === 'string' && typeof other === 'number' && one === String(other));
}

/** One of `GET /v1/merchant/preferences/keys`. */
export type PreferenceKeyEntry = PreferenceKey;

/** Where settings stand together; those of one cryptocurrency have a group of their own. */
export const groups = {
  look: ['brand-name', 'brand-color', 'brand-logo-url'],
  links: ['link-lifetime-minutes', 'additional-currency'],
  countries: ['restricted-country-list', 'unknown-country'],
  crypto: [
    'new-tx-manual-approve',
    'tx-manual-auto-approve',
    'auto-withdrawal',
    'default-invoice-type',
    'wallet-reuse-delay-minutes',
    'callback-version',
  ],
} as const;

/** What is set where the shop's own side is set up. */
export const integrationKeys: readonly string[] = ['callback-url', 'embed-origin-list'];

const currencyKey = /^(.+)-([a-z0-9]+)$/;

/** The cryptocurrency that a key is about, and the key without it: `min-amount` and `btc` of `min-amount-btc`. */
export function splitKey(key: string): { name: string; code: CryptoCurrencyCode | null } {
  const [, name = key, code = ''] = currencyKey.exec(key) ?? [];
  return Object.hasOwn(cryptoCurrencies, code) ? { name, code: code as CryptoCurrencyCode } : { name: key, code: null };
}

/** As texts call it: `min_amount`. */
export function textKey(key: string): string {
  return splitKey(key).name.replaceAll('-', '_');
}

/** A whole number of the smallest unit in whole coins; null for other text. */
export function wholeCoins(amount: string, code: CryptoCurrencyCode): string | null {
  return /^\d{1,78}$/.test(amount) ? coinsText(BigInt(amount), code) : null;
}

/** The strings of a list that stands in a string as a JSON array; null where there is none. */
export function parseList(value: PreferenceValue): string[] {
  if (typeof value !== 'string') return [];
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}
