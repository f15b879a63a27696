import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Rate-limit state by key, such as the keyed hash of an address; not per merchant. */
export const limits: Migration = {
  async up(query: Kysely<unknown>) {
    await sql`create table rate_limits (name text primary key, reached_at bigint not null)`.execute(query);
    await sql`create index rate_limits_reached_at on rate_limits (reached_at)`.execute(query);
  },
};
