import { Worker } from 'node:worker_threads';
import type { MigrationReport } from './migration-worker.ts';
import type { Config } from '../config.ts';
import { requireEnvironment } from '../migrations/environment.ts';
import { type MigrationStep, pendingMigrations } from '../migrations/migrate.ts';
import { openDatabase } from '../database/open.ts';
import { OperatorError } from '../system/operator-error.ts';

/**
 * Runs `migrate` in a worker thread: SQLite calls are synchronous and would block the health checks.
 */
export async function migrateInWorker(
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
    worker.on('exit', (code) => reject(new Error(`The migration thread exited with code ${code}`)));
  });
}

function toError({ error, isForOperator }: MigrationReport & { kind: 'failed' }): Error {
  const { message } = error as Error;
  return isForOperator ? new OperatorError(message, { cause: error }) : (error as Error);
}
