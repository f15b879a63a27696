import { hostname } from 'node:os';
import type { Database } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import type { Job } from '../jobs/runner.ts';
import { DAY } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { AccountHealth } from './health.ts';
import { db, healthRecord, type StoredHealth } from './schema.ts';

/** Figures of accounts that were called. */
export type MeasuredHealth = ReadonlyMap<string, AccountHealth>;

const PROCESS = `${hostname()} ${process.pid}`;
/** Figures are deleted if their process has not called the account for this long. */
const RETENTION = DAY;

/**
 * Stores the figures of this process for other processes, at most every 10 seconds. `readChanged` returns the accounts
 * that were called since it was last called.
 */
export function createHealthJob(database: Database, clock: Clock, readChanged: () => MeasuredHealth): Job {
  return {
    name: 'acquirer health',
    intervalMs: 10_000,
    async runOnce() {
      const changed = readChanged();
      if (changed.size === 0) return 0;
      const measuredAt = clock.now();
      await database.inTransaction(async (unit) => {
        await db(unit)
          .deleteFrom('acquirer_health')
          .where('measured_at', '<', measuredAt - RETENTION)
          .execute();
        await db(unit)
          .insertInto('acquirer_health')
          .values(
            [...changed].map(([accountKey, figures]) =>
              healthRecord.write({ accountKey, process: PROCESS, figures, measuredAt }),
            ),
          )
          .onConflict((conflict) =>
            conflict.columns(['account_key', 'process']).doUpdateSet((row) => ({
              figures: row.ref('excluded.figures'),
              measured_at: row.ref('excluded.measured_at'),
            })),
          )
          .execute();
      });
      return 0;
    },
  };
}

/** Reads the figures that running processes have stored for an account, the latest first. */
export async function listStoredHealth(reader: Runner, accountKey: string): Promise<StoredHealth[]> {
  const rows = await db(reader)
    .selectFrom('acquirer_health')
    .select(healthRecord.columns)
    .where('account_key', '=', accountKey)
    .orderBy('measured_at', 'desc')
    .execute();
  return rows.map(healthRecord.read);
}
