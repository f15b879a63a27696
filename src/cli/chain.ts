import { type Command, InvalidArgumentError } from 'commander';
import { chainNames } from '../shared/crypto-currency.ts';
import { readCursors, requestReanchor } from '../chains/cursor.ts';
import { findFork } from '../deposits/reanchor.ts';
import { withdrawalFacts } from '../withdrawals/facts.ts';
import { OperatorError } from '../system/operator-error.ts';
import { connectedAccount } from './accounts.ts';
import { examples } from './examples.ts';
import { print } from './output.ts';
import { withDatabase } from './with-database.ts';

export function registerChainCommand(program: Command): void {
  const chainCommands = program.command('chain').description('how far chains were read');

  chainCommands
    .command('reanchor')
    .description(
      'lead out of too_deep: find the last block that the chain still has, and have it read again from there',
    )
    .addHelpText(
      'after',
      '\nWithout --confirm it changes nothing and shows what is known. The running service then takes back deposits whose block is gone, and credits those that it finds again, once.',
    )
    .addHelpText('after', examples('npx paylatch chain reanchor --chain bitcoin --confirm'))
    .requiredOption('--chain <name>', chainNames.join(', '))
    .option('--from <height>', 'the block to read on from, at or before the one that is found', blockHeight)
    .option('--confirm', 'do it')
    .option('--json', 'print JSON')
    .action(async (options: { chain: string; from?: number; confirm?: boolean; json?: boolean }) => {
      await withDatabase(async (context) => {
        const { database } = context;
        const { name, chain } = await connectedAccount(context, options.chain);
        try {
          const cursor = (await readCursors(database)).find((each) => each.chain === name);
          if (!cursor?.at || cursor.trouble?.kind !== 'too_deep')
            throw new OperatorError(`${name} is not too_deep: it is ${cursor?.trouble?.kind ?? 'read'}.`);
          const tip = await chain.tip();
          const fork = await findFork(database, withdrawalFacts, { name, chain }, cursor.at);
          if (!fork)
            throw new OperatorError(`The chain has the block ${cursor.at.height} again: nothing is to be done.`);
          const from = options.from ?? fork.readFrom;
          if (from > fork.readFrom)
            throw new OperatorError(`--from must be at most ${fork.readFrom}: blocks of deposits above it are gone.`);
          if (options.confirm) await requestReanchor(database, name, from);
          print(
            {
              ...{ chain: name, read_to: cursor.at.height, tip: tip.height, common: fork.common?.height ?? null },
              ...{ orphaned_deposits: fork.orphanedDeposits, read_from: from, confirmed: options.confirm === true },
            },
            options.json,
          );
          if (!options.confirm) process.stderr.write('Nothing was changed. Add --confirm to read on from there.\n');
        } finally {
          await chain.close();
        }
      });
    });
}

function blockHeight(given: string): number {
  if (!/^\d{1,10}$/.test(given)) throw new InvalidArgumentError('It is the height of a block.');
  return Number(given);
}
