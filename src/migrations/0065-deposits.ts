import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * One record per deposit, for invoices and payment links. Existing merchants keep the webhooks of version 1, which
 * report a deposit to a payment link twice.
 */
export const deposits: Migration = {
  async up(query: Kysely<unknown>) {
    const statements = [
      'alter table chain_payments rename to deposits',
      `update deposits set written_off = '0' where written_off is null`,
      'alter table ledger_entries rename column chain_payment_id to deposit_id',
      `create table late_deposit_values (
        deposit_id bigint primary key references deposits (id),
        amount_minor bigint not null
      )`,
      'insert into late_deposit_values select chain_payment_id, amount_minor from coin_receipts',
      'drop table coin_receipts',
      `insert into preferences (merchant_id, key, value, created_at, updated_at)
        select id, 'callback-version', '1', created_at, created_at from merchants`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
