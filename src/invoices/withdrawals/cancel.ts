import type { Withdrawal as WireWithdrawal } from '../../contract/withdrawal.ts';
import type { UnitOfWork } from '../../platform/database/database.ts';
import type { KeepAnswer } from '../../platform/http/operations.ts';
import { Problem } from '../../platform/problem.ts';
import type { InvoicesContext } from '../context.ts';
import { findPayments, findTransactions, readHeight } from '../store.ts';
import type { CryptoTransaction, Wallet } from '../transaction.ts';
import { settle } from '../transition.ts';
import { describeWithdrawal } from './describe.ts';
import { idsOf } from './plan.ts';
import { findWithdrawal, type HeldPayment, withMoney } from './store.ts';
import { change, give } from './write.ts';

/** Cancels a withdrawal that is held because its destination is new, and frees its money. */
export async function cancelWithdrawal(
  context: InvoicesContext,
  merchantId: number,
  id: string,
  keepAnswer: KeepAnswer<WireWithdrawal>,
): Promise<WireWithdrawal> {
  const found = await findWithdrawal(context.database, merchantId, id);
  if (!found) throw new Problem('not_found', 'There is no withdrawal with this id.');
  const answer = await withMoney(context, found, async (unit, locked, { wallets, funds }) => {
    const isHeld = locked.status === 'waiting' && locked.heldUntil !== null && context.clock.now() < locked.heldUntil;
    if (!isHeld) throw new Problem('nothing_to_cancel', `The withdrawal is ${locked.status} and not held.`);
    await give(unit, idsOf(funds), null);
    const failure = 'Cancelled before it left.';
    const cancelled = await change(context, unit, locked, { status: 'failed', waitsFor: null, failure });
    await releaseTransactions(context, unit, wallets, funds, 'withdrawal_cancelled');
    const described = await describeWithdrawal(unit, cancelled);
    await keepAnswer(unit, described);
    return described;
  });
  if (answer === 0) throw new Error('Money was added to a held withdrawal');
  return answer;
}

/** A refund's transaction is rejected without a refund; unattributed money is listed for review again. */
export async function releaseTransactions(
  context: InvoicesContext,
  unit: UnitOfWork,
  wallets: ReadonlyMap<number, Wallet>,
  funds: readonly HeldPayment[],
  detail: 'withdrawal_cancelled' | 'written_off',
): Promise<void> {
  const ids = [...new Set(funds.map(({ transactionId }) => transactionId))];
  const payments = await findPayments(unit, ids);
  for (const transaction of await findTransactions(unit, ids)) {
    const wallet = wallets.get(transaction.walletId);
    const released = releasedOf(transaction);
    if (!wallet || !released) continue;
    await settle(context, unit, wallet, released, {
      payments: payments.filter(({ transactionId }) => transactionId === transaction.id),
      tipHeight: (await readHeight(unit, wallet.chain)) ?? 0,
      detail,
    });
  }
}

function releasedOf(transaction: CryptoTransaction): CryptoTransaction | null {
  if (transaction.rejection === 'refunding') return { ...transaction, rejection: 'failed', refundAddress: null };
  if (transaction.kind !== 'stray') return null;
  return { ...transaction, rejection: null, decidedBy: null, decidedAt: null, decisionReason: null };
}
