import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds details of the payer from the merchant. They stay null for earlier transactions. */
export const payers: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table fiat_transactions add column payer text').execute(query);
  },
};
