import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from '../../database/engine.ts';
import { createMetadataTable } from '../../database/metadata-index.ts';

/** Adds metadata and the language of the payment page. They stay null for earlier invoices. */
export function invoiceMetadata(engine: Engine): Migration {
  const statements = [
    'alter table crypto_transactions add column metadata text',
    'alter table crypto_transactions add column locale text',
    createMetadataTable(engine, 'crypto_transaction_metadata', 'crypto_transactions'),
  ];
  return {
    async up(query: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(query);
    },
  };
}
