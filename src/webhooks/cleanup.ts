import { db } from './schema.ts';
import { sql } from 'kysely';
import { ATTEMPT_RETENTION_DAYS } from '../api/callback.ts';
import type { Database } from '../database/database.ts';
import { createCleanupJob, type Job } from '../jobs/runner.ts';
import { DAY, type Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { EndpointRef } from './claim.ts';
import { NO_SECRET } from './secrets.ts';

/** Notices to a removed endpoint are retried for four days. Later, nothing is signed with its secret. */
const SECRET_RETENTION: Instant = 7 * DAY;

/** Rows that one statement deletes. */
const BATCH_SIZE = 500;

/**
 * Deletes old delivery attempts, which contain responses of endpoints, pending webhooks to removed endpoints,
 * and the secrets of endpoints that were removed a week ago.
 */
export function createWebhookCleanup({ database, clock }: { database: Database; clock: Clock }): Job {
  return createCleanupJob('webhook attempts', clock, async (now) => {
    while (await deleteOldAttempts(database, now - ATTEMPT_RETENTION_DAYS * DAY));
    for (const endpoint of await listRemovedWithPending(database)) while (await deletePending(database, endpoint));
    await db(database)
      .updateTable('webhook_endpoints')
      .set({ secret: NO_SECRET, previous_secret: null, previous_secret_until: null })
      .where('removed_at', '<', now - SECRET_RETENTION)
      .where('secret', '<>', NO_SECRET)
      .execute();
  });
}

/** Deletes the oldest attempts; IDs increase with time, so that no index of times is needed. True if more may follow. */
async function deleteOldAttempts(database: Database, cutoff: Instant): Promise<boolean> {
  const oldest = await db(database)
    .selectFrom('callback_attempts as oldest')
    .select(['id', 'at'])
    .orderBy('id')
    .limit(BATCH_SIZE)
    .execute();
  const expired = oldest.filter(({ at }) => at < cutoff).map(({ id }) => id);
  if (expired.length === 0) return false;
  await db(database).deleteFrom('callback_attempts').where('id', 'in', expired).execute();
  return expired.length === BATCH_SIZE;
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
