/*
 * Chains that exist only in the database, for the sandbox and for tests. All processes that share the database see the
 * same chain, also after a restart. Their methods must not be called in a database transaction.
 *
 * Map of this folder: `store.ts` locks a chain's row for each change and creates the genesis block. `base-chain.ts`
 * has the actions of payers and miners, `mempool.ts`, `blocks.ts` and `reorg.ts` the rows. `bitcoin-broadcast.ts` and
 * `ethereum-broadcast.ts` accept signed transactions; `ethereum-execution.ts` mines those of Ethereum.
 * Reasons: docs/decisions/chains-simulated.md.
 */

export { simulatedChainTopic } from './store.ts';
export type { SimulatedChain } from './base-chain.ts';
export { createSimulatedBitcoin } from './bitcoin.ts';
export { createSimulatedEthereum, type SimulatedEthereum } from './ethereum.ts';
export { simulatedBitcoinNetwork, simulatedEthereumNetwork } from './chain-kinds.ts';
