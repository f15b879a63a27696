import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { createAuditCleanup } from '../../src/audit/cleanup.ts';
import { eraseFromAuditLog } from '../../src/audit/erase.ts';
import { eraseFromResponses } from '../../src/operations/erase.ts';
import { createEraser } from '../../src/system/eraser.ts';
import { createWebhookCleanup } from '../../src/webhooks/cleanup.ts';
import { DAY, HOUR, toMillis } from '../../src/shared/time.ts';
import { idBaseOf } from '../../src/system/cell.ts';
import { ConfigError } from '../../src/system/settings.ts';
import { onSqlite } from '../support/databases.ts';
import { createLink, detailOf, submission, submitCard } from '../support/requests.ts';
import { openEndpoint, type TestEndpoint } from '../support/webhook-endpoint.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const tables = ['events', 'callbacks', 'callback_attempts', 'audit_entries'] as const;
const env = {
  RETENTION_EVENTS_DAYS: '120',
  RETENTION_WEBHOOKS_DAYS: '100',
  RETENTION_AUDIT_DAYS: '110',
  RETENTION_PAYER_DATA_DAYS: '30',
};

describe('retention', () => {
  let fixture: Fixture;
  let endpoint: TestEndpoint;
  before(async () => {
    endpoint = await openEndpoint();
    fixture = await openFixture({ env });
    await setCallbackUrl(fixture);
  });
  after(async () => {
    await endpoint.close();
    await fixture.close();
  });

  const setCallbackUrl = async ({ request }: Fixture) => {
    const body = { key: 'callback-url', value: endpoint.url };
    await request('/v1/merchant/preferences', { method: 'PATCH', body });
  };
  const count = async () => {
    const { database } = fixture.service();
    const counts: Record<string, number> = {};
    for (const table of tables) {
      const { rows } = await db(database)
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .where('merchant_id', '=', fixture.merchant.id)
        .executeTakeFirstOrThrow();
      counts[table] = rows;
    }
    return counts;
  };
  const payerRows = async () => {
    const attempts = await db(fixture.service().database)
      .selectFrom('card_attempts')
      .select(['payer_name', 'payer_name_key', 'payer_last_name_key', 'payer_email'])
      .execute();
    const payers = await db(fixture.service().database)
      .selectFrom('fiat_transactions')
      .select(['transaction_id', 'payer', 'buyer_network'])
      .orderBy('id')
      .execute();
    return { attempts, payers };
  };
  const networksInEvents = async (reference: string) => {
    const events = await db(fixture.service().database).selectFrom('events').select('data').execute();
    const details = events.map(({ data }) => JSON.parse(data) as { transaction_id: string; buyer_network?: string });
    const own = details.filter(({ transaction_id }) => transaction_id === reference);
    return new Set(own.flatMap(({ buyer_network }) => buyer_network ?? []));
  };

  test('removes each kind of record after its time, and keeps pending webhooks and open payments', async () => {
    const payer = { email: 'ada@example.com' };
    const { reference } = await createLink(fixture, { payer });
    await submitCard(fixture, reference);
    await fixture.work();
    const all = await count();
    assert.ok(
      tables.every((table) => (all[table] ?? 0) > 0),
      JSON.stringify(all),
    );

    await fixture.advance(29 * DAY);
    assert.equal((await payerRows()).attempts[0]?.payer_email, 'ada@example.com');
    assert.deepEqual(await networksInEvents(reference), new Set(['127.0.0.0/24']));
    const open = await createLink(fixture, { payer });
    await fixture.advance(2 * DAY);
    const { attempts, payers } = await payerRows();
    assert.deepEqual(attempts, [
      { payer_name: null, payer_name_key: null, payer_last_name_key: null, payer_email: null },
    ]);
    assert.deepEqual(payers[0], { transaction_id: reference, payer: null, buyer_network: null });
    assert.match(payers.find(({ transaction_id }) => transaction_id === open.reference)?.payer ?? '', /ada@/);
    assert.deepEqual(await networksInEvents(reference), new Set(['[erased]']));

    // A webhook that is not delivered is kept, with its event.
    await db(fixture.service().database)
      .updateTable('callbacks')
      .set({ state: 'pending', held: 1 })
      .where('subject_id', '=', 1)
      .where('sequence', '=', 1)
      .execute();
    const kept = async () => {
      const { events, callbacks, audit_entries } = await count();
      return [callbacks, events, audit_entries];
    };
    const before = await kept();
    await fixture.advance(68 * DAY);
    assert.deepEqual(await kept(), before, 'after 99 days');
    const newer = await createLink(fixture);
    await submitCard(fixture, newer.reference);
    await fixture.work();
    const [webhooks = 0, events = 0] = await kept();
    await fixture.advance(2 * DAY);
    const [remaining = 0, sameEvents] = await kept();
    assert.ok(remaining < webhooks, 'webhooks are deleted');
    assert.equal(sameEvents, events, 'events are not');
    await fixture.advance(10 * DAY);
    assert.equal((await kept())[2], 0, 'audit entries');
    await fixture.advance(10 * DAY);
    const left = await db(fixture.service().database)
      .selectFrom('events')
      .select(['subject_id', 'sequence'])
      .where('subject_id', '=', 1)
      .execute();
    assert.deepEqual(left, [{ subject_id: 1, sequence: 1 }]);
    const detail = await detailOf(fixture, reference);
    assert.deepEqual([detail.amount, detail.status], [12.5, 'transaction_status_confirmed']);
    // The payment can still change: its next event continues the sequence.
    const refund = { transaction_id: reference, amount: 1 };
    assert.equal((await fixture.request('/fiat/v1/transaction/refund', { body: refund })).status, 200);
  });

  test('removes the payer of a late attempt on an old payment, whatever other attempts precede it', async () => {
    const { database } = fixture.service();
    const expires_at = new Date(toMillis(fixture.clock.now() + 100 * DAY)).toISOString();
    const old = await createLink(fixture, { expires_at });
    await fixture.advance(31 * DAY);
    const recent = await createLink(fixture);
    await submitCard(fixture, recent.reference);
    await fixture.work();
    const { id, ...attempt } = await db(database)
      .selectFrom('card_attempts')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 500 }, (_, index) => ({
      number: index + 2,
      attempt_key: `copy ${id} ${index}`,
    }));
    await db(database)
      .insertInto('card_attempts')
      .values(copies.map((copy) => ({ ...attempt, ...copy, state: 'declined', submission_key: null })))
      .execute();
    await submitCard(fixture, old.reference);
    // As of a payment without a page.
    await db(database)
      .updateTable('fiat_transactions')
      .set({ buyer_network: null, buyer_locale: null })
      .where('transaction_id', '=', old.reference)
      .execute();
    await fixture.advance(HOUR);
    const { payer_email } = await db(database)
      .selectFrom('card_attempts')
      .select('payer_email')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    assert.equal(payer_email, null);
    // The copies have no charge at the acquirer.
    await db(database).deleteFrom('card_attempts').where('attempt_key', 'like', 'copy %').execute();
  });

  test('of payers continues after a payment that cannot be erased', async () => {
    const { database } = fixture.service();
    const broken = await createLink(fixture, { payer: { email: 'ada@example.com' } });
    const next = await createLink(fixture, { payer: { email: 'eve@example.com' } });
    for (const { reference } of [broken, next]) await submitCard(fixture, reference);
    await fixture.work();
    const replacePayer = async (payer: string | null) =>
      await db(database)
        .updateTable('fiat_transactions')
        .set({ payer })
        .where('transaction_id', '=', broken.reference)
        .execute();
    await replacePayer('{');
    await fixture.advance(31 * DAY);
    const payerOf = async (reference: string) =>
      (await payerRows()).payers.find(({ transaction_id }) => transaction_id === reference)?.payer;
    assert.equal(await payerOf(next.reference), null);
    await replacePayer(null);
    await fixture.advance(HOUR);
  });

  test('of rows from an earlier cell does not delay older rows of this one', async (context) => {
    const cell = await openFixture({ env: { ...env, CELL: 'ab' } });
    context.after(async () => await cell.close());
    const { database } = cell.service();
    await setCallbackUrl(cell);
    const { reference } = await createLink(cell, { payer: { email: 'ada@example.com' } });
    await submitCard(cell, reference);
    await cell.work();
    cell.clock.advance(130 * DAY);
    const now = cell.clock.now();
    const cleaned = [...tables, 'fiat_transactions', 'card_attempts'] as const;
    const copies: Record<(typeof cleaned)[number], (id: number) => Record<string, unknown>> = {
      events: (id) => ({ at: now, sequence: id, webhook_id: null, position: null }),
      callbacks: (id) => ({ created_at: now, sequence: id, event_id: id, webhook_id: `copy ${id}` }),
      callback_attempts: (id) => ({ at: now, callback_id: id }),
      audit_entries: () => ({ at: now }),
      fiat_transactions: (id) => ({ created_at: now, transaction_id: `copy ${id}`, link_id: `copy ${id}` }),
      card_attempts: (id) => ({ attempt_key: `copy ${id}`, fiat_transaction_id: id, submission_key: null }),
    };
    for (const table of cleaned) {
      const row = await db(database).selectFrom(table).selectAll().limit(1).executeTakeFirstOrThrow();
      const ids = Array.from({ length: 500 }, (_, index) => idBaseOf('aa') + index + 1);
      const rows = ids.map((id) => ({ ...row, id, ...copies[table](id) }));
      for (let from = 0; from < rows.length; from += 100)
        await db(database)
          .insertInto(table)
          .values(rows.slice(from, from + 100))
          .execute();
    }
    await cell.work();
    for (const table of tables)
      assert.deepEqual(
        await db(database).selectFrom(table).select('id').where('id', '>', idBaseOf('ab')).execute(),
        [],
        table,
      );
    const { payer } = await db(database)
      .selectFrom('fiat_transactions')
      .select('payer')
      .where('transaction_id', '=', reference)
      .executeTakeFirstOrThrow();
    const { payer_email } = await db(database)
      .selectFrom('card_attempts')
      .select('payer_email')
      .where('id', '>', idBaseOf('ab'))
      .executeTakeFirstOrThrow();
    assert.deepEqual([payer, payer_email], [null, null]);
    for (const table of cleaned.toReversed())
      await db(database).deleteFrom(table).where('id', '<=', idBaseOf('ab')).execute();
  });

  onSqlite('keeps everything unless it is set, and names wrong settings', () => {
    assert.deepEqual(readConfig({}).retention, { events: null, webhooks: null, auditEntries: null, payerData: null });
    assert.equal(readConfig({ RETENTION_EVENTS_DAYS: '365' }).retention.webhooks, 365 * DAY);
    for (const wrong of [
      { RETENTION_EVENTS_DAYS: '89' },
      { RETENTION_AUDIT_DAYS: '1.5' },
      { RETENTION_WEBHOOKS_DAYS: '91', RETENTION_EVENTS_DAYS: '90' },
    ])
      assert.throws(() => readConfig(wrong), ConfigError);
  });

  onSqlite('lets requests run between batches, as the erasure of a payer does', async () => {
    const busy = await openFixture();
    const { clock } = busy;
    const { database } = busy.service();
    const merchant_id = busy.merchant.id;
    const rows = Array.from({ length: 2000 }, (_, index) => index + 1);
    const audited = { action: 'setPreference', outcome: 'done', address: '', user_agent: '', request_id: '', at: 0 };
    const event = { subject_kind: 'fiat_transaction', type: 'fiat.transaction.updated', status: 'waiting' } as const;
    const response = { identity: '', operation: '', request_digest: '', held_until: null, status: 200, answer: '{}' };
    for (const query of [
      db(database)
        .insertInto('audit_entries')
        .values(rows.map(() => ({ merchant_id, ...audited }))),
      db(database)
        .insertInto('events')
        .values(rows.map((sequence) => ({ merchant_id, subject_id: 1, sequence, ...event, at: 0, data: '{}' }))),
      db(database)
        .insertInto('idempotency_keys')
        .values(rows.map((row) => ({ merchant_id, key: String(row), ...response, created_at: clock.now() }))),
    ])
      await query.execute();
    /** Counts the turns of the event loop during `work`. */
    const turnsOf = async (work: () => Promise<unknown>) => {
      let turns = 0;
      let next = setImmediate(function count() {
        turns += 1;
        next = setImmediate(count);
      });
      await work();
      clearImmediate(next);
      return turns;
    };
    const erase = createEraser(['ada@example.com']);
    const retention = { events: DAY, webhooks: DAY };
    for (const work of [
      async () => await eraseFromAuditLog(database, merchant_id, { actions: ['setPreference'], erase }),
      async () => await eraseFromResponses(database, merchant_id, erase),
      async () => await createAuditCleanup({ database, clock, retention: DAY }).runOnce(),
      async () => await createWebhookCleanup({ database, clock, retention }).runOnce(),
    ])
      assert.ok((await turnsOf(work)) >= 4, work.toString());
    for (const table of ['audit_entries', 'events'] as const)
      assert.deepEqual(await db(database).selectFrom(table).select('id').execute(), []);
    await busy.close();
  });

  test('is off by default', async () => {
    const keeping = await openFixture();
    const { reference } = await createLink(keeping, { payer: { email: 'ada@example.com' } });
    await keeping.request('/fiat/v1/transaction/submit', { body: submission(reference) });
    await keeping.work();
    const rows = async () =>
      await db(keeping.service().database).selectFrom('events').select(['id', 'subject_id', 'data']).execute();
    const before = await rows();
    await keeping.advance(4000 * DAY);
    const now = await rows();
    assert.ok(before.length > 0);
    assert.ok(before.every(({ id }) => now.some((each) => each.id === id)));
    const [attempt] = await db(keeping.service().database).selectFrom('card_attempts').select('payer_email').execute();
    assert.equal(attempt?.payer_email, 'ada@example.com');
    await keeping.close();
  });
});
