import type { CryptoTransaction as WireTransaction } from '../api/crypto-transaction.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { StoreResponse } from '../operations/serve.ts';
import { wakeJob } from '../jobs/runner.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import type { InvoicesContext } from './context.ts';
import { readHeight, withdrawalJobName } from '../chains/cursor.ts';
import { findDeposits, findHeld, reviewDeposits } from '../deposits/deposit.ts';
import { readAddress } from '../wallets/addresses.ts';
import { readRules } from '../wallets/rules.ts';
import { lockWallet } from '../wallets/wallet.ts';
import type { Wallet } from '../wallets/schema.ts';
import { describeOne } from './describe.ts';
import { postDeposits } from './ledger.ts';
import { findByPublicId, findTransactions } from './store.ts';
import type { CryptoTransaction } from './schema.ts';
import { reevaluate } from './transition.ts';
import { updateState } from '../wallets/pool.ts';

/** Who decides about money that waits for a person, and why. */
interface Review {
  id: string;
  by: string;
  reason: string | null;
}

/** Lets the money that waits count. */
export async function approve(
  context: InvoicesContext,
  merchantId: number,
  decision: Review,
  keepAnswer?: StoreResponse<WireTransaction>,
): Promise<WireTransaction> {
  return await review(context, merchantId, { ...decision, decision: 'accepted', refundAddress: null }, keepAnswer);
}

/**
 * Refuses the money that waits. With an address to give it back to the transaction is `refunding` until that is
 * done, otherwise `failed`. A user's wallet goes on: only what waited is refused.
 */
export async function reject(
  context: InvoicesContext,
  merchantId: number,
  { refundAddress, ...decision }: Review & { refundAddress: string | null },
  keepAnswer?: StoreResponse<WireTransaction>,
): Promise<WireTransaction> {
  const transaction = await find(context, merchantId, decision.id);
  if (refundAddress !== null && transaction.type === 'user') {
    const detail = 'is not for the type user, whose wallet goes on: a manager can withdraw what was rejected';
    throw validationProblem([{ pointer: '/refundAddress', code: 'not_for_type', detail }]);
  }
  const read = refundAddress === null ? null : await readAddress(context, transaction.code, refundAddress);
  if (read && 'problem' in read)
    throw validationProblem([{ pointer: '/refundAddress', code: 'invalid_address', detail: read.problem }]);
  const address = read?.address ?? null;
  return await review(context, merchantId, { ...decision, decision: 'rejected', refundAddress: address }, keepAnswer);
}

async function review(
  context: InvoicesContext,
  merchantId: number,
  {
    id,
    by,
    reason,
    decision,
    refundAddress,
  }: Review & { decision: 'accepted' | 'rejected'; refundAddress: string | null },
  keepAnswer: StoreResponse<WireTransaction> = () => Promise.resolve(),
): Promise<WireTransaction> {
  const { walletId, chain, code } = await find(context, merchantId, id);
  return await context.database.inTransaction(async (unit) => {
    const wallet = await lockWallet(unit, walletId);
    // Under the lock: a block that was read before it would never be told of again.
    const tipHeight = (await readHeight(unit, chain)) ?? 0;
    const transaction = await find({ database: unit }, merchantId, id);
    const isRefundedLater = refundAddress !== null && (await canBeRefunded(context, unit, transaction));
    if (transaction.status !== 'approved_required' && !isRefundedLater) {
      throw new Problem('nothing_to_decide', `The transaction is ${transaction.status}: nothing of it waits.`);
    }
    if (transaction.kind === 'stray') {
      const what = 'What came to a wallet that is no longer used is not credited; a manager can withdraw it.';
      throw new Problem('nothing_to_decide', what);
    }
    const now = context.clock.now();
    await reviewDeposits(unit, transaction.id, decision, now);
    const isRefused = decision === 'rejected' && transaction.type !== 'user';
    const decided: CryptoTransaction = {
      ...transaction,
      decidedBy: by,
      decidedAt: now,
      decisionReason: reason,
      rejection: isRefused ? (refundAddress === null ? 'failed' : 'refunding') : null,
      refundAddress,
    };
    const settled = await reevaluate(context, unit, wallet, decided, {
      payments: await findDeposits(unit, [transaction.id]),
      tipHeight,
      detail: decision,
    });
    await postDeposits(context, unit, new Map([[wallet.id, wallet]]), { transactionIds: [transaction.id] });
    await updateState(context, unit, wallet, await readRules(unit, merchantId, code), tipHeight);
    wakeJob(unit, withdrawalJobName(chain));
    const answer = await describeOne(context, unit, settled);
    await keepAnswer(unit, answer);
    return answer;
  });
}

/** Whether a transaction was rejected without a refund, and all of its money is still free. */
async function canBeRefunded(
  { withdrawals }: Pick<InvoicesContext, 'withdrawals'>,
  unit: UnitOfWork,
  { id, walletId, kind, rejection }: CryptoTransaction,
): Promise<boolean> {
  if (rejection !== 'failed' || kind === 'stray') return false;
  const own = (await findHeld(unit, [walletId])).filter(({ transactionId }) => transactionId === id);
  return (await withdrawals.findFree(unit, own)).length === own.length;
}

/** Nobody has to decide about money of a retired wallet any more: it is withdrawn. The unit holds the lock of the wallet. */
export async function closeUnattributed(
  context: InvoicesContext,
  unit: UnitOfWork,
  wallet: Wallet,
  money: readonly { transactionId: number }[],
  by: string,
  tipHeight: number,
): Promise<void> {
  const ids = [...new Set(money.map(({ transactionId }) => transactionId))];
  const payments = await findDeposits(unit, ids);
  for (const transaction of await findTransactions(unit, ids)) {
    const own = payments.filter(({ transactionId }) => transactionId === transaction.id);
    const ended = { ...transaction, decidedBy: by, decidedAt: context.clock.now(), rejection: 'failed' as const };
    await reevaluate(context, unit, wallet, ended, { payments: own, tipHeight, detail: 'withdrawn' });
  }
}

async function find(
  { database }: { database: Pick<InvoicesContext['database'], 'query'> },
  merchantId: number,
  id: string,
): Promise<CryptoTransaction> {
  const found = await findByPublicId(database, merchantId, id);
  if (!found) throw new Problem('not_found', 'There is no crypto transaction with this id.');
  return found;
}
