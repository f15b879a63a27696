import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Engine } from './engine.ts';

/**
 * Maximum rows that a search collects by index. If more rows match, scanning the list in its order finds them quickly.
 */
export const MAX_SEARCH_ROWS = 10_000;

/** A search's condition. If it is selective, the index of the merchant's rows is not used. */
export interface SearchFilter {
  condition: RawBuilder<boolean>;
  isSelective: boolean;
}

/** A prefix followed by this is an upper bound of its matches: reference columns have at most 64 characters. */
const highestSuffix = '\u{10FFFF}'.repeat(64);

/** Matches a text column's prefix, case-sensitively. It is a range, so that the byte-order index applies. */
export function beginsWith(engine: Engine, column: RawBuilder<unknown>, prefix: string): RawBuilder<boolean> {
  const bytes = engine === 'postgres' ? sql`${column} collate "C"` : column;
  return sql<boolean>`(${bytes} >= ${prefix} and ${bytes} <= ${prefix + highestSuffix})`;
}

/** Like `beginsWith`, without use of the column's index. */
export function beginsWithUnindexed(engine: Engine, column: RawBuilder<unknown>, prefix: string): RawBuilder<boolean> {
  return beginsWith(engine, sql`(${column} || '')`, prefix);
}

/** A numeric column without use of its index. */
export function unindexed(column: string): RawBuilder<number> {
  return sql<number>`+${sql.ref(column)}`;
}

/** Matches any of a few values. A single value compiles to `=`, so that an index can also supply the sort order. */
export function isAnyOf(column: string, values: readonly string[]): RawBuilder<boolean> {
  const [only] = values;
  return values.length === 1
    ? sql<boolean>`${sql.ref(column)} = ${only}`
    : sql<boolean>`${sql.ref(column)} in (${sql.join(values)})`;
}

/** Matches any of `ids`, however many, by the column's index. */
export function hasAnyId(engine: Engine, column: string, ids: readonly number[]): RawBuilder<boolean> {
  return engine === 'postgres'
    ? sql<boolean>`${sql.ref(column)} = any(${ids}::bigint[])`
    : sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}) as given)`;
}

/** The rows that one index of a search found, and the same condition without the index. */
export interface IndexSearch {
  rows: readonly { id: number }[];
  scan: Expression<unknown>;
}

/**
 * Matches the rows of any of several index searches. Only those that exceed `MAX_SEARCH_ROWS` are scanned for: every
 * further condition costs time for each row of the list.
 */
export function matchesAny(engine: Engine, searches: readonly IndexSearch[]): SearchFilter {
  const isFrequent = ({ rows }: IndexSearch) => rows.length > MAX_SEARCH_ROWS;
  const frequent = searches.filter(isFrequent).map(({ scan }) => scan);
  const rows = searches.filter((search) => !isFrequent(search)).flatMap((search) => search.rows);
  const ids = [...new Set(rows.map(({ id }) => id))];
  const conditions = ids.length === 0 && frequent.length > 0 ? frequent : [...frequent, hasAnyId(engine, 'id', ids)];
  return { condition: sql<boolean>`(${sql.join(conditions, sql` or `)})`, isSelective: frequent.length === 0 };
}
