import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Uploaded logos, re-encoded. Their URL contains the hash, which merchants with the same logo share. */
export const merchantLogos: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of [
      `create table merchant_logos (
        merchant_id bigint primary key references merchants (id),
        hash text not null,
        width bigint not null,
        height bigint not null,
        uploaded_at bigint not null,
        uploaded_by text not null,
        content text not null
      )`,
      'create index merchant_logos_hash on merchant_logos (hash)',
    ]) {
      await sql.raw(statement).execute(query);
    }
  },
};
