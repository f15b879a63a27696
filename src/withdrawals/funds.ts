import type { Runner } from '../database/engine.ts';
import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { isCredited } from '../invoices/evaluate.ts';
import { findTransactions } from '../invoices/store.ts';
import type { CryptoTransaction } from '../invoices/schema.ts';
import { confirmationsOf, findRemainingDeposits, type RemainingDeposit } from '../deposits/deposit.ts';
import { findWithdrawals } from './store.ts';
import type { Withdrawal } from './withdrawal.ts';

/** Depth that deposits need before they can be spent. */
interface DepthRule {
  /** Height of the last scanned block. */
  tipHeight: number;
  /** Required confirmations of deposits whose transaction sets none. */
  minConfirmations: number;
}

/**
 * True if a withdrawal of this source can spend a deposit: in a block, with enough confirmations, and neither in review
 * nor reserved for a refund.
 */
function isSpendable(
  deposit: RemainingDeposit,
  transaction: Pick<CryptoTransaction, 'status' | 'kind' | 'rejection' | 'minConfirmations'> | null,
  source: NonNullable<Withdrawal['source']>,
  { tipHeight, minConfirmations }: DepthRule,
): boolean {
  if (deposit.state !== 'mined' || deposit.height === null || deposit.height > tipHeight) return false;
  if (deposit.spendableFrom !== null && deposit.spendableFrom > tipHeight + 1) return false;
  const isDeep = tipHeight - deposit.height + 1 >= minConfirmations;
  switch (source) {
    case 'credited':
      // Per deposit: an unrelated deposit to the same wallet must not block credited funds.
      return (
        transaction !== null &&
        isCredited(transaction, { ...deposit, confirmations: confirmationsOf(deposit, tipHeight) })
      );
    case 'refunding':
      return transaction?.status === 'refunding' && isDeep;
    case 'stray':
      return transaction?.kind === 'stray' && isDeep;
    case 'rejected':
      return (
        transaction !== null &&
        // Rejecting a transaction also rejects its deposits that were accepted before.
        (deposit.decision === 'rejected' || transaction.rejection !== null) &&
        isDeep &&
        transaction.kind !== 'stray' &&
        transaction.status !== 'refunding'
      );
  }
}

/** Filters the deposits that a withdrawal of this source can spend. */
export async function filterSpendable(
  reader: Runner,
  deposits: readonly RemainingDeposit[],
  source: NonNullable<Withdrawal['source']>,
  depth: DepthRule,
): Promise<RemainingDeposit[]> {
  const ids = deposits.flatMap(({ transactionId }) => (transactionId === null ? [] : [transactionId]));
  const transactions = new Map((await findTransactions(reader, [...new Set(ids)])).map((each) => [each.id, each]));
  return deposits.filter((deposit) => {
    const transaction = deposit.transactionId === null ? null : (transactions.get(deposit.transactionId) ?? null);
    return isSpendable(deposit, transaction, source, depth);
  });
}

/**
 * Finds unassigned deposits of the given wallets that can be spent now. Deposits of a withdrawal that was reverted in
 * its block are included only on request: a retry would probably be reverted again, and cost its fee again.
 */
export async function findSpendable(
  reader: Runner,
  walletIds: readonly number[],
  {
    code,
    source,
    includeFailed = false,
    ...depth
  }: DepthRule & { code: CryptoCurrencyCode; source: NonNullable<Withdrawal['source']>; includeFailed?: boolean },
): Promise<RemainingDeposit[]> {
  const remainingDeposits = (await findRemainingDeposits(reader, walletIds)).filter((deposit) => deposit.code === code);
  return await filterSpendable(
    reader,
    await filterUnassigned(reader, remainingDeposits, { includeFailed }),
    source,
    depth,
  );
}

/** Filters deposits that are not assigned to a withdrawal, or whose withdrawal failed and moved nothing. */
export async function filterUnassigned(
  reader: Runner,
  deposits: readonly RemainingDeposit[],
  { includeFailed }: { includeFailed: boolean },
): Promise<RemainingDeposit[]> {
  const ids = [...new Set(deposits.flatMap(({ withdrawalId }) => (withdrawalId === null ? [] : [withdrawalId])))];
  const failed = (await findWithdrawals(reader, ids)).filter(
    ({ status, isReverted, isCancelled }) => status === 'failed' && isReverted && (includeFailed || isCancelled),
  );
  const released = new Set(failed.map(({ id }) => id));
  return deposits.filter(({ withdrawalId }) => withdrawalId === null || released.has(withdrawalId));
}

export function sumOf(deposits: readonly { amount: bigint }[]): bigint {
  return deposits.reduce((total, { amount }) => total + amount, 0n);
}
