import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes for lists of the transactions that changed since a time. */
export const updatedSince: Migration = {
  async up(query: Kysely<unknown>) {
    for (const table of ['fiat_transactions', 'crypto_transactions'])
      await sql.raw(`create index ${table}_updated on ${table} (merchant_id, updated_at, id)`).execute(query);
  },
};
