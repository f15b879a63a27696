import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { testEngine } from '../support/databases.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('durability', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  /** Each engine's setting for commits that wait for the disk. */
  const durable = {
    sqlite: { 'pragma journal_mode': 'wal', 'pragma synchronous': 2, 'pragma foreign_keys': 1 },
    postgres: { 'show synchronous_commit': 'on' },
  } as const;

  test('a commit is acknowledged once it is on disk', async () => {
    const { database } = fixture.service();
    for (const [question, result] of Object.entries(durable[testEngine])) {
      const { rows } = await sql.raw<Record<string, unknown>>(question).execute(db(database));
      assert.deepEqual(Object.values(rows[0] ?? {}), [result], question);
    }
  });
});
