import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When a session's person last proved who they are; null where only a part of that was asked. */
export const stepUp: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table sessions add column stepped_up_at bigint').execute(query);
  },
};
