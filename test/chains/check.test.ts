import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { checkChains } from '../../src/chains/check.ts';
import type { ChainAccount } from '../../src/chains/family.ts';
import { openDatabase } from '../../src/database/open.ts';
import { HOUR, type Instant } from '../../src/shared/time.ts';
import { createMigratedDatabase } from '../support/databases.ts';

const NOW: Instant = Date.parse('2026-11-21T09:00:00Z') * 1000;

test('the chain check compares each node with the scan position', async () => {
  const stored = await createMigratedDatabase();
  const database = openDatabase(stored.url, () => undefined);
  let closed = 0;
  const account = {
    ...{ name: 'bitcoin', network: 'Bitcoin' },
    chain: {
      tip: async () => await Promise.resolve({ height: 900_000, hash: 'aa' }),
      close: async () => {
        closed += 1;
        await Promise.resolve();
      },
    },
  } as unknown as ChainAccount;
  const check = checkChains({
    database,
    clock: { now: () => NOW },
    connect: async () => await Promise.resolve([account]),
  });
  const scanned = async (height: number, at: Instant, trouble: string | null = null) => {
    await sql`delete from chain_cursors`.execute(database.query);
    await sql`insert into chain_cursors (chain, height, hash, trouble, updated_at)
      values ('bitcoin', ${height}, 'bb', ${trouble}, ${at})`.execute(database.query);
    return await check.run();
  };
  try {
    assert.match((await check.run()).found, /has not been scanned yet/);
    assert.equal((await scanned(900_000, NOW)).found, 'Bitcoin is at block 900000, all scanned.');
    assert.equal((await scanned(899_998, NOW)).found, 'Bitcoin is at block 900000, all but 2 scanned.');
    const late = await scanned(899_990, NOW - 3 * HOUR);
    assert.deepEqual([late.status, late.found], ['problem', 'Bitcoin: blocks not scanned yet: 10.']);
    const error = JSON.stringify({ kind: 'reorg_too_deep', message: 'The chain was reorganized by 200 blocks.' });
    assert.match((await scanned(900_000, NOW, error)).found, /cannot be scanned: The chain was reorganized/);
    assert.equal(closed, 5);
  } finally {
    await database.close();
    await stored.drop();
  }
});
