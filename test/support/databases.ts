import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { migrate, migrationNames } from '../../src/migrations/migrate.ts';
import { openDatabase } from '../../src/database/open.ts';

export type TestEngine = 'sqlite' | 'postgres';

/** The engine that this run tests; the test command runs everything on both. */
export const testEngine: TestEngine = process.env.TEST_POSTGRES_URL ? 'postgres' : 'sqlite';

const leaveOut: typeof test = Object.assign(async () => await Promise.resolve(), test);
/** A test that runs only on SQLite: other tests run its statements on PostgreSQL. */
export const onSqlite = testEngine === 'sqlite' ? test : leaveOut;

export interface TestDatabase {
  url: string;
  /** The files of an embedded database; null for PostgreSQL. */
  folder: string | null;
  drop(): Promise<void>;
}

let counter = 0;

/** An empty database, by default of this run's engine. */
export async function createTestDatabase(engine = testEngine): Promise<TestDatabase> {
  if (engine === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'paylatch-test-'));
    return {
      url: `sqlite:${join(folder, 'paylatch.db')}`,
      folder,
      drop: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
    };
  }
  return await createOnServer('');
}

/** A migrated, empty database: a copy of a template, because migrations take far longer. */
export async function createMigratedDatabase(engine = testEngine): Promise<TestDatabase> {
  if (engine === 'postgres') return await createOnServer(`template ${await readyTemplate()} strategy file_copy`);
  template ??= await readTemplateFile();
  const database = await createTestDatabase(engine);
  writeFileSync(fileOf(database), template, { mode: 0o600 });
  return database;
}

/**
 * An empty database of an earlier version, of this run's engine by default. It is migrated from a version that was
 * requested before, which saves hundreds of migrations where a test needs every version.
 */
export async function createDatabaseAt(version: string, engine = testEngine): Promise<TestDatabase> {
  if (version === migrationNames.at(-1)) return await createMigratedDatabase(engine);
  if (engine === 'postgres')
    return await createOnServer(`template ${await reachedTemplate(version)} strategy file_copy`);
  const database = await createTestDatabase(engine);
  writeFileSync(fileOf(database), await readFileAt(version), { mode: 0o600 });
  return database;
}

const fileOf = ({ url }: TestDatabase) => url.slice('sqlite:'.length);

let template: Buffer | undefined;

/** A migrated SQLite file. Bundled tests share one next to their code, so it matches their migrations. */
async function readTemplateFile(): Promise<Buffer> {
  const { TEST_SERVER } = process.env;
  const shared = TEST_SERVER && join(dirname(TEST_SERVER), 'migrated.db');
  if (shared && existsSync(shared)) return readFileSync(shared);
  const database = await createTestDatabase('sqlite');
  await migrateAt(database.url);
  const content = readFileSync(fileOf(database));
  if (shared) {
    // Written atomically for other processes.
    copyFileSync(fileOf(database), `${shared}.${process.pid}`);
    renameSync(`${shared}.${process.pid}`, shared);
  }
  await database.drop();
  return content;
}

/** Empty SQLite files by version. */
const files = new Map<string, Buffer>();

async function readFileAt(version: string): Promise<Buffer> {
  const earlier = [...files.keys()]
    .filter((name) => name <= version)
    .sort()
    .at(-1);
  const start = earlier === undefined ? undefined : files.get(earlier);
  if (start && earlier === version) return start;
  const database = await createTestDatabase('sqlite');
  if (start) writeFileSync(fileOf(database), start, { mode: 0o600 });
  await migrateAt(database.url, version);
  const content = readFileSync(fileOf(database));
  files.set(version, content);
  await database.drop();
  return content;
}

/** The PostgreSQL database from which the last requested version was copied. */
let reached: { version: string; url: string } | undefined;

async function reachedTemplate(version: string): Promise<string> {
  if (!reached || reached.version > version) reached = { version, url: (await createOnServer('')).url };
  reached.version = version;
  await migrateAt(reached.url, version);
  return nameOf(reached.url);
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** Dropped with the next creation, which saves a connection. The last one goes with the server. */
let unused: string[] = [];

async function createOnServer(options: string): Promise<TestDatabase> {
  const server = serverUrl();
  counter += 1;
  const name = `test_${process.pid}_${counter}`;
  const former = unused;
  unused = [];
  await onServer(async (client) => {
    for (const each of former) await client.query(`drop database ${each} with (force)`);
    await client.query(`create database ${name} ${options}`);
  });
  return {
    url: server.replace(/\/[^/]*$/, `/${name}`),
    folder: null,
    drop: () => Promise.resolve(void unused.push(name)),
  };
}

const TEMPLATE = `migrated_${createHash('sha256').update(migrationNames.join()).digest('hex').slice(0, 16)}`;
const TEMPLATE_LOCK = 7_246_137;

/** The template database: the first process creates it, and others wait. */
async function readyTemplate(): Promise<string> {
  await onServer(async (client) => {
    const isThere = async () => {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [TEMPLATE]);
      return rowCount === 1;
    };
    if (await isThere()) return;
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    if (await isThere()) return;
    const making = await createOnServer('');
    await migrateAt(making.url);
    await client.query(`alter database ${nameOf(making.url)} rename to ${TEMPLATE}`);
  });
  return TEMPLATE;
}

async function migrateAt(url: string, through = migrationNames.at(-1) ?? ''): Promise<void> {
  const database = openDatabase(url, (error) => console.error(error));
  await migrate(database, { through });
  await database.close();
}

function serverUrl(): string {
  const url = process.env.TEST_POSTGRES_URL;
  if (!url) throw new Error('This run has no PostgreSQL');
  return url;
}

async function onServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
