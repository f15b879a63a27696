import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the time when a method was disabled. Its fees are kept for when it is enabled again. */
export const disabledMethods: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table merchant_methods add column disabled_at bigint').execute(query);
  },
};
