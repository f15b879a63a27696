import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes amounts in whole units, to order them across currencies. */
export const amountsAcrossCurrencies: Migration = {
  async up(query: Kysely<unknown>) {
    const statements = [
      'drop index fiat_transactions_amount',
      `create index fiat_transactions_amount on fiat_transactions
        (merchant_id, (amount_minor / case currency when 'VND' then 1.0 else 100.0 end), id)`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
