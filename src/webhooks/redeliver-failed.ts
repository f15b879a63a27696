import { db } from './schema.ts';
import { sql } from 'kysely';
import type { Database, UnitOfWork } from '../database/database.ts';
import { wakeJob } from '../jobs/runner.ts';
import type { Instant } from '../shared/time.ts';
import type { EndpointRef } from './claim.ts';
import { enableEndpoint } from './endpoint.ts';
import { DELIVERY_JOB } from './outbox.ts';

/** Webhooks per unit of work. */
const BATCH_SIZE = 500;

/**
 * Redelivers all failed webhooks of an endpoint, and enables it. Returns their number. Each is redelivered once, in the
 * order of IDs, even if it fails again before the last one is reached.
 */
export async function redeliverFailed(database: Database, endpoint: EndpointRef, now: Instant): Promise<number> {
  let count = 0;
  let lastId: number | null = 0;
  while (lastId !== null) {
    const after: number = lastId;
    const batch = await database.inTransaction(async (unit) => await redeliverBatch(unit, endpoint, { now, after }));
    count += batch.count;
    lastId = batch.lastId;
  }
  return count;
}

/**
 * Within a subject, the first webhook becomes due and holds back the others. Only webhooks of the same batch hold each
 * other back: none of them can finish before all are pending, so that the last one is released too. `lastId` is null
 * after the last batch.
 */
async function redeliverBatch(
  unit: UnitOfWork,
  { merchantId, number }: EndpointRef,
  { now, after }: { now: Instant; after: number },
): Promise<{ count: number; lastId: number | null }> {
  const failed = await db(unit)
    .selectFrom('callbacks')
    .select(['id', 'subject_kind', 'subject_id'])
    .where('merchant_id', '=', merchantId)
    .where('endpoint', '=', number)
    // A literal, not a parameter, for the partial index.
    .where('state', '=', sql.lit('failed'))
    .where('url', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH_SIZE)
    .execute();
  const subjects = new Set<string>();
  const idsByHeld: Record<0 | 1, number[]> = { 0: [], 1: [] };
  for (const { id, subject_kind: kind, subject_id: subject } of failed) {
    idsByHeld[subjects.has(`${kind} ${subject}`) ? 1 : 0].push(id);
    subjects.add(`${kind} ${subject}`);
  }
  let count = 0;
  for (const held of [1, 0] as const) {
    if (idsByHeld[held].length === 0) continue;
    const { numUpdatedRows } = await db(unit)
      .updateTable('callbacks')
      .set({ state: 'pending', held, next_attempt_at: now, finished_at: null })
      .where('merchant_id', '=', merchantId)
      .where('id', 'in', idsByHeld[held])
      .where('state', '=', 'failed')
      .executeTakeFirst();
    count += Number(numUpdatedRows);
  }
  await enableEndpoint(unit, merchantId, number);
  wakeJob(unit, DELIVERY_JOB);
  return { count, lastId: failed.length < BATCH_SIZE ? null : (failed.at(-1)?.id ?? null) };
}
