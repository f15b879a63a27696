import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Locks rates for each buyer of a link instead of for all buyers. Locks last minutes, so none are kept. */
export const rateLocks: Migration = {
  async up(query: Kysely<unknown>) {
    const statements = [
      'drop table held_rates',
      `create table rate_locks (
        merchant_id bigint not null,
        transaction_id text not null,
        viewer text not null,
        code text not null,
        rate text not null,
        source text not null,
        at bigint not null,
        locked_until bigint not null,
        primary key (merchant_id, transaction_id, viewer, code)
      )`,
      'create index rate_locks_expired on rate_locks (locked_until)',
    ];
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
