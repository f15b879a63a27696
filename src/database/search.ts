import { type RawBuilder, sql } from 'kysely';
import type { Engine } from './engine.ts';

/** The most rows that a search gathers by indexes. Where there are more, a list comes across them on its way. */
export const MOST_GATHERED = 10_000;

/** What a search lets through, and whether that is so little that no index of the merchant's is worth its while. */
export interface Found {
  condition: RawBuilder<boolean>;
  isLittle: boolean;
}

/** Behind every text that begins as another one: no column of references holds longer ones. */
const highest = '\u{10FFFF}'.repeat(64);

/** Whether a column of text begins with `prefix`, letter for letter; as a range, for the index of its bytes. */
export function beginsWith(engine: Engine, column: RawBuilder<unknown>, prefix: string): RawBuilder<boolean> {
  const bytes = engine === 'postgres' ? sql`${column} collate "C"` : column;
  return sql<boolean>`(${bytes} >= ${prefix} and ${bytes} <= ${prefix + highest})`;
}

/** The same of a column whose index is not to be used. */
export function beginsWithUnindexed(engine: Engine, column: RawBuilder<unknown>, prefix: string): RawBuilder<boolean> {
  return beginsWith(engine, sql`(${column} || '')`, prefix);
}

/** A number for which no index is to be used. */
export function unindexed(column: string): RawBuilder<number> {
  return sql<number>`+${sql.ref(column)}`;
}

/** Whether a column holds one of these numbers, however many; its index leads from each to its rows. */
export function isAmong(engine: Engine, column: string, ids: readonly number[]): RawBuilder<boolean> {
  return engine === 'postgres'
    ? sql<boolean>`${sql.ref(column)} = any(${ids}::bigint[])`
    : sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}) as given)`;
}

/** The rows that several searches have found together; null where one has found more than are gathered. */
export function together(found: readonly (readonly { id: number }[])[]): number[] | null {
  if (found.some(({ length }) => length > MOST_GATHERED)) return null;
  return [...new Set(found.flatMap((rows) => rows.map(({ id }) => id)))];
}
