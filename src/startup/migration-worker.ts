import { parentPort, workerData } from 'node:worker_threads';
import { migrate, type MigrationStep } from '../migrations/migrate.ts';
import { openDatabase } from '../database/open.ts';
import { OperatorError } from '../system/operator-error.ts';

/** Messages from the migration thread to the main thread. */
export type MigrationReport =
  | { kind: 'step'; step: MigrationStep }
  | { kind: 'migrated'; applied: string[] }
  /** `isForOperator` marks an `OperatorError`, which loses its class in the message. */
  | { kind: 'failed'; error: unknown; isForOperator: boolean };

const report = (message: MigrationReport) => parentPort?.postMessage(message);
const database = openDatabase((workerData as { databaseUrl: string }).databaseUrl, () => undefined);
try {
  report({ kind: 'migrated', applied: await migrate(database, { onStep: (step) => report({ kind: 'step', step }) }) });
} catch (error) {
  report({ kind: 'failed', error, isForOperator: error instanceof OperatorError });
} finally {
  await database.close();
}
