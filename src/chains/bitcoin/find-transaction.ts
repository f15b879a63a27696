import { type BlockRef, ChainError, type TransactionState } from '../port.ts';
import * as schemas from './schemas.ts';
import { isInMempool, requireLoadedMempool } from './mempool.ts';
import { isPruned } from './rpc-errors.ts';
import type { Rpc } from './rpc.ts';

/** Blocks above a height that were searched for a transaction, up to one of them, and where it was found. */
interface Search {
  aboveHeight: number;
  fromHash: string;
  minedIn: BlockRef | null;
}

/** A transaction may have been put into blocks that replaced some from before it was sent: no deeper than this. */
const REORG_MARGIN = 10;

/** Transactions whose search is remembered: many more than are on their way at a time. */
const MAX_CACHED_SEARCHES = 1000;

/**
 * Finds out what has become of a transaction on a node without an index of transactions (`-txindex`).
 * Looks into the pool, then through the blocks from the last one down to a height, by the hash that each
 * names as its parent's, so that a reorganisation meanwhile cannot hide a block. Blocks that were searched
 * before are not asked for again.
 */
export function createTransactionFinder({
  rpc,
  blockHash,
  bestBlockHash,
}: {
  rpc: Rpc;
  blockHash: (height: number) => Promise<string | null>;
  bestBlockHash: () => Promise<string>;
}): (txHash: string, sentAtHeight: number) => Promise<TransactionState> {
  const searches = new Map<string, Search>();

  function cacheSearch(txHash: string, search: Search): void {
    searches.delete(txHash);
    searches.set(txHash, search);
    if (searches.size <= MAX_CACHED_SEARCHES) return;
    for (const oldest of searches.keys()) {
      searches.delete(oldest);
      return;
    }
  }

  async function requestBlock(hash: string) {
    const answer = await rpc.request({ method: 'getblock', params: [hash, 1] }, schemas.blockWithTxids);
    if (answer.ok && answer.value.hash === hash) return answer.value;
    if (answer.ok) throw new ChainError('down', `The node sent another block than ${hash}`);
    const message = `The node has no block ${hash}: ${answer.message}`;
    throw new ChainError(isPruned(answer) ? 'behind' : 'down', message);
  }

  async function findBlock(txHash: string, aboveHeight: number): Promise<BlockRef | null> {
    const cached = searches.get(txHash);
    if (cached?.minedIn && (await blockHash(cached.minedIn.height)) === cached.minedIn.hash) return cached.minedIn;
    // Where the block that it was in is none of the chain any more, everything is searched again.
    const searchedFrom = cached && !cached.minedIn && cached.aboveHeight <= aboveHeight ? cached.fromHash : null;
    const fromHash = await bestBlockHash();
    let lastHeight = Number.POSITIVE_INFINITY;
    for (let hash: string | null = fromHash; hash !== null && hash !== searchedFrom; ) {
      const block = await requestBlock(hash);
      if (block.height >= lastHeight) throw new ChainError('down', `The node gave the block ${hash} a wrong height`);
      if (block.height <= aboveHeight) break;
      lastHeight = block.height;
      if (block.tx.includes(txHash)) {
        const minedIn = { height: block.height, hash: block.hash };
        cacheSearch(txHash, { aboveHeight: aboveHeight, fromHash: fromHash, minedIn });
        return minedIn;
      }
      hash = block.previousblockhash ?? null;
    }
    cacheSearch(txHash, { aboveHeight: aboveHeight, fromHash: fromHash, minedIn: null });
    return null;
  }

  return async (txHash, since) => {
    if (await isInMempool(rpc, txHash)) return { state: 'waiting' };
    const block = await findBlock(txHash, since - REORG_MARGIN);
    if (block) return { state: 'mined', block };
    // A reorganisation may have put it back into the pool during the search.
    await requireLoadedMempool(rpc);
    return (await isInMempool(rpc, txHash)) ? { state: 'waiting' } : { state: 'unknown' };
  };
}
