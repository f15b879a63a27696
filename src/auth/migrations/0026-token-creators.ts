import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who created an access token, so that it can end with them. */
export const tokenCreators: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table access_tokens add column created_by text').execute(query);
  },
};
