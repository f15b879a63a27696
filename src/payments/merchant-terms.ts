import { combinedStatement } from './schema.ts';
import type { CurrencyCode } from '../api/currency.ts';
import { type Instant, MINUTE } from '../shared/time.ts';
import { defaultPreference } from '../merchants/preferences/keys.ts';
import { selectPreferences, readPreferences } from '../merchants/preferences/store.ts';
import type { StoredValue } from '../merchants/preferences/values.ts';
import {
  type SupportsMethod,
  feesQuery,
  methodsWithFees,
  type OfferedPaymentMethod,
  toMethodFees,
} from '../methods/availability.ts';
import type { Database } from '../database/database.ts';
import { createCoalescer } from '../database/batch.ts';

interface LinkSettings {
  /** Lifetime of a payment link. */
  linkLifetime: Instant;
  /** Currency in which amounts are reported, in addition to their own. */
  additionalCurrency: CurrencyCode;
}

/** A merchant's settings and fees for new transactions. */
export interface MerchantTerms {
  readSettings(merchantId: number): Promise<LinkSettings>;
  /** Reads the settings, and the merchant's enabled methods in a country (alpha-3) and currency, with their fees. */
  read(
    merchantId: number,
    country: string,
    currency: CurrencyCode,
  ): Promise<{ settings: LinkSettings; methods: OfferedPaymentMethod[] }>;
}

/** Coalesces concurrent reads of the same merchant's terms. */
export function createMerchantTerms(database: Database, supportsMethod: SupportsMethod): MerchantTerms {
  const read = createCoalescer(async (name) => {
    const [merchant, currency = ''] = name.split(' ');
    const rows = await termsQueries(database, { merchantId: Number(merchant), currency });
    const stored = new Map(rows.settings.map(({ key, value }) => [key, JSON.parse(value) as StoredValue]));
    return { settings: toSettings(Object.fromEntries(stored)), fees: toMethodFees(rows.fees) };
  });
  return {
    readSettings: async (merchantId) => toSettings(await readPreferences(database, merchantId, settingKeys)),
    async read(merchantId, country, currency) {
      const { settings, fees } = await read(`${merchantId} ${currency}`);
      return { settings, methods: methodsWithFees(fees, supportsMethod, { merchantId, country, currency }) };
    },
  };
}

const settingKeys = ['additional-currency', 'link-lifetime-minutes'] as const;

const termsQueries = combinedStatement(
  (_query, { merchantId, currency }: { merchantId: number; currency: string }, reader) => ({
    fees: feesQuery(reader, { merchantId, currency }),
    settings: selectPreferences(reader, { merchantId, keys: settingKeys }),
  }),
);

function toSettings(stored: Partial<Record<string, StoredValue>>): LinkSettings {
  return {
    linkLifetime: Number(stored['link-lifetime-minutes'] ?? defaultPreference('link-lifetime-minutes')) * MINUTE,
    additionalCurrency: (stored['additional-currency'] ?? defaultPreference('additional-currency')) as CurrencyCode,
  };
}
