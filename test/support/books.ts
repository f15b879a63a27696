import type { Runner } from '../../src/database/engine.ts';
import { db } from './tables.ts';
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { WebhookBody } from '../../src/api/webhook-events.ts';
import { HOUR } from '../../src/shared/time.ts';
import { type Database, lockRows } from '../../src/database/database.ts';

/** What was answered, so that it must be true ever after. */
export interface Told {
  created: ReadonlyMap<string, { link: string }>;
  confirmed: ReadonlySet<string>;
  approvedAtIssuer: ReadonlySet<string>;
}

/** What must hold in the books whenever one looks, whatever was killed meanwhile. */
export async function assertBooks(books: Database, told: Told): Promise<void> {
  const { transactions, attempts, events, callbacks, charges } = await books.inSnapshot(async (on) => ({
    transactions: await db(on).selectFrom('fiat_transactions').selectAll().execute(),
    attempts: await db(on).selectFrom('card_attempts').selectAll().execute(),
    events: await db(on).selectFrom('events').selectAll().orderBy('sequence').execute(),
    callbacks: await db(on).selectFrom('callbacks').selectAll().execute(),
    charges: await db(on).selectFrom('sandbox_charges').selectAll().execute(),
  }));
  const byReference = new Map(transactions.map((row) => [row.transaction_id, row]));
  assert.equal(byReference.size, transactions.length);

  for (const [reference, { link }] of told.created) {
    assert.equal(byReference.get(reference)?.link_id, link.split('/').at(-1), `${reference} is there with its link`);
  }
  for (const reference of told.confirmed) {
    assert.equal(byReference.get(reference)?.status, 'confirmed', `${reference} was told to be confirmed`);
  }
  for (const reference of told.approvedAtIssuer) {
    assert.equal(byReference.get(reference)?.status, 'confirmed', `${reference} was approved at its issuer`);
  }
  const attemptsOf = groupBy(attempts, (row) => row.fiat_transaction_id);
  const ofFiat = (row: { subject_kind: string }) => row.subject_kind === 'fiat_transaction';
  const eventsOf = groupBy(events.filter(ofFiat), (row) => row.subject_id);
  const callbacksOf = groupBy(callbacks.filter(ofFiat), (row) => row.subject_id);
  const chargeOf = new Map(charges.map((charge) => [charge.attempt_key, charge]));
  for (const row of transactions) {
    const what = row.transaction_id;
    const own = attemptsOf.get(row.id) ?? [];
    const approved = own.filter((attempt) => attempt.state === 'approved');
    assert.equal(
      approved.length,
      row.status === 'confirmed' ? 1 : 0,
      `${what} has ${approved.length} approved attempts`,
    );
    assert.equal(row.amount_received_minor, row.status === 'confirmed' ? row.amount_charged_minor : 0, what);
    const taken = own.flatMap((attempt) => chargeOf.get(attempt.attempt_key) ?? []).filter(isApproved);
    assert.ok(taken.length <= 1, `${what} was charged ${taken.length} times`);
    if (approved[0])
      assert.deepEqual(
        taken.map((charge) => charge.attempt_key),
        [approved[0].attempt_key],
        what,
      );
    for (const charge of taken) assert.equal(charge.amount_minor, row.amount_charged_minor, what);
    const open = own.filter((attempt) => ['submitting', 'challenge', 'unknown'].includes(attempt.state));
    assert.ok(open.length <= 1, `${what} has ${open.length} open attempts`);
    assert.equal(open.length, row.status === 'waiting' ? 1 : 0, what);

    const happened = eventsOf.get(row.id) ?? [];
    assert.deepEqual(
      happened.map((event) => event.sequence),
      Array.from({ length: row.sequence + 1 }, (_, index) => index),
      what,
    );
    assert.equal(happened.at(-1)?.status, row.status, what);
    const outgoing = callbacksOf.get(row.id) ?? [];
    assert.deepEqual(
      outgoing.map((callback) => callback.event_id).sort(byNumber),
      happened
        .slice(1)
        .map((event) => event.id)
        .sort(byNumber),
      what,
    );
  }
  assert.equal(chargeOf.size, charges.length);
  const known = new Set(attempts.map((attempt) => attempt.attempt_key));
  assert.ok(
    charges.every((charge) => known.has(charge.attempt_key)),
    'a charge belongs to no attempt',
  );
}

/** Each event came at least once; none before the one before it had been taken. */
export async function assertDelivered(
  books: Database,
  accepted: readonly WebhookBody<'fiat.transaction.updated'>[],
): Promise<void> {
  const transactions = await db(books).selectFrom('fiat_transactions').select(['transaction_id', 'sequence']).execute();
  const cameOf = groupBy(accepted, ({ data }) => data.transaction_id);
  for (const { transaction_id: reference, sequence } of transactions) {
    const came = (cameOf.get(reference) ?? []).map(({ data }) => data.sequence);
    assert.deepEqual(
      [...new Set(came)],
      Array.from({ length: sequence }, (_, index) => index + 1),
      `callbacks of ${reference}`,
    );
  }
  const failed = await db(books).selectFrom('callbacks').select('id').where('state', '!=', 'delivered').execute();
  assert.deepEqual(failed, []);
}

/** Each webhook arrived at least once, and first after those of the earlier events of its object. */
export async function assertToldInOrder(on: Runner, webhookIds: readonly string[]): Promise<void> {
  const callbacks = await db(on)
    .selectFrom('callbacks')
    .innerJoin('events', 'events.id', 'callbacks.event_id')
    .select(['events.webhook_id', 'events.subject_kind', 'events.subject_id', 'events.sequence'])
    .orderBy('events.sequence')
    .execute();
  const firstAt = new Map(webhookIds.toReversed().map((id, index) => [id, webhookIds.length - 1 - index]));
  const ofObjects = groupBy(callbacks, (each) => `${each.subject_kind} ${each.subject_id}`);
  for (const [object, told] of ofObjects) {
    const places = told.map(({ webhook_id: id }) => firstAt.get(id ?? '') ?? -1);
    assert.ok(
      places.every((place) => place >= 0),
      `a webhook of ${object} never arrived`,
    );
    assert.deepEqual(places, places.toSorted(byNumber), `webhooks of ${object} arrived in another order`);
  }
}

/** An hour in which nothing runs: whatever waits for its time has waited for that much longer. */
export async function anHourPasses(books: Database): Promise<void> {
  for (const [table, column] of waiting) {
    // Processes work meanwhile: a unit of its own for each table, whose rows are locked in one order, waits for
    // them and is waited for, but never both.
    await books.inTransaction(async (unit) => {
      await lockRows(unit, db(unit).selectFrom(table).select('id').orderBy('id')).execute();
      const [name, moment] = [sql.table(table), sql.ref(column)];
      await sql`update ${name} set ${moment} = ${moment} - ${sql.lit(HOUR)}`.execute(db(unit));
    });
  }
}

/** What waits for its time, and for which. */
const waiting = [
  ['callbacks', 'next_attempt_at'],
  ['card_attempts', 'next_check_at'],
  ['sandbox_charges', 'notify_at'],
] as const;

function isApproved({ state }: { state: string }): boolean {
  return state === 'approved';
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function byNumber(a: number, b: number): number {
  return a - b;
}
