import { parentPort, workerData } from 'node:worker_threads';
import { migrate, type MigrationStep } from '../migrations/migrate.ts';
import { openDatabase } from '../database/open.ts';
import { OperatorError } from '../system/operator-error.ts';

/** What the thread that migrates tells the one that has started it. */
export type MigrationReport =
  | { kind: 'step'; step: MigrationStep }
  | { kind: 'migrated'; applied: string[] }
  /** `isForOperator`: an `OperatorError`, which would lose its class on the way. */
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
