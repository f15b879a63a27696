import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the items of a payment. They stay null for earlier transactions. */
export const lineItems: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table fiat_transactions add column line_items text').execute(query);
  },
};
