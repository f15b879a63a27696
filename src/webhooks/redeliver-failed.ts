import { db, statement } from './schema.ts';
import { sql } from 'kysely';
import type { Database, UnitOfWork } from '../database/database.ts';
import { wakeJob } from '../jobs/runner.ts';
import type { Instant } from '../shared/time.ts';
import type { EndpointRef } from './claim.ts';
import { enableEndpoint } from './endpoint.ts';
import { DELIVERY_JOB } from './outbox.ts';
import type { EventSubject, EventSubjects } from './subject.ts';

/** Webhooks per unit of work. */
const BATCH_SIZE = 500;

interface Context {
  database: Database;
  subjects: EventSubjects;
}

/**
 * Redelivers all failed webhooks of an endpoint, and enables it. Returns their number. Each is redelivered once, in the
 * order of IDs, even if it fails again before the last one is reached.
 */
export async function redeliverFailed(
  { database, subjects }: Context,
  endpoint: EndpointRef,
  now: Instant,
): Promise<number> {
  let count = 0;
  let lastId: number | null = 0;
  while (lastId !== null) {
    const after: number = lastId;
    const batch = await database.inTransaction(
      async (unit) => await redeliverBatch(unit, subjects, endpoint, { now, after }),
    );
    count += batch.count;
    lastId = batch.lastId;
  }
  return count;
}

/**
 * Within a subject, the first pending webhook holds back the others, also those that had not failed. The subjects are
 * locked, so that no attempt that ends at the same time misses the webhook to release. `lastId` is null after the last
 * batch.
 */
async function redeliverBatch(
  unit: UnitOfWork,
  subjects: EventSubjects,
  { merchantId, number }: EndpointRef,
  { now, after }: { now: Instant; after: number },
): Promise<{ count: number; lastId: number | null }> {
  const failed = await db(unit)
    .selectFrom('callbacks')
    .select(['id', 'subject_kind as kind', 'subject_id as subjectId'])
    .where('merchant_id', '=', merchantId)
    .where('endpoint', '=', number)
    // A literal, not a parameter, for the partial index.
    .where('state', '=', sql.lit('failed'))
    .where('url', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH_SIZE)
    .execute();
  if (failed.length === 0) return { count: 0, lastId: null };
  const affected = new Map(failed.map(({ kind, subjectId }) => [`${kind} ${subjectId}`, { kind, subjectId }]));
  // Sorted, so that two redeliveries do not wait for each other.
  const locked = [...affected].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, subject]) => subject);
  for (const { kind, subjectId } of locked) await subjects[kind].lock(unit, merchantId, subjectId);
  const { numUpdatedRows } = await db(unit)
    .updateTable('callbacks')
    .set({ state: 'pending', held: 0, next_attempt_at: now, finished_at: null })
    .where('merchant_id', '=', merchantId)
    .where(
      'id',
      'in',
      failed.map(({ id }) => id),
    )
    .where('state', '=', 'failed')
    .executeTakeFirst();
  for (const subject of locked) await holdAllButFirst(unit, { merchantId, number, ...subject });
  await enableEndpoint(unit, merchantId, number);
  wakeJob(unit, DELIVERY_JOB);
  return {
    count: Number(numUpdatedRows),
    lastId: failed.length < BATCH_SIZE ? null : (failed.at(-1)?.id ?? null),
  };
}

const holdAllButFirst = statement(
  (query, { merchantId, number, kind, subjectId }: EndpointRef & { kind: EventSubject['kind']; subjectId: number }) =>
    query
      .updateTable('callbacks')
      .set({ held: 1 })
      .where('merchant_id', '=', merchantId)
      .where('subject_kind', '=', kind)
      .where('subject_id', '=', subjectId)
      .where('endpoint', '=', number)
      .where('url', 'is', null)
      .where('state', '=', sql.lit('pending'))
      .where('sequence', '>', ({ selectFrom }) =>
        selectFrom('callbacks as first')
          .select(({ fn }) => fn.min('first.sequence').as('sequence'))
          .where('first.merchant_id', '=', merchantId)
          .where('first.subject_kind', '=', kind)
          .where('first.subject_id', '=', subjectId)
          .where('first.endpoint', '=', number)
          .where('first.url', 'is', null)
          .where('first.state', '=', sql.lit('pending')),
      ),
);
