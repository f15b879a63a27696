import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the description and the return URL of the payer. They stay null for earlier invoices. */
export const invoiceDescriptions: Migration = {
  async up(query: Kysely<unknown>) {
    for (const column of ['description', 'return_url'])
      await sql.raw(`alter table crypto_transactions add column ${column} text`).execute(query);
  },
};
