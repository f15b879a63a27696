import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Stored responses of requests with an idempotency key, and the payment attempt of such a request. */
export const idempotency: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of [
      `create table idempotency_keys (
        merchant_id bigint not null references merchants (id),
        identity text not null,
        operation text not null,
        key text not null,
        request_digest text not null,
        held_until bigint,
        status smallint,
        answer text,
        created_at bigint not null,
        primary key (merchant_id, identity, operation, key)
      )`,
      'create index idempotency_keys_created_at on idempotency_keys (created_at)',
      'alter table card_attempts add column submission_key text',
    ]) {
      await sql.raw(statement).execute(query);
    }
  },
};
