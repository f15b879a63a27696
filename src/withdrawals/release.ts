import type { UnitOfWork } from '../database/database.ts';
import type { WithdrawalsContext } from './context.ts';
import { readLastHeight } from '../chains/cursor.ts';
import { findDeposits, type RemainingDeposit } from '../deposits/deposit.ts';
import { findTransactions } from '../invoices/store.ts';
import type { CryptoTransaction } from '../invoices/schema.ts';
import type { Wallet } from '../wallets/schema.ts';
import { reevaluate } from '../invoices/transition.ts';

/** Releases the transactions of a canceled or reverted withdrawal: refunds end as rejected, unattributed deposits return to review. */
export async function releaseTransactions(
  context: WithdrawalsContext,
  unit: UnitOfWork,
  wallets: ReadonlyMap<number, Wallet>,
  funds: readonly RemainingDeposit[],
  detail?: 'withdrawal_cancelled' | 'written_off',
): Promise<void> {
  const ids = [...new Set(funds.map(({ transactionId }) => transactionId))];
  const deposits = await findDeposits(unit, ids);
  for (const transaction of await findTransactions(unit, ids)) {
    const wallet = wallets.get(transaction.walletId);
    const released = releaseTransaction(transaction);
    if (!wallet || !released) continue;
    await reevaluate(context, unit, wallet, released, {
      deposits: deposits.filter(({ transactionId }) => transactionId === transaction.id),
      tipHeight: (await readLastHeight(unit, wallet.chain)) ?? 0,
      ...(detail && { detail }),
    });
  }
}

function releaseTransaction(transaction: CryptoTransaction): CryptoTransaction | null {
  if (transaction.rejection === 'refunding') return { ...transaction, rejection: 'failed', refundAddress: null };
  if (transaction.kind !== 'stray') return null;
  return { ...transaction, rejection: null, decidedBy: null, decidedAt: null, decisionReason: null };
}
