import { type Clock, systemClock } from '../system/clock.ts';
import { type Config, readConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { claimCell } from '../migrations/cell.ts';
import { claimEnvironment, migrateFor } from '../migrations/environment.ts';
import { describeApplied, type MigrationStep } from '../migrations/migrate.ts';
import { openDatabase } from '../database/open.ts';
import { formatId } from '../system/cell.ts';
import { Problem } from '../api/problem-error.ts';
import { findMerchant } from '../merchants/merchants.ts';
import { createWebhookSecrets, type WebhookSecrets } from '../webhooks/secrets.ts';
import { systemRandom } from '../system/random.ts';
import { parseSealingKeys } from '../system/sealed.ts';

export interface CommandContext {
  config: Config;
  database: Database;
  clock: Clock;
  webhookSecrets: WebhookSecrets;
}

/** Runs a command on the configured database, after applying pending migrations. */
export async function withDatabase(run: (context: CommandContext) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const database = openDatabase(config.databaseUrl, (error) => process.stderr.write(`${error.message}\n`), {
    replicaUrl: config.databaseReplicaUrl,
  });
  try {
    const applied = await migrateFor(config.environment, database, { onStep: printMigrationStart() });
    if (applied.length > 0) process.stderr.write(`${describeApplied(applied)}\n`);
    await claimCell(config.cell, database);
    const webhookSecrets = createWebhookSecrets(systemRandom, parseSealingKeys(config));
    await run({ config, database, clock: systemClock(), webhookSecrets });
    // Only after success: a failed command must not assign an empty database to an environment.
    await claimEnvironment(config.environment, database);
  } finally {
    await database.close();
  }
}

/** Prints to standard error that the command waits or migrates first. */
function printMigrationStart(): (step: MigrationStep) => void {
  let hasBegun = false;
  return (step) => {
    if (step.kind === 'waiting') printMigrationStep(step);
    else if (!hasBegun) process.stderr.write('Migrating the database …\n');
    hasBegun ||= step.kind === 'begun';
  };
}

/** Prints a line to standard error at the start and end of each migration. */
export function printMigrationStep(step: MigrationStep): void {
  process.stderr.write(`${describeMigrationStep(step)}\n`);
}

function describeMigrationStep(step: MigrationStep): string {
  switch (step.kind) {
    case 'waiting':
      return 'Waiting for another process that is migrating or writing …';
    case 'begun':
      return `Migrating ${step.name} …`;
    case 'done':
      return `Migrated  ${step.name} in ${(step.durationMs / 1000).toFixed(2)} s`;
  }
}

export async function requireMerchant(database: Database, id: number) {
  const merchant = await findMerchant(database, id);
  if (!merchant) throw new Problem('not_found', `No merchant has the ID ${formatId(id)}.`);
  return merchant;
}
