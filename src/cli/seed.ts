import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { deriveAccountKeys } from '../chains/connect.ts';
import { chainNames, chains } from '../shared/crypto-currency.ts';
import { parseSeed, removeSeed, resealSeed, storeSeed } from '../withdrawals/seed.ts';
import { OperatorError } from '../system/operator-error.ts';
import { systemRandom } from '../system/random.ts';
import { recordChange } from './audit.ts';
import { examples } from './examples.ts';
import { outputOption, type Output, print } from './output.ts';
import { withDatabase } from './with-database.ts';

/** The seed is service-wide, so its entries have no merchant. */
const seedChange = { merchantId: null, subject: 'seed' };

export function registerSeedCommands(program: Command): void {
  const seed = program
    .command('seed')
    .description('the seed that signs withdrawals, sealed in the database with SEALING_KEY');

  seed
    .command('set')
    .description('store a seed, read from standard input: BIP 39 words or hexadecimal digits')
    .addHelpText(
      'after',
      '\nIt must match every configured CHAIN_…_ACCOUNT_KEY. Running processes use it after a restart.',
    )
    .addHelpText('after', examples('npx paylatch seed set < seed.txt'))
    .addOption(outputOption())
    .action(async ({ output }: { output: Output }) => {
      await withDatabase(async ({ config, database, clock }) => {
        if (!chainNames.some((name) => config[name]))
          throw new OperatorError(
            `No chain is configured. Set one of ${chainNames.map((name) => `CHAIN_${chains[name].feeCode.toUpperCase()}_URL`).join(', ')} first.`,
          );
        if (process.stdin.isTTY) process.stderr.write('Enter the words or digits, then press Enter and Ctrl-D:\n');
        const seedBytes = await parseSeed(await text(process.stdin));
        const accounts = Object.keys(await deriveAccountKeys(config, seedBytes));
        const { keyId } = await storeSeed({ database, clock, random: systemRandom }, config, seedBytes);
        await recordChange(database, clock, { ...seedChange, action: 'setSeed', after: { sealed_with: keyId } });
        print({ stored: true, accounts: accounts.join(', '), sealed_with: keyId }, output);
      });
    });

  seed
    .command('reseal')
    .description('reseal the stored seed with the first key of SEALING_KEY')
    .addHelpText('after', examples('SEALING_KEY=NEW,OLD npx paylatch seed reseal'))
    .addOption(outputOption())
    .action(async ({ output }: { output: Output }) => {
      await withDatabase(async ({ config, database, clock }) => {
        const { formerKeyId, keyId } = await resealSeed({ database, clock, random: systemRandom }, config);
        const change = { before: { sealed_with: formerKeyId }, after: { sealed_with: keyId } };
        await recordChange(database, clock, { ...seedChange, action: 'resealSeed', ...change });
        print({ previously_sealed_with: formerKeyId, sealed_with: keyId }, output);
      });
    });

  seed
    .command('remove')
    .description('delete the seed: after a restart, withdrawals are signed externally')
    .addHelpText('after', examples('npx paylatch seed remove'))
    .addOption(outputOption())
    .action(async ({ output }: { output: Output }) => {
      await withDatabase(async ({ database, clock }) => {
        const removed = await removeSeed({ database });
        if (removed) await recordChange(database, clock, { ...seedChange, action: 'removeSeed' });
        print({ removed }, output);
      });
    });
}
