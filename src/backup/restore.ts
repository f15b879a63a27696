import { sql } from 'kysely';
import { type Instant, parseMoment } from '../shared/time.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import {
  appliedMigrations,
  inExclusiveUnit,
  migrateWithin,
  migrationNames,
  type MigrationStep,
} from '../migrations/migrate.ts';
import { describeTables, type TableSchema } from '../migrations/describe-tables.ts';
import { deleteMove } from '../migrations/moved.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { OnRows } from './backup.ts';
import { type BackupHeader, type BackupPart, readBackup, type RowCounts } from './file.ts';

export interface RestoreOptions {
  database: Database;
  path: string;
  onRows?: OnRows;
  onStep?: (step: MigrationStep) => void;
  /** Runs in the same database transaction; receives the backup's time. */
  onRestored?: (unit: UnitOfWork, createdAt: Instant) => Promise<void>;
}

export interface Restored {
  header: BackupHeader;
  rows: RowCounts;
  /** Migrations applied after the restore. */
  applied: string[];
}

/**
 * Restores a backup of either engine into an empty database and migrates it, in one transaction. The whole file is
 * read and checked before anything is written.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { database, path, onRows, onStep, onRestored } = options;
  const { header, rows } = await inspectBackup(path);
  const tables = await describeTables(header.migration);
  const applied = await inExclusiveUnit(
    database,
    () => onStep?.({ kind: 'waiting' }),
    async (unit) => {
      const { engine } = database;
      await dropEmptyTables({ query: unit.query, engine });
      await migrateWithin(unit.query, engine, { through: header.migration });
      const parts = readBackup(path);
      await insertRows({ query: unit.query, engine }, { name: path, parts, tables, onRows });
      const migrations = await migrateWithin(unit.query, engine, { onStep });
      await deleteMove(unit);
      await onRestored?.(unit, parseMoment(header.made_at)?.at ?? 0);
      return migrations;
    },
  );
  return { header, rows, applied };
}

/** Reads a backup to its end; throws if this release cannot restore it. */
async function inspectBackup(path: string): Promise<{ header: BackupHeader; rows: RowCounts }> {
  let header: BackupHeader | null = null;
  let rows: RowCounts = {};
  for await (const part of readBackup(path)) {
    if (part.kind === 'header') {
      header = part.header;
      if (!migrationNames.includes(header.migration)) {
        throw new OperatorError(
          `${path} was created by a newer release, with the migration ${header.migration}. Restore it with that release or a later one.`,
        );
      }
    }
    if (part.kind === 'end') rows = part.rows;
  }
  if (!header) throw new Error('A backup without a header was read');
  return { header, rows };
}

type Store = Pick<Database, 'query' | 'engine'>;

/** Drops the tables of an empty database, which may differ from those of the backup. */
export async function dropEmptyTables(store: Store, texts?: EmptinessTexts): Promise<void> {
  const tables = await requireEmpty(store, texts);
  if (tables.length === 0) return;
  for (const { name } of tables.toReversed()) await sql`drop table ${sql.table(name)}`.execute(store.query);
  await sql`delete from kysely_migration`.execute(store.query);
}

interface EmptinessTexts {
  name: string;
  advice: string;
}

/** Returns the tables of a database; throws if they have rows. */
export async function requireEmpty(
  store: Store,
  { name, advice }: EmptinessTexts = { name: 'The database', advice: 'Set DATABASE_URL to an empty database.' },
): Promise<readonly TableSchema[]> {
  const currentMigration = (await appliedMigrations(store)).at(-1);
  if (currentMigration === undefined) return [];
  if (!migrationNames.includes(currentMigration))
    throw new OperatorError(`${name} was migrated by a newer release. Use that release.`);
  const tables = await describeTables(currentMigration);
  const nonEmptyTables: string[] = [];
  for (const table of tables) {
    const { rows } = await sql`select 1 from ${sql.table(table.name)} limit 1`.execute(store.query);
    if (rows.length > 0) nonEmptyTables.push(table.name);
  }
  if (nonEmptyTables.length > 0)
    throw new OperatorError(`${name} is not empty (${nonEmptyTables.join(', ')}). Nothing was changed. ${advice}`);
  return tables;
}

interface InsertOptions {
  /** The origin of the parts, for errors. */
  name: string;
  parts: AsyncIterable<BackupPart>;
  tables: readonly TableSchema[];
  onRows?: OnRows | undefined;
  signal?: AbortSignal | undefined;
}

export async function insertRows({ query, engine }: Store, options: InsertOptions): Promise<void> {
  const { name: origin, parts, tables, onRows, signal } = options;
  let table: TableSchema | undefined;
  let columns: readonly string[] = [];
  let count = 0;
  for await (const part of parts) {
    signal?.throwIfAborted();
    if (part.kind === 'table') {
      if (table) onRows?.(table.name, count, true);
      const { table: name, columns: named, next_id: nextId } = part.table;
      table = tables.find((each) => each.name === name);
      if (!table) throw new OperatorError(`${origin} contains the table ${name}, which its version does not have.`);
      columns = named;
      count = 0;
      if (nextId !== undefined) await setNextId(query, engine, name, nextId);
    } else if (part.kind === 'rows' && table) {
      try {
        await insertBatch(query, engine, table, columns, part.json);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new OperatorError(`Rows of ${table.name} could not be written; nothing was changed. ${reason}`, {
          cause: error,
        });
      }
      count += part.count;
      onRows?.(table.name, count, false);
    }
  }
  if (table) onRows?.(table.name, count, true);
}

/** Inserts a batch of rows, a JSON array of arrays, with one statement; the database parses the JSON. */
export async function insertBatch(
  query: Database['query'],
  engine: Database['engine'],
  table: TableSchema,
  columns: readonly string[],
  json: string,
): Promise<void> {
  const target = sql`insert into ${sql.table(table.name)} (${sql.join(columns.map((column) => sql.ref(column)))})`;
  if (engine === 'sqlite') {
    const values = columns.map((_, index) => sql.raw(`json_extract(value, '$[${index}]')`));
    await sql`${target} select ${sql.join(values)} from json_each(${json})`.execute(query);
    return;
  }
  const values = columns.map((column, index) => {
    const type = table.columns.find(({ name }) => name === column)?.type ?? 'text';
    return sql.raw(`(value ->> ${index})::${type}`);
  });
  await sql`${target} select ${sql.join(values)} from json_array_elements(${json}::json) as batch (value)`.execute(
    query,
  );
}

async function setNextId(
  query: Database['query'],
  engine: Database['engine'],
  table: string,
  nextId: number,
): Promise<void> {
  if (engine === 'sqlite') {
    // Inserted rows have lower IDs, so they do not advance the sequence any further.
    await sql`delete from sqlite_sequence where name = ${table}`.execute(query);
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${nextId - 1})`.execute(query);
    return;
  }
  await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${nextId}, false)`.execute(query);
}
