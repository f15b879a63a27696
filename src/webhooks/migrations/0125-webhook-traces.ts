import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Stores the trace of the change with its webhooks, so that their delivery continues it. */
export const webhookTraces: Migration = {
  async up(query: Kysely<unknown>) {
    await sql`alter table callbacks add column traceparent text`.execute(query);
  },
};
