import type { Database } from '../database/database.ts';
import { type Check, ok, problem } from '../system/diagnosis.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { Environment } from '../system/settings.ts';
import { requireEnvironment } from './environment.ts';
import { migrationNames, pendingMigrations } from './migrate.ts';
import { MovedError } from './moved.ts';

/** Checks that the database has the migrations of this release, and belongs to this environment. */
export function checkMigrations(environment: Environment, database: Database): Check {
  return {
    name: 'migrations',
    run: async () => {
      try {
        await requireEnvironment(environment, database);
        const pending = await pendingMigrations(database);
        return pending.length === 0
          ? ok(`All ${migrationNames.length} migrations are applied.`)
          : problem(`Pending migrations: ${pending.join(', ')}.`, 'Create a backup, then run: npx paylatch migrate');
      } catch (error) {
        if (error instanceof MovedError) return problem(error.found, error.action);
        if (!(error instanceof OperatorError)) throw error;
        return problem(error.message, 'Run the release that matches the database, or restore a backup.');
      }
    },
  };
}
