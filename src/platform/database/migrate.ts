import { type Migration, Migrator } from 'kysely';
import type { Database } from './database.ts';
import { firstTables } from './migrations/0001-first-tables.ts';
import { pushPayments } from './migrations/0002-push-payments.ts';

/** In the order of their names; a migration that was released is never changed. */
function migrations(database: Database): Record<string, Migration> {
  const { engine } = database;
  return { '0001-first-tables': firstTables(engine), '0002-push-payments': pushPayments(engine) };
}

/** Brings the database to the present form; answers the names of what it did. Forward only. */
export async function migrate(database: Database): Promise<string[]> {
  const migrator = new Migrator({
    db: database.query,
    provider: { getMigrations: () => Promise.resolve(migrations(database)) },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
}
