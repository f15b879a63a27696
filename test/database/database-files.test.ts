// Databases: sqlite
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { migrate } from '../../src/migrations/migrate.ts';
import { openSqlite } from '../../src/database/sqlite.ts';

describe('database files', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'paylatch-files-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const modes = (of: string) =>
    Object.fromEntries(readdirSync(of).map((name) => [name, statSync(join(of, name)).mode & 0o777]));
  const PRIVATE = { 'paylatch.db': 0o600, 'paylatch.db-shm': 0o600, 'paylatch.db-wal': 0o600 };

  test('a new SQLite database can be read by its owner only', async () => {
    const data = join(folder, 'deep', 'data');
    const database = openSqlite(join(data, 'paylatch.db'));
    await migrate(database);
    assert.deepEqual(modes(data), PRIVATE);
    assert.deepEqual([statSync(data).mode & 0o777, statSync(join(folder, 'deep')).mode & 0o777], [0o700, 0o700]);
    await database.close();
  });

  test('files of an earlier release are restricted to their owner, their folder stays unchanged', async () => {
    const data = mkdtempSync(join(folder, 'old-'));
    chmodSync(data, 0o755);
    const path = join(data, 'paylatch.db');
    // Another process has it open, so that -wal and -shm exist.
    const holder = openSqlite(path);
    await migrate(holder);
    for (const name of readdirSync(data)) chmodSync(join(data, name), 0o644);
    const database = openSqlite(path);
    assert.deepEqual(modes(data), PRIVATE);
    assert.equal(statSync(data).mode & 0o777, 0o755);
    await database.close();
    await holder.close();
  });
});
