import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const copied = `merchant_id, url, secret, previous_secret, previous_secret_until, failing_since, failed_at, off_at,
  off_reason`;

/**
 * A merchant can have several webhook endpoints. Number 0 is the endpoint of the preference `callback-url`, so existing
 * webhooks need no change.
 */
export const severalEndpoints: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of [
      `create table new_webhook_endpoints (
        merchant_id bigint not null references merchants (id),
        number bigint not null default 0,
        endpoint_key text unique,
        url text,
        description text,
        event_types text,
        secret text not null,
        previous_secret text,
        previous_secret_until bigint,
        failing_since bigint,
        failed_at bigint,
        off_at bigint,
        off_reason text check (off_reason in ('gone', 'no_success')),
        paused_at bigint,
        created_at bigint,
        updated_at bigint,
        removed_at bigint,
        primary key (merchant_id, number)
      )`,
      `insert into new_webhook_endpoints (${copied}) select ${copied} from webhook_endpoints`,
      'drop table webhook_endpoints',
      'alter table new_webhook_endpoints rename to webhook_endpoints',
      'create index webhook_endpoints_removed on webhook_endpoints (removed_at) where removed_at is not null',
      'alter table callbacks add column endpoint bigint not null default 0',
      'alter table callback_attempts add column response_headers text',
      'alter table callback_url_changes add column endpoint bigint not null default 0',
      'drop index callbacks_subject',
      `create unique index callbacks_subject on callbacks (merchant_id, subject_kind, subject_id, endpoint, sequence)
        where url is null`,
      'drop index callbacks_due',
      `create index callbacks_due on callbacks (merchant_id, endpoint, next_attempt_at)
        where state = 'pending' and held = 0 and url is null`,
      'drop index callbacks_notices_due',
      `create index callbacks_notices_due on callbacks (merchant_id, endpoint, next_attempt_at)
        where state = 'pending' and held = 0 and url is not null`,
      // The endpoint of `callback-url` uses `callbacks_newest`: most merchants have no other.
      'create index callbacks_endpoint on callbacks (merchant_id, endpoint, id) where endpoint > 0',
    ]) {
      await sql.raw(statement).execute(query);
    }
  },
};
