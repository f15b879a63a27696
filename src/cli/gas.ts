import type { Command } from 'commander';
import type { ChainAccount } from '../chains/connect.ts';
import { accountChains, chains } from '../shared/crypto-currency.ts';
import { OperatorError } from '../system/operator-error.ts';
import { connectedAccounts } from './accounts.ts';
import { examples } from './examples.ts';
import { outputOption, type Output, print } from './output.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

export function registerGasCommand(program: Command): void {
  program
    .command('gas')
    .description('show the wallet that pays gas for token transfers, and its balance')
    .addHelpText('after', '\nThe wallet is the address /1/0 of the account CHAIN_ETH_ACCOUNT_KEY. Send ether to it.')
    .addHelpText('after', examples('npx paylatch gas'))
    .addOption(outputOption())
    .action(async ({ output }: { output: Output }) => {
      await withDatabase(async (context) => {
        const { name, chain, spender: load } = await accountChain(context);
        try {
          const spender = await load();
          if (spender.kind !== 'accounts') throw new Error(`${name} has no gas wallet`);
          const { address } = spender.gasWallet;
          const tip = await chain.tip();
          const wei = (await spender.etherBalances([address], tip)).get(address) ?? 0n;
          print({ address, wei: wei.toString(), height: tip.height }, output);
        } finally {
          await chain.close();
        }
      });
    });
}

async function accountChain(context: CommandContext): Promise<ChainAccount> {
  for (const name of accountChains) {
    const [account] = await connectedAccounts(context, [name]);
    if (account) return account;
  }
  const names = accountChains.map((name) => chains[name].name).join(', ');
  const settings = accountChains.map((name) => `CHAIN_${chains[name].feeCode.toUpperCase()}_URL`).join(', ');
  throw new OperatorError(`${names} is not configured: set ${settings}.`);
}
