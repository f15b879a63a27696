import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Adds the health of webhook endpoints, and `held`: a webhook that waits for an earlier one of its transaction. The
 * index of due webhooks excludes held ones, so that a backlog is never scanned.
 */
export const callbackReceivers: Migration = {
  async up(query: Kysely<unknown>) {
    const statements = [
      `create table callback_receivers (
        merchant_id bigint primary key references merchants (id),
        failing_since bigint not null,
        failed_at bigint not null,
        off_at bigint,
        off_reason text check (off_reason in ('gone', 'no_success'))
      )`,
      'alter table callbacks add column held bigint not null default 0',
      `update callbacks set held = 1 where state = 'pending' and exists (
        select 1 from callbacks as earlier
        where earlier.merchant_id = callbacks.merchant_id
          and earlier.fiat_transaction_id = callbacks.fiat_transaction_id
          and earlier.sequence < callbacks.sequence
          and earlier.state = 'pending'
      )`,
      'drop index callbacks_due',
      `create index callbacks_due on callbacks (merchant_id, next_attempt_at) where state = 'pending' and held = 0`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
