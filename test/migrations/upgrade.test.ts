import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TransactionDetail } from '../../src/api/fiat-transaction.ts';
import { migrationNames } from '../../src/migrations/migrate.ts';
import { openDatabase } from '../../src/database/open.ts';
import { SimulatedClock } from '../support/clock.ts';
import { createDatabaseAt, testEngine } from '../support/databases.ts';
import { cards, creation, submission } from '../support/requests.ts';
import { dumpRows } from '../support/rows.ts';
import { assertContinues, openShop, pushLinks, type Shop } from '../support/shop.ts';
import { type Form, formOf, insertRows, readRows, type Row, type Rows } from '../support/stored-rows.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('a service started on a database of an earlier version', () => {
  let shop: Shop;
  let rows: Rows;
  before(async () => {
    shop = await openShop();
    const { tables } = await formOf(migrationNames.at(-1) ?? '');
    rows = withFormerColumns(await readRows(shop.fixture.service().database, tables));
  });
  after(async () => await shop.fixture.close());

  // Only some versions: `migrations.test.ts` runs each migration on rows of every kind.
  const versions = migrationNames.filter((_, index) => index % (testEngine === 'sqlite' ? 4 : 25) === 0);
  for (const version of versions) {
    test(`continues from ${version}`, async () => {
      const database = await createDatabaseAt(version);
      const old = openDatabase(database.url, (error) => console.error(error));
      const form = await formOf(version);
      // Push payments were added in the second version.
      const hasPush = form.tables.some(({ name }) => name === 'payment_instructions');
      try {
        await insertRows(old, form, asItWas(form, hasPush ? rows : withoutPush(rows)));
      } finally {
        await old.close();
      }
      await assertContinues(shop, {
        database,
        clock: new SimulatedClock(new Date(shop.fixture.clock.now() / 1000).toISOString()),
        without: hasPush ? [] : pushLinks,
        forget: (detail) => {
          const kept = version < '0004' ? withoutBuyer(detail) : detail;
          return version < '0085' ? withoutPayers(kept) : kept;
        },
        ...(version < '0085' && { forgetListed: withoutPayers }),
      });
    });
  }

  /** The name and email of payers are stored since 0085. */
  function withoutPayers(shown: unknown): unknown {
    return JSON.parse(JSON.stringify(shown, (key, value: unknown) => (key === 'payer' ? undefined : value)));
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

/** Columns that referenced the subject of an event before it had a kind. */
const formerSubjects = {
  fiat_transaction: 'fiat_transaction_id',
  crypto_transaction: 'crypto_transaction_id',
  withdrawal: 'withdrawal_id',
  withdrawal_destination: 'withdrawal_destination_id',
  callback_url_change: 'callback_url_change_id',
};

/** Rows with the additional columns in which earlier versions stored the same values. */
function withFormerColumns(rows: Rows): Rows {
  const withSubjects = (list: readonly Row[] = []) =>
    list.map((row): Row => {
      const former = Object.entries(formerSubjects).map(([kind, column]) => [
        column,
        row.subject_kind === kind ? (row.subject_id ?? null) : null,
      ]);
      return { ...row, ...Object.fromEntries(former) };
    });
  const endpoints = new Map(rows.webhook_endpoints?.map((row) => [row.merchant_id, row]));
  const merchants = (rows.merchants ?? []).map((row): Row => {
    const { secret = null, previous_secret = null, previous_secret_until = null } = endpoints.get(row.id ?? null) ?? {};
    return {
      ...row,
      ...{ callback_secret: secret, previous_callback_secret: previous_secret },
      previous_callback_secret_until: previous_secret_until,
    };
  });
  const failing = (rows.webhook_endpoints ?? []).filter(({ failing_since: since }) => since !== null);
  return {
    ...{ ...rows, merchants, callback_receivers: failing },
    ...{ events: withSubjects(rows.events), callbacks: withSubjects(rows.callbacks) },
  };
}

/** The columns that a version had; columns removed since get their defaults. */
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

describe('a request repeated after an upgrade from a version with plain idempotency keys', () => {
  const VERSION = '0030-held-withdrawals';
  const keys = { submit: 'the payment', refund: 'the refund', create: 'the link' };
  const created = creation();

  for (const hadResponse of [true, false]) {
    test(hadResponse ? 'gets the stored response' : 'is resumed where it was interrupted', async () => {
      const now = () => new SimulatedClock(new Date().toISOString());
      const first = await openFixture({ clock: now() });
      const submitted = submission(created.transaction_id, cards.visa);
      const refunded = { transaction_id: created.transaction_id, amount: 1 };
      const sendRequest = async (fixture: Fixture) => ({
        create: await send(fixture, '/fiat/v1/transaction', keys.create, created),
        submit: await send(fixture, '/fiat/v1/transaction/submit', keys.submit, submitted),
        refund: await send(fixture, '/fiat/v1/transaction/refund', keys.refund, refunded),
      });
      const send = async (fixture: Fixture, path: string, key: string, body: object) => {
        const response = await fixture.request(path, {
          ...{ body, headers: { 'idempotency-key': key } },
          token: first.merchant.token,
        });
        assert.equal(response.status, 200, response.text);
        return response;
      };
      const results = await sendRequest(first);
      const { tables } = await formOf(migrationNames.at(-1) ?? '');
      const rows = withFormerColumns(await readRows(first.service().database, tables));
      await first.close();

      const { identity } = rows.idempotency_keys?.[0] ?? {};
      const sent = (row: Row) =>
        Object.entries(results).find(([name]) =>
          String(row.operation).endsWith(operations[name as keyof typeof keys]),
        )?.[0];
      const operations = { create: '/transaction', submit: '/submit', refund: '/refund' };
      const plain: Rows = {
        ...rows,
        idempotency_keys: (rows.idempotency_keys ?? []).map((row) => ({
          ...row,
          key: keys[sent(row) as keyof typeof keys],
          ...(!hadResponse && { status: null, answer: null, held_until: 1 }),
        })),
        card_attempts: (rows.card_attempts ?? []).map((row) => ({
          ...row,
          submission_key: `${identity} ${keys.submit}`,
        })),
        refunds: (rows.refunds ?? []).map((row) => ({ ...row, request_name: `${identity} ${keys.refund}` })),
      };
      const database = await createDatabaseAt(VERSION);
      const old = openDatabase(database.url, (error) => console.error(error));
      const form = await formOf(VERSION);
      await insertRows(old, form, asItWas(form, plain));
      await old.close();

      const fixture = await openFixture({ database, clock: now() });
      try {
        const stored = JSON.stringify(await dumpRows(fixture.service().database));
        for (const key of Object.values(keys)) assert.ok(!stored.includes(key), key);
        const again = await sendRequest(fixture);
        for (const response of Object.values(again))
          assert.equal(response.headers.get('idempotency-replayed'), hadResponse ? 'true' : null);
        const { body } = await fixture.request(`/fiat/v1/transaction?transaction_id=${created.transaction_id}`, {
          token: first.merchant.token,
        });
        assert.deepEqual([body.attempts.length, body.refunds.length, body.refunds[0].amount], [1, 1, 1]);
      } finally {
        await fixture.close();
      }
    });
  }
});
