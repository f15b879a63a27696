import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

export type TestEngine = 'sqlite' | 'postgres';

/** The engine that this run tests; the test command runs everything on both. */
export const testEngine: TestEngine = process.env.TEST_POSTGRES_URL ? 'postgres' : 'sqlite';

export interface TestDatabase {
  url: string;
  /** The files of an embedded database; null for a server's. */
  folder: string | null;
  drop(): Promise<void>;
}

let counter = 0;

/** An empty database, of this run's engine unless told otherwise. */
export async function createTestDatabase(engine = testEngine): Promise<TestDatabase> {
  const server = process.env.TEST_POSTGRES_URL;
  if (engine === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'paylatch-test-'));
    return {
      url: `sqlite:${join(folder, 'paylatch.db')}`,
      folder,
      drop: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
    };
  }
  if (!server) throw new Error('This run has no PostgreSQL');
  counter += 1;
  const name = `test_${process.pid}_${counter}`;
  await onServer(server, `create database ${name}`);
  return {
    url: server.replace(/\/[^/]*$/, `/${name}`),
    folder: null,
    drop: async () => await onServer(server, `drop database ${name} with (force)`),
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
