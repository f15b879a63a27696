import { db } from './tables.ts';
import { sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';

/** Every table of the service, in the order of their names. */
export async function tableNames(database: Database): Promise<string[]> {
  const tables = await db(database).introspection.getTables();
  return tables.map((table) => table.name).sort();
}

/** Answers how many rows each table has, as often as it is asked. */
export function rowCounter(database: Database, tables: readonly string[]): () => Promise<Record<string, number>> {
  const counts = tables.map((table) => sql`(select count(*) from ${sql.table(table)}) as ${sql.ref(table)}`);
  const query = sql<Record<string, number>>`select ${sql.join(counts)}`.compile(db(database));
  return async () => ({ ...(await db(database).executeQuery(query)).rows[0] });
}

/** How many rows each table has. */
export async function countRows(database: Database, tables: readonly string[]): Promise<Record<string, number>> {
  return await rowCounter(database, tables)();
}

/** Everything that is stored: each row as JSON, table by table, in an order that does not depend on the engine. */
export async function dumpRows(database: Database): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {};
  for (const table of await tableNames(database)) {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(db(database));
    dump[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return dump;
}
