import type { CryptoTransaction } from './schema.ts';
import type { CryptoLabel, CryptoStatus, InvoiceType } from '../shared/crypto-status.ts';
import { percentOf } from '../shared/rate-arithmetic.ts';
import type { Instant } from '../shared/time.ts';
import type { InvoiceRules } from '../wallets/rules.ts';

/** A deposit of a crypto transaction. Amounts are in the currency's smallest unit. */
export interface EvaluatedDeposit {
  amount: bigint;
  seenAt: Instant;
  /** Confirmations: 0 in the mempool, null if it was dropped (replaced, evicted). */
  confirmations: number | null;
  /** Result of the merchant's rules or of a review. */
  decision: 'accepted' | 'undecided' | 'rejected';
  /** Time when it was found spent outside the service; null otherwise. */
  writtenOffAt: Instant | null;
}

/** Terms of a crypto transaction, and the result of its review. */
export interface EvaluatedTransaction {
  /** `stray` (unattributed) is never credited. */
  kind: 'invoice' | 'unidentified' | 'stray';
  type: InvoiceType;
  /** Requested amount; null if any amount is accepted: a user's wallet, or a deposit without an invoice. */
  amountRequired: bigint | null;
  /** Accepted deviation from the requested amount. */
  tolerance: bigint;
  /** Null: it stays open until its wallet is rotated. */
  expiresAt: Instant | null;
  minConfirmations: number;
  /** State of a rejection; null unless the whole transaction was rejected. */
  rejection: 'refunding' | 'refunded' | 'failed' | null;
  /** Labels set on arrival of the deposit, which cannot be derived from amounts. */
  givenLabels: readonly CryptoLabel[];
}

interface Evaluation {
  status: CryptoStatus;
  labels: CryptoLabel[];
  /** Sum of the deposits in blocks or in the mempool. */
  amount: bigint;
  /** The credited part of it. */
  amountCredited: bigint;
  /** Amount still due; 0 if none. */
  amountDue: bigint;
  /** Fewest confirmations of its deposits; 0 without deposits. */
  confirmations: number;
}

/**
 * Derives status, labels and amounts of a transaction from its terms and its deposits. Always computed from scratch, so
 * a dropped deposit leaves no trace in the result.
 */
export function evaluateInvoice(
  transaction: EvaluatedTransaction,
  deposits: readonly EvaluatedDeposit[],
  now: Instant,
): Evaluation {
  // A rejected transaction shows all of its deposits; otherwise rejected deposits are excluded.
  const included = deposits.filter(({ decision }) => transaction.rejection !== null || decision !== 'rejected');
  const present = included.filter(isPresent);
  const amount = sum(present);
  const { amountRequired, tolerance } = transaction;
  const isFullyPaid = amountRequired === null || amount >= amountRequired - tolerance;
  return {
    status: deriveStatus(transaction, present, now),
    labels: deriveLabels(transaction, included, amount),
    amount,
    amountCredited: sum(present.filter((each) => isCredited(transaction, each))),
    amountDue: isFullyPaid || amountRequired === null ? 0n : amountRequired - amount,
    confirmations: present.length === 0 ? 0 : Math.min(...present.map(({ confirmations }) => confirmations)),
  };
}

/** Accepted deviation from a requested amount of a coin; 0 if any amount is accepted. */
export function toleranceOf(
  amount: bigint | null,
  { tolerancePercent }: Pick<InvoiceRules, 'code' | 'tolerancePercent'>,
): bigint {
  return amount === null ? 0n : percentOf(amount, tolerancePercent);
}

/** True if an amount equals the requested amount within the tolerance. */
export function isExactAmount(
  { amountRequired, tolerance }: Pick<EvaluatedTransaction, 'amountRequired' | 'tolerance'>,
  amount: bigint,
): boolean {
  if (amountRequired === null) return true;
  const difference = amount > amountRequired ? amount - amountRequired : amountRequired - amount;
  return difference <= tolerance;
}

/** True if a deposit arrived after the invoice's expiry. */
export function isLate(
  { expiresAt }: Pick<EvaluatedTransaction, 'expiresAt'>,
  { seenAt }: Pick<EvaluatedDeposit, 'seenAt'>,
): boolean {
  return expiresAt !== null && seenAt > expiresAt;
}

function deriveStatus(
  transaction: EvaluatedTransaction,
  present: readonly (EvaluatedDeposit & { confirmations: number })[],
  now: Instant,
): CryptoStatus {
  // Derived: a deposit that returns is refunded.
  if (transaction.rejection === 'refunding' && present.every(({ writtenOffAt }) => writtenOffAt !== null))
    return 'failed';
  if (transaction.rejection !== null) return transaction.rejection;
  if (present.length === 0) return isAwaitingPayment(transaction, now) ? 'pending' : 'failed';
  if (transaction.kind === 'stray' || present.some(({ decision }) => decision === 'undecided'))
    return 'approved_required';
  return present.every((each) => isCredited(transaction, each)) ? 'complete' : 'waiting';
}

/** True if a deposit can still arrive. Transactions created for a deposit that was dropped expect none. */
function isAwaitingPayment({ kind, expiresAt }: EvaluatedTransaction, now: Instant): boolean {
  return kind === 'invoice' && (expiresAt === null || now < expiresAt);
}

function deriveLabels(
  { amountRequired, tolerance, expiresAt, givenLabels }: EvaluatedTransaction,
  deposits: readonly EvaluatedDeposit[],
  amount: bigint,
): CryptoLabel[] {
  const labels = new Set(givenLabels);
  if (amountRequired !== null && amount > 0n) {
    if (amount < amountRequired - tolerance) labels.add('underpaid');
    if (amount > amountRequired + tolerance) labels.add('overpaid');
  }
  if (deposits.some((each) => isPresent(each) && isLate({ expiresAt }, each))) labels.add('late');
  if (deposits.some((each) => !isPresent(each))) labels.add('replaced');
  return [...labels].sort();
}

/**
 * True if a deposit is credited: accepted, confirmed, and its transaction not rejected. The only rule for invoices,
 * payment links and withdrawals.
 */
export function isCredited(
  { kind, rejection, minConfirmations }: Pick<EvaluatedTransaction, 'kind' | 'rejection' | 'minConfirmations'>,
  { decision, confirmations }: Pick<EvaluatedDeposit, 'decision' | 'confirmations'>,
): boolean {
  if (kind === 'stray' || rejection !== null || confirmations === null) return false;
  return decision === 'accepted' && confirmations >= minConfirmations;
}

function isPresent(deposit: EvaluatedDeposit): deposit is EvaluatedDeposit & { confirmations: number } {
  return deposit.confirmations !== null;
}

function sum(deposits: readonly EvaluatedDeposit[]): bigint {
  return deposits.reduce((total, { amount }) => total + amount, 0n);
}

/** Converts a stored transaction for evaluation: type `user` accepts any amount. */
export function toEvaluated(transaction: CryptoTransaction): EvaluatedTransaction {
  return { ...transaction, amountRequired: transaction.type === 'user' ? null : transaction.amountRequired };
}
