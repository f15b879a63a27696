import type { Runner } from '../../src/database/engine.ts';
import { db } from './tables.ts';
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { WebhookBody } from '../../src/api/webhook-events.ts';
import { HOUR } from '../../src/shared/time.ts';
import { type Database, lockRows } from '../../src/database/database.ts';

/** Facts that responses have confirmed: they must stay true. */
export interface ConfirmedFacts {
  created: ReadonlyMap<string, { link: string }>;
  confirmed: ReadonlySet<string>;
  approvedAtIssuer: ReadonlySet<string>;
}

/** A charge in the acquirer's record. */
interface Charge {
  attempt_key: string;
  amount_minor: number;
  state: string;
}

/**
 * Checks the invariants of the stored payments, which hold at any time, even after kills. Without `acquirerCharges`, the
 * charges are those of the sandbox.
 */
export async function assertPayments(
  database: Database,
  facts: ConfirmedFacts,
  acquirerCharges?: readonly Charge[],
): Promise<void> {
  const { transactions, attempts, events, callbacks, charges } = await database.inSnapshot(async (reader) => ({
    transactions: await db(reader).selectFrom('fiat_transactions').selectAll().execute(),
    attempts: await db(reader).selectFrom('card_attempts').selectAll().execute(),
    events: await db(reader).selectFrom('events').selectAll().orderBy('sequence').execute(),
    callbacks: await db(reader).selectFrom('callbacks').selectAll().execute(),
    charges:
      acquirerCharges ??
      (await db(reader).selectFrom('sandbox_charges').select(['attempt_key', 'amount_minor', 'state']).execute()),
  }));
  const byReference = new Map(transactions.map((row) => [row.transaction_id, row]));
  assert.equal(byReference.size, transactions.length);

  for (const [reference, { link }] of facts.created) {
    assert.equal(byReference.get(reference)?.link_id, link.split('/').at(-1), `${reference} exists with its link`);
  }
  for (const reference of facts.confirmed) {
    assert.equal(byReference.get(reference)?.status, 'confirmed', `${reference} was reported as confirmed`);
  }
  for (const reference of facts.approvedAtIssuer) {
    assert.equal(byReference.get(reference)?.status, 'confirmed', `${reference} was approved at its issuer`);
  }
  const attemptsByTransaction = groupBy(attempts, (row) => row.fiat_transaction_id);
  const isFiat = (row: { subject_kind: string }) => row.subject_kind === 'fiat_transaction';
  const eventsByTransaction = groupBy(events.filter(isFiat), (row) => row.subject_id);
  // Each endpoint has all webhooks; 0 is the one of `callback-url`.
  const endpoints = new Set([0, ...callbacks.filter(isFiat).map(({ endpoint }) => endpoint)]);
  const webhooksByTransaction = groupBy(callbacks.filter(isFiat), (row) => row.subject_id);
  const chargesByKey = new Map(charges.map((charge) => [charge.attempt_key, charge]));
  for (const row of transactions) {
    const reference = row.transaction_id;
    const ownAttempts = attemptsByTransaction.get(row.id) ?? [];
    const approved = ownAttempts.filter((attempt) => attempt.state === 'approved');
    assert.equal(
      approved.length,
      row.status === 'confirmed' ? 1 : 0,
      `${reference} has ${approved.length} approved attempts`,
    );
    assert.equal(row.amount_received_minor, row.status === 'confirmed' ? row.amount_charged_minor : 0, reference);
    const kept = ownAttempts.flatMap((attempt) => chargesByKey.get(attempt.attempt_key) ?? []).filter(isApproved);
    assert.ok(kept.length <= 1, `${reference} was charged ${kept.length} times`);
    if (approved[0])
      assert.deepEqual(
        kept.map((charge) => charge.attempt_key),
        [approved[0].attempt_key],
        reference,
      );
    for (const charge of kept) assert.equal(charge.amount_minor, row.amount_charged_minor, reference);
    const open = ownAttempts.filter((attempt) => ['submitting', 'challenge', 'unknown'].includes(attempt.state));
    assert.ok(open.length <= 1, `${reference} has ${open.length} open attempts`);
    assert.equal(open.length, row.status === 'waiting' ? 1 : 0, reference);

    const ownEvents = eventsByTransaction.get(row.id) ?? [];
    assert.deepEqual(
      ownEvents.map((event) => event.sequence),
      Array.from({ length: row.sequence + 1 }, (_, index) => index),
      reference,
    );
    assert.equal(ownEvents.at(-1)?.status, row.status, reference);
    const ownWebhooks = webhooksByTransaction.get(row.id) ?? [];
    for (const endpoint of endpoints)
      assert.deepEqual(
        ownWebhooks
          .filter((webhook) => webhook.endpoint === endpoint)
          .map((webhook) => webhook.event_id)
          .sort(byNumber),
        ownEvents
          .slice(1)
          .map((event) => event.id)
          .sort(byNumber),
        `${reference}, endpoint ${endpoint}`,
      );
  }
  assert.equal(chargesByKey.size, charges.length);
  const attemptKeys = new Set(attempts.map((attempt) => attempt.attempt_key));
  assert.ok(
    charges.every((charge) => attemptKeys.has(charge.attempt_key)),
    'a charge has no attempt',
  );
}

/** Each event was delivered at least once, and only after its predecessor was accepted. */
export async function assertDelivered(
  database: Database,
  accepted: readonly WebhookBody<'fiat.transaction.updated'>[],
): Promise<void> {
  const transactions = await db(database)
    .selectFrom('fiat_transactions')
    .select(['transaction_id', 'sequence'])
    .execute();
  const acceptedByReference = groupBy(accepted, ({ data }) => data.transaction_id);
  for (const { transaction_id: reference, sequence } of transactions) {
    const sequences = (acceptedByReference.get(reference) ?? []).map(({ data }) => data.sequence);
    assert.deepEqual(
      [...new Set(sequences)],
      Array.from({ length: sequence }, (_, index) => index + 1),
      `webhooks of ${reference}`,
    );
  }
  const failed = await db(database).selectFrom('callbacks').select('id').where('state', '!=', 'delivered').execute();
  assert.deepEqual(failed, []);
}

/** Each webhook was delivered at least once, and first after those of earlier events of its subject. */
export async function assertDeliveryOrder(reader: Runner, webhookIds: readonly string[]): Promise<void> {
  const callbacks = await db(reader)
    .selectFrom('callbacks')
    .innerJoin('events', 'events.id', 'callbacks.event_id')
    .select(['events.webhook_id', 'events.subject_kind', 'events.subject_id', 'events.sequence'])
    .orderBy('events.sequence')
    .execute();
  const firstIndex = new Map(webhookIds.toReversed().map((id, index) => [id, webhookIds.length - 1 - index]));
  const bySubject = groupBy(callbacks, (each) => `${each.subject_kind} ${each.subject_id}`);
  for (const [subject, webhooks] of bySubject) {
    const indexes = webhooks.map(({ webhook_id: id }) => firstIndex.get(id ?? '') ?? -1);
    assert.ok(
      indexes.every((index) => index >= 0),
      `a webhook of ${subject} was not delivered`,
    );
    assert.deepEqual(indexes, indexes.toSorted(byNumber), `webhooks of ${subject} were delivered out of order`);
  }
}

/** Moves all due times an hour back, as if an hour had passed without a running process. */
export async function moveDueTimesBack(database: Database): Promise<void> {
  for (const [table, column] of dueColumns) {
    // Processes run at the same time. One unit of work per table, with rows locked in order, cannot deadlock with them.
    await database.inTransaction(async (unit) => {
      await lockRows(unit, db(unit).selectFrom(table).select('id').orderBy('id')).execute();
      const [name, dueAt] = [sql.table(table), sql.ref(column)];
      await sql`update ${name} set ${dueAt} = ${dueAt} - ${sql.lit(HOUR)}`.execute(db(unit));
    });
  }
}

/** Columns with due times. */
const dueColumns = [
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
