import { type Command, InvalidArgumentError } from 'commander';
import { readCursors, requestRescan } from '../chains/cursor.ts';
import { findFork } from '../deposits/find-fork.ts';
import { withdrawalQueries } from '../withdrawals/facts.ts';
import { OperatorError } from '../system/operator-error.ts';
import { chainOption, connectedAccount, exampleChain } from './accounts.ts';
import { recordChange } from './audit.ts';
import { examples } from './examples.ts';
import { outputOption, type Output, print } from './output.ts';
import { withDatabase } from './with-database.ts';

export function registerChainCommand(program: Command): void {
  const chainCommands = program.command('chain').description('the scan position of chains');

  chainCommands
    .command('reanchor')
    .description('recover from reorg_too_deep: find the last common block, and rescan the chain from there')
    .addHelpText(
      'after',
      '\nWithout --confirm it only shows the result and changes nothing. With it, the running service reverses deposits of orphaned blocks, and credits those that it finds again, once.',
    )
    .addHelpText('after', examples(`npx paylatch chain reanchor --chain ${exampleChain} --confirm`))
    .addOption(chainOption())
    .option('--from <height>', 'the block to rescan from, at or below the common block', blockHeight)
    .option('--confirm', 'apply the change')
    .addOption(outputOption())
    .action(async (options: { chain: string; from?: number; confirm?: boolean; output: Output }) => {
      await withDatabase(async (context) => {
        const { database, clock } = context;
        const { name, chain } = await connectedAccount(context, options.chain);
        try {
          const cursor = (await readCursors(database)).find((each) => each.chain === name);
          if (!cursor?.lastBlock || cursor.error?.kind !== 'reorg_too_deep')
            throw new OperatorError(
              `${name} is not in the state reorg_too_deep (current state: ${cursor?.error?.kind ?? 'ok'}).`,
            );
          const tip = await chain.tip();
          const fork = await findFork(database, withdrawalQueries, { name, chain }, cursor.lastBlock);
          if (!fork)
            throw new OperatorError(`The chain contains the block ${cursor.lastBlock.height} again. Nothing to do.`);
          const from = options.from ?? fork.rescanFrom;
          if (from > fork.rescanFrom)
            throw new OperatorError(
              `--from must be at most ${fork.rescanFrom}: deposits above it are in orphaned blocks.`,
            );
          if (options.confirm)
            await database.inTransaction(async (unit) => {
              await requestRescan(unit, name, from);
              const after = { read_from: from };
              await recordChange(unit, clock, { merchantId: null, action: 'reanchorChain', subject: name, after });
            });
          print(
            {
              ...{
                chain: name,
                read_to: cursor.lastBlock.height,
                tip: tip.height,
                common: fork.common?.height ?? null,
              },
              ...{ orphaned_deposits: fork.orphanedDeposits, read_from: from, confirmed: options.confirm === true },
            },
            options.output,
          );
          if (!options.confirm) process.stderr.write('Nothing was changed. Add --confirm to rescan from there.\n');
        } finally {
          await chain.close();
        }
      });
    });
}

function blockHeight(input: string): number {
  if (!/^\d{1,10}$/.test(input)) throw new InvalidArgumentError('It must be a block height.');
  return Number(input);
}
