import type { BitcoinChainName } from '../../shared/crypto-currency.ts';
import { readTip } from './blocks.ts';
import { type ChainChange, createChainStore } from './store.ts';
import { createBaseChain, type SimulatedChain, type SimulatedChainOptions } from './base-chain.ts';
import { createBitcoinKind } from './chain-kinds.ts';
import { filterOwnDeposits } from './own-deposits.ts';
import { readOutputStates, readUnspent, readUnconfirmed } from './mempool.ts';
import { toBroadcastResult } from './broadcast.ts';

/** A chain of the Bitcoin family on regtest, without a node. */
export function createSimulatedBitcoin({
  name,
  ...options
}: SimulatedChainOptions & { name: BitcoinChainName }): SimulatedChain {
  const kind = createBitcoinKind(name);
  const store = createChainStore({ ...options, kind });
  return {
    ...createBaseChain(store, async () => await Promise.resolve(mineAll)),

    unconfirmedDeposits: async (findOwnAddresses) =>
      await filterOwnDeposits(await readUnconfirmed(await store.openDatabase(), name), findOwnAddresses),

    outputStates: async (paymentKeys) => await readOutputStates(await store.openDatabase(), name, paymentKeys),

    async scanUtxoSet(addresses) {
      const database = await store.openDatabase();
      return await database.inSnapshot(async (reader) => ({
        at: await readTip(reader, name),
        outputs: await readUnspent(reader, name, addresses),
      }));
    },

    balances: () => null,
    transactionCounts: () => null,
    feePaid: async () => await Promise.resolve(null),

    async broadcast(raw) {
      // Loaded on the first broadcast: decoding transactions needs a lot of code.
      const { acceptBitcoinTransaction } = await import('./bitcoin-broadcast.ts');
      return await toBroadcastResult(async () => await acceptBitcoinTransaction(store, kind, raw));
    },
  };
}

/** Mines all unconfirmed transactions. */
async function mineAll({ tables, kind }: ChainChange, height: number): Promise<void> {
  await tables
    .updateTable('simulated_transactions')
    .set({ state: 'mined', height })
    .where('chain', '=', kind.name)
    .where('state', '=', 'waiting')
    .execute();
}
