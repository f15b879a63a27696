import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds captures of the sandbox's charges. Earlier charges were captured when they were approved. */
export const sandboxCaptures: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of [
      'alter table sandbox_charges add column capture text',
      'alter table sandbox_charges add column modification_key text',
      'alter table sandbox_charges add column captured_minor bigint',
    ])
      await sql.raw(statement).execute(query);
  },
};
