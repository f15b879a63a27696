import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Database } from '../../src/database/database.ts';
import { Figures } from '../../src/payments/statistics/figures.ts';
import { addUnstored, readFigures } from '../../src/payments/statistics/read-figures.ts';
import { createStatisticsJob } from '../../src/payments/statistics/roll-up.ts';
import { DAY, HOUR, type Instant, MINUTE } from '../../src/shared/time.ts';
import { testEngine } from '../support/databases.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { cards, createLink, submitCard } from '../support/requests.ts';

interface Fields {
  status: 'pending' | 'waiting' | 'confirmed' | 'failed';
  reason: 'declined' | 'expired' | null;
  payment_method: string;
  country: string;
  buyer_country: string | null;
  currency: 'USD' | 'VND';
  additional_currency: string;
  rate: string;
  amount_received_minor: number;
  amount_refunded_minor: number;
}

const fields: fc.Arbitrary<Fields> = fc.record({
  status: fc.constantFrom('pending', 'waiting', 'confirmed', 'failed', 'failed'),
  reason: fc.constantFrom('declined', 'declined', 'expired', null),
  payment_method: fc.constantFrom('credit_card', 'qr_code'),
  country: fc.constantFrom('USA', 'THA'),
  buyer_country: fc.constantFrom(null, 'TH', 'FR'),
  currency: fc.constantFrom('USD', 'VND'),
  additional_currency: fc.constantFrom('USD', 'EUR'),
  rate: fc.constantFrom('1', '1.1534', '0.000038', '0.333333333333'),
  amount_received_minor: fc.nat(9_000_000_000_000),
  amount_refunded_minor: fc.nat(1_000_000),
});

type Step =
  | { do: 'create'; ago: Instant; fields: Fields }
  | { do: 'change'; of: number; fields: Partial<Fields> }
  | { do: 'attempt'; of: number; code: string | null }
  | { do: 'decline'; of: number; code: string | null }
  | { do: 'remove'; of: number }
  | { do: 'pass'; time: Instant }
  | { do: 'rounds'; count: number }
  | { do: 'kill'; unit: number; when: 'before' | 'within' | 'after' }
  | { do: 'look'; since: Instant; length: Instant };

const of = fc.nat(20);
const minutes = (max: Instant) => fc.nat(max / MINUTE).map((count) => count * MINUTE);
const code = fc.constantFrom(null, 'insufficient_funds', 'do_not_honor');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      ago: fc.oneof(minutes(2 * HOUR), minutes(3 * DAY), minutes(40 * DAY)),
      fields,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ do: fc.constant('change' as const), of },
      fields: fields.chain((all) => fc.subarray(Object.keys(all)).map((names) => pick(all, names))),
    }),
  },
  fc.record({ do: fc.constant('attempt' as const), of, code }),
  fc.record({ do: fc.constant('decline' as const), of, code }),
  fc.record({ do: fc.constant('remove' as const), of }),
  fc.record({ do: fc.constant('pass' as const), time: fc.oneof(minutes(HOUR), minutes(2 * DAY)) }),
  { weight: 4, arbitrary: fc.record({ do: fc.constant('rounds' as const), count: fc.integer({ min: 1, max: 6 }) }) },
  fc.record({
    ...{ do: fc.constant('kill' as const), unit: fc.nat(3) },
    when: fc.constantFrom('before' as const, 'within' as const, 'after' as const),
  }),
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('look' as const), since: minutes(45 * DAY), length: minutes(45 * DAY) }),
  },
);

function pick(all: Fields, names: readonly string[]): Partial<Fields> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

class Killed extends Error {}

/** Fails the unit of work with this number: before it begins, before its commit, or after its commit. */
function killedAt(database: Database, unitNumber: number, when: 'before' | 'within' | 'after'): Database {
  let count = 0;
  return {
    ...database,
    async inTransaction(work) {
      const isLast = count === unitNumber;
      count += 1;
      if (isLast && when === 'before') throw new Killed();
      const result = await database.inTransaction(async (unit) => {
        const done = await work(unit);
        if (isLast && when === 'within') throw new Killed();
        return done;
      });
      if (isLast) throw new Killed();
      return result;
    },
  };
}

async function openShop() {
  const fixture = await openFixture();
  await submitCard(fixture, (await createLink(fixture)).reference, cards.declined);
  const { database } = fixture.service();
  const query = db(database);
  const transaction = await query.selectFrom('fiat_transactions').selectAll().executeTakeFirstOrThrow();
  const attempt = await query.selectFrom('card_attempts').selectAll().executeTakeFirstOrThrow();
  const merchantId = transaction.merchant_id;
  let number = 0;
  let ids: number[] = [];
  const pickId = (index: number) => ids[index % Math.max(1, ids.length)];

  const shop = {
    ...{ fixture, database, merchantId },
    job: createStatisticsJob({ database, clock: fixture.clock }),
    async create(on: Database, createdAt: Instant, values: Partial<Fields>) {
      number += 1;
      const { id: _, ...model } = transaction;
      const names = { transaction_id: `row-${number}`, link_id: `row-${number}`.padEnd(27, '0') };
      const row = { ...model, ...names, ...values, created_at: createdAt };
      const { id } = await db(on).insertInto('fiat_transactions').values(row).returning('id').executeTakeFirstOrThrow();
      return id;
    },
    async change(on: Database, id: number, values: Partial<Fields>) {
      if (Object.keys(values).length > 0)
        await db(on).updateTable('fiat_transactions').set(values).where('id', '=', id).execute();
    },
    async attempt(id: number, declineCode: string | null) {
      number += 1;
      const { id: _, ...model } = attempt;
      const values = { fiat_transaction_id: id, number, attempt_key: `row-${number}`, decline_code: declineCode };
      await query
        .insertInto('card_attempts')
        .values({ ...model, ...values })
        .execute();
    },
    async decline(id: number, declineCode: string | null) {
      const { max } = query.fn;
      const last = query.selectFrom('card_attempts').select(max('id').as('id')).where('fiat_transaction_id', '=', id);
      await query.updateTable('card_attempts').set({ decline_code: declineCode }).where('id', '=', last).execute();
    },
    /** Removes all rows of earlier sequences. */
    async clear() {
      for (const table of ['statistics_progress', 'statistics_quarters', 'statistics_days'] as const)
        await query.deleteFrom(table).execute();
      await query.deleteFrom('refunds').execute();
      await query.deleteFrom('card_attempts').where('id', '<>', attempt.id).execute();
      await query.deleteFrom('fiat_transactions').where('id', '<>', transaction.id).execute();
      await query.deleteFrom('statistics_changes').execute();
      ids = [];
      shop.job = createStatisticsJob({ database, clock: fixture.clock });
    },
    /** Compares the figures of a range with those of its transactions. */
    async assertExact(since = fixture.clock.now() - 50 * DAY, till = fixture.clock.now() + DAY, reader = database) {
      const range = { merchantId, since, till };
      const [stored, plain] = [await readFigures(reader, range), new Figures()];
      await addUnstored(reader, range, plain);
      assert.deepEqual(JSON.parse(String(stored)), JSON.parse(String(plain)));
    },
    /** Rolls up until a new process finds nothing to do. Transactions in other databases of the server delay it. */
    async rollUp() {
      for (;;) {
        shop.job = createStatisticsJob({ database, clock: fixture.clock });
        if ((await shop.job.runOnce()) === 0) return;
        while ((await shop.job.runOnce()) > 0);
      }
    },
    async run(todo: Step) {
      const now = fixture.clock.now();
      if (todo.do === 'create') ids.push(await shop.create(database, now - todo.ago, todo.fields));
      else if (todo.do === 'pass') fixture.clock.advance(todo.time);
      else if (todo.do === 'rounds') for (let rounds = 0; rounds < todo.count; rounds += 1) await shop.job.runOnce();
      else if (todo.do === 'kill') {
        const another = createStatisticsJob({
          database: killedAt(database, todo.unit, todo.when),
          clock: fixture.clock,
        });
        for (let rounds = 0; rounds < 4; rounds += 1)
          await another.runOnce().catch((error: unknown) => assert.ok(error instanceof Killed, String(error)));
      } else if (todo.do === 'look')
        await shop.assertExact(now - todo.since, Math.min(now - todo.since + todo.length, now + DAY));
      else {
        const id = pickId(todo.of);
        if (id === undefined) return;
        if (todo.do === 'change') await shop.change(database, id, todo.fields);
        else if (todo.do === 'attempt') await shop.attempt(id, todo.code);
        else if (todo.do === 'decline') await shop.decline(id, todo.code);
        else {
          await query.deleteFrom('card_attempts').where('fiat_transaction_id', '=', id).execute();
          await query.deleteFrom('fiat_transactions').where('id', '=', id).execute();
          ids = ids.filter((each) => each !== id);
        }
      }
    },
  };
  return shop;
}

describe('roll-up of statistics', () => {
  let shop: Awaited<ReturnType<typeof openShop>>;
  let fixture: Fixture;
  before(async () => {
    shop = await openShop();
    ({ fixture } = shop);
  });
  after(async () => {
    await shop.clear();
    await fixture.close();
  });

  test('is exact after any change, at any progress, and after kills', async () => {
    const lasting: Fields = {
      ...{ status: 'confirmed', reason: null, payment_method: 'qr_code', country: 'THA', buyer_country: null },
      ...{ currency: 'USD', additional_currency: 'EUR', rate: '1.1534' },
      ...{ amount_received_minor: 1250, amount_refunded_minor: 0 },
    };
    const old: Step[] = [
      { do: 'create', ago: 2 * DAY, fields: lasting },
      { do: 'create', ago: 2 * DAY, fields: { ...lasting, status: 'failed', reason: 'declined' } },
      { do: 'rounds', count: 6 },
    ];
    const check: Step = { do: 'look', since: 3 * DAY, length: 3 * DAY };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        await shop.clear();
        for (const each of steps) await shop.run(each);
        await shop.assertExact();
        await shop.rollUp();
        await shop.assertExact();
      }),
      {
        numRuns: testEngine === 'sqlite' ? 40 : 20,
        // Each kind of change to stored figures.
        examples: [
          ...Object.keys(lasting).map((name) => {
            const other = { ...lasting, status: 'failed', reason: 'expired', payment_method: 'credit_card' } as const;
            const values = { ...other, country: 'USA', buyer_country: 'FR', currency: 'VND', rate: '1' } as const;
            const rest = { additional_currency: 'USD', amount_received_minor: 7, amount_refunded_minor: 5 };
            const change: Step = { do: 'change', of: 0, fields: pick({ ...values, ...rest }, [name]) };
            return [[...old, change, check]] as [Step[]];
          }),
          ...(['attempt', 'decline'] as const).map((kind): [Step[]] => [
            [
              ...old,
              { do: 'attempt', of: 1, code: 'insufficient_funds' },
              { do: 'rounds', count: 6 },
              { do: kind, of: 1, code: 'do_not_honor' },
              check,
            ],
          ]),
          [[...old, { do: 'remove', of: 0 }, check]],
        ],
      },
    );
  });

  test('reads one row per whole day, and transactions only of the last hours', async () => {
    await shop.clear();
    const now = fixture.clock.now();
    for (let day = 1; day < 5; day += 1) await shop.create(shop.database, now - day * DAY, { status: 'confirmed' });
    await shop.create(shop.database, now, { status: 'confirmed' });
    await shop.rollUp();
    const count = async (table: 'statistics_days' | 'statistics_quarters' | 'statistics_changes') =>
      (await db(shop.database).selectFrom(table).selectAll().execute()).length;
    // The first transaction of the shop is older.
    assert.ok((await count('statistics_days')) >= 4);
    assert.equal(await count('statistics_changes'), 0);
    // Stored figures are read, not the transactions.
    await db(shop.database)
      .updateTable('statistics_days')
      .set({ figures: '{"quarters":{},"methods":{},"places":{},"currencies":{},"failures":{"stored":1}}' })
      .execute();
    const { failures, currencies } = await readFigures(shop.database, {
      ...{ merchantId: shop.merchantId, since: now - 40 * DAY, till: now + DAY },
    });
    assert.ok((failures.get('stored') ?? 0) >= 3);
    assert.ok([...currencies.values()].reduce((sum, totals) => sum + totals.count, 0) <= 2);
  });

  test('records no changes to recent links', async () => {
    await shop.clear();
    await shop.rollUp();
    const { reference } = await createLink(fixture);
    await submitCard(fixture, reference);
    assert.deepEqual(await db(shop.database).selectFrom('statistics_changes').selectAll().execute(), []);
    await shop.assertExact();
  });

  test('follows late payments, refunds, cancellations and declines over HTTP', async () => {
    await shop.clear();
    const links = [];
    for (let count = 0; count < 3; count += 1) links.push((await createLink(fixture)).reference);
    const [paid = '', declined = '', cancelled = ''] = links;
    fixture.clock.advance(3 * HOUR);
    await shop.rollUp();
    const post = async (path: string, body: object) => {
      const { status, text } = await fixture.request(`/fiat/v1/transaction/${path}`, { body });
      assert.ok(status < 300, text);
      await shop.assertExact();
      await shop.job.runOnce();
      await shop.assertExact();
    };
    await submitCard(fixture, paid);
    await shop.assertExact();
    await shop.rollUp();
    await post('refund', { transaction_id: paid, amount: 5 });
    await post('cancel', { transaction_id: cancelled });
    for (let count = 0; count < 5; count += 1) await submitCard(fixture, declined, cards.insufficientFunds);
    await shop.assertExact();
    await shop.rollUp();
    const { body } = await fixture.request('/v1/statistics');
    assert.deepEqual(
      body.failures.map(({ reason }: { reason: string }) => reason).toSorted(),
      ['cancelled', 'insufficient_funds', ...(body.failures.length > 2 ? ['do_not_honor'] : [])].toSorted(),
    );
    assert.ok(body.currencies.some(({ refunded_amount: refunded }: { refunded_amount: number }) => refunded === 5));
  });

  if (testEngine === 'postgres') {
    test('waits for writers that began before a quarter-hour was closed', async () => {
      await shop.clear();
      const writer = await fixture.another();
      const old = fixture.clock.now() - 2 * DAY;
      await shop.create(shop.database, old, { status: 'confirmed' });
      const job = createStatisticsJob({ database: shop.database, clock: fixture.clock });
      await writer.database.inTransaction(async (unit) => {
        await shop.create({ ...writer.database, ...unit }, old, { status: 'confirmed' });
        for (let rounds = 0; rounds < 5; rounds += 1) await job.runOnce();
        assert.deepEqual(await db(shop.database).selectFrom('statistics_quarters').selectAll().execute(), []);
        await shop.assertExact();
      });
      await shop.assertExact();
      await shop.rollUp();
      await shop.assertExact();
      await writer.close();
    });

    test('keeps changes that commit while their quarter-hour is rolled up', async () => {
      await shop.clear();
      const writer = await fixture.another();
      const old = fixture.clock.now() - 2 * DAY;
      const id = await shop.create(shop.database, old, { status: 'pending' });
      await shop.rollUp();
      await writer.database.inTransaction(async (unit) => {
        await shop.change({ ...writer.database, ...unit }, id, { status: 'confirmed' });
        // Another change to the quarter-hour starts a roll-up that cannot see the first.
        await shop.create(shop.database, old, { status: 'failed' });
        while ((await shop.job.runOnce()) > 0);
        await shop.assertExact();
      });
      await shop.assertExact();
      await shop.rollUp();
      await shop.assertExact();
      await writer.close();
    });

    test('is exact in every snapshot while multiple processes write and roll up', async () => {
      await shop.clear();
      const services = [await fixture.another(), await fixture.another(), await fixture.another()];
      const now = fixture.clock.now();
      const created: number[] = [];
      for (let count = 0; count < 40; count += 1)
        created.push(await shop.create(shop.database, now - 2 * DAY - count * 20 * MINUTE, { status: 'pending' }));
      const writers = { areRunning: true };
      const rollUpAll = services.slice(1).map(async ({ database }) => {
        const job = createStatisticsJob({ database, clock: fixture.clock });
        while (writers.areRunning) await job.runOnce();
      });
      const writeAll = services.map(async ({ database }, worker) => {
        for (let count = 0; count < 60; count += 1) {
          const id = created[(count * 7 + worker * 3) % created.length] ?? 0;
          await database.inTransaction(async (unit) => {
            const on = { ...database, ...unit };
            await shop.change(on, id, {
              status: count % 2 === 0 ? 'confirmed' : 'failed',
              amount_received_minor: count,
            });
            if (count % 5 === 0) await shop.create(on, now - 2 * DAY - count * MINUTE, { status: 'confirmed' });
          });
        }
      });
      const written = Promise.all(writeAll).then(() => (writers.areRunning = false));
      let looks = 0;
      while (writers.areRunning) {
        await shop.database.inSnapshot(
          async (reader) => await shop.assertExact(undefined, undefined, { ...shop.database, ...reader }),
        );
        looks += 1;
      }
      await written;
      await Promise.all(rollUpAll);
      assert.ok(looks > 3, `${looks} looks`);
      await shop.rollUp();
      await shop.assertExact();
      for (const service of services) await service.close();
    });
  }
});
