import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { readConfig, settings } from '../config.ts';
import { describeSettings } from '../system/settings.ts';
import { migrateFor } from '../migrations/environment.ts';
import { openDatabase } from '../database/open.ts';
import { packageRoot } from '../system/root.ts';
import { registerAddressCommands } from './addresses.ts';
import { registerBackupCommands } from './backup.ts';
import { registerCallbackCommands } from './callbacks.ts';
import { registerChainCommand } from './chain.ts';
import { examples } from './examples.ts';
import { registerExportCommand } from './export.ts';
import { failureOf, tellFailure } from './failure.ts';
import { registerGasCommand } from './gas.ts';
import { registerIntegrityCommand } from './integrity.ts';
import { registerLinkCommands } from './link.ts';
import { registerMerchantCommands } from './merchant.ts';
import { registerReconcileCommand } from './reconcile.ts';
import { registerSeedCommands } from './seed.ts';
import { registerTokenCommands } from './token.ts';
import { registerUserCommands } from './user.ts';
import { tellMigrationStep } from './with-database.ts';

/** All commands. They read settings from `process.env`, and write to the process's standard output and error. */
export function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string };
  const program = new Command('paylatch')
    .description('A merchant payment service that you run yourself.')
    .version(version)
    // So that a command and its subcommands may have options of the same name.
    .enablePositionalOptions()
    // Set before the commands are made, which take it over. What goes wrong is told in one place.
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 could not be done, 2 called wrongly.\nThe settings, DATABASE_URL among them: npx paylatch start --help',
    );

  program
    .command('start')
    .description('start the service; in the sandbox also the demo shop')
    .addHelpText('after', () => `\n${describeSettings(settings)}`)
    .addHelpText('after', examples('PORT=9000 DATABASE_URL=sqlite:./data/test.db npx paylatch start'))
    .action(async () => {
      const config = readConfig(process.env);
      // The pages and all their languages, which no other command needs.
      const { start } = await import('../startup/main.ts');
      await start(config);
    });

  program
    .command('migrate')
    .description('bring the database to the present form')
    .addHelpText('after', examples('npx paylatch migrate', 'npx paylatch migrate --json'))
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { environment, databaseUrl } = readConfig(process.env);
      const database = openDatabase(databaseUrl, () => undefined);
      try {
        const applied = await migrateFor(environment, database, { onStep: tellMigrationStep });
        const text = applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is up to date.';
        process.stdout.write(`${options.json ? JSON.stringify({ applied }) : text}\n`);
      } finally {
        await database.close();
      }
    });

  registerMerchantCommands(program);
  registerTokenCommands(program);
  registerUserCommands(program);
  registerLinkCommands(program);
  registerCallbackCommands(program);
  registerIntegrityCommand(program);
  registerBackupCommands(program);
  registerExportCommand(program);
  registerSeedCommands(program);
  registerGasCommand(program);
  registerReconcileCommand(program);
  registerAddressCommands(program);
  registerChainCommand(program);
  return program;
}

/** Runs the command that the arguments name; returns its exit code. */
export async function runCommand(program: Command, args: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return tellFailure(failureOf(error), program, args);
  }
}
