import type { PreferenceKey } from '../../../client/api.ts';
import { coinsText } from '../format.ts';
import { cryptoCurrencies, type CryptoCurrencyCode } from '../../../src/shared/crypto-currency.ts';

export type PreferenceValue = string | number | boolean | null;

/** Compares values; an amount may be typed text or an exact number from the API. */
export function isSameValue(one: PreferenceValue | undefined, other: PreferenceValue | undefined): boolean {
  return one === other || (typeof one === 'string' && typeof other === 'number' && one === String(other));
}

/** An entry of `GET /v1/merchant/preferences/keys`. */
export type PreferenceKeyEntry = PreferenceKey;

/** Groups of settings. Each cryptocurrency has a separate group. */
export const groups = {
  links: ['link-lifetime-minutes', 'additional-currency', 'card-form-fields'],
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

/** Settings that are edited on other pages, by page. */
export const keysOfPages = {
  branding: ['brand-logo-url', 'brand-name', 'brand-color', 'support-contact', 'terms-url', 'privacy-url'],
  email: ['email-receipts', 'email-refunds', 'email-underpayments'],
  webhooks: ['callback-url'],
  integration: ['embed-origin-list'],
} as const satisfies Record<string, readonly string[]>;

const currencyKey = /^(.+)-([a-z0-9]+)$/;

/** Splits a key into name and cryptocurrency: `min-amount-btc` into `min-amount` and `btc`. */
export function splitKey(key: string): { name: string; code: CryptoCurrencyCode | null } {
  const [, name = key, code = ''] = currencyKey.exec(key) ?? [];
  return Object.hasOwn(cryptoCurrencies, code) ? { name, code: code as CryptoCurrencyCode } : { name: key, code: null };
}

/** Its locale key: `min_amount`. */
export function textKey(key: string): string {
  return splitKey(key).name.replaceAll('-', '_');
}

/** Converts a whole number of the smallest unit to coins; null for other text. */
export function wholeCoins(amount: string, code: CryptoCurrencyCode): string | null {
  return /^\d{1,78}$/.test(amount) ? coinsText(BigInt(amount), code) : null;
}

/** Parses a JSON array of strings; empty if the value is not one. */
export function parseList(value: PreferenceValue): string[] {
  if (typeof value !== 'string') return [];
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}
