import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Marks refunds that the merchant issued outside the service. */
export const outOfBand: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table refunds add column out_of_band bigint not null default 0').execute(query);
  },
};
