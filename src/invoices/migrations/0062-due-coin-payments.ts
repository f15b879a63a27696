import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds `due_at`: when a payment link is due to apply changed crypto deposits. */
export const dueCoinPayments: Migration = {
  async up(query: Kysely<unknown>) {
    const statements = [
      'alter table coin_payments add column due_at bigint',
      'create index coin_payments_due on coin_payments (due_at) where due_at is not null',
    ];
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
