import { createHmac } from 'node:crypto';
import { type ChainName, chains, isBitcoinChain } from '../../shared/crypto-currency.ts';
import type { AccountOnChain } from '../connect.ts';
import { accountOfSeed } from '../seed-accounts.ts';
import { createSimulatedChain, type SimulatedChain, type SimulatedChainOptions } from './chain.ts';
import { simulatedEthereumNetwork, simulatedNetworkOf } from './kinds.ts';

/** Of an installation: nobody else has its addresses, and they are the same after a restart. */
export function sandboxSeed(serviceKey: Uint8Array): Uint8Array {
  return createHmac('sha512', serviceKey).update('seed of the sandbox').digest();
}

/** A chain that exists in the database alone, with an account of the sandbox, which signs unless it is told not to. */
export async function connectSimulated(
  options: SimulatedChainOptions & {
    serviceKey: Uint8Array;
    name: ChainName;
    canSign: boolean;
    /** The account's key in another notation than the usual one. */
    accountKey?: string | undefined;
  },
): Promise<AccountOnChain & { chain: SimulatedChain }> {
  const { serviceKey, name, canSign, accountKey: given, ...rest } = options;
  const keys = await accountOfSeed(sandboxSeed(serviceKey), name, { isTest: true });
  const accountKey = given ?? keys.publicKey;
  const network = `${chains[name].name} (simulated)`;
  const privateKey = canSign ? keys.privateKey : null;
  if (isBitcoinChain(name)) {
    const spender = async () =>
      (await import('../bitcoin/spender.ts')).createBitcoinSpender({
        ...{ network: simulatedNetworkOf(name), accountKey, privateKey, origin: keys.origin },
      });
    const { describeAccount } = await import('../bitcoin/account-key.ts');
    const descriptor = describeAccount(accountKey, keys.origin, simulatedNetworkOf(name));
    return { name, chain: createSimulatedChain({ name, ...rest }), network, accountKey, descriptor, spender };
  }
  const chain = createSimulatedChain({ name, ...rest });
  const spender = async () =>
    (await import('../ethereum/spender.ts')).createEthereumSpender({
      ...{ network: simulatedEthereumNetwork, accountKey, privateKey },
      node: chain,
    });
  return { name, chain, network, accountKey, descriptor: null, spender };
}
