import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  'alter table withdrawals add column cancel_requested_at bigint',
  'alter table withdrawals add column is_cancelled bigint not null default 0',
  'alter table withdrawal_versions add column cancels bigint not null default 0',
  'alter table crypto_transactions add column returned_by bigint',
  'create unique index crypto_transactions_returned on crypto_transactions (returned_by) where returned_by is not null',
];

/** Withdrawals cancelled by a replacement transaction, and the amount that it returns. */
export const cancelledWithdrawals: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
