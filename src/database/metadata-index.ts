import { type RawBuilder, sql } from 'kysely';
import type { Database, UnitOfWork } from './database.ts';
import type { Engine } from './engine.ts';
import { hasAnyId, MAX_SEARCH_ROWS, type SearchFilter } from './search.ts';

type Metadata = Readonly<Record<string, string>>;

/**
 * Maximum number of records with the rarest of several frequent pairs. Above it, a search does not intersect the pairs by
 * index.
 */
const MAX_INTERSECTED_ROWS = 50_000;
/** Maximum number of frequent pairs that are counted to find the rarest. */
const MAX_COUNTED_PAIRS = 4;

/** A row for each pair of a record's metadata. Its primary key finds records by value, and by value and key. */
export interface MetadataTable {
  merchant_id: number;
  value: string;
  key: string;
  record_id: number;
}

/** Statement that creates a table for a `MetadataTable`. Records without metadata have no rows. */
export function createMetadataTable(engine: Engine, table: string, records: string): string {
  return `create table ${table} (
    merchant_id bigint not null references merchants (id),
    value text not null,
    key text not null,
    record_id bigint not null references ${records} (id),
    primary key (merchant_id, value, key, record_id)
  )${engine === 'sqlite' ? ' without rowid' : ''}`;
}

export interface MetadataIndex {
  /** Writes the pairs of a new record. */
  insert(unit: UnitOfWork, record: { merchantId: number; id: number }, metadata: Metadata): Promise<void>;
  /** Replaces the pairs of a record. */
  replace(
    unit: UnitOfWork,
    record: { merchantId: number; id: number },
    before: Metadata,
    after: Metadata | null,
  ): Promise<void>;
  /** Finds a merchant's records with all of these pairs. Null without pairs: all records match. */
  search(
    database: Pick<Database, 'engine' | 'query'>,
    merchantId: number,
    metadata: Metadata,
  ): Promise<SearchFilter | null>;
  /** The IDs of records with a value, at most one more than a search collects. */
  idsByValue(merchantId: number, value: string): RawBuilder<{ id: number }>;
  /** The condition that a record has a value. */
  hasValue(merchantId: number, value: string): RawBuilder<boolean>;
}

/** Access to the index of the metadata of `records`. */
export function metadataIndex(name: string, records: string): MetadataIndex {
  const table = sql.table(name);
  const isPair = (merchantId: number, [key, value]: [string, string]) =>
    sql`merchant_id = ${merchantId} and value = ${value} and key = ${key}`;
  const exists = (condition: RawBuilder<unknown>) =>
    sql<boolean>`exists (select 1 from ${table} where ${condition} and record_id = ${sql.ref(`${records}.id`)})`;

  const insert: MetadataIndex['insert'] = async (unit, { merchantId, id }, metadata) => {
    const rows = Object.entries(metadata).map(([key, value]) => sql`(${merchantId}, ${value}, ${key}, ${id})`);
    if (rows.length === 0) return;
    await sql`insert into ${table} (merchant_id, value, key, record_id) values ${sql.join(rows)}`.execute(unit.query);
  };

  /** The IDs of records with all of several frequent pairs; null if they are too many to collect. */
  const intersect = async (
    { engine, query }: Pick<Database, 'engine' | 'query'>,
    merchantId: number,
    pairs: readonly [string, string][],
  ): Promise<number[] | null> => {
    const counts = await Promise.all(
      pairs.slice(0, MAX_COUNTED_PAIRS).map(async (pair) => {
        const { rows } = await sql<{ counted: number }>`select count(*) as counted from (select 1 from ${table}
          where ${isPair(merchantId, pair)} limit ${MAX_INTERSECTED_ROWS + 1}) as matching`.execute(query);
        return { pair, counted: rows[0]?.counted ?? 0 };
      }),
    );
    const [rarest] = counts.toSorted((one, other) => one.counted - other.counted);
    if (!rarest || rarest.counted > MAX_INTERSECTED_ROWS) return null;
    const idsOf = async (condition: RawBuilder<unknown>) => {
      const { rows } = await sql<{ id: number }>`select record_id as id from ${table} where ${condition}`.execute(
        query,
      );
      return rows.map(({ id }) => id);
    };
    let ids = await idsOf(isPair(merchantId, rarest.pair));
    // Not a join: with outdated statistics, PostgreSQL compares every row of one pair with every row of the other.
    for (const pair of pairs.filter((each) => each !== rarest.pair))
      ids = await idsOf(sql`${isPair(merchantId, pair)} and ${hasAnyId(engine, 'record_id', ids)}`);
    return ids.length > MAX_SEARCH_ROWS ? null : ids;
  };

  return {
    insert,
    async replace(unit, record, before, after) {
      for (const pair of Object.entries(before))
        await sql`delete from ${table} where ${isPair(record.merchantId, pair)} and record_id = ${record.id}`.execute(
          unit.query,
        );
      if (after) await insert(unit, record, after);
    },
    async search({ engine, query }, merchantId, metadata) {
      const pairs = Object.entries(metadata);
      if (pairs.length === 0) return null;
      const found = await Promise.all(
        pairs.map(async (pair) => {
          const ids = sql<{ id: number }>`select record_id as id from ${table}
            where ${isPair(merchantId, pair)} limit ${MAX_SEARCH_ROWS + 1}`;
          const { rows } = await ids.execute(query);
          return { pair, ids: rows.map(({ id }) => id) };
        }),
      );
      const isFrequent = ({ ids }: { ids: readonly number[] }) => ids.length > MAX_SEARCH_ROWS;
      const [first, ...others] = found.filter((each) => !isFrequent(each)).map(({ ids }) => new Set(ids));
      if (!first && pairs.length > 1) {
        const ids = await intersect({ engine, query }, merchantId, pairs);
        if (ids) return { condition: hasAnyId(engine, 'id', ids), isSelective: true };
      }
      const conditions = found.filter(isFrequent).map(({ pair }) => exists(isPair(merchantId, pair)));
      if (first) {
        const ids = [...first].filter((id) => others.every((other) => other.has(id)));
        conditions.unshift(hasAnyId(engine, 'id', ids));
      }
      return { condition: sql<boolean>`(${sql.join(conditions, sql` and `)})`, isSelective: first !== undefined };
    },
    idsByValue: (merchantId, value) =>
      sql`select record_id as id from ${table}
        where merchant_id = ${merchantId} and value = ${value} limit ${MAX_SEARCH_ROWS + 1}`,
    // Not a correlated subquery: the index has the key column between value and record.
    hasValue: (merchantId, value) =>
      sql<boolean>`${sql.ref(`${records}.id`)} in
        (select record_id from ${table} where merchant_id = ${merchantId} and value = ${value})`,
  };
}

/** The condition that the JSON column `metadata` has all of these pairs; reads every row. */
export function hasPairs(engine: Engine, metadata: Metadata): RawBuilder<boolean> {
  if (engine === 'postgres') return sql<boolean>`metadata::jsonb @> ${JSON.stringify(metadata)}::jsonb`;
  const conditions = Object.entries(metadata).map(
    ([key, value]) =>
      sql`exists (select 1 from json_each(metadata) as pair where pair.key = ${key} and pair.value = ${value})`,
  );
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

/** The search for records that match both filters. */
export function combineSearches(one: SearchFilter | null, other: SearchFilter | null): SearchFilter | null {
  if (!one || !other) return one ?? other;
  return {
    condition: sql<boolean>`(${one.condition} and ${other.condition})`,
    isSelective: one.isSelective || other.isSelective,
  };
}
