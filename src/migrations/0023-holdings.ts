import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // What of a wallet's money is not credited is found without all that is.
  `create index chain_payments_not_accepted on chain_payments (wallet_id) where decision <> 'accepted'`,
  'create index crypto_transactions_rejected on crypto_transactions (wallet_id) where rejection is not null',
];

/** What leads to money that is not credited. */
export const holdings: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
