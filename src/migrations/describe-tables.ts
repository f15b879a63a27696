import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { migrate } from './migrate.ts';
import { openSqlite } from '../database/sqlite.ts';

interface ColumnSchema {
  name: string;
  /** The type name of both engines: `bigint`, `smallint`, `text`, … */
  type: string;
  isNullable: boolean;
}

/**
 * Tables that are computed from others: backups omit them, and a merchant moves without them. In the order in which a
 * merchant's rows are deleted: once the progress rows are deleted, triggers record no changes for deleted transactions.
 */
export const derivedTables: readonly string[] = [
  ...['statistics_progress', 'statistics_changes', 'statistics_quarters', 'statistics_days'],
];

export interface TableSchema {
  name: string;
  columns: readonly ColumnSchema[];
  primaryKey: readonly string[];
  /** True if the database generates its IDs. */
  isNumbered: boolean;
  references: readonly { column: string; table: string }[];
}

/** By migration: applying all of them takes a third of a second, and a restore needs the tables three times. */
const tablesByMigration = new Map<string, Promise<readonly TableSchema[]>>();

/**
 * The tables of a database after a migration, in the order of their foreign keys. Read from an empty in-memory
 * database: the schema is the same on both engines, and the real database may contain other tables.
 */
export async function describeTables(through: string): Promise<readonly TableSchema[]> {
  const tables = tablesByMigration.get(through) ?? readTablesAt(through);
  tablesByMigration.set(through, tables);
  return await tables;
}

async function readTablesAt(through: string): Promise<readonly TableSchema[]> {
  const database = openSqlite(':memory:');
  try {
    await migrate(database, { through });
    return await readTables(database);
  } finally {
    await database.close();
  }
}

/** The tables of a SQLite database, in the order of their foreign keys. */
export async function readTables(database: Database): Promise<readonly TableSchema[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select name, sql as definition from sqlite_master
    where type = 'table' and name not like 'sqlite%' and name <> 'kysely_migration' order by rowid`.execute(
    database.query,
  );
  const tables: TableSchema[] = [];
  for (const { name, definition } of rows) tables.push(await describeTable(database, name, definition));
  return sortByReferences(tables);
}

async function describeTable({ query }: Database, name: string, definition: string): Promise<TableSchema> {
  const columns = await sql<{ name: string; type: string; notnull: number; pk: number }>`
    select name, type, "notnull", pk from pragma_table_info(${name}) order by cid`.execute(query);
  const references = await sql<{ column: string; table: string }>`
    select "from" as "column", "table" from pragma_foreign_key_list(${name}) order by seq, id`.execute(query);
  const isNumbered = /\bautoincrement\b/.test(definition);
  return {
    name,
    columns: columns.rows.map((column) => ({
      name: column.name,
      type: isNumbered && column.pk > 0 ? 'bigint' : column.type,
      isNullable: column.notnull === 0 && column.pk === 0,
    })),
    primaryKey: columns.rows
      .filter(({ pk }) => pk > 0)
      .sort((one, other) => one.pk - other.pk)
      .map((column) => column.name),
    isNumbered,
    references: references.rows,
  };
}

function sortByReferences(tables: readonly TableSchema[]): TableSchema[] {
  const placed: TableSchema[] = [];
  while (placed.length < tables.length) {
    const ready = tables.filter(
      (table) =>
        !placed.includes(table) &&
        table.references.every((reference) => placed.some(({ name }) => name === reference.table)),
    );
    if (ready.length === 0) throw new Error('Tables reference each other in a cycle');
    placed.push(...ready);
  }
  return placed;
}
