import { db } from './tables.ts';
import { sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { createDatabaseAt, testEngine } from './databases.ts';
import { readTables, type TableSchema } from '../../src/migrations/describe-tables.ts';

export type Value = string | number | null;
export type Row = Record<string, Value>;
/** Rows by table. */
export type Rows = Record<string, Row[]>;

/** The tables of a version in the order of their foreign keys, with their columns' constraints. */
export interface Form {
  tables: readonly TableSchema[];
  /** Allowed values, by `table.column`. */
  choices: Map<string, string[]>;
}

const MERCHANTS = 6;
/** Enough to combine all states of transactions (4), attempts (7) and, on SQLite, instructions (6). */
const ROWS = testEngine === 'sqlite' ? 84 : 28;

/** Values with a meaning for migrations that no constraint expresses. */
const words: Record<string, string[]> = {
  'events.type': ['fiat.transaction.created', 'fiat.transaction.updated', 'fiat.transaction.updated'],
};

export async function formOf(migration: string): Promise<Form> {
  const form = forms.get(migration) ?? readForm(migration);
  forms.set(migration, form);
  return await form;
}

const forms = new Map<string, Promise<Form>>();

async function readForm(migration: string): Promise<Form> {
  const store = await createDatabaseAt(migration, 'sqlite');
  const database = openDatabase(store.url, (error) => console.error(error));
  try {
    const tables = await readTables(database);
    const choices = new Map<string, string[]>();
    const { rows } = await sql<{ name: string; definition: string }>`
      select name, sql as definition from sqlite_master where type = 'table'`.execute(db(database));
    for (const { name, definition } of rows) {
      for (const [, column = '', list = ''] of definition.matchAll(/check \((\w+) in \(([^)]*)\)\)/g))
        choices.set(
          `${name}.${column}`,
          [...list.matchAll(/'([^']*)'/g)].map(([, word = '']) => word),
        );
    }
    return { tables, choices };
  } finally {
    await database.close();
    await store.drop();
  }
}

/**
 * Generates rows for every table from its schema: each allowed value, each nullable column null and not null, for
 * every parent row, with several merchants. Texts contain characters that break careless quoting.
 */
export function generateRows({ tables, choices }: Form): Rows {
  const made: Rows = {};
  const depthOf = (name: string): number => {
    const parents = tables.find((table) => table.name === name)?.references ?? [];
    return Math.max(0, ...parents.map(({ table }) => depthOf(table) + 1));
  };
  for (const { name, columns, references, isNumbered, primaryKey } of tables) {
    const deepestFirst = [...references].sort((one, other) => depthOf(other.table) - depthOf(one.table));
    const isTop = references.length === 0 && isNumbered && name === 'merchants';
    // A row whose key is its parent exists once per parent.
    const only = primaryKey.length === 1 && references.find(({ column }) => column === primaryKey[0]);
    const length = only ? (made[only.table] ?? []).length : isTop ? MERCHANTS : ROWS;
    made[name] = Array.from({ length }, (_, index) => {
      const row: Row = {};
      for (const [place, column] of columns.entries()) {
        const chosen = words[`${name}.${column.name}`] ?? choices.get(`${name}.${column.name}`);
        if (isNumbered && primaryKey.includes(column.name)) row[column.name] = 3 * index + 1;
        else if (column.isNullable && (index + place) % 3 === 0) row[column.name] = null;
        else if (chosen) row[column.name] = chosen[index % chosen.length] ?? null;
        else if (column.type === 'text') row[column.name] = `${column.name} ${index} ’"'\\$1 {é😀}`;
        else if (column.type === 'smallint') row[column.name] = index % 2;
        else row[column.name] = 1_000_000_000 * (place + 1) + index;
      }
      const fixed = new Set<string>();
      for (const { column, table } of deepestFirst) {
        if (row[column] === null || fixed.has(column)) continue;
        const parents = made[table] ?? [];
        const parent = parents[index % parents.length] ?? {};
        row[column] = parent.id ?? null;
        fixed.add(column);
        // Both have the same parent.
        for (const shared of references) {
          if (!(shared.column in parent) || shared.column === column) continue;
          const value = parent[shared.column] ?? null;
          // The row must be complete even if its parent may be incomplete.
          const isNeeded = columns.some(({ name: own, isNullable }) => own === shared.column && !isNullable);
          if (value === null && isNeeded) continue;
          row[shared.column] = value;
          fixed.add(shared.column);
        }
      }
      return row;
    });
  }
  return made;
}

/** Writes rows in the order of the tables; later generated ids start above the highest. */
export async function insertRows(database: Database, { tables }: Form, rows: Rows): Promise<void> {
  for (const { name, isNumbered } of tables) {
    const ofTable = rows[name] ?? [];
    if (ofTable.length > 0) await insert(database, name, ofTable);
    if (database.engine === 'postgres' && isNumbered) {
      await sql`select setval(pg_get_serial_sequence(${name}, 'id'), (select coalesce(max(id), 0) + 1 from ${sql.table(name)}), false)`.execute(
        db(database),
      );
    }
  }
}

export async function insert(database: Database, table: string, rows: readonly Row[]): Promise<void> {
  await db(database)
    .insertInto(table as never)
    .values(rows)
    .execute();
}

/** All rows of the tables, by primary key. */
export async function readRows(database: Database, tables: readonly TableSchema[]): Promise<Rows> {
  const found: Rows = {};
  for (const { name, primaryKey } of tables) {
    const { rows } = await sql<Row>`select * from ${sql.table(name)}`.execute(db(database));
    const keyOf = (row: Row) => JSON.stringify(primaryKey.map((column) => row[column]));
    found[name] = rows.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  }
  return found;
}
