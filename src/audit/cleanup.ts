import { inBatches } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { createCleanupJob, type Job } from '../jobs/runner.ts';
import { nextAfter } from '../system/cell.ts';
import type { Clock } from '../system/clock.ts';
import type { Instant } from '../shared/time.ts';
import { db } from './schema.ts';

const BATCH_SIZE = 500;

/** Deletes audit entries older than `retention`; none if it is null. */
export function createAuditCleanup({
  database,
  clock,
  retention,
}: {
  database: Database;
  clock: Clock;
  retention: Instant | null;
}): Job {
  return createCleanupJob('audit entries', clock, async (now) => {
    if (retention !== null) await inBatches(0, (last) => deleteOldest(database, now - retention, last));
  });
}

/** Deletes a batch of entries in the order of IDs, so no index of times is needed. */
async function deleteOldest(database: Database, cutoff: Instant, after: number): Promise<number | null> {
  const oldest = await db(database)
    .selectFrom('audit_entries')
    .select(['id', 'at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH_SIZE)
    .execute();
  const isOld = ({ at }: { at: Instant }) => at < cutoff;
  const expired = oldest.filter(isOld).map(({ id }) => id);
  if (expired.length > 0) await db(database).deleteFrom('audit_entries').where('id', 'in', expired).execute();
  return nextAfter(oldest, BATCH_SIZE, isOld);
}
