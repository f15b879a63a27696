import { type RawBuilder, sql } from 'kysely';
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

/** Upper bound for texts with a given prefix: no reference column contains longer texts. */
const maxSuffix = '\u{10FFFF}'.repeat(64);

/** Matches a text column's prefix, case-sensitively. It is a range, so that the byte-order index applies. */
export function beginsWith(engine: Engine, column: RawBuilder<unknown>, prefix: string): RawBuilder<boolean> {
  const bytes = engine === 'postgres' ? sql`${column} collate "C"` : column;
  return sql<boolean>`(${bytes} >= ${prefix} and ${bytes} <= ${prefix + maxSuffix})`;
}

/** Like `beginsWith`, without use of the column's index. */
export function beginsWithUnindexed(engine: Engine, column: RawBuilder<unknown>, prefix: string): RawBuilder<boolean> {
  return beginsWith(engine, sql`(${column} || '')`, prefix);
}

/** A numeric column without use of its index. */
export function unindexed(column: string): RawBuilder<number> {
  return sql<number>`+${sql.ref(column)}`;
}

/** Matches any of a few values; one value is an equality, for the order of an index. */
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

/** The union of several searches' ids; null if one exceeded `MAX_SEARCH_ROWS`. */
export function unionOfIds(results: readonly (readonly { id: number }[])[]): number[] | null {
  if (results.some(({ length }) => length > MAX_SEARCH_ROWS)) return null;
  return [...new Set(results.flatMap((rows) => rows.map(({ id }) => id)))];
}
