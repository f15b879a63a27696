import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';
import { migrate, migrationNames } from '../../src/migrations/migrate.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { TableSchema } from '../../src/migrations/describe-tables.ts';
import { packageRoot } from '../../src/system/root.ts';
import { createDatabaseAt, createTestDatabase, onSqlite, type TestDatabase } from '../support/databases.ts';
import { type MigrationCase, migrationCases } from '../support/migration-cases.ts';
import {
  type Form,
  formOf,
  insert,
  insertRows,
  generateRows,
  readRows,
  type Row,
  type Rows,
} from '../support/stored-rows.ts';
import { describeSchema } from '../support/database-schema.ts';

const empty: Form = { tables: [], choices: new Map() };

const createAt = async (version: string | undefined) =>
  version === undefined ? await createTestDatabase() : await createDatabaseAt(version);

async function withDatabase(store: TestDatabase, run: (database: Database) => Promise<void>): Promise<void> {
  const database = openDatabase(store.url, (error) => console.error(error));
  try {
    await run(database);
  } finally {
    await database.close();
    await store.drop();
  }
}

/** The columns, keys and allowed values of a table. */
function rulesOf({ tables, choices }: Form, name: string) {
  return [
    tables.find((table) => table.name === name),
    [...choices].filter(([column]) => column.startsWith(`${name}.`)),
  ];
}

function merge(...all: Rows[]): Rows {
  const merged: Rows = {};
  for (const rows of all) for (const [table, list] of Object.entries(rows)) (merged[table] ??= []).push(...list);
  return merged;
}

describe('migrations', () => {
  test('have a file each, and every test case has a migration', () => {
    const files = readdirSync(join(packageRoot(), 'src'), { recursive: true, encoding: 'utf8' });
    assert.deepEqual(
      files.flatMap((file) => /\bmigrations\/(\d{4}-.+)\.ts$/.exec(file)?.[1] ?? []).sort(),
      migrationNames,
      'every file is a migration that is run',
    );
    const cases = Object.keys(migrationCases);
    assert.deepEqual(
      cases,
      migrationNames.filter((name) => cases.includes(name)),
      'cases are in order',
    );
  });

  for (const [index, name] of migrationNames.entries()) {
    test(`${name} keeps existing rows and sets the promised values`, async () => {
      const promised = migrationCases[name] ?? {};
      const previous = migrationNames[index - 1];
      const old = previous === undefined ? empty : await formOf(previous);
      const form = await formOf(name);
      await withDatabase(await createAt(previous), async (database) => {
        await insertRows(database, old, merge(generateRows(old), promised.rows ?? {}));
        const before = await readRows(database, old.tables);
        for (const table of old.tables) assert.notEqual(before[table.name]?.length, 0, `${table.name} has rows`);

        assert.deepEqual(await migrate(database, { through: name }), [name]);

        const after = await readRows(database, form.tables);
        compare(promised, old, form, before, after);
        await assertSound(database);
        // Every table accepts rows afterward, including new and emptied ones.
        // Filled tables already contain a row for each parent.
        const isOnePerParent = ({ primaryKey, references }: TableSchema) =>
          primaryKey.length === 1 && references.some(({ column }) => column === primaryKey[0]);
        const isFilled = (table: TableSchema) =>
          (table.isNumbered || isOnePerParent(table)) && (after[table.name] ?? []).length > 0;
        const emptyNames = [...(promised.creates ?? []), ...(promised.empties ?? [])];
        const empties = form.tables.filter((table) => emptyNames.includes(table.name) && !isFilled(table));
        if (empties.length > 0)
          await insertRows(database, { ...form, tables: empties }, parentsFrom(after, generateRows(form), empties));
        // Unchanged tables were checked in the version that changed them; the last version checks all.
        const isChanged = ({ name: table }: TableSchema) =>
          !isDeepStrictEqual(rulesOf(old, table), rulesOf(form, table));
        const tables = form.tables.filter((table) => name === migrationNames.at(-1) || isChanged(table));
        await assertRefuses(database, { ...form, tables }, await readRows(database, tables));
        if (name === migrationNames.at(-1)) await assertFormOfSingleRun(database);
      });
    });
  }

  test('wait for the end of a move of a merchant', async () => {
    const last = migrationNames.at(-1) ?? '';
    await withDatabase(await createAt(migrationNames.at(-2)), async (database) => {
      await sql`insert into merchant_moves (merchant_id, move_id, cell, state, row_count, digest, started_at)
        values (7, 'move', 'ab', 'frozen', 1, 'digest', 1)`.execute(database.query);
      await assert.rejects(
        migrate(database),
        /^OperatorError: Merchant 7 is being moved to the cell ab, so the database cannot be migrated\./,
      );
      await sql`update merchant_moves set state = 'moved'`.execute(database.query);
      assert.deepEqual(await migrate(database), [last]);
    });
  });

  onSqlite('applied one by one with data result in the schema of a single run', async () => {
    await withDatabase(await createTestDatabase(), async (oneByOne) => {
      let filled = empty;
      for (const [index, name] of migrationNames.entries()) {
        const previous = migrationNames[index - 1];
        const form = previous === undefined ? empty : await formOf(previous);
        // A table that existed before already has rows.
        if (form.tables.some(({ name: table }) => !filled.tables.some((former) => former.name === table))) {
          const present = await readRows(oneByOne, form.tables);
          const empties = form.tables.filter((table) => present[table.name]?.length === 0);
          await insertRows(oneByOne, { ...form, tables: empties }, parentsFrom(present, generateRows(form), empties));
        }
        filled = form;
        await migrate(oneByOne, { through: name });
      }
      await assertSound(oneByOne);
      await assertFormOfSingleRun(oneByOne);
    });
  });
});

/** Compares the schema of a database that was migrated step by step with that of a single run. */
async function assertFormOfSingleRun(stepByStep: Database): Promise<void> {
  await withDatabase(await createTestDatabase(), async (atOnce) => {
    assert.deepEqual(await migrate(atOnce), migrationNames);
    assert.deepEqual(await migrate(atOnce), [], 'no migration is pending');
    assert.deepEqual(await describeSchema(stepByStep), await describeSchema(atOnce));
  });
}

/** Rows for new tables; their parents have the same ids in every set. */
function parentsFrom(present: Rows, made: Rows, tables: Form['tables']): Rows {
  for (const { references } of tables) {
    for (const { table } of references) {
      if (tables.some(({ name }) => name === table)) continue;
      const ids = new Set(present[table]?.map(({ id }) => id));
      assert.ok(
        made[table]?.every(({ id }) => ids.has(id ?? null)),
        `${table} has the parents of the new rows`,
      );
    }
  }
  return Object.fromEntries(tables.map(({ name }) => [name, made[name] ?? []]));
}

function compare(promised: MigrationCase, old: Form, form: Form, before: Rows, after: Rows): void {
  const names = (tables: Form['tables']) => tables.map((table) => table.name).sort();
  const isRemoved = (name: string) => promised.removes?.includes(name) ?? false;
  const kept = old.tables.filter(({ name }) => !isRemoved(name));
  assert.deepEqual(names(form.tables), [...names(kept), ...(promised.creates ?? [])].sort(), 'tables');
  const fills = typeof promised.fills === 'function' ? promised.fills(before) : promised.fills;
  for (const created of promised.creates ?? [])
    assert.deepEqual(after[created], fills?.[created] ?? [], `${created} has the expected rows`);
  for (const { name, columns, primaryKey } of kept) {
    const adds = promised.adds?.[name] ?? {};
    const changes = promised.changes?.[name] ?? {};
    const isKept = (column: string) => !promised.drops?.[name]?.includes(column);
    const former = columns.map((column) => column.name);
    const present = form.tables.find((table) => table.name === name)?.columns.map((column) => column.name) ?? [];
    const dropped = former.filter((column) => !present.includes(column));
    assert.deepEqual(dropped.sort(), [...(promised.drops?.[name] ?? [])].sort(), `dropped columns of ${name}`);
    const added = present.filter((column) => !former.includes(column));
    for (const column of Object.keys(adds)) assert.ok(added.includes(column), `${column} of ${name} is added`);
    const addedValues = added.map((column) => [column, adds[column] ?? (() => null)] as const);
    const rows = promised.empties?.includes(name) ? [] : (before[name] ?? []);
    const inserted = promised.inserts?.(before)[name] ?? [];
    const isInserted = (row: Row) => inserted.some((each) => isDeepStrictEqual({ ...row }, each));
    // In the order before the migration, which may extend the key.
    const formerKey = (row: Row) => JSON.stringify(primaryKey.map((column) => row[column]));
    const current = (after[name] ?? [])
      .filter((row) => !isInserted(row))
      .toSorted((one, other) => (formerKey(one) < formerKey(other) ? -1 : formerKey(one) > formerKey(other) ? 1 : 0));
    assert.equal(current.length, rows.length, `no row of ${name} is lost`);
    assert.equal(after[name]?.length, rows.length + inserted.length, `${name} has the expected number of rows`);
    for (const [index, row] of rows.entries()) {
      const now: Row = current[index] ?? {};
      const where = `${name} ${primaryKey.map((column) => row[column]).join(' ')}`;
      for (const [column, was] of Object.entries(row)) {
        if (isKept(column) && !(column in changes))
          assert.deepEqual(now[column], was, `${column} of ${where} is unchanged`);
      }
      for (const [column, expected] of [...addedValues, ...Object.entries(changes)]) {
        const value = expected(row, before);
        if (value instanceof RegExp) assert.match(String(now[column]), value, `${column} of ${where}`);
        else assert.deepEqual(now[column], value, `${column} of ${where}`);
      }
    }
  }
  for (const [table, rows] of Object.entries(promised.becomes ?? {})) {
    for (const [id, expected] of Object.entries(rows)) {
      const found = after[table]?.find((row) => row.id === Number(id)) ?? {};
      const shown = Object.fromEntries(Object.keys(expected).map((column) => [column, found[column]]));
      assert.deepEqual(shown, expected, `${table} ${id}`);
    }
  }
}

/** Checks foreign keys and the file's integrity; PostgreSQL enforces both. */
async function assertSound(database: Database): Promise<void> {
  if (database.engine === 'postgres') return;
  assert.deepEqual((await sql`pragma foreign_key_check`.execute(db(database))).rows, []);
  assert.deepEqual((await sql`pragma integrity_check`.execute(db(database))).rows, [{ integrity_check: 'ok' }]);
}

/** Rows that every table of a version must reject. */
async function assertRefuses(database: Database, { tables, choices }: Form, rows: Rows): Promise<void> {
  for (const { name, columns, references, primaryKey } of tables) {
    const some = rows[name]?.at(-1);
    assert.ok(some, `${name} has rows`);
    await assert.rejects(insert(database, name, [some]), `${name} accepts a row twice`);
    const refuses = async (column: string, value: string | number | null) => {
      const isSome = primaryKey.map((key) => sql`${sql.ref(key)} = ${some[key]}`);
      const change = sql`update ${sql.table(name)} set ${sql.ref(column)} = ${value} where ${sql.join(isSome, sql` and `)}`;
      await assert.rejects(change.execute(db(database)), `${name} accepts ${value} as ${column}`);
    };
    for (const column of columns) {
      // SQLite accepts null in a text primary key.
      if (!column.isNullable && !primaryKey.includes(column.name)) await refuses(column.name, null);
      if (choices.has(`${name}.${column.name}`)) await refuses(column.name, 'nonsense');
    }
    for (const { column } of references) await refuses(column, 888_888_888);
  }
}
