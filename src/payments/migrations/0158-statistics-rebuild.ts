import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Deletes stored figures, so that the job counts expired transactions by their last decline. */
export const statisticsRebuild: Migration = {
  async up(query: Kysely<unknown>) {
    for (const table of ['progress', 'changes', 'quarters', 'days'])
      await sql.raw(`delete from statistics_${table}`).execute(query);
  },
};
