import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Stores whether a deposit awaits approval. The next poll reports those that already do. */
export const instructionsInReview: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table payment_instructions add column in_review bigint not null default 0').execute(query);
  },
};
