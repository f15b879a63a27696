import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The creator of an access token, with whose access it ends. */
export const tokenCreators: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table access_tokens add column created_by text').execute(query);
  },
};
