import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds what is paid for, and where the payer returns to. They stay null for earlier invoices. */
export const invoiceDescriptions: Migration = {
  async up(query: Kysely<unknown>) {
    for (const column of ['description', 'return_url'])
      await sql.raw(`alter table crypto_transactions add column ${column} text`).execute(query);
  },
};
