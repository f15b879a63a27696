import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the merchants that were moved to or from this cell. */
export const merchantMoves: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of [
      `create table merchant_moves (
        merchant_id bigint not null primary key,
        move_id text not null,
        cell text not null,
        state text not null,
        row_count bigint not null,
        digest text not null,
        started_at bigint not null,
        finished_at bigint
      )`,
      `create table moved_rows (
        merchant_id bigint not null,
        table_name text not null,
        part bigint not null,
        content text not null,
        primary key (merchant_id, table_name, part)
      )`,
      `create table moved_ids (
        id text not null primary key,
        merchant_id bigint not null
      )`,
      'create index moved_ids_merchant on moved_ids (merchant_id)',
      `create table merchant_arrivals (
        merchant_id bigint not null,
        move_id text not null,
        cell text not null,
        state text not null,
        at bigint not null,
        primary key (merchant_id, move_id)
      )`,
    ])
      await sql.raw(statement).execute(query);
  },
};
