import { type Expression, type SqlBool, sql } from 'kysely';
import type { UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import type { ChainName } from '../shared/crypto-currency.ts';
import type { BlockRef } from './port.ts';
import { db } from './schema.ts';

/** Blocks that may be taken back; what is deeper stays. */
export const MAX_REORG_DEPTH = 100;
/** Hashes that are kept to find where two chains part. */
export const STORED_BLOCKS = 2 * MAX_REORG_DEPTH;
/** Blocks after which what an address has sent is final. */
const FINALITY_DEPTH = 12;

/** Keeps blocks that were read, the highest last, and forgets those that are too deep to matter. */
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

/** Forgets the blocks above a common ancestor. It and those `before` it may not be kept yet. */
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

/** The block that was read at a height; null where none was, or it is no longer kept. */
export async function findStoredBlock(on: Runner, chain: ChainName, height: number): Promise<BlockRef | null> {
  const block = await selectBlocks(on, chain).where('height', '=', height).executeTakeFirst();
  return block ?? null;
}

/** Whether a block is of the chain, as far as that was read. */
export async function isBlockInChain(on: Runner, chain: ChainName, { height, hash }: BlockRef): Promise<boolean> {
  return (await findStoredBlock(on, chain, height))?.hash === hash;
}

/** A block that is deep enough to be final; null where none was read. */
export async function findFinalBlock(on: Runner, chain: ChainName, tipHeight: number): Promise<BlockRef | null> {
  return await findStoredBlock(on, chain, tipHeight - FINALITY_DEPTH);
}

/** The blocks of a chain that are kept: a query to compose. */
export function selectBlocks(on: Runner, chain: ChainName) {
  return db(on).selectFrom('chain_blocks').select(['height', 'hash']).where('chain', '=', chain);
}

/** The same as `isRead`, as a condition of a query. */
export function blockIsInChain(on: Runner, chain: ChainName, block: { height: string; hash: string }) {
  const stored = selectBlocks(on, chain)
    .clearSelect()
    .select('chain_blocks.height')
    .where('chain_blocks.height', '=', sql.ref<number>(block.height))
    .where('chain_blocks.hash', '=', sql.ref<string>(block.hash));
  return sql<SqlBool>`exists ${stored}` as Expression<SqlBool>;
}
