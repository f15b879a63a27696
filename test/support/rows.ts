import { db } from './tables.ts';
import { sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';

/** Returns all table names, sorted. */
export async function tableNames(database: Database): Promise<string[]> {
  const tables = await db(database).introspection.getTables();
  return tables.map((table) => table.name).sort();
}

/** Creates a function that counts the rows of each table. */
export function rowCounter(database: Database, tables: readonly string[]): () => Promise<Record<string, number>> {
  const counts = tables.map((table) => sql`(select count(*) from ${sql.table(table)}) as ${sql.ref(table)}`);
  const query = sql<Record<string, number>>`select ${sql.join(counts)}`.compile(db(database));
  return async () => ({ ...(await db(database).executeQuery(query)).rows[0] });
}

/** Counts the rows of each table. */
export async function countRows(database: Database, tables: readonly string[]): Promise<Record<string, number>> {
  return await rowCounter(database, tables)();
}

/** Dumps all rows as JSON by table, in an order independent of the engine. */
export async function dumpRows(database: Database): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {};
  for (const table of await tableNames(database)) {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(db(database));
    dump[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return dump;
}
