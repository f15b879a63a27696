import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether money was given back by nobody's provider, but in a way of the merchant's own. */
export const outOfBand: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table refunds add column out_of_band bigint not null default 0').execute(query);
  },
};
