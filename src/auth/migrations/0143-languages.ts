import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the language of a user's emails. */
export const languages: Migration = {
  async up(query: Kysely<unknown>) {
    await sql`alter table people add column locale text`.execute(query);
  },
};
