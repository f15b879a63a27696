import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes amounts in whole units of every currency, to order them across currencies. */
export const amountsOfAllCurrencies: Migration = {
  async up(query: Kysely<unknown>) {
    const statements = [
      'drop index fiat_transactions_amount',
      `create index fiat_transactions_amount on fiat_transactions (merchant_id, (amount_minor / case
        when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV',
          'XAF', 'XOF', 'XPF') then 1.0
        when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 1000.0
        else 100.0 end), id)`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
