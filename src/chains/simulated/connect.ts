import { createHmac } from 'node:crypto';
import { type ChainName, chains } from '../../shared/crypto-currency.ts';
import { familyFor } from '../families.ts';
import type { ChainAccount } from '../family.ts';
import { deriveAccount } from '../seed-accounts.ts';
import type { SimulatedChain, SimulatedChainOptions } from './base-chain.ts';

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
  const privateKey = canSign ? keys.privateKey : null;
  const simulated = await familyFor(name).simulate(name, rest, { accountKey, privateKey, origin: keys.origin });
  return { name, network: `${chains[name].name} (simulated)`, accountKey, ...simulated };
}
