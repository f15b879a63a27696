import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the source and network of the buyer's location, and the chosen language. */
export const buyers: Migration = {
  async up(query: Kysely<unknown>) {
    for (const column of ['buyer_country_source', 'buyer_network', 'buyer_locale']) {
      await sql.raw(`alter table fiat_transactions add column ${column} text`).execute(query);
    }
  },
};
