import { type ChainName, isBitcoinChain } from '../../shared/crypto-currency.ts';
import { createSimulatedBitcoin } from './bitcoin.ts';
import type { SimulatedChain, SimulatedChainOptions } from './base-chain.ts';
import { createSimulatedEthereum, type SimulatedEthereum } from './ethereum.ts';

export { simulatedChainTopic } from './store.ts';
export type { SimulatedChain, SimulatedChainOptions } from './base-chain.ts';
export type { SimulatedEthereum } from './ethereum.ts';
export { simulatedBitcoinNetwork, simulatedEthereumNetwork } from './chain-kinds.ts';

/**
 * A chain that exists in the database alone, behind the same port as real ones: for the sandbox, and for tests.
 * All processes that share the database have the same one, after a restart as before. Nothing of it may be
 * called in a unit of work.
 */
export function createSimulatedChain(options: SimulatedChainOptions & { name: 'ethereum' }): SimulatedEthereum;
export function createSimulatedChain(options: SimulatedChainOptions & { name: ChainName }): SimulatedChain;
export function createSimulatedChain({
  name,
  ...options
}: SimulatedChainOptions & { name: ChainName }): SimulatedChain {
  return isBitcoinChain(name) ? createSimulatedBitcoin({ ...options, name }) : createSimulatedEthereum(options);
}
