import type { CryptoTransaction as ApiTransaction } from '../api/crypto-transaction.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { StoreResponse } from '../operations/serve.ts';
import { wakeJob } from '../jobs/runner.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import type { InvoicesContext } from './context.ts';
import { readLastHeight, withdrawalJobName } from '../chains/cursor.ts';
import { findDeposits, findRemainingOfTransaction, reviewDeposits } from '../deposits/deposit.ts';
import { parsePayoutAddress } from '../wallets/addresses.ts';
import { readInvoiceRules } from '../wallets/rules.ts';
import { lockWallet } from '../wallets/wallet.ts';
import type { Wallet } from '../wallets/schema.ts';
import { readApiTransaction } from './api-transaction.ts';
import { postDeposits } from './ledger.ts';
import { findByPublicId, findTransactions } from './store.ts';
import type { CryptoTransaction } from './schema.ts';
import { reevaluate } from './transition.ts';
import { updateWalletState } from '../wallets/pool.ts';

/** The reviewed transaction, the reviewer and the reason. */
interface ReviewRequest {
  id: string;
  reviewer: string;
  reason: string | null;
}

/** Approves the deposits in review. */
export async function approveTransaction(
  context: InvoicesContext,
  merchantId: number,
  request: ReviewRequest,
  storeResponse?: StoreResponse<ApiTransaction>,
): Promise<ApiTransaction> {
  return await reviewTransaction(
    context,
    merchantId,
    { ...request, decision: 'accepted', refundAddress: null },
    storeResponse,
  );
}

/**
 * Rejects the deposits in review. With a refund address, the transaction is `refunding` until the refund is sent,
 * otherwise `failed`. Type `user`: only the deposits in review are rejected, and the transaction continues.
 */
export async function rejectTransaction(
  context: InvoicesContext,
  merchantId: number,
  { refundAddress, ...request }: ReviewRequest & { refundAddress: string | null },
  storeResponse?: StoreResponse<ApiTransaction>,
): Promise<ApiTransaction> {
  const transaction = await requireTransaction(context, merchantId, request.id);
  if (refundAddress !== null && transaction.type === 'user') {
    const detail = 'is not allowed for type user; a manager can withdraw rejected deposits with POST /v1/withdrawals';
    throw validationProblem([{ pointer: '/refundAddress', code: 'not_for_type', detail }]);
  }
  const parsed = refundAddress === null ? null : await parsePayoutAddress(context, transaction.code, refundAddress);
  if (parsed && 'problem' in parsed)
    throw validationProblem([{ pointer: '/refundAddress', code: 'invalid_address', detail: parsed.problem }]);
  const address = parsed?.address ?? null;
  return await reviewTransaction(
    context,
    merchantId,
    { ...request, decision: 'rejected', refundAddress: address },
    storeResponse,
  );
}

async function reviewTransaction(
  context: InvoicesContext,
  merchantId: number,
  {
    id,
    reviewer,
    reason,
    decision,
    refundAddress,
  }: ReviewRequest & { decision: 'accepted' | 'rejected'; refundAddress: string | null },
  storeResponse: StoreResponse<ApiTransaction> = () => Promise.resolve(),
): Promise<ApiTransaction> {
  const { walletId, chain, code } = await requireTransaction(context, merchantId, id);
  return await context.database.inTransaction(async (unit) => {
    const wallet = await lockWallet(unit, walletId);
    // Read under the lock: a block scanned between an earlier read and the lock would be missed.
    const tipHeight = (await readLastHeight(unit, chain)) ?? 0;
    const transaction = await requireTransaction({ database: unit }, merchantId, id);
    const isLateRefund = refundAddress !== null && (await canBeRefunded(context, unit, transaction));
    if (transaction.status !== 'approved_required' && !isLateRefund) {
      throw new Problem('nothing_to_review', `The transaction is ${transaction.status}: it has nothing to review.`);
    }
    if (transaction.kind === 'stray') {
      const detail = 'The deposit was received after the address was retired. A manager can withdraw it.';
      throw new Problem('nothing_to_review', detail);
    }
    const now = context.clock.now();
    await reviewDeposits(unit, transaction.id, decision, now);
    const isFullyRejected = decision === 'rejected' && transaction.type !== 'user';
    const withReview: CryptoTransaction = {
      ...transaction,
      decidedBy: reviewer,
      decidedAt: now,
      decisionReason: reason,
      isApproved: decision === 'accepted',
      rejection: isFullyRejected ? (refundAddress === null ? 'failed' : 'refunding') : null,
      refundAddress,
    };
    const reviewed = await reevaluate(context, unit, wallet, withReview, {
      deposits: await findDeposits(unit, [transaction.id]),
      tipHeight,
      detail: decision,
    });
    await postDeposits(context, unit, new Map([[wallet.id, wallet]]), { transactionIds: [transaction.id] });
    await updateWalletState(context, unit, wallet, await readInvoiceRules(unit, merchantId, code), tipHeight);
    wakeJob(unit, withdrawalJobName(chain));
    const response = await readApiTransaction(context, unit, reviewed);
    await storeResponse(unit, response);
    return response;
  });
}

/**
 * True if the transaction was rejected without a refund, has a deposit to refund, and none of its deposits is assigned
 * to a withdrawal.
 */
async function canBeRefunded(
  { withdrawals }: Pick<InvoicesContext, 'withdrawals'>,
  unit: UnitOfWork,
  { id, kind, rejection }: CryptoTransaction,
): Promise<boolean> {
  if (rejection !== 'failed' || kind === 'stray') return false;
  const deposits = await findRemainingOfTransaction(unit, id);
  if (deposits.every(({ state }) => state === 'gone')) return false;
  return (await withdrawals.filterUnassigned(unit, deposits)).length === deposits.length;
}

/** Ends the review of unattributed deposits that are being withdrawn. The unit of work holds the wallet's lock. */
export async function closeUnattributedDeposits(
  context: InvoicesContext,
  unit: UnitOfWork,
  wallet: Wallet,
  withdrawn: readonly { transactionId: number }[],
  reviewer: string,
  tipHeight: number,
): Promise<void> {
  const ids = [...new Set(withdrawn.map(({ transactionId }) => transactionId))];
  const deposits = await findDeposits(unit, ids);
  for (const transaction of await findTransactions(unit, ids)) {
    const ownDeposits = deposits.filter(({ transactionId }) => transactionId === transaction.id);
    const ended = { ...transaction, decidedBy: reviewer, decidedAt: context.clock.now(), rejection: 'failed' as const };
    await reevaluate(context, unit, wallet, ended, { deposits: ownDeposits, tipHeight, detail: 'withdrawn' });
  }
}

async function requireTransaction(
  { database }: { database: Pick<InvoicesContext['database'], 'query'> },
  merchantId: number,
  id: string,
): Promise<CryptoTransaction> {
  const transaction = await findByPublicId(database, merchantId, id);
  if (!transaction) throw new Problem('not_found', 'No crypto transaction has this ID.');
  return transaction;
}
