import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from '../../database/engine.ts';

/** Stores the payer's name and email with a card attempt, with indexes to search them by prefix. */
export function attemptPayers(engine: Engine): Migration {
  const byteOrder = engine === 'postgres' ? ' collate "C"' : '';
  const statements = [
    'alter table card_attempts add column payer_name text',
    'alter table card_attempts add column payer_name_key text',
    'alter table card_attempts add column payer_email text',
    `create index card_attempts_payer_name on card_attempts (merchant_id, payer_name_key${byteOrder})`,
    `create index card_attempts_payer_email on card_attempts (merchant_id, payer_email${byteOrder})`,
  ];
  return {
    async up(query: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(query);
    },
  };
}
