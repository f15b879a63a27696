import { lists } from './schema.ts';
import type { CurrencyCode } from '../api/currency.ts';
import { type Instant, MINUTE } from '../shared/time.ts';
import { defaultOf } from '../merchants/preferences/keys.ts';
import { preferencesOf, readPreferences } from '../merchants/preferences/store.ts';
import type { StoredValue } from '../merchants/preferences/values.ts';
import {
  type SupportsMethod,
  feesQuery,
  methodsWithFees,
  type OfferedPaymentMethod,
  toMethodFees,
} from '../methods/availability.ts';
import type { Database } from '../database/database.ts';
import { readTogether } from '../database/batch.ts';

export interface LinkSettings {
  /** How long a link lives. */
  linkLifetime: Instant;
  /** In which amounts are told besides their own currency. */
  additionalCurrency: CurrencyCode;
}

/** What a merchant has set, and agreed to pay, for what is made now. */
export interface MerchantTerms {
  readSettings(merchantId: number): Promise<LinkSettings>;
  /** Also the methods that the merchant may use in a country (alpha-3) and a currency, each with its fee. */
  read(
    merchantId: number,
    country: string,
    currency: CurrencyCode,
  ): Promise<{ settings: LinkSettings; methods: OfferedPaymentMethod[] }>;
}

/** Requests of one merchant that come at the same time read its terms once. */
export function createMerchantTerms(database: Database, canCarry: SupportsMethod): MerchantTerms {
  const read = readTogether(async (name) => {
    const [merchant, currency = ''] = name.split(' ');
    const rows = await termsQueries(database, { merchantId: Number(merchant), currency });
    const set = new Map(rows.settings.map(({ key, value }) => [key, JSON.parse(value) as StoredValue]));
    return { settings: toSettings(Object.fromEntries(set)), fees: toMethodFees(rows.fees) };
  });
  return {
    readSettings: async (merchantId) => toSettings(await readPreferences(database, merchantId, settingKeys)),
    async read(merchantId, country, currency) {
      const { settings, fees } = await read(`${merchantId} ${currency}`);
      return { settings, methods: methodsWithFees(fees, canCarry, country, currency) };
    },
  };
}

const settingKeys = ['additional-currency', 'link-lifetime-minutes'] as const;

const termsQueries = lists((_query, { merchantId, currency }: { merchantId: number; currency: string }, on) => ({
  fees: feesQuery(on, { merchantId, currency }),
  settings: preferencesOf(on, { merchantId, keys: settingKeys }),
}));

function toSettings(set: Partial<Record<string, StoredValue>>): LinkSettings {
  return {
    linkLifetime: Number(set['link-lifetime-minutes'] ?? defaultOf('link-lifetime-minutes')) * MINUTE,
    additionalCurrency: (set['additional-currency'] ?? defaultOf('additional-currency')) as CurrencyCode,
  };
}
