import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';
import { sql } from 'kysely';
import type { BlockRef, Chain } from '../chains/port.ts';
import type { WalletAccount } from './accounts.ts';
import type { WalletUse } from './context.ts';

/** Addresses whose balances are asked for at once. */
const ASKED_AT_ONCE = 100;

/** The highest index, from one on, that ever received anything; null where none did. */
export async function highestUsed(
  on: Runner,
  { hasDeposit }: WalletUse,
  accountId: number,
  from = 0,
): Promise<number | null> {
  const used = await db(on)
    .selectFrom('wallets')
    .select('derivation_index')
    .where('wallet_account_id', '=', accountId)
    .where('derivation_index', '>=', from)
    .where(({ ref }) => hasDeposit(on, ref('wallets.id')))
    .orderBy('derivation_index', 'desc')
    .limit(1)
    .executeTakeFirst();
  const unissued = await db(on)
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

/** The most unused indexes in a row below the next one: what wallet software has to look through. */
export async function widestGap(
  on: Runner,
  { hasDeposit }: WalletUse,
  { id, nextIndex }: Pick<WalletAccount, 'id' | 'nextIndex'>,
): Promise<number> {
  const { rows } = await sql<{ widest: number | string | null }>`
    select max(place - former - 1) as widest from (
      select place, lag(place, 1, -1) over (order by place) as former from (
        select derivation_index as place from wallets where wallet_account_id = ${id}
          and ${hasDeposit(on, sql.ref('wallets.id'))}
        union select derivation_index from unissued_deposits where wallet_account_id = ${id}
        union select cast(${nextIndex} as bigint)
      ) as used
    ) as gaps`.execute(db(on));
  return Number(rows[0]?.widest ?? 0);
}

/**
 * The highest index from one on whose address holds or has sent anything, where a chain answers that for addresses;
 * null where none does, and on chains whose deposits are all outputs of blocks.
 */
export async function findUsed(
  chain: Chain,
  accountKey: string,
  from: number,
  count: number,
  at: BlockRef,
): Promise<number | null> {
  let highest: number | null = null;
  for (let first = from; first < from + count; first += ASKED_AT_ONCE) {
    const addresses = Array.from({ length: Math.min(ASKED_AT_ONCE, from + count - first) }, (_, place) =>
      chain.addresses.derive(accountKey, first + place),
    );
    const asked = await Promise.all([
      ...chain.currencies.map(async (code) => await chain.balances(code, addresses, at)),
      chain.sentBy(addresses, at),
    ]);
    for (const [place, address] of addresses.entries())
      if (asked.some((answer) => BigInt(answer?.get(address) ?? 0) > 0n)) highest = first + place;
  }
  return highest;
}
