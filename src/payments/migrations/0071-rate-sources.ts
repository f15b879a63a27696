import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the sources and the time of a transaction's exchange rate. Both stay null for earlier ones. */
export const rateSources: Migration = {
  async up(query: Kysely<unknown>) {
    const statements = [
      'alter table fiat_transactions add column rate_source text',
      'alter table fiat_transactions add column rate_at bigint',
    ];
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
