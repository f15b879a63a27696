/*
 * Map of this module: `main.ts` is the entry point, and `program.ts` creates the commands, one `register…Command`
 * function per file. `with-database.ts` opens the configured database, `output.ts` prints results, `failure.ts`
 * reports errors with exit codes, and `audit.ts` records changes. `doctor.ts` runs the checks that the modules export
 * in their `check.ts`. Documentation: docs/cli.md.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { readConfig, settings } from '../config.ts';
import { describeSettings } from '../system/settings.ts';
import { migrateFor } from '../migrations/environment.ts';
import { openDatabase } from '../database/open.ts';
import { packageRoot } from '../system/root.ts';
import { registerAcquirerCommands } from './acquirer.ts';
import { registerAddressCommands } from './addresses.ts';
import { registerAuditCommands } from './audit-list.ts';
import { registerBackupCommands } from './backup.ts';
import { registerWebhookCommands } from './webhooks.ts';
import { registerChainCommand } from './chain.ts';
import { registerDatabaseCommands } from './database.ts';
import { registerCompletionCommand } from './completion.ts';
import { registerDoctorCommand } from './doctor.ts';
import { examples } from './examples.ts';
import { outputOption, type Output } from './output.ts';
import { registerExportCommand } from './export.ts';
import { toFailure, printFailure } from './failure.ts';
import { registerGasCommand } from './gas.ts';
import { registerImportCommands } from './import.ts';
import { registerIntegrityCommand } from './integrity.ts';
import { registerLinkCommands } from './link.ts';
import { registerMerchantCommands } from './merchant.ts';
import { registerPayerCommands } from './payer.ts';
import { registerReconcileCommand } from './reconcile.ts';
import { registerSeedCommands } from './seed.ts';
import { registerTokenCommands } from './token.ts';
import { registerUserCommands } from './user.ts';
import { printMigrationStep } from './with-database.ts';

/** Creates all commands. They read settings from `process.env`, and write to standard output and standard error. */
export function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string };
  const program = new Command('paylatch')
    .description('Self-hosted merchant payment service.')
    .version(version)
    // Allows a command and its subcommands to have options with the same name.
    .enablePositionalOptions()
    // Set before the commands are added, which inherit it. `failure.ts` reports all errors.
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 1 failure, 2 invalid usage; docs/cli.md lists all.\nSettings such as DATABASE_URL: npx paylatch start --help',
    );

  program
    .command('start')
    .description('start the service; in the sandbox also the demo shop')
    .addHelpText('after', () => `\n${describeSettings(settings)}`)
    .addHelpText('after', examples('PORT=9000 DATABASE_URL=sqlite:./data/test.db npx paylatch start'))
    .action(async () => {
      const config = readConfig(process.env);
      // Loads the pages in all languages, which no other command needs.
      const { startService } = await import('../startup/main.ts');
      await startService(config);
    });

  program
    .command('migrate')
    .description('apply pending database migrations')
    .addHelpText('after', examples('npx paylatch migrate', 'npx paylatch migrate --output json'))
    .addOption(outputOption())
    .action(async (options: { output: Output }) => {
      const { environment, databaseUrl } = readConfig(process.env);
      const database = openDatabase(databaseUrl, () => undefined);
      try {
        const applied = await migrateFor(environment, database, { onStep: printMigrationStep });
        const text = applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is up to date.';
        process.stdout.write(`${options.output === 'json' ? JSON.stringify({ applied }) : text}\n`);
      } finally {
        await database.close();
      }
    });

  registerMerchantCommands(program);
  registerTokenCommands(program);
  registerAcquirerCommands(program);
  registerUserCommands(program);
  registerAuditCommands(program);
  registerLinkCommands(program);
  registerWebhookCommands(program);
  registerDoctorCommand(program);
  registerIntegrityCommand(program);
  registerBackupCommands(program);
  registerDatabaseCommands(program);
  registerExportCommand(program);
  registerImportCommands(program);
  registerSeedCommands(program);
  registerGasCommand(program);
  registerPayerCommands(program);
  registerReconcileCommand(program);
  registerAddressCommands(program);
  registerChainCommand(program);
  registerCompletionCommand(program);
  return program;
}

/** Runs the command that the arguments name; returns its exit code. */
export async function runCommand(program: Command, args: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return printFailure(toFailure(error), program, args);
  }
}
