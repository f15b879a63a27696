import { InvalidArgumentError } from 'commander';
import { type Clock, systemClock } from '../platform/clock.ts';
import { type Config, readConfig } from '../platform/config.ts';
import type { Database } from '../platform/database/database.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openDatabase } from '../platform/database/open.ts';
import { Problem } from '../platform/problem.ts';
import { findMerchant } from '../merchants/merchants.ts';

export interface CommandContext {
  config: Config;
  database: Database;
  clock: Clock;
}

/** Runs a command on the configured database, brought to the present form first. */
export async function withDatabase(run: (context: CommandContext) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const database = openDatabase(config.databaseUrl, (error) => process.stderr.write(`${error.message}\n`));
  try {
    await migrate(database);
    await run({ config, database, clock: systemClock() });
  } finally {
    await database.close();
  }
}

/** Reads `--merchant ID`. */
export function merchantId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('A merchant’s ID is a whole number.');
  return Number(text);
}

export async function requireMerchant(database: Database, id: number) {
  const merchant = await findMerchant(database, id);
  if (!merchant) throw new Problem('not_found', `There is no merchant with the ID ${id}.`);
  return merchant;
}

/** Prints an object as JSON, or as lines for people. */
export function print(value: Record<string, unknown>, asJson: boolean | undefined): void {
  if (asJson) {
    process.stdout.write(`${JSON.stringify(value)}\n`);
    return;
  }
  const width = Math.max(...Object.keys(value).map((key) => key.length));
  const lines = Object.entries(value).map(([key, entry]) => `${key.padEnd(width)}  ${String(entry)}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}
