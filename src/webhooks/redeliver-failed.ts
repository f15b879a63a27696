import { db, statement } from './schema.ts';
import { sql } from 'kysely';
import type { Database, UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import { wakeJob } from '../jobs/runner.ts';
import type { Instant } from '../shared/time.ts';
import type { EndpointRef } from './claim.ts';
import { enableEndpoint } from './endpoint.ts';
import { DELIVERY_JOB } from './outbox.ts';
import type { EventSubject, EventSubjects } from './subject.ts';

/** Failed webhooks per query. */
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
  for (let after = 0; ; ) {
    const failed = await findFailed(database, endpoint, after);
    const bySubject = Map.groupBy(failed, ({ kind, subjectId }) => `${kind} ${subjectId}`);
    for (const webhooks of bySubject.values())
      count += await database.inTransaction(
        async (unit) => await redeliver(unit, subjects, endpoint, { webhooks, now }),
      );
    const last = failed.at(-1);
    if (!last || failed.length < BATCH_SIZE) break;
    after = last.id;
  }
  // Last: until then, no webhook of a disabled endpoint overtakes those of its subject.
  await database.inTransaction(async (unit) => {
    await enableEndpoint(unit, endpoint.merchantId, endpoint.number);
    wakeJob(unit, DELIVERY_JOB);
  });
  return count;
}

interface FailedWebhook {
  id: number;
  kind: EventSubject['kind'];
  subjectId: number;
}

async function findFailed(
  reader: Runner,
  { merchantId, number }: EndpointRef,
  after: number,
): Promise<readonly FailedWebhook[]> {
  return await db(reader)
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
}

/**
 * Redelivers the failed webhooks of one subject. Its first pending webhook holds back the others, also those that had
 * not failed. The subject is locked, so that no attempt that ends at the same time misses the webhook to release.
 */
async function redeliver(
  unit: UnitOfWork,
  subjects: EventSubjects,
  { merchantId, number }: EndpointRef,
  { webhooks, now }: { webhooks: readonly FailedWebhook[]; now: Instant },
): Promise<number> {
  const [{ kind, subjectId }] = webhooks as [FailedWebhook];
  await subjects[kind].lock(unit, merchantId, subjectId);
  const { numUpdatedRows } = await db(unit)
    .updateTable('callbacks')
    .set({ state: 'pending', held: 0, next_attempt_at: now, finished_at: null })
    .where('merchant_id', '=', merchantId)
    .where(
      'id',
      'in',
      webhooks.map(({ id }) => id),
    )
    .where('state', '=', 'failed')
    .executeTakeFirst();
  await holdAllButFirst(unit, { merchantId, number, kind, subjectId });
  wakeJob(unit, DELIVERY_JOB);
  return Number(numUpdatedRows);
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
