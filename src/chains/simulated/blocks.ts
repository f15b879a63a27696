import { db, statement } from './schema.ts';
import { type Expression, sql } from 'kysely';
import type { Runner } from '../../database/engine.ts';
import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import type { BlockRef, ChainBlock, FindOwnAddresses, TransactionState } from '../port.ts';
import type { ChainChange } from './store.ts';
import { filterOwnDeposits, type OutputRow } from './own-deposits.ts';

/** Rows per statement: databases limit the number of values. */
const ROWS_PER_STATEMENT = 1000;

const selectTip = statement((query, { chain }: { chain: string }) =>
  query
    .selectFrom('simulated_blocks')
    .select(['height', 'hash'])
    .where('chain', '=', chain)
    .orderBy('height', 'desc')
    .limit(1),
);

export async function readTip(reader: Runner, chain: string): Promise<BlockRef> {
  const [tip] = (await selectTip(reader, { chain })).rows;
  if (!tip) throw new Error(`The simulated chain ${chain} has no genesis block.`);
  return tip;
}

/** Changes whenever a node would report something new: the last block and the mempool. */
export function versionExpression(chain: string): Expression<string> {
  return sql<string>`
    select (select hash from simulated_blocks where chain = ${chain} order by height desc limit 1)
      || ' ' || count(*) || ' ' || coalesce(max(id), 0)
    from simulated_transactions where chain = ${chain} and state = 'waiting'`;
}

const selectHash = statement((query, { chain, height }: { chain: string; height: number }) =>
  query.selectFrom('simulated_blocks').select('hash').where('chain', '=', chain).where('height', '=', height),
);

/** Hash of the block at a height; null if there is none (yet). */
export async function readHash(reader: Runner, chain: string, height: number): Promise<string | null> {
  const [block] = (await selectHash(reader, { chain, height })).rows;
  return block?.hash ?? null;
}

/** Selects a block with its contents in one statement, so that a reorg happens before or after the read. */
const selectBlock = statement((query, { chain, height }: { chain: string; height: number }) =>
  query
    .selectFrom('simulated_blocks as block')
    .leftJoin('simulated_transactions as tx', (join) =>
      join.onRef('tx.chain', '=', 'block.chain').onRef('tx.height', '=', 'block.height').on('tx.state', '=', 'mined'),
    )
    .leftJoin('simulated_outputs as output', 'output.transaction_id', 'tx.id')
    .select(['block.hash', 'block.parent_hash', 'block.at'])
    .select(['tx.tx_hash', 'output.payment_key', 'output.address', 'output.code', 'output.amount'])
    .where('block.chain', '=', chain)
    .where('block.height', '=', height)
    .orderBy('tx.id')
    .orderBy('output.place'),
);

/** The block at a height; null if there is none (yet). */
export async function readBlock(
  reader: Runner,
  { chain, height, findOwnAddresses }: { chain: string; height: number; findOwnAddresses: FindOwnAddresses },
): Promise<ChainBlock | null> {
  const { rows } = await selectBlock(reader, { chain, height });
  const [block] = rows;
  if (!block) return null;
  const outputs = rows.flatMap(({ tx_hash, payment_key, address, code, amount }): OutputRow[] =>
    tx_hash !== null && payment_key !== null && address !== null && code !== null && amount !== null
      ? [{ tx_hash, payment_key, address, code: code as CryptoCurrencyCode, amount }]
      : [],
  );
  const { hash, parent_hash: parentHash, at } = block;
  return { height, hash, parentHash, minedAt: at, deposits: await filterOwnDeposits(outputs, findOwnAddresses) };
}

const selectState = statement((query, { chain, txHash }: { chain: string; txHash: string }) =>
  query
    .selectFrom('simulated_transactions as tx')
    .leftJoin('simulated_blocks as block', (join) =>
      join.onRef('block.chain', '=', 'tx.chain').onRef('block.height', '=', 'tx.height'),
    )
    .select(['tx.state', 'block.height', 'block.hash'])
    .where('tx.chain', '=', chain)
    .where('tx.tx_hash', '=', txHash),
);

export async function readTransactionState(reader: Runner, chain: string, txHash: string): Promise<TransactionState> {
  const [tx] = (await selectState(reader, { chain, txHash })).rows;
  if (!tx || tx.state === 'dropped') return { state: 'unknown' };
  const { state, height, hash } = tx;
  if (state === 'waiting') return { state };
  if (height === null || hash === null) throw new Error(`Transaction ${txHash} is in no block of ${chain}.`);
  return { state, block: { height, hash } };
}

/** Fee of a mined transaction. */
export async function readFeePaid(
  reader: Runner,
  chain: string,
  txHash: string,
): Promise<{ block: BlockRef; fee: bigint } | null> {
  const row = await db(reader)
    .selectFrom('simulated_transactions as tx')
    .innerJoin('simulated_blocks as block', (join) =>
      join.onRef('block.chain', '=', 'tx.chain').onRef('block.height', '=', 'tx.height'),
    )
    .select(['block.height', 'block.hash', 'tx.fee'])
    .where('tx.chain', '=', chain)
    .where('tx.tx_hash', '=', txHash)
    .executeTakeFirst();
  return row ? { block: { height: row.height, hash: row.hash }, fee: BigInt(row.fee ?? 0) } : null;
}

/** Appends blocks to a parent. Returns the last. */
export async function appendBlocks(change: ChainChange, parent: BlockRef, count: number): Promise<BlockRef> {
  const { tables, kind } = change;
  const at = change.blockTime();
  let last = parent;
  for (let left = count; left > 0; left -= ROWS_PER_STATEMENT) {
    const rows = Array.from({ length: Math.min(left, ROWS_PER_STATEMENT) }, () => {
      const { hash: parent_hash } = last;
      last = { height: last.height + 1, hash: change.newHash() };
      return { chain: kind.name, ...last, parent_hash, at };
    });
    await tables.insertInto('simulated_blocks').values(rows).execute();
  }
  change.announce();
  return last;
}
