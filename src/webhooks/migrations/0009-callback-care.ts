import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the overlap of replaced secrets, and the beginning of each response body. */
export const callbackCare: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of [
      'alter table merchants add column previous_callback_secret text',
      'alter table merchants add column previous_callback_secret_until bigint',
      'alter table callback_attempts add column answer text',
      'create index callbacks_newest on callbacks (merchant_id, id)',
    ]) {
      await sql.raw(statement).execute(query);
    }
  },
};
