import type { Clock } from '../../system/clock.ts';
import type { Database } from '../../database/database.ts';
import type { Random } from '../../system/random.ts';
import type { BlockRef, Chain, FeeRate } from '../port.ts';
import { appendBlocks, readBlock, readHash, readTransactionState, readTip, versionExpression } from './blocks.ts';
import { type ChainStore, type ChainChange, simulatedChainTopic } from './store.ts';
import { readFeeRate, updateFeeRate } from './fee-rate.ts';
import type { SimulatedOutput } from './chain-kinds.ts';
import {
  insertExternalTransaction,
  evictUnconfirmed,
  normalizeOutputs,
  readUnconfirmedTo,
  replaceUnconfirmed,
} from './mempool.ts';
import { applyReorg } from './reorg.ts';

/** A chain, and what the world does on it. What cannot be done throws a `RangeError`. */
export interface SimulatedChain extends Chain {
  /** Somebody outside sends, to one address or by one transaction to several; it waits in the pool. */
  pay(outputs: SimulatedOutput | readonly SimulatedOutput[]): Promise<{ txHash: string }>;
  /** What waits for a block and pays an address, whether or not nodes tell of it; once for each time that it is paid. */
  unconfirmedTo(address: string): Promise<readonly (SimulatedOutput & { txHash: string })[]>;
  /** Blocks, 1 unless told otherwise. The first takes what waits and may be in a block; the others are empty. Results the last. */
  mine(blocks?: number): Promise<BlockRef>;
  /**
   * Puts `depth` + 1 empty blocks in the place of the last `depth`; answers the last. What stood in them waits
   * again, but for `drop`: that was double-spent, and is gone for ever with all that spends it.
   */
  reorg(depth: number, options?: { drop?: readonly string[] }): Promise<BlockRef>;
  /**
   * Whoever sent what waits takes it back, by a transaction with a higher fee: that pays `by`, or itself, in
   * which case nothing of it is known here (null).
   */
  replace(txHash: string, by?: SimulatedOutput | readonly SimulatedOutput[]): Promise<{ txHash: string } | null>;
  /** Nodes forget what waits, as those with a full pool do; what is signed can be sent again. */
  evict(txHash: string): Promise<void>;
  setFeeRate(rate: FeeRate): Promise<void>;
}

export interface SimulatedChainOptions {
  database: Database;
  clock: Clock;
  random: Random;
}

/** Puts what waits into the block of a height. */
export type FillBlock = (change: ChainChange, height: number) => Promise<void>;

/** What both kinds have in common. */
export function createBaseChain(store: ChainStore, loadFillBlock: () => Promise<FillBlock>) {
  const { kind } = store;
  const { name } = kind;
  return {
    changeSignal: { topic: simulatedChainTopic(name), version: versionExpression(name) },
    currencies: kind.currencies,
    addresses: kind.addresses,
    tip: async () => await readTip(await store.openDatabase(), name),
    block: async (height, findOwnAddresses) =>
      await readBlock(await store.openDatabase(), { chain: name, height, findOwnAddresses }),
    blockHash: async (height) => await readHash(await store.openDatabase(), name, height),
    feeRate: async () => await readFeeRate(await store.openDatabase(), name),
    findTransaction: async (txHash) => await readTransactionState(await store.openDatabase(), name, txHash),
    // The database is whoever's has opened it.
    close: async () => await Promise.resolve(),

    async pay(payments) {
      const outputs = normalizeOutputs(kind, payments);
      return await store.change(async (change) => await insertExternalTransaction(change, outputs));
    },

    unconfirmedTo: async (address) => await readUnconfirmedTo(await store.openDatabase(), kind, address),

    async mine(blocks = 1) {
      if (!Number.isSafeInteger(blocks) || blocks < 1) throw new RangeError(`There are no ${blocks} blocks to mine`);
      const fillBlock = await loadFillBlock();
      return await store.change(async (change) => {
        const tip = await readTip(change, name);
        await fillBlock(change, tip.height + 1);
        return await appendBlocks(change, tip, blocks);
      });
    },

    reorg: async (depth, { drop = [] } = {}) =>
      await store.change(async (change) => await applyReorg(change, depth, drop)),

    async replace(txHash, by) {
      const paid = by === undefined ? null : normalizeOutputs(kind, by);
      return await store.change(async (change) => await replaceUnconfirmed(change, txHash, paid));
    },

    evict: async (txHash) => await store.change(async (change) => await evictUnconfirmed(change, txHash)),
    setFeeRate: async (rate) => await store.change(async (change) => await updateFeeRate(change, rate)),
  } satisfies Omit<
    SimulatedChain,
    'unconfirmedDeposits' | 'coinStates' | 'scanUtxoSet' | 'balances' | 'transactionCounts' | 'feePaid' | 'broadcast'
  >;
}
