import { db } from '../schema.ts';
import type { UnitOfWork } from '../../database/database.ts';
import type { BlockRef } from '../../chains/port.ts';
import {
  type ChainName,
  cryptoCurrencies,
  type CryptoCurrencyCode,
  familyOf,
  isFeeCoin,
} from '../../shared/crypto-currency.ts';
import type { Wallet } from '../../wallets/schema.ts';

/**
 * True if contracts can send the currency without a transaction that pays the address: the coin of an account-based
 * chain.
 */
export function needsBalanceScan(code: CryptoCurrencyCode): boolean {
  return isFeeCoin(code) && familyOf(cryptoCurrencies[code].chain).model === 'account';
}

/**
 * Starts watching the balance of a wallet after the block at `height`: earlier ether is not a deposit. If a wallet is
 * already watched, its checkpoint is kept. Does nothing for currencies that always arrive by transaction.
 */
export async function watchBalance(
  unit: UnitOfWork,
  { id, chain, code }: Pick<Wallet, 'id' | 'chain' | 'code'>,
  { height, isLongLived }: { height: number; isLongLived: boolean },
): Promise<void> {
  if (!needsBalanceScan(code)) return;
  const longLivedFlag = isLongLived ? 1 : 0;
  await db(unit)
    .insertInto('watched_balances')
    .values({
      ...{ wallet_id: id, chain, height, balance: null, sent: null },
      ...{ is_patient: longLivedFlag, idle_since: null },
    })
    .onConflict((conflict) => conflict.column('wallet_id').doUpdateSet({ is_patient: longLivedFlag, idle_since: null }))
    .execute();
}

/** Resets checkpoints above a block after a reorg, so that they are read again at that block. */
export async function resetBalancesAbove(unit: UnitOfWork, chain: ChainName, { height }: BlockRef): Promise<void> {
  await db(unit)
    .updateTable('watched_balances')
    .set({ height, balance: null, sent: null })
    .where('chain', '=', chain)
    .where('height', '>', height)
    .execute();
}

/** Resets the checkpoint of a wallet to a block, where its balance is read again. */
export async function resetBalance(unit: UnitOfWork, walletId: number, height: number): Promise<void> {
  await db(unit)
    .updateTable('watched_balances')
    .set({ height, balance: null, sent: null })
    .where('wallet_id', '=', walletId)
    .execute();
}
