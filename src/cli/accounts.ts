import { Option } from 'commander';
import { connectChains } from '../chains/connect.ts';
import type { ChainAccount } from '../chains/family.ts';
import { type ChainName, chainNames } from '../shared/crypto-currency.ts';
import { OperatorError } from '../system/operator-error.ts';
import { systemRandom } from '../system/random.ts';
import { loadServiceKey } from '../database/service-key.ts';
import type { CommandContext } from './with-database.ts';

/** The chain in the examples of help texts. */
export const [exampleChain] = chainNames;

/** The `--chain` option of commands for one chain. */
export function chainOption(): Option {
  return new Option('--chain <name>', chainNames.join(', ')).makeOptionMandatory();
}

/** The configured accounts of the named chains; in the sandbox also those on simulated chains. */
export async function connectedAccounts(
  { config, database, clock }: CommandContext,
  names: readonly ChainName[] = chainNames,
): Promise<ChainAccount[]> {
  const others = Object.fromEntries(chainNames.flatMap((name) => (names.includes(name) ? [] : [[name, null]])));
  const accounts = await connectChains({ ...config, ...others }, clock);
  if (config.environment !== 'sandbox') return accounts;
  const { connectSimulated } = await import('../chains/simulated/connect.ts');
  const serviceKey = await loadServiceKey(database, systemRandom, config.secretKey);
  const options = { database, clock, random: systemRandom, serviceKey, canSign: false };
  for (const name of names)
    if (accounts.every((each) => each.name !== name)) accounts.push(await connectSimulated({ ...options, name }));
  return accounts;
}

/** Finds the account of a chain by the chain's name. */
export async function connectedAccount(context: CommandContext, chain: string): Promise<ChainAccount> {
  const accounts = await connectedAccounts(context);
  const found = accounts.find(({ name }) => name === chain);
  for (const each of accounts) if (each !== found) await each.chain.close();
  if (found) return found;
  const configured = accounts.map(({ name }) => name).join(', ') || 'none';
  throw new OperatorError(`The chain ${chain} is not configured. Configured chains: ${configured}.`);
}
