import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the creator of an access token. The token ends with its creator's access. */
export const tokenCreators: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table access_tokens add column created_by text').execute(query);
  },
};
