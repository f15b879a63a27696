import type { CurrencyCode } from '../contract/currency.ts';
import { type Instant, MINUTE } from '../contract/time.ts';
import { defaultOf } from '../merchants/preferences/keys.ts';
import { readPreferences } from '../merchants/preferences/store.ts';
import { type CanCarry, type Fees, methodsAt, type OfferedPaymentMethod, readFees } from '../methods/availability.ts';
import type { Database } from '../platform/database/database.ts';
import { readTogether } from '../platform/gather.ts';

export interface Settings {
  /** How long a link lives. */
  lifetime: Instant;
  /** In which amounts are told besides their own currency. */
  additionalCurrency: CurrencyCode;
}

/** What a merchant has set, and agreed to pay, for what is made now. */
export interface Terms {
  settings(merchantId: number): Promise<Settings>;
  /** The methods that the merchant may use in a country (alpha-3) and a currency, each with its fee. */
  methods(merchantId: number, country: string, currency: CurrencyCode): Promise<OfferedPaymentMethod[]>;
}

/** Requests of one merchant that come at the same time read its terms once. */
export function createTerms(database: Database, canCarry: CanCarry): Terms {
  const settings = readTogether(async (merchant): Promise<Settings> => {
    const set = await readPreferences(database, Number(merchant), ['additional-currency', 'link-lifetime-minutes']);
    return {
      lifetime: Number(set['link-lifetime-minutes'] ?? defaultOf('link-lifetime-minutes')) * MINUTE,
      additionalCurrency: (set['additional-currency'] ?? defaultOf('additional-currency')) as CurrencyCode,
    };
  });
  const fees = readTogether(async (name): Promise<Fees> => {
    const [merchant, currency = ''] = name.split(' ');
    return await readFees(database, Number(merchant), currency as CurrencyCode);
  });
  return {
    settings: async (merchantId) => await settings(String(merchantId)),
    async methods(merchantId, country, currency) {
      return methodsAt(await fees(`${merchantId} ${currency}`), canCarry, country, currency);
    },
  };
}
