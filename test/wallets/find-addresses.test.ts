// Databases: postgres
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { findWalletIdsByAddress } from '../../src/wallets/addresses.ts';
import { invoicesOf } from '../support/invoices.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { db } from '../support/tables.ts';

const WALLETS = 5000;

describe('the wallets of addresses', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await fixture.work();
  });
  after(async () => await fixture.close());
  const { create } = invoicesOf(() => fixture);

  test('are found by the index, even if the statistics are older than most wallets', async () => {
    const { walletAddress } = await create();
    const { database } = fixture.service();
    await sql`
      insert into wallets select (jsonb_populate_record(wallets, jsonb_build_object(
        'id', 1000000 + number, 'address', 'copy-' || number, 'derivation_index', 1000000 + number))).*
      from wallets, generate_series(1, ${sql.lit(WALLETS)}) as number`.execute(db(database));
    const addresses = ['copy-7', walletAddress, ...Array.from({ length: 500 }, (_, index) => `other-${index}`)];
    await database.inTransaction(async (unit) => {
      const found = await findWalletIdsByAddress(unit, 'bitcoin', addresses);
      assert.deepEqual([...found.keys()].toSorted(), [walletAddress, 'copy-7'].toSorted());
      assert.equal(found.get('copy-7'), 1_000_007);
      const { rows } = await sql<{ read: number }>`
        select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
        where relname = 'wallets'`.execute(db(unit));
      assert.ok((rows[0]?.read ?? WALLETS) <= 10, `${rows[0]?.read} wallets were read`);
    });
  });
});
