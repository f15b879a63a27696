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

/** A chain with the actions of payers and miners. Impossible actions throw a `RangeError`. */
export interface SimulatedChain extends Chain {
  /**
   * Sends an external payment to one or several addresses, in one transaction. It is unconfirmed until the next block.
   * `txHash`: hash of an evicted transaction with the same outputs, which is sent again.
   */
  pay(outputs: SimulatedOutput | readonly SimulatedOutput[], txHash?: string): Promise<{ txHash: string }>;
  /** Unconfirmed outputs of an address, even those that nodes would not report. */
  unconfirmedTo(address: string): Promise<readonly (SimulatedOutput & { txHash: string })[]>;
  /** Mines blocks, one by default. The first contains the executable transactions, the others are empty. Returns the last. */
  mine(blocks?: number): Promise<BlockRef>;
  /**
   * Replaces the last `depth` blocks with `depth` + 1 empty ones, and returns the last. Their transactions return to
   * the mempool, except those of `drop` and their descendants: these count as double-spent and never return.
   */
  reorg(depth: number, options?: { drop?: readonly string[] }): Promise<BlockRef>;
  /**
   * Replaces an unconfirmed external transaction with one that has a higher fee and pays `replacement`. Without
   * `replacement` it pays its own sender, and the result is null.
   */
  replace(
    txHash: string,
    replacement?: SimulatedOutput | readonly SimulatedOutput[],
  ): Promise<{ txHash: string } | null>;
  /** Removes an unconfirmed transaction, as nodes with a full mempool do. Signed transactions can be sent again. */
  evict(txHash: string): Promise<void>;
  setFeeRate(rate: FeeRate): Promise<void>;
}

export interface SimulatedChainOptions {
  database: Database;
  clock: Clock;
  random: Random;
}

/** Mines mempool transactions into the block at a height. */
export type FillBlock = (change: ChainChange, height: number) => Promise<void>;

/** The parts of a simulated chain that all kinds share. */
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
    // The database belongs to the caller.
    close: async () => await Promise.resolve(),

    async pay(payments, txHash) {
      const outputs = normalizeOutputs(kind, payments);
      return await store.change(async (change) => await insertExternalTransaction(change, outputs, txHash));
    },

    unconfirmedTo: async (address) => await readUnconfirmedTo(await store.openDatabase(), kind, address),

    async mine(blocks = 1) {
      if (!Number.isSafeInteger(blocks) || blocks < 1)
        throw new RangeError(`The number of blocks must be at least 1, not ${blocks}.`);
      const fillBlock = await loadFillBlock();
      return await store.change(async (change) => {
        const tip = await readTip(change, name);
        await fillBlock(change, tip.height + 1);
        return await appendBlocks(change, tip, blocks);
      });
    },

    reorg: async (depth, { drop = [] } = {}) =>
      await store.change(async (change) => await applyReorg(change, depth, drop)),

    async replace(txHash, replacement) {
      const outputs = replacement === undefined ? null : normalizeOutputs(kind, replacement);
      return await store.change(async (change) => await replaceUnconfirmed(change, txHash, outputs));
    },

    evict: async (txHash) => await store.change(async (change) => await evictUnconfirmed(change, txHash)),
    setFeeRate: async (rate) => await store.change(async (change) => await updateFeeRate(change, rate)),
  } satisfies Omit<
    SimulatedChain,
    'unconfirmedDeposits' | 'outputStates' | 'scanUtxoSet' | 'balances' | 'transactionCounts' | 'feePaid' | 'broadcast'
  >;
}
