import type { Runner } from '../database/engine.ts';
import { selectBlocks } from '../chains/blocks.ts';
import type { WithdrawalFacts } from './context.ts';
import { db } from './schema.ts';
import type { ChainAccount } from '../chains/family.ts';
import type { BlockRef } from '../chains/port.ts';
import type { ChainName } from '../shared/crypto-currency.ts';

/** Describes how the node's chain diverges from the scanned blocks. */
interface Fork {
  /** Last block with a deposit or withdrawal that is still in the chain; null if there is none. */
  common: BlockRef | null;
  /** Number of deposits in orphaned blocks: they are reversed, and credited again if found in another block. */
  orphanedDeposits: number;
  /** Highest block from which the chain can be scanned again without missing a deposit. */
  rescanFrom: number;
}

/**
 * Finds the last common block from the blocks of deposits and withdrawals, which are stored permanently. Null if the
 * chain still contains the last scanned block.
 */
export async function findFork(
  database: Runner,
  withdrawals: WithdrawalFacts,
  { name, chain }: Pick<ChainAccount, 'name' | 'chain'>,
  at: BlockRef,
): Promise<Fork | null> {
  if ((await chain.blockHash(at.height)) === at.hash) return null;
  const knownBlocks = await readKnownBlocks(database, withdrawals, name);
  let common: BlockRef | null = null;
  for (const block of knownBlocks) {
    if ((await chain.blockHash(block.height)) !== block.hash) continue;
    common = block;
    break;
  }
  const orphaned = knownBlocks.filter(({ height }) => height > (common?.height ?? -1));
  const { deposits } = await db(database)
    .selectFrom('deposits')
    .select(({ fn }) => fn.countAll<number | string>().as('deposits'))
    .where('chain', '=', name)
    .where('state', '=', 'mined')
    .where('height', '>', common?.height ?? -1)
    .executeTakeFirstOrThrow();
  const oldest = Math.min(at.height, ...orphaned.map(({ height }) => height));
  return {
    common,
    orphanedDeposits: Number(deposits),
    rescanFrom: common?.height ?? Math.max(0, oldest - 1),
  };
}

/** Blocks of deposits and withdrawals and the last scanned blocks, highest first. */
async function readKnownBlocks(
  reader: Runner,
  { selectWithdrawalBlocks }: WithdrawalFacts,
  name: ChainName,
): Promise<BlockRef[]> {
  const rows = await db(reader)
    .selectFrom('deposits')
    .select(['height', 'block_hash as hash'])
    .where('chain', '=', name)
    .where('state', '=', 'mined')
    .union(selectBlocks(reader, name))
    .union(selectWithdrawalBlocks(reader, name))
    .orderBy('height', 'desc')
    .execute();
  return rows.flatMap(({ height, hash }) => (height === null || hash === null ? [] : [{ height, hash }]));
}
