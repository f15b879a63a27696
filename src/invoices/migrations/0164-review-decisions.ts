import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  'alter table crypto_transactions add column is_approved bigint',
  `update crypto_transactions set is_approved = 0
    where type = 'user' and decided_at is not null and rejection is null and not exists (
      select 1 from deposits as deposit
      where deposit.crypto_transaction_id = crypto_transactions.id and deposit.decision <> 'rejected')`,
];

/** Stores the decision of the last review: a rejection with type `user` does not set `rejection`. */
export const reviewDecisions: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
