import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the lifetime that the merchant set for one link. It stays null for earlier transactions. */
export const linkLifetimes: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table fiat_transactions add column link_lifetime bigint').execute(query);
  },
};
