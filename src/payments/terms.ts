import { combinedStatement } from './schema.ts';
import type { CurrencyCode } from '../api/currency.ts';
import { type Instant, MINUTE } from '../shared/time.ts';
import { defaultPreference } from '../merchants/preferences/keys.ts';
import { selectPreferences, readPreferences } from '../merchants/preferences/store.ts';
import type { StoredValue } from '../merchants/preferences/values.ts';
import { type CanCarry, feesOf, methodsAt, type OfferedPaymentMethod, toFees } from '../methods/availability.ts';
import type { Database } from '../database/database.ts';
import { createCoalescer } from '../database/batch.ts';

export interface Settings {
  /** How long a link lives. */
  lifetime: Instant;
  /** In which amounts are told besides their own currency. */
  additionalCurrency: CurrencyCode;
}

/** What a merchant has set, and agreed to pay, for what is made now. */
export interface Terms {
  settings(merchantId: number): Promise<Settings>;
  /** Also the methods that the merchant may use in a country (alpha-3) and a currency, each with its fee. */
  read(
    merchantId: number,
    country: string,
    currency: CurrencyCode,
  ): Promise<{ settings: Settings; methods: OfferedPaymentMethod[] }>;
}

/** Requests of one merchant that come at the same time read its terms once. */
export function createTerms(database: Database, canCarry: CanCarry): Terms {
  const read = createCoalescer(async (name) => {
    const [merchant, currency = ''] = name.split(' ');
    const rows = await termsOf(database, { merchantId: Number(merchant), currency });
    const set = new Map(rows.settings.map(({ key, value }) => [key, JSON.parse(value) as StoredValue]));
    return { settings: toSettings(Object.fromEntries(set)), fees: toFees(rows.fees) };
  });
  return {
    settings: async (merchantId) => toSettings(await readPreferences(database, merchantId, settingKeys)),
    async read(merchantId, country, currency) {
      const { settings, fees } = await read(`${merchantId} ${currency}`);
      return { settings, methods: methodsAt(fees, canCarry, country, currency) };
    },
  };
}

const settingKeys = ['additional-currency', 'link-lifetime-minutes'] as const;

const termsOf = combinedStatement((_query, { merchantId, currency }: { merchantId: number; currency: string }, on) => ({
  fees: feesOf(on, { merchantId, currency }),
  settings: selectPreferences(on, { merchantId, keys: settingKeys }),
}));

function toSettings(set: Partial<Record<string, StoredValue>>): Settings {
  return {
    lifetime: Number(set['link-lifetime-minutes'] ?? defaultPreference('link-lifetime-minutes')) * MINUTE,
    additionalCurrency: (set['additional-currency'] ?? defaultPreference('additional-currency')) as CurrencyCode,
  };
}
