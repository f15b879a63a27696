import { type Expression, type SqlBool, sql } from 'kysely';
import type { UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import type { ChainName } from '../shared/crypto-currency.ts';
import type { BlockRef } from './port.ts';
import { db } from './schema.ts';

/** Greatest expected depth of a reorg. Deeper blocks count as permanent. */
export const MAX_REORG_DEPTH = 100;
/** Number of recent blocks whose hashes are stored, to find the fork of a reorg. */
export const STORED_BLOCKS = 2 * MAX_REORG_DEPTH;
/** Confirmations after which the transactions of an address are final. */
const FINALITY_DEPTH = 12;

/** Stores scanned blocks, in ascending order, and deletes those too deep for a reorg. */
export async function recordBlocks(unit: UnitOfWork, chain: ChainName, blocks: readonly BlockRef[]): Promise<void> {
  const last = blocks.at(-1);
  if (!last) return;
  await db(unit)
    .insertInto('chain_blocks')
    .values(blocks.map(({ height, hash }) => ({ chain, height, hash })))
    .execute();
  await db(unit)
    .deleteFrom('chain_blocks')
    .where('chain', '=', chain)
    .where('height', '<=', last.height - STORED_BLOCKS)
    .execute();
}

/** Deletes the blocks above a common ancestor. Stores it and the blocks `before` it if they are missing. */
export async function deleteBlocksAbove(
  unit: UnitOfWork,
  chain: ChainName,
  ancestor: BlockRef,
  before: readonly BlockRef[],
): Promise<void> {
  await db(unit).deleteFrom('chain_blocks').where('chain', '=', chain).where('height', '>', ancestor.height).execute();
  await db(unit)
    .insertInto('chain_blocks')
    .values([...before, ancestor].map((block) => ({ chain, ...block })))
    .onConflict((conflict) => conflict.columns(['chain', 'height']).doNothing())
    .execute();
}

/** The stored block at a height; null if there is none. */
export async function findStoredBlock(reader: Runner, chain: ChainName, height: number): Promise<BlockRef | null> {
  const block = await selectBlocks(reader, chain).where('height', '=', height).executeTakeFirst();
  return block ?? null;
}

/**
 * True if a block belongs to the chain, as far as it has been scanned. Blocks too deep for a reorg, whose hashes are no
 * longer stored, count as part of it: after an outage, the scan may have passed them before any other code read them.
 */
export async function isBlockInChain(reader: Runner, chain: ChainName, { height, hash }: BlockRef): Promise<boolean> {
  const stored = await findStoredBlock(reader, chain, height);
  if (stored) return stored.hash === hash;
  const { last } = await selectBlocks(reader, chain)
    .clearSelect()
    .select(({ fn }) => fn.max('height').as('last'))
    .executeTakeFirstOrThrow();
  return last !== null && height <= last - STORED_BLOCKS;
}

/** A block deep enough to be final; null if none is stored. */
export async function findFinalBlock(reader: Runner, chain: ChainName, tipHeight: number): Promise<BlockRef | null> {
  return await findStoredBlock(reader, chain, tipHeight - FINALITY_DEPTH);
}

/** Composable query: the stored blocks of a chain. */
export function selectBlocks(reader: Runner, chain: ChainName) {
  return db(reader).selectFrom('chain_blocks').select(['height', 'hash']).where('chain', '=', chain);
}

/** `isBlockInChain` as a condition of a query. */
export function blockIsInChain(reader: Runner, chain: ChainName, block: { height: string; hash: string }) {
  const stored = selectBlocks(reader, chain)
    .clearSelect()
    .select('chain_blocks.height')
    .where('chain_blocks.height', '=', sql.ref<number>(block.height))
    .where('chain_blocks.hash', '=', sql.ref<string>(block.hash));
  return sql<SqlBool>`exists ${stored}` as Expression<SqlBool>;
}
