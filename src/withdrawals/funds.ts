import type { Runner } from '../database/engine.ts';
import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { isCredited } from '../invoices/evaluate.ts';
import { findTransactions } from '../invoices/store.ts';
import type { CryptoTransaction } from '../invoices/schema.ts';
import { confirmationsOf, findHeld, type HeldDeposit } from '../deposits/deposit.ts';
import { findWithdrawals } from './store.ts';
import type { Withdrawal } from './withdrawal.ts';

/** What decides about money, besides itself. */
interface Depth {
  /** Height of the last block that was read. */
  tipHeight: number;
  /** From how many blocks on money counts that no transaction says it of. */
  minConfirmations: number;
}

/**
 * Whether money is what a withdrawal of this kind may take: in a block, deep enough, and not what somebody has
 * still to decide about or will get back.
 */
function isSpendable(
  payment: HeldDeposit,
  transaction: Pick<CryptoTransaction, 'status' | 'kind' | 'rejection' | 'minConfirmations'> | null,
  source: NonNullable<Withdrawal['source']>,
  { tipHeight, minConfirmations }: Depth,
): boolean {
  if (payment.state !== 'mined' || payment.height === null || payment.height > tipHeight) return false;
  if (payment.spendableFrom !== null && payment.spendableFrom > tipHeight + 1) return false;
  const isDeep = tipHeight - payment.height + 1 >= minConfirmations;
  switch (source) {
    case 'credited':
      // By deposit: what a stranger sends beside it keeps nobody's credited money.
      return (
        transaction !== null &&
        isCredited(transaction, { ...payment, confirmations: confirmationsOf(payment, tipHeight) })
      );
    case 'refunding':
      return transaction?.status === 'refunding' && isDeep;
    case 'stray':
      return transaction?.kind === 'stray' && isDeep;
    case 'rejected':
      return (
        payment.decision === 'rejected' &&
        isDeep &&
        transaction !== null &&
        transaction.kind !== 'stray' &&
        transaction.status !== 'refunding'
      );
  }
}

/** Of money at hand what a withdrawal of this kind may take. */
export async function filterSpendable(
  reader: Runner,
  payments: readonly HeldDeposit[],
  source: NonNullable<Withdrawal['source']>,
  depth: Depth,
): Promise<HeldDeposit[]> {
  const ids = payments.flatMap(({ transactionId }) => (transactionId === null ? [] : [transactionId]));
  const transactions = new Map((await findTransactions(reader, [...new Set(ids)])).map((each) => [each.id, each]));
  return payments.filter((payment) => {
    const transaction = payment.transactionId === null ? null : (transactions.get(payment.transactionId) ?? null);
    return isSpendable(payment, transaction, source, depth);
  });
}

/**
 * What may be taken of some wallets now and is nobody's yet. What a withdrawal was to move that has failed in its
 * block is taken again only where somebody asks for it: it would fail, and cost, again.
 */
export async function findSpendable(
  reader: Runner,
  walletIds: readonly number[],
  {
    code,
    source,
    withFailed = false,
    ...depth
  }: Depth & { code: CryptoCurrencyCode; source: NonNullable<Withdrawal['source']>; withFailed?: boolean },
): Promise<HeldDeposit[]> {
  const held = (await findHeld(reader, walletIds)).filter((payment) => payment.code === code);
  return await filterSpendable(reader, await filterFree(reader, held, { withFailed }), source, depth);
}

/** Of money at hand what no withdrawal holds: none was made, or it has failed and moved nothing. */
export async function filterFree(
  reader: Runner,
  payments: readonly HeldDeposit[],
  { withFailed }: { withFailed: boolean },
): Promise<HeldDeposit[]> {
  const ids = [...new Set(payments.flatMap(({ withdrawalId }) => (withdrawalId === null ? [] : [withdrawalId])))];
  const over = (await findWithdrawals(reader, ids)).filter(
    ({ status, isReverted, isCancelled }) => status === 'failed' && isReverted && (withFailed || isCancelled),
  );
  const released = new Set(over.map(({ id }) => id));
  return payments.filter(({ withdrawalId }) => withdrawalId === null || released.has(withdrawalId));
}

export function sumOf(payments: readonly { amount: bigint }[]): bigint {
  return payments.reduce((total, { amount }) => total + amount, 0n);
}
