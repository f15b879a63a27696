import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from '../database/engine.ts';

/** Indexes for searches and the review queue, and the authors of preference changes. */
export function accountReads(engine: Engine): Migration {
  // Prefix searches need indexes in byte order. SQLite sorts by bytes by default, PostgreSQL by language.
  const ofBytes =
    engine === 'sqlite'
      ? []
      : [
          'create index fiat_transactions_beginning on fiat_transactions (merchant_id, transaction_id collate "C")',
          `create index crypto_transactions_beginning on crypto_transactions (merchant_id, tx_id collate "C")
            where tx_id is not null`,
        ];
  const statements = [
    ...ofBytes,
    'create index fiat_transactions_amount on fiat_transactions (merchant_id, amount_minor, currency)',
    'create index fiat_transactions_currency on fiat_transactions (merchant_id, currency, created_at, id)',
    'create index fiat_transactions_country on fiat_transactions (merchant_id, country, created_at, id)',
    `create index fiat_transactions_in_part on fiat_transactions (merchant_id, status, reason)
      where status = 'waiting' and reason in ('underpaid', 'overpaid')`,
    'create index card_attempts_last4 on card_attempts (merchant_id, last4)',
    'create index chain_payments_hash on chain_payments (merchant_id, tx_hash)',
    `create index callbacks_failed on callbacks (merchant_id, id) where state = 'failed'`,
    `create index callbacks_pending on callbacks (merchant_id, id) where state = 'pending'`,
    'alter table preferences add column updated_by text',
  ];
  return {
    async up(query: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(query);
    },
  };
}
