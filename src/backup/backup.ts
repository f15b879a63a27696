import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { sql } from 'kysely';
import { formatInstant, type Instant } from '../shared/time.ts';
import type { Database } from '../database/database.ts';
import { appliedMigrations, pendingMigrations } from '../migrations/migrate.ts';
import { describeTables, type TableSchema } from '../migrations/describe-tables.ts';
import { OperatorError } from '../system/operator-error.ts';
import {
  BACKUP_VERSION,
  type BackupHeader,
  type BackupValue,
  readBackup,
  type RowCounts,
  type TableLine,
} from './file.ts';

const PAGE_ROWS = 1000;

/** Hears how many rows of a table are done so far, and when it is done. */
export type OnRows = (table: string, rows: number, isDone: boolean) => void;

export interface BackupOptions {
  database: Database;
  path: string;
  now: Instant;
  onRows?: OnRows;
  signal?: AbortSignal;
}

/**
 * Writes all that the service keeps into one new file that nobody but its owner may read, as it was at
 * one moment, while the service goes on. The file has its name once it is whole, on disk and read again.
 */
export async function writeBackup(options: BackupOptions): Promise<{ migration: string; rows: RowCounts }> {
  const { database, path, signal } = options;
  if (existsSync(path)) throw new OperatorError(`${path} is there already. Name a file that is not.`);
  await pendingMigrations(database);
  const migration = (await appliedMigrations(database)).at(-1);
  if (migration === undefined) throw new OperatorError('The database is empty: there is nothing to keep.');
  const tables = await describeTables(migration);
  const folder = dirname(path);
  const unfinished = join(folder, `.${basename(path)}.${randomBytes(4).toString('hex')}`);
  try {
    const rows = await database.inSnapshot(async ({ query }) => {
      const counts: RowCounts = {};
      const lines = linesOf({ ...options, query, migration, tables, counts });
      await pipeline(
        Readable.from(lines, { highWaterMark: 1 }),
        createGzip(),
        createWriteStream(unfinished, { mode: 0o600, flags: 'wx', flush: true }),
        { signal },
      );
      return counts;
    });
    for await (const _part of readBackup(unfinished)) signal?.throwIfAborted();
    await rename(unfinished, path);
    await flushFolder(folder);
    return { migration, rows };
  } catch (error) {
    await rm(unfinished, { force: true });
    signal?.throwIfAborted();
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new OperatorError(`There is no folder ${folder}.`);
    if (syscall !== undefined && error instanceof Error) {
      throw new OperatorError(`${path} could not be written: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

async function* linesOf(
  options: BackupOptions & {
    query: Database['query'];
    migration: string;
    tables: readonly TableSchema[];
    counts: RowCounts;
  },
): AsyncGenerator<string> {
  const { database, query, migration, tables, counts, now, onRows } = options;
  const hash = createHash('sha256');
  const write = (lines: readonly unknown[]): string => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    hash.update(text);
    return text;
  };
  const header: BackupHeader = {
    format: 'paylatch-backup',
    version: BACKUP_VERSION,
    migration,
    engine: database.engine,
    made_at: formatInstant(now),
  };
  yield write([header]);
  for (const table of tables) {
    const columns = table.columns.map(({ name }) => name);
    const nextId = table.isNumbered ? await readNextId(query, database.engine, table.name) : undefined;
    const line: TableLine = { table: table.name, columns, ...(nextId !== undefined && { next_id: nextId }) };
    yield write([line]);
    let count = 0;
    counts[table.name] = 0;
    for await (const rows of pagesOf(query, table)) {
      yield write(rows.map((row) => columns.map((column) => keepable(table.name, column, row[column]))));
      count += rows.length;
      counts[table.name] = count;
      onRows?.(table.name, count, false);
    }
    onRows?.(table.name, count, true);
  }
  yield `${JSON.stringify({ end: { rows: counts, sha256: hash.digest('hex') } })}\n`;
}

/** A table page by page, along its primary key, so that none is held in memory whole. */
async function* pagesOf(
  query: Database['query'],
  { name, columns, primaryKey }: TableSchema,
): AsyncGenerator<Record<string, unknown>[]> {
  const key = sql.join(primaryKey.map((column) => sql.ref(column)));
  const selected = sql.join(columns.map((column) => sql.ref(column.name)));
  let last: Record<string, unknown> | undefined;
  do {
    const reached = last;
    const rest = reached ? sql`where (${key}) > (${sql.join(primaryKey.map((column) => reached[column]))})` : sql``;
    const { rows } = await sql<Record<string, unknown>>`
      select ${selected} from ${sql.table(name)} ${rest} order by ${key} limit ${sql.lit(PAGE_ROWS)}`.execute(query);
    if (rows.length > 0) yield rows;
    last = rows.length === PAGE_ROWS ? rows.at(-1) : undefined;
  } while (last);
}

/** What JSON and both engines carry exactly; a column that holds anything else needs a thought here first. */
function keepable(table: string, column: string, value: unknown): BackupValue {
  if (value === null || typeof value === 'string' || Number.isSafeInteger(value)) return value as BackupValue;
  throw new Error(`${table}.${column} holds what a backup cannot: a ${typeof value}`);
}

/** Numbers of rows that are gone are not given again: others may remember them. */
async function readNextId(query: Database['query'], engine: Database['engine'], table: string): Promise<number> {
  if (engine === 'sqlite') {
    const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(query);
    return (rows[0]?.seq ?? 0) + 1;
  }
  const found = await sql<{ name: string }>`select pg_get_serial_sequence(${table}, 'id') as name`.execute(query);
  const sequence = sql.raw(found.rows[0]?.name ?? '');
  const { rows } = await sql<{ next: number }>`
    select case when is_called then last_value + 1 else last_value end as next from ${sequence}`.execute(query);
  return rows[0]?.next ?? 1;
}

/** A name is on disk when its folder is. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
