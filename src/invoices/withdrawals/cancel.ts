import type { TokenRole } from '../../contract/access-token.ts';
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
import { findVersions, findWithdrawal, type HeldPayment, withMoney } from './store.ts';
import type { Withdrawal } from './withdrawal.ts';
import { change, give } from './write.ts';

/**
 * Cancels a withdrawal and frees its money: one that is held because its destination is new, or for a manager one
 * whose transaction is not signed yet. What was signed may have been sent, whatever is known here.
 */
export async function cancelWithdrawal(
  context: InvoicesContext,
  { merchantId, role }: { merchantId: number; role: TokenRole },
  id: string,
  keepAnswer: KeepAnswer<WireWithdrawal>,
): Promise<WireWithdrawal> {
  const found = await findWithdrawal(context.database, merchantId, id);
  if (!found) throw new Problem('not_found', 'There is no withdrawal with this id.');
  const answer = await withMoney(context, found, async (unit, locked, { wallets, funds }) => {
    const isHeld = locked.status === 'waiting' && locked.heldUntil !== null && context.clock.now() < locked.heldUntil;
    if (!isHeld) await requireUnsent(unit, locked, role);
    await give(unit, idsOf(funds), null);
    const failure = 'Cancelled before it left.';
    const cancelled = await change(context, unit, locked, { status: 'failed', waitsFor: null, failure, nonce: null });
    await releaseTransactions(context, unit, wallets, funds, 'withdrawal_cancelled');
    const described = await describeWithdrawal(unit, cancelled);
    await keepAnswer(unit, described);
    return described;
  });
  if (answer === 0) throw new Error('Money was added to a held withdrawal');
  return answer;
}

async function requireUnsent(unit: UnitOfWork, locked: Withdrawal, role: TokenRole): Promise<void> {
  const refuse = (words: string) => {
    throw new Problem('nothing_to_cancel', `The withdrawal is ${locked.status}${words}`);
  };
  if (locked.status !== 'waiting' && locked.status !== 'to_sign') refuse(': its transaction was sent.');
  if (role !== 'manager') refuse(' and not held. A manager can cancel it until its transaction is signed.');
  if (locked.purpose === 'gas') refuse(', and another one would be made: cancel the withdrawal that it is for.');
  const versions = (await findVersions(unit, [locked.id])).get(locked.id) ?? [];
  if (versions.some(({ raw }) => raw !== null)) refuse(': its transaction is signed, and may have been sent.');
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
