import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When a method was disabled for a merchant: its fees are kept for the next time it is enabled. */
export const disabledMethods: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table merchant_methods add column disabled_at bigint').execute(query);
  },
};
