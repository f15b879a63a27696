import { after, before, describe, test } from 'node:test';
import type { TransactionDetail } from '../../src/contract/fiat-transaction.ts';
import { migrate, migrationNames } from '../../src/platform/database/migrate.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import { SimulatedClock } from '../support/clock.ts';
import { createTestDatabase } from '../support/databases.ts';
import { assertGoesOn, openShop, pushLinks, type Shop } from '../support/shop.ts';
import { type Form, formOf, insertRows, readRows, type Row, type Rows } from '../support/stored-rows.ts';

describe('a service that starts on the database of an earlier version', () => {
  let shop: Shop;
  let rows: Rows;
  before(async () => {
    shop = await openShop();
    const { tables } = await formOf(migrationNames.at(-1) ?? '');
    rows = await readRows(shop.world.service().database, tables);
  });
  after(async () => await shop.world.close());

  for (const version of migrationNames) {
    test(`goes on from ${version}`, async () => {
      const database = await createTestDatabase();
      const old = openDatabase(database.url, (error) => console.error(error));
      const form = await formOf(version);
      // What is sent by buyers came with the second version.
      const hasPush = form.tables.some(({ name }) => name === 'payment_instructions');
      try {
        await migrate(old, { through: version });
        await insertRows(old, form, asItWas(form, hasPush ? rows : withoutPush(rows)));
      } finally {
        await old.close();
      }
      await assertGoesOn(shop, {
        database,
        clock: new SimulatedClock(new Date(shop.world.clock.now() / 1000).toISOString()),
        without: hasPush ? [] : pushLinks,
        forget: version < '0004' ? withoutBuyer : (detail) => detail,
      });
    });
  }

  /** Those columns that a version had; what was taken away since is what the database makes of it. */
  function asItWas({ tables }: Form, all: Rows): Rows {
    return Object.fromEntries(
      tables.map(({ name, columns }) => [
        name,
        (all[name] ?? []).map((row): Row => {
          const present = columns.filter((column) => column.name in row);
          return Object.fromEntries(present.map((column) => [column.name, row[column.name] ?? null]));
        }),
      ]),
    );
  }

  function withoutPush(all: Rows): Rows {
    const gone = new Set(pushLinks.map((name) => shop.links[name].reference));
    const ids = new Set(
      all.fiat_transactions?.filter((row) => gone.has(String(row.transaction_id))).map(({ id }) => id),
    );
    const callbacks = new Set(
      all.callbacks?.filter((row) => ids.has(row.fiat_transaction_id ?? null)).map(({ id }) => id),
    );
    const isKept = (row: Row) => !ids.has(row.fiat_transaction_id ?? null) && !callbacks.has(row.callback_id ?? null);
    return Object.fromEntries(
      Object.entries(all).map(([table, list]) => [
        table,
        list.filter((row) => isKept(row) && !(table === 'fiat_transactions' && ids.has(row.id ?? null))),
      ]),
    );
  }

  function withoutBuyer(detail: TransactionDetail): unknown {
    const { buyer_country_source: _source, buyer_network: _network, ...rest } = detail;
    return rest;
  }
});
