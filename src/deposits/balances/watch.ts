import { db } from '../../wallets/crypto-tables.ts';
import type { UnitOfWork } from '../../database/database.ts';
import type { Wallet } from '../../invoices/transaction.ts';

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
  if (code !== 'eth') return;
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
