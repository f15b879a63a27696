import { createHmac } from 'node:crypto';
import { type ChainName, chains, isBitcoinChain } from '../../shared/crypto-currency.ts';
import type { ChainAccount } from '../connect.ts';
import { deriveAccount } from '../seed-accounts.ts';
import { createSimulatedChain, type SimulatedChain, type SimulatedChainOptions } from './chain.ts';
import { findSimulatedEthereumNetwork, findSimulatedNetwork } from './chain-kinds.ts';

/** Derives the seed of the sandbox's accounts. It is unique per installation and stable across restarts. */
export function deriveSandboxSeed(serviceKey: Uint8Array): Uint8Array {
  return createHmac('sha512', serviceKey).update('seed of the sandbox').digest();
}

/** Creates a simulated chain with an account of the sandbox. */
export async function connectSimulated(
  options: SimulatedChainOptions & {
    serviceKey: Uint8Array;
    name: ChainName;
    canSign: boolean;
    derive?: typeof deriveAccount | undefined;
    /** The account key in another notation. */
    accountKey?: string | undefined;
  },
): Promise<ChainAccount & { chain: SimulatedChain }> {
  const { serviceKey, name, canSign, derive = deriveAccount, accountKey: configuredKey, ...rest } = options;
  const keys = await derive(deriveSandboxSeed(serviceKey), name, { isTest: true });
  const accountKey = configuredKey ?? keys.publicKey;
  const network = `${chains[name].name} (simulated)`;
  const privateKey = canSign ? keys.privateKey : null;
  if (isBitcoinChain(name)) {
    const spender = async () =>
      (await import('../bitcoin/spender.ts')).createBitcoinSpender({
        ...{ network: findSimulatedNetwork(name), accountKey, privateKey, origin: keys.origin },
      });
    const { accountDescriptor } = await import('../bitcoin/account-key.ts');
    const descriptor = () => accountDescriptor(accountKey, keys.origin, findSimulatedNetwork(name));
    return { name, chain: createSimulatedChain({ name, ...rest }), network, accountKey, descriptor, spender };
  }
  const chain = createSimulatedChain({ name, ...rest });
  const spender = async () =>
    (await import('../ethereum/spender.ts')).createEthereumSpender({
      ...{ network: findSimulatedEthereumNetwork(name), accountKey, privateKey },
      node: chain,
    });
  return { name, chain, network, accountKey, descriptor: null, spender };
}
