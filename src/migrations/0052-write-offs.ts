import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  'alter table chain_payments add column written_off_at bigint',
  'alter table chain_payments add column written_off_height bigint',
  'create index chain_payments_written_off on chain_payments (chain, written_off_height) where written_off_at is not null',
  'alter table withdrawals add column fee_paid text',
  'alter table withdrawals add column written_off text',
  'alter table withdrawal_versions add column priority_rate text',
];

/** Deposits spent outside the service, the fee a withdrawal paid, and the priority fee of each transaction. */
export const writeOffs: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
