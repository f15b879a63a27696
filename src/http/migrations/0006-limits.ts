import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What has come lately under a name, such as the keyed hash of an address; no merchant's. */
export const limits: Migration = {
  async up(query: Kysely<unknown>) {
    await sql`create table rate_limits (name text primary key, reached_at bigint not null)`.execute(query);
    await sql`create index rate_limits_reached_at on rate_limits (reached_at)`.execute(query);
  },
};
