import type { Clock } from '../../system/clock.ts';
import type { Database } from '../../database/database.ts';
import type { Random } from '../../system/random.ts';
import type { BlockRef, Chain, FeeRate } from '../port.ts';
import { addBlocks, readBlock, readHash, readState, readTip, versionOf } from './blocks.ts';
import { type Books, type Change, simulatedChainTopic } from './books.ts';
import { readFeeRate, writeFeeRate } from './fee-rate.ts';
import type { SimulatedOutput } from './kinds.ts';
import { addFromOutside, evictWaiting, payable, readWaitingFor, replaceWaiting } from './pool.ts';
import { reorganise } from './reorganise.ts';

/** A chain, and what the world does on it. What cannot be done throws a `RangeError`. */
export interface SimulatedChain extends Chain {
  /** Somebody outside sends, to one address or by one transaction to several; it waits in the pool. */
  pay(outputs: SimulatedOutput | readonly SimulatedOutput[]): Promise<{ txHash: string }>;
  /** What waits for a block and pays an address, whether or not nodes tell of it; once for each time that it is paid. */
  waitingFor(address: string): Promise<readonly (SimulatedOutput & { txHash: string })[]>;
  /** Blocks, 1 unless told otherwise. The first takes what waits and may be in a block; the others are empty. Answers the last. */
  mine(blocks?: number): Promise<BlockRef>;
  /**
   * Puts `depth` + 1 empty blocks in the place of the last `depth`; answers the last. What stood in them waits
   * again, but for `drop`: that was double-spent, and is gone for ever with all that spends it.
   */
  reorganise(depth: number, options?: { drop?: readonly string[] }): Promise<BlockRef>;
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
export type Fill = (change: Change, height: number) => Promise<void>;

/** What both kinds have in common. */
export function createCommon(books: Books, loadFill: () => Promise<Fill>) {
  const { kind } = books;
  const { name } = kind;
  return {
    kept: { topic: simulatedChainTopic(name), version: versionOf(name) },
    currencies: kind.currencies,
    addresses: kind.addresses,
    tip: async () => await readTip(await books.open(), name),
    block: async (height, findOurs) => await readBlock(await books.open(), { chain: name, height, findOurs }),
    hashAt: async (height) => await readHash(await books.open(), name, height),
    feeRate: async () => await readFeeRate(await books.open(), name),
    lookUp: async (txHash) => await readState(await books.open(), name, txHash),
    // The database is whoever's has opened it.
    close: async () => await Promise.resolve(),

    async pay(outputs) {
      const paid = payable(kind, outputs);
      return await books.change(async (change) => await addFromOutside(change, paid));
    },

    waitingFor: async (address) => await readWaitingFor(await books.open(), kind, address),

    async mine(blocks = 1) {
      if (!Number.isSafeInteger(blocks) || blocks < 1) throw new RangeError(`There are no ${blocks} blocks to mine`);
      const fill = await loadFill();
      return await books.change(async (change) => {
        const tip = await readTip(change, name);
        await fill(change, tip.height + 1);
        return await addBlocks(change, tip, blocks);
      });
    },

    reorganise: async (depth, { drop = [] } = {}) =>
      await books.change(async (change) => await reorganise(change, depth, drop)),

    async replace(txHash, by) {
      const paid = by === undefined ? null : payable(kind, by);
      return await books.change(async (change) => await replaceWaiting(change, txHash, paid));
    },

    evict: async (txHash) => await books.change(async (change) => await evictWaiting(change, txHash)),
    setFeeRate: async (rate) => await books.change(async (change) => await writeFeeRate(change, rate)),
  } satisfies Omit<SimulatedChain, 'waiting' | 'coinStates' | 'scan' | 'balances' | 'sentBy' | 'feePaid' | 'send'>;
}
