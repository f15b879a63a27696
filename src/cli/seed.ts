import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { keysOfSeed } from '../chains/connect.ts';
import { chainNames, chains } from '../shared/crypto-currency.ts';
import { parseSeed, removeSeed, resealSeed, storeSeed } from '../withdrawals/seed.ts';
import { OperatorError } from '../system/operator-error.ts';
import { systemRandom } from '../system/random.ts';
import { examples } from './examples.ts';
import { print } from './output.ts';
import { withDatabase } from './with-database.ts';

export function registerSeedCommands(program: Command): void {
  const seed = program
    .command('seed')
    .description('the seed by which withdrawals are signed, sealed in the database under SEALING_KEY');

  seed
    .command('set')
    .description('keep a seed, read from standard input: BIP 39 words or hexadecimal digits')
    .addHelpText(
      'after',
      '\nIt must be that of every CHAIN_…_ACCOUNT_KEY that is set. Running processes take it at their next start.',
    )
    .addHelpText('after', examples('npx paylatch seed set < seed.txt'))
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      await withDatabase(async ({ config, database, clock }) => {
        if (!chainNames.some((name) => config[name]))
          throw new OperatorError(
            `No chain is set up: set one of ${chainNames.map((name) => `CHAIN_${chains[name].feeCode.toUpperCase()}_URL`).join(', ')} first.`,
          );
        if (process.stdin.isTTY) process.stderr.write('The words, or the digits; then Enter and Ctrl-D:\n');
        const given = await parseSeed(await text(process.stdin));
        const accounts = Object.keys(await keysOfSeed(config, given));
        const { keyId } = await storeSeed({ database, clock, random: systemRandom }, config, given);
        print({ stored: true, accounts: accounts.join(', '), sealed_with: keyId }, json);
      });
    });

  seed
    .command('reseal')
    .description('seal the seed that is kept with another key: the first one of SEALING_KEY')
    .addHelpText('after', examples('SEALING_KEY=NEW,OLD npx paylatch seed reseal'))
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      await withDatabase(async ({ config, database, clock }) => {
        const { formerKeyId, keyId } = await resealSeed({ database, clock, random: systemRandom }, config);
        print({ sealed_before_with: formerKeyId, sealed_with: keyId }, json);
      });
    });

  seed
    .command('remove')
    .description('forget the seed: from the next start on withdrawals are signed elsewhere')
    .addHelpText('after', examples('npx paylatch seed remove'))
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      await withDatabase(async ({ database }) => {
        print({ removed: await removeSeed({ database }) }, json);
      });
    });
}
