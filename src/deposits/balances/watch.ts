import { db } from '../schema.ts';
import type { UnitOfWork } from '../../database/database.ts';
import type { Runner } from '../../database/engine.ts';
import type { BlockRef } from '../../chains/port.ts';
import {
  type ChainName,
  cryptoCurrencies,
  type CryptoCurrencyCode,
  familyOf,
  isFeeCoin,
} from '../../shared/crypto-currency.ts';
import type { Wallet } from '../../wallets/schema.ts';

/** Whether a currency can come without a transaction of its own: what contracts send of the coin of an account chain. */
export function isWatched(code: CryptoCurrencyCode): boolean {
  return isFeeCoin(code) && familyOf(cryptoCurrencies[code].chain).model === 'accounts';
}

/**
 * Has a wallet's balance looked at from a block on, whose height is given: money that came in it, or before, is none
 * of what is waited for there. One that is looked at already goes on as it was. Only ether comes without a
 * transaction of its own.
 */
export async function watchBalance(
  unit: UnitOfWork,
  { id, chain, code }: Pick<Wallet, 'id' | 'chain' | 'code'>,
  { height, isPatient }: { height: number; isPatient: boolean },
): Promise<void> {
  if (!isWatched(code)) return;
  const isNowPatient = isPatient ? 1 : 0;
  await db(unit)
    .insertInto('watched_balances')
    .values({
      ...{ wallet_id: id, chain, height, balance: null, sent: null },
      ...{ is_patient: isNowPatient, idle_since: null },
    })
    .onConflict((conflict) => conflict.column('wallet_id').doUpdateSet({ is_patient: isNowPatient, idle_since: null }))
    .execute();
}

/** What was taken as known from a block on that the chain has taken back is asked for anew, from the last one that stays. */
export async function takeBalancesBack(unit: UnitOfWork, chain: ChainName, { height }: BlockRef): Promise<void> {
  await db(unit)
    .updateTable('watched_balances')
    .set({ height, balance: null, sent: null })
    .where('chain', '=', chain)
    .where('height', '>', height)
    .execute();
}

/** Asks again what a wallet holds, from a block on. */
export async function resetBalance(unit: UnitOfWork, walletId: number, height: number): Promise<void> {
  await db(unit)
    .updateTable('watched_balances')
    .set({ height, balance: null, sent: null })
    .where('wallet_id', '=', walletId)
    .execute();
}

/** What a watched wallet held when it was last added up; null where it is not watched, or was not asked yet. */
export async function readWatched(on: Runner, walletId: number): Promise<bigint | null> {
  const row = await db(on)
    .selectFrom('watched_balances')
    .select('balance')
    .where('wallet_id', '=', walletId)
    .executeTakeFirst();
  return row === undefined || row.balance === null ? null : BigInt(row.balance);
}
