import type { Runner } from '../database/engine.ts';
import { keptBlocks } from '../chains/blocks.ts';
import type { WithdrawalFacts } from './context.ts';
import { db } from './schema.ts';
import type { AccountOnChain } from '../chains/connect.ts';
import type { BlockRef } from '../chains/port.ts';
import type { ChainName } from '../shared/crypto-currency.ts';

/** What is known of a chain that is another one than the blocks that were read. */
interface Fork {
  /** The last block with a deposit or a withdrawal of ours that is still in the chain; null where none is. */
  common: BlockRef | null;
  /** Deposits in blocks that the chain no longer has: they are taken back, and credited where they are found again. */
  orphanedDeposits: number;
  /** The highest block from which the chain can be read again without missing anything. */
  readFrom: number;
}

/**
 * Looks for the last block that the chain still has of those read, by the blocks of deposits and withdrawals, which are
 * kept for ever. Null where the chain has the block that was read last.
 */
export async function findFork(
  database: Runner,
  withdrawals: WithdrawalFacts,
  { name, chain }: Pick<AccountOnChain, 'name' | 'chain'>,
  at: BlockRef,
): Promise<Fork | null> {
  if ((await chain.hashAt(at.height)) === at.hash) return null;
  const anchors = await readAnchors(database, withdrawals, name);
  let common: BlockRef | null = null;
  for (const anchor of anchors) {
    if ((await chain.hashAt(anchor.height)) !== anchor.hash) continue;
    common = anchor;
    break;
  }
  const orphaned = anchors.filter(({ height }) => height > (common?.height ?? -1));
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
    readFrom: common?.height ?? Math.max(0, oldest - 1),
  };
}

/** Blocks that held money of ours, and the last ones that were read; the highest first. */
async function readAnchors(on: Runner, { anchors }: WithdrawalFacts, name: ChainName): Promise<BlockRef[]> {
  const rows = await db(on)
    .selectFrom('deposits')
    .select(['height', 'block_hash as hash'])
    .where('chain', '=', name)
    .where('state', '=', 'mined')
    .union(keptBlocks(on, name))
    .union(anchors(on, name))
    .orderBy('height', 'desc')
    .execute();
  return rows.flatMap(({ height, hash }) => (height === null || hash === null ? [] : [{ height, hash }]));
}
