import type { CryptoTransaction } from './schema.ts';
import type { CryptoLabel, CryptoStatus, InvoiceType } from '../shared/crypto-status.ts';
import { percentOf } from '../shared/rate-arithmetic.ts';
import type { Instant } from '../shared/time.ts';

/** Money on a chain that belongs to a transaction. Amounts are of the currency's smallest unit. */
export interface EvaluatedDeposit {
  amount: bigint;
  seenAt: Instant;
  /** Blocks that hold it: 0 while it waits for one, null when it is gone (replaced, evicted). */
  confirmations: number | null;
  /** Whether it may count: by the rules, or because somebody has said so. */
  decision: 'accepted' | 'undecided' | 'rejected';
}

/** What a transaction was made with, and what has been decided about it. */
export interface EvaluatedTransaction {
  /** What is `stray` is never credited, whatever anybody says. */
  kind: 'invoice' | 'unidentified' | 'stray';
  type: InvoiceType;
  /** What is asked for; null where any amount will do: a user's wallet, money that belongs to no invoice. */
  amountRequired: bigint | null;
  /** How far from it a payment may be. */
  tolerance: bigint;
  /** Null for one that lives until its wallet is rotated. */
  expiresAt: Instant | null;
  minConfirmations: number;
  /** What came of a rejection; null where nobody has rejected the whole of it. */
  rejection: 'refunding' | 'refunded' | 'failed' | null;
  /** Labels that were given when its money came, and that no sum tells. */
  givenLabels: readonly CryptoLabel[];
}

interface Evaluation {
  status: CryptoStatus;
  labels: CryptoLabel[];
  /** All that is there for it now, in a block or not. */
  amount: bigint;
  /** Of it: what is accepted and deep enough. */
  amountCredited: bigint;
  /** What is still asked for; 0 when nothing is. */
  amountDue: bigint;
  /** The fewest blocks that any of its payments has; 0 without payments. */
  confirmations: number;
}

/**
 * What a transaction is, from what it was made with and the money that is there: always computed anew, so
 * that money which goes away again takes with it what it had brought.
 */
export function evaluateInvoice(
  transaction: EvaluatedTransaction,
  payments: readonly EvaluatedDeposit[],
  now: Instant,
): Evaluation {
  // Of a rejected transaction all is shown; of one that goes on, what was rejected is no part.
  const taken = payments.filter(({ decision }) => transaction.rejection !== null || decision !== 'rejected');
  const there = taken.filter(isPresent);
  const amount = sum(there);
  const { amountRequired, tolerance } = transaction;
  const isEnough = amountRequired === null || amount >= amountRequired - tolerance;
  return {
    status: statusOf(transaction, there, now),
    labels: labelsOf(transaction, taken, amount),
    amount,
    amountCredited: sum(there.filter((each) => isCredited(transaction, each))),
    amountDue: isEnough || amountRequired === null ? 0n : amountRequired - amount,
    confirmations: there.length === 0 ? 0 : Math.min(...there.map(({ confirmations }) => confirmations)),
  };
}

/** How far from an amount its payment may be, at a merchant's tolerance in percent. */
export function toleranceOf(amount: bigint, percent: string): bigint {
  return percentOf(amount, percent);
}

/** Whether an amount is what is asked for. */
export function isExact(
  { amountRequired, tolerance }: Pick<EvaluatedTransaction, 'amountRequired' | 'tolerance'>,
  amount: bigint,
): boolean {
  if (amountRequired === null) return true;
  const off = amount > amountRequired ? amount - amountRequired : amountRequired - amount;
  return off <= tolerance;
}

function statusOf(
  transaction: EvaluatedTransaction,
  there: readonly (EvaluatedDeposit & { confirmations: number })[],
  now: Instant,
): CryptoStatus {
  if (transaction.rejection !== null) return transaction.rejection;
  if (there.length === 0) return isExpected(transaction, now) ? 'pending' : 'failed';
  if (transaction.kind === 'stray' || there.some(({ decision }) => decision === 'undecided'))
    return 'approved_required';
  return there.every((each) => isCredited(transaction, each)) ? 'complete' : 'waiting';
}

/** Money may still come: not for what was made of money that is gone again. */
function isExpected({ kind, expiresAt }: EvaluatedTransaction, now: Instant): boolean {
  return kind === 'invoice' && (expiresAt === null || now < expiresAt);
}

function labelsOf(
  { amountRequired, tolerance, expiresAt, givenLabels }: EvaluatedTransaction,
  payments: readonly EvaluatedDeposit[],
  amount: bigint,
): CryptoLabel[] {
  const labels = new Set(givenLabels);
  if (amountRequired !== null && amount > 0n) {
    if (amount < amountRequired - tolerance) labels.add('underpaid');
    if (amount > amountRequired + tolerance) labels.add('overpaid');
  }
  if (expiresAt !== null && payments.some((each) => isPresent(each) && each.seenAt > expiresAt)) labels.add('late');
  if (payments.some((each) => !isPresent(each))) labels.add('replaced');
  return [...labels].sort();
}

/**
 * Whether a deposit is credited: accepted, deep enough, and of a transaction that was not rejected. The one rule for
 * invoices, for payment links and for what a withdrawal may take.
 */
export function isCredited(
  { kind, rejection, minConfirmations }: Pick<EvaluatedTransaction, 'kind' | 'rejection' | 'minConfirmations'>,
  { decision, confirmations }: Pick<EvaluatedDeposit, 'decision' | 'confirmations'>,
): boolean {
  if (kind === 'stray' || rejection !== null || confirmations === null) return false;
  return decision === 'accepted' && confirmations >= minConfirmations;
}

function isPresent(payment: EvaluatedDeposit): payment is EvaluatedDeposit & { confirmations: number } {
  return payment.confirmations !== null;
}

function sum(payments: readonly EvaluatedDeposit[]): bigint {
  return payments.reduce((total, { amount }) => total + amount, 0n);
}

/** A transaction as it is evaluated: a user's wallet accepts any amount. */
export function evaluatedOf(transaction: CryptoTransaction): EvaluatedTransaction {
  return { ...transaction, amountRequired: transaction.type === 'user' ? null : transaction.amountRequired };
}
