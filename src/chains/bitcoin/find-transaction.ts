import { type BlockRef, ChainError, type TransactionState } from '../port.ts';
import * as schemas from './schemas.ts';
import { isInMempool, requireLoadedMempool } from './mempool.ts';
import { isPruned } from './rpc-errors.ts';
import type { Rpc } from './rpc.ts';

/** A finished search: all blocks above `aboveHeight` up to `fromHash`, and the block with the transaction. */
interface Search {
  aboveHeight: number;
  fromHash: string;
  minedIn: BlockRef | null;
}

/** A reorg may mine a transaction below the height at which it was sent, by at most this many blocks. */
const REORG_MARGIN = 10;

/** Maximum cached searches: well above the usual number of unconfirmed transactions. */
const MAX_CACHED_SEARCHES = 1000;

/**
 * Finds a transaction on a node without a transaction index (`-txindex`). Searches the mempool, then the blocks from
 * the last one down to a height. It follows parent hashes, so that a reorg during the search cannot hide a block.
 * Blocks that were searched before are not requested again.
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
    const result = await rpc.request({ method: 'getblock', params: [hash, 1] }, schemas.blockWithTxids);
    if (result.ok && result.value.hash === hash) return result.value;
    if (result.ok) throw new ChainError('down', `The node sent a different block than ${hash}.`);
    const message = `The node has no block ${hash}: ${result.message}`;
    throw new ChainError(isPruned(result) ? 'behind' : 'down', message);
  }

  async function findBlock(txHash: string, aboveHeight: number): Promise<BlockRef | null> {
    const cached = searches.get(txHash);
    if (cached?.minedIn && (await blockHash(cached.minedIn.height)) === cached.minedIn.hash) return cached.minedIn;
    // If its block left the chain, everything is searched again.
    const searchedFrom = cached && !cached.minedIn && cached.aboveHeight <= aboveHeight ? cached.fromHash : null;
    const fromHash = await bestBlockHash();
    let lastHeight = Number.POSITIVE_INFINITY;
    for (let hash: string | null = fromHash; hash !== null && hash !== searchedFrom; ) {
      const block = await requestBlock(hash);
      if (block.height >= lastHeight)
        throw new ChainError('down', `The node reported a wrong height for block ${hash}.`);
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

  return async (txHash, sentAtHeight) => {
    if (await isInMempool(rpc, txHash)) return { state: 'waiting' };
    const block = await findBlock(txHash, sentAtHeight - REORG_MARGIN);
    if (block) return { state: 'mined', block };
    // A reorg may have returned it to the mempool during the search.
    await requireLoadedMempool(rpc);
    return (await isInMempool(rpc, txHash)) ? { state: 'waiting' } : { state: 'unknown' };
  };
}
