/*
 * Map of this module: `file.ts` defines and reads the file format, `backup.ts` writes it from a snapshot, and
 * `restore.ts` inserts it into an empty database of either engine. `move.ts` does both at once, without a file.
 * `check.ts` checks the age of the last backup.
 * Reasons: docs/decisions/backup.md.
 */

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
import { derivedTables, describeTables, type TableSchema } from '../migrations/describe-tables.ts';
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

/** Reports progress: rows of a table processed so far, and its completion. */
export type OnRows = (table: string, rows: number, isDone: boolean) => void;

export interface BackupOptions {
  database: Database;
  path: string;
  now: Instant;
  onRows?: OnRows;
  signal?: AbortSignal;
}

/**
 * Writes a snapshot of the whole database to a new file that only its owner can read. The service keeps running.
 * The file gets its name once it is complete, on disk and verified.
 */
export async function writeBackup(options: BackupOptions): Promise<{ migration: string; rows: RowCounts }> {
  const { database, path, signal } = options;
  if (existsSync(path)) throw new OperatorError(`${path} already exists. Choose another file name.`);
  const folder = dirname(path);
  const unfinished = join(folder, `.${basename(path)}.${randomBytes(4).toString('hex')}`);
  try {
    const written = await database.inSnapshot(async ({ query }) => {
      const { engine } = database;
      await pendingMigrations({ query, engine });
      const migration = (await appliedMigrations({ query, engine })).at(-1);
      if (migration === undefined) throw new OperatorError('The database is empty: there is nothing to back up.');
      const tables = await backedUpTables(migration);
      const counts: RowCounts = {};
      const lines = writeLines({ ...options, engine, query, migration, tables, counts });
      await pipeline(
        Readable.from(lines, { highWaterMark: 1 }),
        createGzip(),
        createWriteStream(unfinished, { mode: 0o600, flags: 'wx', flush: true }),
        { signal },
      );
      return { migration, rows: counts };
    });
    for await (const _part of readBackup(unfinished)) signal?.throwIfAborted();
    await rename(unfinished, path);
    await flushFolder(folder);
    return written;
  } catch (error) {
    await rm(unfinished, { force: true });
    signal?.throwIfAborted();
    const { code, syscall } = error as NodeJS.ErrnoException;
    // Of the database's connection.
    if (syscall === 'connect' || syscall === 'getaddrinfo') throw error;
    if (code === 'ENOENT') throw new OperatorError(`The folder ${folder} does not exist.`);
    if (syscall !== undefined && error instanceof Error) {
      throw new OperatorError(`${path} could not be written: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** The tables of a version that a backup contains. */
export async function backedUpTables(migration: string): Promise<readonly TableSchema[]> {
  return (await describeTables(migration)).filter(({ name }) => !derivedTables.includes(name));
}

/** Writes the lines of a backup, several per text; counts the rows in `counts`. */
export async function* writeLines(
  options: Pick<BackupOptions, 'now' | 'onRows'> & {
    query: Database['query'];
    engine: Database['engine'];
    migration: string;
    tables: readonly TableSchema[];
    counts: RowCounts;
  },
): AsyncGenerator<string> {
  const { query, engine, migration, tables, counts, now, onRows } = options;
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
    engine,
    made_at: formatInstant(now),
  };
  yield write([header]);
  for (const table of tables) {
    const columns = table.columns.map(({ name }) => name);
    const nextId = table.isNumbered ? await readNextId(query, engine, table.name) : undefined;
    const line: TableLine = { table: table.name, columns, ...(nextId !== undefined && { next_id: nextId }) };
    yield write([line]);
    let count = 0;
    counts[table.name] = 0;
    for await (const rows of readPages(query, table)) {
      yield write(rows.map((row) => columns.map((column) => toBackupValue(table.name, column, row[column]))));
      count += rows.length;
      counts[table.name] = count;
      onRows?.(table.name, count, false);
    }
    onRows?.(table.name, count, true);
  }
  yield `${JSON.stringify({ end: { rows: counts, sha256: hash.digest('hex') } })}\n`;
}

/** Reads a table page by page along its primary key, so that it is never held in memory as a whole. */
async function* readPages(
  query: Database['query'],
  { name, columns, primaryKey }: TableSchema,
): AsyncGenerator<Record<string, unknown>[]> {
  const key = sql.join(primaryKey.map((column) => sql.ref(column)));
  const selected = sql.join(columns.map((column) => sql.ref(column.name)));
  let last: Record<string, unknown> | undefined;
  do {
    const lastRow = last;
    const rest = lastRow ? sql`where (${key}) > (${sql.join(primaryKey.map((column) => lastRow[column]))})` : sql``;
    const { rows } = await sql<Record<string, unknown>>`
      select ${selected} from ${sql.table(name)} ${rest} order by ${key} limit ${sql.lit(PAGE_ROWS)}`.execute(query);
    if (rows.length > 0) yield rows;
    last = rows.length === PAGE_ROWS ? rows.at(-1) : undefined;
  } while (last);
}

/** Values that JSON and both engines represent exactly. Columns of other types need a conversion here first. */
export function toBackupValue(table: string, column: string, value: unknown): BackupValue {
  if (value === null || typeof value === 'string' || Number.isSafeInteger(value)) return value as BackupValue;
  throw new Error(`${table}.${column} has a value that a backup cannot contain: a ${typeof value}`);
}

/** IDs of deleted rows are not reused: they may be referenced elsewhere. */
async function readNextId(query: Database['query'], engine: Database['engine'], table: string): Promise<number> {
  if (engine === 'sqlite') {
    const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(query);
    return (rows[0]?.seq ?? 0) + 1;
  }
  const result = await sql<{ name: string }>`select pg_get_serial_sequence(${table}, 'id') as name`.execute(query);
  const sequence = sql.raw(result.rows[0]?.name ?? '');
  const { rows } = await sql<{ next: number }>`
    select case when is_called then last_value + 1 else last_value end as next from ${sequence}`.execute(query);
  return rows[0]?.next ?? 1;
}

/** A new file name is durable once its folder is flushed. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
