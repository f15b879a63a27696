import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the parent of a token: revoking the parent also revokes the token. */
export const parentTokens: Migration = {
  async up(query: Kysely<unknown>) {
    await sql.raw('alter table access_tokens add column parent_token_id bigint').execute(query);
    await sql
      .raw(
        'create index access_tokens_parent on access_tokens (merchant_id, parent_token_id) where parent_token_id is not null',
      )
      .execute(query);
  },
};
