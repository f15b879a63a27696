import { base64, hex } from '@scure/base';
import { Transaction } from '@scure/btc-signer';
import { z } from 'zod';
import { type BlockRef, ChainError, type TransactionState } from '../port.ts';
import * as schemas from './schemas.ts';
import { requireLoadedMempool } from './mempool.ts';
import { readOutputStates } from './output-states.ts';
import { isNotFound, isPruned } from './rpc-errors.ts';
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

const mempoolSchema = z.union([schemas.hash, schemas.mempoolEntry]);

/**
 * Finds a transaction on a node without a transaction index (`-txindex`). Searches the mempool, then the blocks from
 * the last one down to a height. It follows parent hashes, so that a reorg during the search cannot hide a block.
 * Blocks that were searched before are not requested again. A node that has pruned the remaining blocks still proves
 * that they do not contain the transaction if one of its inputs is unspent.
 */
export function createTransactionFinder({
  rpc,
  blockHash,
  bestBlockHash,
}: {
  rpc: Rpc;
  blockHash: (height: number) => Promise<string | null>;
  bestBlockHash: () => Promise<string>;
}): (txHash: string, sentAtHeight: number, unsigned?: string) => Promise<TransactionState> {
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

  /** True if the transaction is in the mempool. One request, because several nodes may serve the URL. */
  async function isInMempool(txHash: string): Promise<boolean> {
    const method = 'getmempoolentry';
    const [best, entry] = await rpc.requestBatch(
      [
        { method: 'getbestblockhash', params: [] },
        { method, params: [txHash] },
      ],
      mempoolSchema,
    );
    if (!entry?.ok) {
      if (entry && !isNotFound(entry)) throw rpc.unexpectedError(method, entry);
      return false;
    }
    // No block contains it yet. They need no search later, when the node may have pruned them.
    if (best?.ok && typeof best.value === 'string')
      cacheSearch(txHash, { aboveHeight: Number.NEGATIVE_INFINITY, fromHash: best.value, minedIn: null });
    return true;
  }

  /** Returns null if the node has pruned the block. */
  async function requestBlock(hash: string) {
    const result = await rpc.request({ method: 'getblock', params: [hash, 1] }, schemas.blockWithTxids);
    if (result.ok && result.value.hash === hash) return result.value;
    if (result.ok) throw new ChainError('down', `The node sent a different block than ${hash}.`);
    if (isPruned(result)) return null;
    throw new ChainError('down', `The node has no block ${hash}: ${result.message}`);
  }

  async function hasUnspentInput(unsigned: string, best: BlockRef): Promise<boolean> {
    const states = await readOutputStates(rpc, inputsOf(unsigned), best);
    return [...states.values()].some((state) => state !== 'spent');
  }

  async function findBlock(txHash: string, aboveHeight: number, unsigned?: string): Promise<BlockRef | null> {
    const cached = searches.get(txHash);
    if (cached?.minedIn && (await blockHash(cached.minedIn.height)) === cached.minedIn.hash) return cached.minedIn;
    // If its block left the chain, everything is searched again.
    const searchedFrom = cached && !cached.minedIn && cached.aboveHeight <= aboveHeight ? cached.fromHash : null;
    const fromHash = await bestBlockHash();
    let best: BlockRef | null = null;
    let lastHeight = Number.POSITIVE_INFINITY;
    for (let hash: string | null = fromHash; hash !== null && hash !== searchedFrom; ) {
      const block = await requestBlock(hash);
      if (!block) {
        if (unsigned !== undefined && best && (await hasUnspentInput(unsigned, best))) break;
        throw new ChainError('behind', `The node has pruned block ${hash}.`);
      }
      best ??= { height: block.height, hash };
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

  return async (txHash, sentAtHeight, unsigned) => {
    if (await isInMempool(txHash)) return { state: 'waiting' };
    const block = await findBlock(txHash, sentAtHeight - REORG_MARGIN, unsigned);
    if (block) return { state: 'mined', block };
    // A reorg may have returned it to the mempool during the search.
    await requireLoadedMempool(rpc);
    return (await isInMempool(txHash)) ? { state: 'waiting' } : { state: 'unknown' };
  };
}

/** Payment keys of the outputs that an unsigned transaction (BIP 174) spends. */
function inputsOf(unsigned: string): string[] {
  const transaction = Transaction.fromPSBT(base64.decode(unsigned));
  return Array.from({ length: transaction.inputsLength }, (_, input) => {
    const { txid, index } = transaction.getInput(input);
    return `${txid ? hex.encode(txid) : ''}:${index}`;
  });
}
