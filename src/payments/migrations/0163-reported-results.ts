import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  'alter table refunds add column reported_at bigint',
  'alter table card_authorizations add column reported_at bigint',
  // Finds the charge of a capture that another has replaced.
  'create index card_attempts_reference on card_attempts (acquirer_reference) where acquirer_reference is not null',
];

/** Stores the acquirer's times of results, so that an older one does not replace a newer one. */
export const reportedResults: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
