import type { BlockRef } from '../port.ts';
import { appendBlocks, readHash, readTip } from './blocks.ts';
import type { ChainChange } from './store.ts';
import { removeTransactions } from './mempool.ts';

/**
 * Puts one block more in the place of the last `depth`. What stood in them waits again, but for what is to be
 * dropped, and what spends that: these are never taken again, as if the other chain had spent their inputs.
 */
export async function applyReorg(change: ChainChange, depth: number, dropHashes: readonly string[]): Promise<BlockRef> {
  const { tables, kind } = change;
  if (!Number.isSafeInteger(depth) || depth < 1) throw new RangeError(`A reorganisation replaces blocks, not ${depth}`);
  const tip = await readTip(change, kind.name);
  const height = tip.height - depth;
  const hash = await readHash(change, kind.name, height);
  if (hash === null)
    throw new RangeError(`${depth} blocks cannot be replaced: only ${tip.height} stand on the first one, which stays`);

  const orphaned = await tables
    .selectFrom('simulated_transactions')
    .select(['id', 'tx_hash'])
    .where('chain', '=', kind.name)
    .where('height', '>', height)
    .execute();
  const idOf = new Map(orphaned.map(({ id, tx_hash }) => [tx_hash, id]));
  const droppedIds = [...new Set(dropHashes)].map((txHash) => {
    const id = idOf.get(txHash);
    if (id === undefined) throw new RangeError(`Transaction ${txHash} is in none of the last ${depth} blocks`);
    return id;
  });
  await tables
    .updateTable('simulated_transactions')
    .set({ state: 'waiting', height: null })
    .where('chain', '=', kind.name)
    .where('height', '>', height)
    .execute();
  await removeTransactions(change, droppedIds, 'dropped');
  await tables.deleteFrom('simulated_blocks').where('chain', '=', kind.name).where('height', '>', height).execute();
  return await appendBlocks(change, { height, hash }, depth + 1);
}
