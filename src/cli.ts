import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { registerCallbackCommands } from './cli/callbacks.ts';
import { registerIntegrityCommand } from './cli/integrity.ts';
import { registerLinkCommands } from './cli/link.ts';
import { registerMerchantCommands } from './cli/merchant.ts';
import { registerTokenCommands } from './cli/token.ts';
import { start } from './main.ts';
import { ConfigError, describeSettings, readConfig } from './platform/config.ts';
import { migrate } from './platform/database/migrate.ts';
import { openDatabase } from './platform/database/open.ts';
import { Problem } from './platform/problem.ts';
import { packageRoot } from './platform/root.ts';

const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string };

const program = new Command('paylatch')
  .description('A merchant payment service that you run yourself.')
  .version(version)
  .showHelpAfterError('(see the commands with: npx paylatch --help)');

program
  .command('start')
  .description('start the service; in the sandbox also the demo shop')
  .addHelpText('after', () => `\n${describeSettings()}`)
  .action(async () => await start(readConfig(process.env)));

program
  .command('migrate')
  .description('bring the database to the present form')
  .option('--json', 'print JSON')
  .action(async (options: { json?: boolean }) => {
    const database = openDatabase(readConfig(process.env).databaseUrl, () => undefined);
    try {
      const applied = await migrate(database);
      const text = applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is up to date.';
      process.stdout.write(`${options.json ? JSON.stringify({ applied }) : text}\n`);
    } finally {
      await database.close();
    }
  });

registerMerchantCommands(program);
registerTokenCommands(program);
registerLinkCommands(program);
registerCallbackCommands(program);
registerIntegrityCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = tell(error);
}

/** One clear line for the person at the terminal; the exit code of the failure. */
function tell(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode;
  if (error instanceof ConfigError || error instanceof InvalidArgumentError) {
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
  if (error instanceof Problem) {
    const mistakes = error.errors.map(({ pointer, detail }) => `${pointer.replace(/^\//, '')} ${detail}`);
    process.stderr.write(`${mistakes.join('\n') || error.message}\n`);
    return 1;
  }
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE')
    process.stderr.write(`Port ${port} is taken. Stop what listens there, or choose another one.\n`);
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}
