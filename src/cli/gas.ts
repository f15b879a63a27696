import type { Command } from 'commander';
import type { ChainAccount } from '../chains/family.ts';
import { accountChains, chains } from '../shared/crypto-currency.ts';
import { OperatorError } from '../system/operator-error.ts';
import { connectedAccounts } from './accounts.ts';
import { examples } from './examples.ts';
import { outputOption, type Output, printList } from './output.ts';
import { withDatabase } from './with-database.ts';

const settings = (name: string) => accountChains.map((chain) => `CHAIN_${chains[chain].feeCode.toUpperCase()}_${name}`);

export function registerGasCommand(program: Command): void {
  const keys = settings('ACCOUNT_KEY').join(', ');
  program
    .command('gas')
    .description('show the wallets that pay gas for token transfers, and their balances')
    .addHelpText('after', `\nThe wallet is the address /1/0 of its chain’s account (${keys}). Send ether to it.`)
    .addHelpText('after', examples('npx paylatch gas'))
    .addOption(outputOption())
    .action(async ({ output }: { output: Output }) => {
      await withDatabase(async (context) => {
        const accounts = await connectedAccounts(context, accountChains);
        if (accounts.length === 0) {
          const names = accountChains.map((name) => chains[name].name).join(', ');
          throw new OperatorError(`${names} is not configured: set ${settings('URL').join(', ')}.`);
        }
        try {
          const wallets = await Promise.all(accounts.map(readGasWallet));
          const columns = {
            ...{ chain: ({ chain }: GasWallet) => chain, address: ({ address }: GasWallet) => address },
            ...{ wei: ({ wei }: GasWallet) => wei, height: ({ height }: GasWallet) => height },
          };
          await printList('wallets', wallets, { output, columns });
        } finally {
          for (const { chain } of accounts) await chain.close();
        }
      });
    });
}

type GasWallet = Awaited<ReturnType<typeof readGasWallet>>;

async function readGasWallet({ name, chain, spender: load }: ChainAccount) {
  const spender = await load();
  if (spender.kind !== 'account') throw new Error(`${name} has no gas wallet`);
  const { address } = spender.gasWallet;
  const { height, hash } = await chain.tip();
  const wei = (await spender.etherBalances([address], { height, hash })).get(address) ?? 0n;
  return { chain: name, address, wei: wei.toString(), height };
}
