import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Finds a wallet's uncredited deposits without reading the credited ones.
  `create index chain_payments_not_accepted on chain_payments (wallet_id) where decision <> 'accepted'`,
  'create index crypto_transactions_rejected on crypto_transactions (wallet_id) where rejection is not null',
];

/** Indexes for uncredited deposits. */
export const holdings: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
