import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An index to count the pending notifications of an account. */
export const pendingNotifications: Migration = {
  async up(query: Kysely<unknown>) {
    await sql
      .raw(
        `create index acquirer_notifications_pending on acquirer_notifications (account_key)
          where next_attempt_at is not null`,
      )
      .execute(query);
  },
};
