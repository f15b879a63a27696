import { type BlockRef, ChainTrouble, type SentState } from '../port.ts';
import * as forms from './forms.ts';
import { isInPool, requireWholePool } from './pool.ts';
import { isPruned } from './refusals.ts';
import type { Rpc } from './rpc.ts';

/** Blocks above a height that were searched for a transaction, up to one of them, and where it was found. */
interface Search {
  above: number;
  upTo: string;
  minedIn: BlockRef | null;
}

/** A transaction may have been put into blocks that replaced some from before it was sent: no deeper than this. */
const DEEPEST_REORGANISATION = 10;

/** Transactions whose search is remembered: many more than are on their way at a time. */
const MOST_REMEMBERED = 1000;

/**
 * Finds out what has become of a transaction on a node without an index of transactions (`-txindex`).
 * Looks into the pool, then through the blocks from the last one down to a height, by the hash that each
 * names as its parent's, so that a reorganisation meanwhile cannot hide a block. Blocks that were searched
 * before are not asked for again.
 */
export function createLookUp({
  rpc,
  hashAt,
  bestHash,
}: {
  rpc: Rpc;
  hashAt: (height: number) => Promise<string | null>;
  bestHash: () => Promise<string>;
}): (txHash: string, since: number) => Promise<SentState> {
  const searches = new Map<string, Search>();

  function remember(txHash: string, search: Search): void {
    searches.delete(txHash);
    searches.set(txHash, search);
    if (searches.size <= MOST_REMEMBERED) return;
    for (const oldest of searches.keys()) {
      searches.delete(oldest);
      return;
    }
  }

  async function blockAt(hash: string) {
    const answer = await rpc.ask({ method: 'getblock', params: [hash, 1] }, forms.blockWithTxids);
    if (answer.ok && answer.value.hash === hash) return answer.value;
    if (answer.ok) throw new ChainTrouble('down', `The node sent another block than ${hash}`);
    const words = `The node has no block ${hash}: ${answer.message}`;
    throw new ChainTrouble(isPruned(answer) ? 'behind' : 'down', words);
  }

  async function findBlock(txHash: string, above: number): Promise<BlockRef | null> {
    const before = searches.get(txHash);
    if (before?.minedIn && (await hashAt(before.minedIn.height)) === before.minedIn.hash) return before.minedIn;
    // Where the block that it was in is none of the chain any more, everything is searched again.
    const searched = before && !before.minedIn && before.above <= above ? before.upTo : null;
    const upTo = await bestHash();
    let below = Number.POSITIVE_INFINITY;
    for (let hash: string | null = upTo; hash !== null && hash !== searched; ) {
      const block = await blockAt(hash);
      if (block.height >= below) throw new ChainTrouble('down', `The node gave the block ${hash} a wrong height`);
      if (block.height <= above) break;
      below = block.height;
      if (block.tx.includes(txHash)) {
        const minedIn = { height: block.height, hash: block.hash };
        remember(txHash, { above, upTo, minedIn });
        return minedIn;
      }
      hash = block.previousblockhash ?? null;
    }
    remember(txHash, { above, upTo, minedIn: null });
    return null;
  }

  return async (txHash, since) => {
    if (await isInPool(rpc, txHash)) return { state: 'waiting' };
    const block = await findBlock(txHash, since - DEEPEST_REORGANISATION);
    if (block) return { state: 'mined', block };
    // A reorganisation may have put it back into the pool during the search.
    await requireWholePool(rpc);
    return (await isInPool(rpc, txHash)) ? { state: 'waiting' } : { state: 'unknown' };
  };
}
