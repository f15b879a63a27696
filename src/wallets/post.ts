import { appendEntries } from '../ledger/entries.ts';
import { db } from './schema.ts';
import type { Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { Entry } from '../ledger/accounts.ts';

/** A wallet whose row the unit has locked. */
export interface LockedWallet {
  id: number;
  code: string;
  balance: bigint;
}

/**
 * Appends entries to the ledger, and brings the balances of the wallets that they move to what the ledger says: the
 * only place where `wallets.balance` changes. The unit holds the locks of these wallets. Returns the new balances,
 * by wallet.
 */
export async function post(
  unit: UnitOfWork,
  entries: readonly Entry[],
  { at, wallets }: { at: Instant; wallets: ReadonlyMap<number, LockedWallet> },
): Promise<Map<number, bigint>> {
  const balances = new Map<number, bigint>();
  const posted = await appendEntries(unit, entries, at);
  for (const { walletId, code, debit, credit, amount } of posted) {
    if (walletId === null || (debit !== 'wallet' && credit !== 'wallet')) continue;
    const wallet = wallets.get(walletId);
    if (!wallet) throw new Error(`Ledger entries move wallet ${walletId}, which is not locked`);
    // A balance is of the wallet's own currency; other deposits are in the ledger alone.
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
