import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the time of a session's last full confirmation of identity; null if the sign-in was weaker. */
export const stepUp: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table sessions add column stepped_up_at bigint').execute(query);
  },
};
