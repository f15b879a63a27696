import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { sql } from 'kysely';
import { moveDatabase } from '../backup/move.ts';
import { type Config, readConfig, settings } from '../config.ts';
import type { Database } from '../database/database.ts';
import { isBusy } from '../database/errors.ts';
import { openDatabase } from '../database/open.ts';
import { openSqlite } from '../database/sqlite.ts';
import { systemClock } from '../system/clock.ts';
import { OperatorError } from '../system/operator-error.ts';
import { forgetTimelines } from '../wallets/accounts.ts';
import { recordChange } from './audit.ts';
import { createRowProgress, sum } from './backup.ts';
import { examples } from './examples.ts';
import { toFailure } from './failure.ts';
import { outputOption, type Output, print } from './output.ts';
import { printMigrationStep } from './with-database.ts';

export function registerDatabaseCommands(program: Command): void {
  program
    .command('database')
    .description('the database of the installation')
    .command('move')
    .description('move a SQLite installation to PostgreSQL, while the service is stopped')
    .addHelpText(
      'after',
      '\nThe SQLite file is kept, but no longer used: the service refuses to start with it. Other users of this machine can see the URL after --to; DATABASE_TARGET_URL hides it.',
    )
    .addHelpText(
      'after',
      examples(
        'npx paylatch database move --to postgres://paylatch:PASSWORD@db/paylatch',
        'DATABASE_TARGET_URL=postgres://paylatch:PASSWORD@db/paylatch npx paylatch database move',
      ),
    )
    .option('--to <url>', 'postgres://… of an empty database; DATABASE_TARGET_URL by default')
    .addOption(outputOption())
    .action(move);
}

async function move({ to, output }: { to?: string; output: Output }): Promise<void> {
  const config = readConfig(process.env);
  const url = to ?? config.databaseTargetUrl;
  if (url === null) throw new InvalidArgumentError('Set --to, or DATABASE_TARGET_URL, to postgres://….');
  // Not an option parser, whose errors contain the value.
  if (!settings.DATABASE_TARGET_URL?.schema.safeParse(url).success)
    throw new InvalidArgumentError('--to must be postgres://….');
  const source = openSource(config);
  const target = openDatabase(url, () => undefined, { maxConnections: 2 });
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new OperatorError('Interrupted: nothing was moved.'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  try {
    await requireResponse(target);
    const clock = systemClock();
    const moved = await moveDatabase({
      ...{ source, target, environment: config.environment, now: clock.now(), signal: interrupted.signal },
      onRows: createRowProgress(),
      onStep: printMigrationStep,
      async onCopied(unit) {
        await forgetTimelines(unit);
        await recordChange(unit, clock, { merchantId: null, action: 'moveDatabase', subject: 'database' });
      },
    });
    const rows = moved.rows && (output === 'json' ? moved.rows : sum(moved.rows));
    print({ database: moved.move.to, rows: rows ?? (output === 'json' ? null : 'moved before') }, output);
    process.stderr.write(nextSteps(config));
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, interrupt);
    await target.close();
    await source.close();
  }
}

/** Opens the SQLite file for this process only: the service must not run meanwhile. */
function openSource({ databaseUrl }: Config): Database {
  const path = databaseUrl.slice('sqlite:'.length);
  if (!databaseUrl.startsWith('sqlite:') || path === ':memory:')
    throw new OperatorError('DATABASE_URL must be the SQLite file to move.');
  try {
    return openSqlite(path, { isExclusive: true });
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new OperatorError(
      `${path} is in use. Stop the service, and any other program that has the file open, then run this again.`,
      { cause: error },
    );
  }
}

async function requireResponse({ query }: Database): Promise<void> {
  try {
    await sql`select 1`.execute(query);
  } catch (error) {
    const { detail } = toFailure(error);
    throw new OperatorError(`Target: ${detail.replace(/Check DATABASE_URL\.$/, 'Check its URL.')}`, { cause: error });
  }
}

function nextSteps({ addressMarks }: Config): string {
  const steps = [
    'Set DATABASE_URL to the PostgreSQL database.',
    ...(addressMarks === null ? [] : [`Set ADDRESS_MARKS=${resolve(addressMarks)} to keep the address marks.`]),
    'Start the service. Issuing deposit addresses continues where it stopped.',
    'Delete the SQLite file once you no longer need it: it contains secrets.',
  ];
  return `\nNext:\n${steps.map((step, index) => `${index + 1}. ${step}\n`).join('')}`;
}
