import type { BlockRef } from '../port.ts';
import { appendBlocks, readHash, readTip } from './blocks.ts';
import type { ChainChange } from './store.ts';
import { removeTransactions } from './mempool.ts';

/**
 * Replaces the last `depth` blocks with `depth` + 1 empty ones. Their transactions return to the mempool, except
 * dropped ones and their descendants: these never return, as if the new branch had spent their inputs.
 */
export async function applyReorg(change: ChainChange, depth: number, dropHashes: readonly string[]): Promise<BlockRef> {
  const { tables, kind } = change;
  if (!Number.isSafeInteger(depth) || depth < 1)
    throw new RangeError(`The depth of a reorg must be at least 1, not ${depth}.`);
  const tip = await readTip(change, kind.name);
  const height = tip.height - depth;
  const hash = await readHash(change, kind.name, height);
  if (hash === null)
    throw new RangeError(`A reorg of ${depth} blocks is too deep: only ${tip.height} follow the genesis block.`);

  const orphaned = await tables
    .selectFrom('simulated_transactions')
    .select(['id', 'tx_hash'])
    .where('chain', '=', kind.name)
    .where('height', '>', height)
    .execute();
  const idOf = new Map(orphaned.map(({ id, tx_hash }) => [tx_hash, id]));
  const droppedIds = [...new Set(dropHashes)].map((txHash) => {
    const id = idOf.get(txHash);
    if (id === undefined) throw new RangeError(`Transaction ${txHash} is not in the last ${depth} blocks.`);
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
