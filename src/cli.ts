import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { registerAddressCommands } from './cli/addresses.ts';
import { registerBackupCommands } from './cli/backup.ts';
import { registerCallbackCommands } from './cli/callbacks.ts';
import { registerChainCommand } from './cli/chain.ts';
import { registerExportCommand } from './cli/export.ts';
import { failureOf, tellFailure } from './cli/failure.ts';
import { registerIntegrityCommand } from './cli/integrity.ts';
import { registerLinkCommands } from './cli/link.ts';
import { registerMerchantCommands } from './cli/merchant.ts';
import { registerGasCommand } from './cli/gas.ts';
import { registerReconcileCommand } from './cli/reconcile.ts';
import { registerSeedCommands } from './cli/seed.ts';
import { registerTokenCommands } from './cli/token.ts';
import { registerUserCommands } from './cli/user.ts';
import { tellMigrationStep } from './cli/with-database.ts';
import { examples } from './cli/examples.ts';
import { endWithReader } from './cli/output.ts';
import { describeSettings, readConfig } from './platform/config.ts';
import { migrateFor } from './platform/database/environment.ts';
import { openDatabase } from './platform/database/open.ts';
import { maskSecrets } from './platform/mask.ts';
import { packageRoot } from './platform/root.ts';

const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string };

// Whoever writes there, a library as well: errors of databases and providers repeat what they were given.
const writeError = process.stderr.write.bind(process.stderr) as (...args: unknown[]) => boolean;
process.stderr.write = (chunk: unknown, ...rest: unknown[]) =>
  writeError(typeof chunk === 'string' ? maskSecrets(chunk) : chunk, ...rest);
// What nobody caught: the runtime would print it as it is.
process.on('uncaughtException', (error) => {
  process.exit(tellFailure(failureOf(error), program, process.argv.slice(2)));
});

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
  .addHelpText('after', () => `\n${describeSettings()}`)
  .addHelpText('after', examples('PORT=9000 DATABASE_URL=sqlite:./data/test.db npx paylatch start'))
  .action(async () => {
    const config = readConfig(process.env);
    // The pages and all their languages, which no other command needs.
    const { start } = await import('./main.ts');
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

endWithReader(process.stdout);
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = tellFailure(failureOf(error), program, process.argv.slice(2));
}
