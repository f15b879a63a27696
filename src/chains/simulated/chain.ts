/*
 * Map of this folder: `store.ts` locks a chain's row for each change and creates the genesis block. `base-chain.ts`
 * has the actions of payers and miners, `mempool.ts`, `blocks.ts` and `reorg.ts` the rows. `bitcoin-broadcast.ts` and
 * `ethereum-broadcast.ts` accept signed transactions; `ethereum-execution.ts` mines those of Ethereum.
 * Reasons: docs/decisions/chains-simulated.md.
 */

import { type ChainName, type EthereumChainName, isBitcoinChain } from '../../shared/crypto-currency.ts';
import { createSimulatedBitcoin } from './bitcoin.ts';
import type { SimulatedChain, SimulatedChainOptions } from './base-chain.ts';
import { createSimulatedEthereum, type SimulatedEthereum } from './ethereum.ts';

export { simulatedChainTopic } from './store.ts';
export type { SimulatedChain, SimulatedChainOptions } from './base-chain.ts';
export type { SimulatedEthereum } from './ethereum.ts';
export { simulatedBitcoinNetwork, simulatedEthereumNetwork } from './chain-kinds.ts';

/**
 * Creates a chain that exists only in the database, for the sandbox and for tests. All processes that share the database
 * see the same chain, also after a restart. Its methods must not be called in a database transaction.
 */
export function createSimulatedChain(options: SimulatedChainOptions & { name: EthereumChainName }): SimulatedEthereum;
export function createSimulatedChain(options: SimulatedChainOptions & { name: ChainName }): SimulatedChain;
export function createSimulatedChain({
  name,
  ...options
}: SimulatedChainOptions & { name: ChainName }): SimulatedChain {
  return isBitcoinChain(name)
    ? createSimulatedBitcoin({ ...options, name })
    : createSimulatedEthereum({ ...options, name });
}
