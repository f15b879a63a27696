import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes to find the webhooks of an event and the attempts of a webhook, when old ones are deleted. */
export const retentionIndexes: Migration = {
  async up(query: Kysely<unknown>) {
    const statements = [
      'create index callbacks_by_event on callbacks (event_id)',
      'create index callback_attempts_by_callback on callback_attempts (callback_id)',
    ];
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
