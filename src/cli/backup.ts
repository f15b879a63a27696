import type { Command } from 'commander';
import { type OnRows, writeBackup } from '../backup/backup.ts';
import { recordBackup } from '../backup/check.ts';
import type { RowCounts } from '../backup/file.ts';
import { restore as restoreBackup } from '../startup/restore.ts';
import { systemClock } from '../system/clock.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open.ts';
import { OperatorError } from '../system/operator-error.ts';
import { examples } from './examples.ts';
import { outputOption, type Output, print } from './output.ts';
import { printMigrationStep } from './with-database.ts';

/** Rows between two progress lines of a table. */
const PROGRESS_ROWS = 50_000;

export function registerBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('write all data to a new file, while the service runs; the file contains secrets')
    .addHelpText('after', examples('npx paylatch backup paylatch-2026-11-21.backup'))
    .argument('<file>', 'the new file; an existing one is not overwritten')
    .addOption(outputOption())
    .action(async (file: string, { output }: { output: Output }) => {
      await withUnmigratedDatabase(async (database) => {
        const interrupted = new AbortController();
        const interrupt = () => interrupted.abort(new OperatorError('Interrupted: no backup was written.'));
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupt);
        const now = systemClock().now();
        const { migration, rows } = await writeBackup({
          database,
          path: file,
          now,
          onRows: createRowProgress(),
          signal: interrupted.signal,
        });
        // Earlier databases have no table for it.
        if (migration >= '0035-environment-mark') await recordBackup(database, now);
        print({ file, migration, rows: output === 'json' ? rows : sum(rows) }, output);
      });
    });

  program
    .command('restore')
    .description('restore a backup into an empty database, of either engine')
    .addHelpText(
      'after',
      examples('DATABASE_URL=postgres://paylatch@db/paylatch npx paylatch restore paylatch-2026-11-21.backup'),
    )
    .argument('<file>', 'a file written by `paylatch backup`')
    .addOption(outputOption())
    .action(async (file: string, { output }: { output: Output }) => {
      await withUnmigratedDatabase(async (database) => {
        const { header, rows, applied, suspendedChains } = await restoreBackup({
          database,
          path: file,
          onRows: createRowProgress(),
          onStep: printMigrationStep,
        });
        if (suspendedChains.length > 0)
          process.stderr.write(
            `Addresses issued since the backup are unknown (${suspendedChains.join(', ')}). No address is issued until a mark outside the database shows the last one, or you run: paylatch addresses resume\n`,
          );
        const { migration, made_at: madeAt } = header;
        if (output === 'json') print({ file, made_at: madeAt, migration, applied, rows }, output);
        else
          print({ file, 'created at': madeAt, rows: sum(rows), migrated: applied.join(', ') || 'not needed' }, output);
      });
    });
}

/** Opens the configured database without migrating it. */
async function withUnmigratedDatabase(run: (database: Database) => Promise<void>): Promise<void> {
  const database = openDatabase(readConfig(process.env).databaseUrl, (error) =>
    process.stderr.write(`${error.message}\n`),
  );
  try {
    await run(database);
  } finally {
    await database.close();
  }
}

/** Prints a progress line to standard error for each table with rows, and regularly for long ones. */
export function createRowProgress(): OnRows {
  let printedRows = 0;
  return (table, rows, isDone) => {
    if (rows === 0 || (!isDone && rows - printedRows < PROGRESS_ROWS)) return;
    printedRows = isDone ? 0 : rows;
    process.stderr.write(`${table}: ${rows} ${rows === 1 ? 'row' : 'rows'}${isDone ? '' : ' …'}\n`);
  };
}

export function sum(rows: RowCounts): number {
  return Object.values(rows).reduce((total, count) => total + count, 0);
}
