import type { Command } from 'commander';
import { connectChains } from '../chains/connect.ts';
import { OperatorError } from '../system/operator-error.ts';
import { systemRandom } from '../system/random.ts';
import { loadSigningKey } from '../database/service-key.ts';
import { examples } from './examples.ts';
import { print } from './output.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

export function registerGasCommand(program: Command): void {
  program
    .command('gas')
    .description('show the wallet that pays for moving tokens, and what it holds')
    .addHelpText('after', '\nIt is the address at /1/0 below the account of CHAIN_ETH_ACCOUNT_KEY. Send ether there.')
    .addHelpText('after', examples('npx paylatch gas'))
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      await withDatabase(async (context) => {
        const { chain, spender: load } = await ethereumOf(context);
        try {
          const spender = await load();
          if (spender.kind !== 'accounts') throw new Error('Ethereum has accounts');
          const { address } = spender.gasWallet;
          const tip = await chain.tip();
          const wei = (await spender.etherOf([address], tip)).get(address) ?? 0n;
          print({ address, wei: wei.toString(), height: tip.height }, json);
        } finally {
          await chain.close();
        }
      });
    });
}

async function ethereumOf({ config, database, clock }: CommandContext) {
  const { environment, ethereum, secretKey } = config;
  if (ethereum) {
    const [account] = await connectChains({ bitcoin: null, litecoin: null, ethereum }, clock);
    if (account) return account;
  }
  if (environment !== 'sandbox') throw new OperatorError('Ethereum is not set up here: CHAIN_ETH_URL is empty.');
  const { connectSimulated } = await import('../chains/simulated/connect.ts');
  const serviceKey = await loadSigningKey(database, systemRandom, secretKey);
  const options = { database, clock, random: systemRandom, serviceKey, canSign: false };
  return await connectSimulated({ ...options, name: 'ethereum' });
}
