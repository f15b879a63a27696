import { appendEntries } from '../ledger/entries.ts';
import { db } from './schema.ts';
import type { Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { Entry } from '../ledger/accounts.ts';

/** A wallet whose row is locked by the unit of work. */
export interface LockedWallet {
  id: number;
  code: string;
  balance: bigint;
}

/**
 * Appends entries to the ledger and updates the balances of their wallets: the only place that changes
 * `wallets.balance`. The unit of work holds the locks of these wallets. Returns the new balances, by wallet.
 */
export async function postEntries(
  unit: UnitOfWork,
  entries: readonly Entry[],
  { at, wallets }: { at: Instant; wallets: ReadonlyMap<number, LockedWallet> },
): Promise<Map<number, bigint>> {
  const balances = new Map<number, bigint>();
  const posted = await appendEntries(unit, entries, at);
  for (const { walletId, code, debit, credit, amount } of posted) {
    if (walletId === null || (debit !== 'wallet' && credit !== 'wallet')) continue;
    const wallet = wallets.get(walletId);
    if (!wallet) throw new Error(`Ledger entries change wallet ${walletId}, which is not locked.`);
    // The balance covers only the wallet's own currency; deposits in others are only in the ledger.
    if (code !== wallet.code) continue;
    const before = balances.get(walletId) ?? wallet.balance;
    balances.set(walletId, debit === 'wallet' ? before + amount : before - amount);
  }
  for (const [id, balance] of balances)
    await db(unit)
      .updateTable('wallets')
      .set({ balance: balance.toString(), updated_at: at })
      .where('id', '=', id)
      .execute();
  return balances;
}
