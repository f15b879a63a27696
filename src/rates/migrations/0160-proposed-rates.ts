import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Stores the rate that a jump proposes, so that another jump has a waiting period of its own. */
export const proposedRates: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table rates add column proposed text').execute(query);
  },
};
