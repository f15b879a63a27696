import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the time when an account's credentials were last set, and an index for the last notification of an account. */
export const acquirerHealth: Migration = {
  async up(query: Kysely<unknown>) {
    const statements = [
      'alter table acquirer_accounts add column credentials_updated_at bigint not null default 0',
      // The latest time at which they can have been set.
      'update acquirer_accounts set credentials_updated_at = updated_at',
      'create index acquirer_notifications_account on acquirer_notifications (account_key, received_at)',
    ];
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
