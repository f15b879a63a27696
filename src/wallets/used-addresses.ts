import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';
import { sql } from 'kysely';
import type { BlockRef, Chain } from '../chains/port.ts';
import type { WalletAccount } from './accounts.ts';
import type { WalletUse } from './context.ts';

/** Addresses per balance request. */
const ADDRESS_BATCH = 100;

/** Highest index, at or above `from`, that ever received a deposit; null if none did. */
export async function findHighestUsedIndex(
  reader: Runner,
  { hasDeposit }: WalletUse,
  accountId: number,
  from = 0,
): Promise<number | null> {
  const used = await db(reader)
    .selectFrom('wallets')
    .select('derivation_index')
    .where('wallet_account_id', '=', accountId)
    .where('derivation_index', '>=', from)
    .where(({ ref }) => hasDeposit(reader, ref('wallets.id')))
    .orderBy('derivation_index', 'desc')
    .limit(1)
    .executeTakeFirst();
  const unissued = await db(reader)
    .selectFrom('unissued_deposits')
    .select('derivation_index')
    .where('wallet_account_id', '=', accountId)
    .where('derivation_index', '>=', from)
    .orderBy('derivation_index', 'desc')
    .limit(1)
    .executeTakeFirst();
  const highest = Math.max(used?.derivation_index ?? -1, unissued?.derivation_index ?? -1);
  return highest < 0 ? null : highest;
}

/** Widest run of unused indexes below the next one: the gap that wallet software has to scan. */
export async function readWidestGap(
  reader: Runner,
  { hasDeposit }: WalletUse,
  { id, nextIndex }: Pick<WalletAccount, 'id' | 'nextIndex'>,
): Promise<number> {
  const { rows } = await sql<{ widest: number | string | null }>`
    select max(place - former - 1) as widest from (
      select place, lag(place, 1, -1) over (order by place) as former from (
        select derivation_index as place from wallets where wallet_account_id = ${id}
          and ${hasDeposit(reader, sql.ref('wallets.id'))}
        union select derivation_index from unissued_deposits where wallet_account_id = ${id}
        union select cast(${nextIndex} as bigint)
      ) as used
    ) as gaps`.execute(db(reader));
  return Number(rows[0]?.widest ?? 0);
}

/**
 * Highest index, at or above `from`, whose address has a balance or has sent a transaction. Null if none has, and on
 * UTXO chains.
 */
export async function findHighestUsedOnChain(
  chain: Chain,
  accountKey: string,
  from: number,
  count: number,
  at: BlockRef,
): Promise<number | null> {
  let highest: number | null = null;
  for (let first = from; first < from + count; first += ADDRESS_BATCH) {
    const addresses = Array.from({ length: Math.min(ADDRESS_BATCH, from + count - first) }, (_, offset) =>
      chain.addresses.derive(accountKey, first + offset),
    );
    const results = await Promise.all([
      ...chain.currencies.map(async (code) => await chain.balances(code, addresses, at)),
      chain.transactionCounts(addresses, at),
    ]);
    for (const [offset, address] of addresses.entries())
      if (results.some((result) => BigInt(result?.get(address) ?? 0) > 0n)) highest = first + offset;
  }
  return highest;
}
