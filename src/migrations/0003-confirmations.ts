import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Records deposits before they have enough confirmations. */
export const confirmations: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of [
      'alter table payment_instructions add column confirmations bigint',
      'alter table sandbox_receipts add column confirmations_missing bigint not null default 0',
    ]) {
      await sql.raw(statement).execute(query);
    }
  },
};
