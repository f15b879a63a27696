import { sql } from 'kysely';
import { readProperty, setProperty } from '../database/installation.ts';
import type { Database } from '../database/database.ts';
import { listMerchantNames } from '../merchants/merchants.ts';
import { idBaseOf } from '../system/cell.ts';
import { OperatorError } from '../system/operator-error.ts';
import { describeTables } from './describe-tables.ts';
import { migrationNames } from './migrate.ts';

const MARK = 'cell';
/** The last migration whose tables have IDs of the cell. */
const TABLES_MARK = 'cell_tables';

/** The cell that a database belongs to; empty for none. */
export async function readCell(database: Pick<Database, 'query'>): Promise<string> {
  return (await readProperty(database, MARK)) ?? '';
}

/**
 * Assigns a migrated database to the cell of the setting `CELL`, and rejects one of another cell. Tables then generate
 * IDs of the cell; an installation without cells keeps the rows that it has. It cannot be undone, so only the start of
 * the service assigns a database with merchants (`isStart`).
 */
export async function claimCell(
  cell: string,
  database: Database,
  { isStart = false }: { isStart?: boolean } = {},
): Promise<void> {
  const current = await readCell(database);
  if (current !== '' && current !== cell)
    throw new OperatorError(
      `The database belongs to the cell ${current}, but CELL is ${cell === '' ? 'empty' : cell}. Set CELL=${current}.`,
    );
  if (cell === '') return;
  if (current === '' && !isStart && (await listMerchantNames(database, { limit: 1 })).length > 0)
    throw new OperatorError(
      `The database has merchants, but belongs to no cell. If it shall become the cell ${cell}, start the service once with CELL=${cell}.`,
    );
  const newest = migrationNames.at(-1) ?? '';
  if ((await readProperty(database, TABLES_MARK)) === newest) return;
  const tables = (await describeTables(newest)).filter(({ isNumbered }) => isNumbered);
  await database.inTransaction(async (unit) => {
    for (const { name } of tables) await raiseIds(unit, database.engine, name, idBaseOf(cell));
    await setProperty(unit, MARK, cell);
    await setProperty(unit, TABLES_MARK, newest);
  });
  // Another process may have assigned it at the same time.
  await claimCell(cell, database);
}

/** Makes the next generated ID of a table greater than `first`. */
async function raiseIds(
  { query }: Pick<Database, 'query'>,
  engine: Database['engine'],
  table: string,
  first: number,
): Promise<void> {
  if (engine === 'sqlite') {
    await sql`insert into sqlite_sequence (name, seq)
      select ${table}, 0 where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(query);
    await sql`update sqlite_sequence set seq = ${first} where name = ${table} and seq < ${first}`.execute(query);
    return;
  }
  const { rows } = await sql<{ name: string }>`select pg_get_serial_sequence(${table}, 'id') as name`.execute(query);
  const name = rows[0]?.name ?? '';
  await sql`select setval(${name}, ${first}) from ${sql.raw(name)} where last_value < ${first}`.execute(query);
}
