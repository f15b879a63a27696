import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const DAY_MICROSECONDS = 86_400_000_000;

/**
 * Idempotency keys are stored as keyed hashes. A migration does not have the hash key: it removes keys that no retry
 * can use, and marks the others for the service, which hashes them at startup.
 */
export const hashedRequestNames: Migration = {
  async up(query: Kysely<unknown>) {
    const dayAgo = Date.now() * 1000 - DAY_MICROSECONDS;
    for (const statement of [
      `update idempotency_keys set key = 'plain:' || key`,
      `update card_attempts set submission_key = null where submission_key is not null and created_at <= ${dayAgo}`,
      `update refunds set request_name = null where request_name is not null and created_at <= ${dayAgo}`,
      `create index idempotency_keys_plain on idempotency_keys (created_at) where key like 'plain:%'`,
      // A hash contains no space; a plain key is the caller and the key, separated by a space.
      `create index card_attempts_plain_names on card_attempts (id) where submission_key like '% %'`,
      `create index refunds_plain_names on refunds (id) where request_name like '% %'`,
    ])
      await sql.raw(statement).execute(query);
  },
};
