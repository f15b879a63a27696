import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from '../../database/engine.ts';
import { createMetadataTable } from '../../database/metadata-index.ts';

/** Adds metadata and the language of the payment page. They stay null for earlier records. */
export function metadata(engine: Engine): Migration {
  const statements = [
    'alter table fiat_transactions add column metadata text',
    'alter table fiat_transactions add column locale text',
    'alter table reusable_links add column metadata text',
    createMetadataTable(engine, 'fiat_transaction_metadata', 'fiat_transactions'),
  ];
  return {
    async up(query: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(query);
    },
  };
}
