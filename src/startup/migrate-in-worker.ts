import { Worker } from 'node:worker_threads';
import type { MigrationReport } from './migration-worker.ts';
import type { Config } from '../config.ts';
import { requireEnvironment } from '../migrations/environment.ts';
import { type MigrationStep, pendingMigrations } from '../migrations/migrate.ts';
import { openDatabase } from '../database/open.ts';
import { OperatorError } from '../system/operator-error.ts';

/**
 * `migrate` in a thread of its own: a call to SQLite returns when all is done, and until then the
 * process would not even answer that it lives.
 */
export async function migrateApart(
  { databaseUrl, environment }: Pick<Config, 'databaseUrl' | 'environment'>,
  onStep: (step: MigrationStep) => void,
): Promise<string[]> {
  const database = openDatabase(databaseUrl, () => undefined);
  try {
    await requireEnvironment(environment, database);
    if ((await pendingMigrations(database)).length === 0) return [];
  } finally {
    await database.close();
  }
  const worker = new Worker(new URL('./migration-worker.js', import.meta.url), { workerData: { databaseUrl } });
  return await new Promise((resolve, reject) => {
    worker.on('message', (report: MigrationReport) => {
      if (report.kind === 'step') onStep(report.step);
      else if (report.kind === 'migrated') resolve(report.applied);
      else reject(toError(report));
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`The thread that migrates ended with ${code}`)));
  });
}

function toError({ error, isForOperator }: MigrationReport & { kind: 'failed' }): Error {
  const { message } = error as Error;
  return isForOperator ? new OperatorError(message, { cause: error }) : (error as Error);
}
