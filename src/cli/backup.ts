import type { Command } from 'commander';
import { type OnRows, writeBackup } from '../backup/backup.ts';
import type { RowCounts } from '../backup/file.ts';
import { restore as restoreBackup } from '../startup/restore.ts';
import { systemClock } from '../system/clock.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open.ts';
import { OperatorError } from '../system/operator-error.ts';
import { examples } from './examples.ts';
import { print } from './output.ts';
import { tellMigrationStep } from './with-database.ts';

/** A table says how far it is after so many rows. */
const TELL_EVERY_ROWS = 50_000;

export function registerBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('write all data into one new file, while the service runs; it holds secrets')
    .addHelpText('after', examples('npx paylatch backup paylatch-2026-11-21.backup'))
    .argument('<file>', 'the file; one that is there already is left alone')
    .option('--json', 'print JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      await withPlainDatabase(async (database) => {
        const interrupted = new AbortController();
        const interrupt = () => interrupted.abort(new OperatorError('Interrupted: no backup was made.'));
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
        const { migration, rows } = await writeBackup({
          database,
          path: file,
          now: systemClock().now(),
          onRows: tellRows(),
          signal: interrupted.signal,
        });
        print({ file, migration, rows: json ? rows : sum(rows) }, json);
      });
    });

  program
    .command('restore')
    .description('write what a backup holds into an empty database, of either engine')
    .addHelpText(
      'after',
      examples('DATABASE_URL=postgres://paylatch@db/paylatch npx paylatch restore paylatch-2026-11-21.backup'),
    )
    .argument('<file>', 'what `paylatch backup` has written')
    .option('--json', 'print JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      await withPlainDatabase(async (database) => {
        const { header, rows, applied, unsettled } = await restoreBackup({
          database,
          path: file,
          onRows: tellRows(),
          onStep: tellMigrationStep,
        });
        if (unsettled.length > 0)
          process.stderr.write(
            `Addresses issued since the backup are unknown (${unsettled.join(', ')}). None is issued until a mark outside the database shows which, or: paylatch addresses settle\n`,
          );
        const { migration, made_at: madeAt } = header;
        if (json) print({ file, made_at: madeAt, migration, applied, rows }, true);
        else print({ file, 'made at': madeAt, rows: sum(rows), migrated: applied.join(', ') || 'not needed' }, false);
      });
    });
}

/** The configured database in whichever form it has. */
async function withPlainDatabase(run: (database: Database) => Promise<void>): Promise<void> {
  const database = openDatabase(readConfig(process.env).databaseUrl, (error) =>
    process.stderr.write(`${error.message}\n`),
  );
  try {
    await run(database);
  } finally {
    await database.close();
  }
}

/** A line on standard error for each table with rows, and for a long one now and then. */
function tellRows(): OnRows {
  let told = 0;
  return (table, rows, isDone) => {
    if (rows === 0 || (!isDone && rows - told < TELL_EVERY_ROWS)) return;
    told = isDone ? 0 : rows;
    process.stderr.write(`${table}: ${rows} ${rows === 1 ? 'row' : 'rows'}${isDone ? '' : ' …'}\n`);
  };
}

function sum(rows: RowCounts): number {
  return Object.values(rows).reduce((total, count) => total + count, 0);
}
