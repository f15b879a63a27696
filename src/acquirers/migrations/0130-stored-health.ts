import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the health figures of accounts, as each process measured them last. */
export const storedHealth: Migration = {
  async up(query: Kysely<unknown>) {
    await sql
      .raw(
        `create table acquirer_health (
          account_key text not null,
          process text not null,
          figures text not null,
          measured_at bigint not null,
          primary key (account_key, process)
        )`,
      )
      .execute(query);
  },
};
