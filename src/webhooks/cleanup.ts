import { db } from './schema.ts';
import { sql } from 'kysely';
import { ATTEMPT_RETENTION_DAYS } from '../api/callback.ts';
import { inBatches } from '../database/batch.ts';
import { type Database, lockRows } from '../database/database.ts';
import type { Retention } from '../system/retention-settings.ts';
import { createCleanupJob, type Job } from '../jobs/runner.ts';
import { DAY, type Instant } from '../shared/time.ts';
import { nextAfter } from '../system/cell.ts';
import type { Clock } from '../system/clock.ts';
import type { EndpointRef } from './claim.ts';
import { NO_SECRET } from './secrets.ts';

/** Notices to a removed endpoint are retried for four days. After that, nothing is signed with its secret. */
const SECRET_RETENTION: Instant = 7 * DAY;

/** Maximum number of rows deleted per statement. */
const BATCH_SIZE = 500;

/**
 * Deletes old delivery attempts with the stored responses of endpoints, pending webhooks to removed endpoints, and the
 * secrets of endpoints that were removed a week ago. Also deletes events, and webhooks that are not pending, after the
 * `retention` period.
 */
export function createWebhookCleanup({
  database,
  clock,
  retention,
}: {
  database: Database;
  clock: Clock;
  retention: Pick<Retention, 'events' | 'webhooks'>;
}): Job {
  return createCleanupJob('webhook attempts', clock, async (now) => {
    const { webhooks, events } = retention;
    await inBatches(0, (last) => deleteOldAttempts(database, now - ATTEMPT_RETENTION_DAYS * DAY, last));
    if (webhooks !== null) await inBatches(0, (last) => deleteOldWebhooks(database, now - webhooks, last));
    if (events !== null) await inBatches(0, (last) => deleteOldEvents(database, now - events, last));
    for (const endpoint of await listRemovedWithPending(database)) while (await deletePending(database, endpoint));
    await db(database)
      .updateTable('webhook_endpoints')
      .set({ secret: NO_SECRET, previous_secret: null, previous_secret_until: null })
      .where('removed_at', '<', now - SECRET_RETENTION)
      .where('secret', '<>', NO_SECRET)
      .execute();
  });
}

/** Deletes a batch of attempts in the order of IDs, so no index of times is needed. */
async function deleteOldAttempts(database: Database, cutoff: Instant, after: number): Promise<number | null> {
  const oldest = await db(database)
    .selectFrom('callback_attempts as oldest')
    .select(['id', 'at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH_SIZE)
    .execute();
  const isOld = ({ at }: { at: Instant }) => at < cutoff;
  const expired = oldest.filter(isOld).map(({ id }) => id);
  if (expired.length > 0) await db(database).deleteFrom('callback_attempts').where('id', 'in', expired).execute();
  return nextAfter(oldest, BATCH_SIZE, isOld);
}

/** Deletes a batch of finished webhooks, the oldest first. Pending ones are skipped. */
async function deleteOldWebhooks(database: Database, cutoff: Instant, after: number): Promise<number | null> {
  const rows = await db(database)
    .selectFrom('callbacks')
    .select(['id', 'created_at', 'state', 'finished_at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH_SIZE)
    .execute();
  const isOld = ({ created_at }: { created_at: Instant }) => created_at < cutoff;
  const expired = rows
    .filter(isOld)
    .filter(({ state, finished_at }) => state !== 'pending' && (finished_at ?? 0) < cutoff);
  const ids = expired.map(({ id }) => id);
  if (ids.length > 0)
    await database.inTransaction(async (unit) => {
      // Skips webhooks that were redelivered in the meantime.
      const unchanged = await lockRows(
        unit,
        db(unit).selectFrom('callbacks').select('id').where('id', 'in', ids).where('state', '<>', sql.lit('pending')),
      ).execute();
      const deleted = unchanged.map(({ id }) => id);
      if (deleted.length === 0) return;
      await db(unit).deleteFrom('callback_attempts').where('callback_id', 'in', deleted).execute();
      await db(unit).deleteFrom('callbacks').where('id', 'in', deleted).execute();
    });
  return nextAfter(rows, BATCH_SIZE, isOld);
}

/** Deletes a batch of events, the oldest first. Those with webhooks, which are pending, are skipped. */
async function deleteOldEvents(database: Database, cutoff: Instant, after: number): Promise<number | null> {
  const rows = await db(database)
    .selectFrom('events')
    .select(['id', 'at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH_SIZE)
    .execute();
  const isOld = ({ at }: { at: Instant }) => at < cutoff;
  const old = rows.filter(isOld).map(({ id }) => id);
  if (old.length > 0)
    await db(database)
      .deleteFrom('events')
      .where('id', 'in', old)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('callbacks').select('callbacks.id').whereRef('callbacks.event_id', '=', 'events.id'))),
      )
      .execute();
  return nextAfter(rows, BATCH_SIZE, isOld);
}

/** Lists removed endpoints with webhooks that would be due. */
async function listRemovedWithPending(database: Database): Promise<EndpointRef[]> {
  const rows = await db(database)
    .selectFrom('webhook_endpoints as endpoint')
    .select(['endpoint.merchant_id', 'endpoint.number'])
    .where('endpoint.removed_at', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('callbacks')
          .select('callbacks.id')
          .whereRef('callbacks.merchant_id', '=', 'endpoint.merchant_id')
          .whereRef('callbacks.endpoint', '=', 'endpoint.number')
          .where('callbacks.state', '=', sql.lit('pending'))
          .where('callbacks.held', '=', sql.lit(0))
          .where('callbacks.url', 'is', null),
      ),
    )
    .execute();
  return rows.map(({ merchant_id: merchantId, number }) => ({ merchantId, number }));
}

/** Deletes pending webhooks with their attempts. True if more may follow. */
async function deletePending(database: Database, { merchantId, number }: EndpointRef): Promise<boolean> {
  return await database.inTransaction(async (unit) => {
    const rows = await db(unit)
      .selectFrom('callbacks')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('endpoint', '=', number)
      .where('state', '=', sql.lit('pending'))
      .where('url', 'is', null)
      .limit(BATCH_SIZE)
      .execute();
    if (rows.length === 0) return false;
    const ids = rows.map(({ id }) => id);
    await db(unit)
      .deleteFrom('callback_attempts')
      .where('merchant_id', '=', merchantId)
      .where('callback_id', 'in', ids)
      .execute();
    await db(unit).deleteFrom('callbacks').where('id', 'in', ids).execute();
    return rows.length === BATCH_SIZE;
  });
}
