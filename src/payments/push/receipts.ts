/*
 * Map of this folder: `start.ts` issues payment instructions through an account of `accounts.ts`, `receipts.ts`
 * applies received funds, and `poll.ts` polls acquirers by `poll-schedule.ts`. `instructions.ts` has the queries.
 * Reasons: docs/decisions/one-entry-point.md and methods.md.
 */

import { db, type FiatTransaction, type PaymentInstructions } from '../schema.ts';
import type { Instant } from '../../shared/time.ts';
import type { UnitOfWork } from '../../database/database.ts';
import type { PushPayment, PushAcquirer, Receipt } from '../../acquirers/push-port.ts';
import { isPaid, isRejected, paymentDiscrepancy } from '../review/rules.ts';
import { readPaymentAttempts } from '../related-records.ts';
import type { PaymentsContext } from '../context.ts';
import { agreedNetAmount, netAmountWhenPaid, setNetAmount } from '../net-amount.ts';
import {
  areInstructionsOpen,
  countReceipts,
  findInstructions,
  hasPendingConfirmations,
  listInstructions,
  withdrawOtherInstructions,
  sumReceipts,
  updateInstructions,
} from './instructions.ts';
import { type InstructionsState, isAttemptOpen } from '../states.ts';
import { listAttempts, lockTransaction } from '../store.ts';
import { reprice } from '../switch-method.ts';
import { amountAfterRefunds } from '../transaction.ts';
import { isExpired } from '../expiry.ts';
import { type StatusChange, transition } from '../transition.ts';
import { formatAmount } from '../review/timeline-text.ts';
import { POLL_INTERVAL, nextClosedPollAt } from './poll-schedule.ts';

export interface AppliedReceipts {
  transaction: FiatTransaction;
  instructions: PaymentInstructions;
}

/**
 * The only entry point for receipts of push payments: notification, poll, or withdrawal. A repeated report changes
 * nothing. The exact amount confirms the transaction. An underpayment waits for the remaining amount or the expiry,
 * an overpayment for the merchant's review.
 *
 * An acquirer with `readCurrentPayments` is read here, under the transaction's lock, instead of using `reported`. Its
 * result is current for all instructions of the transaction, and receipts that it no longer lists are reversed.
 *
 * `closeAs` closes instructions that are still open. `requestedAt` is the time before the acquirer was polled: its
 * response lacks everything observed since.
 */
export async function applyReceipts(
  context: PaymentsContext,
  instructionsKey: string,
  reported: PushPayment | null,
  { closeAs, requestedAt }: { closeAs?: 'withdrawn' | 'expired' | undefined; requestedAt?: Instant } = {},
): Promise<AppliedReceipts | null> {
  const stored = await findInstructions(context.database, instructionsKey);
  if (!stored) {
    context.log.warn({ receipts: reported?.receipts.length }, 'receipts for an unknown push payment');
    return null;
  }
  const acquirer = context.acquirers.find(stored.accountKey)?.push;
  return await context.database.inTransaction(async (unit) => {
    const transaction = await lockTransaction(unit, stored.merchantId, stored.transactionId);
    const all = await listInstructions(unit, transaction);
    const instructions = all.find((each) => each.instructionsKey === instructionsKey);
    if (!instructions) throw new Error('The payment instructions were not found');
    const current = acquirer?.readCurrentPayments
      ? await readCurrentPayments(unit, acquirer, transaction, instructions, all)
      : null;
    const payment = current?.get(instructions) ?? reported;
    if (!payment) return { instructions, transaction };
    // With current payments, receipts less reversals are one change. Otherwise each new receipt is one change.
    const changes = current
      ? await replaceReceipts(context, unit, current)
      : await insertNewReceipts(context, unit, transaction, instructions, payment.receipts);
    const changeMinor = changes.reduce((sum, each) => sum + each, 0n);
    const isStale = current === null && (await isStaleReport(unit, instructions, payment, { changes, requestedAt }));
    const latest = isStale ? { ...payment, confirmations: instructions.confirmations } : payment;
    const isFirst = changeMinor > 0n && transaction.receivedMinor === 0n && transaction.status !== 'confirmed';
    const priced = isFirst ? await reprice(unit, transaction, instructions) : transaction;
    const after = { ...priced, receivedMinor: priced.receivedMinor + changeMinor };
    const updateStates = async (): Promise<[PaymentInstructions, PaymentInstructions][]> => {
      const updates: [PaymentInstructions, PaymentInstructions][] = [];
      for (const [each, state] of current ?? [[instructions, latest]]) {
        const isFullyPaid = state.receipts.length > 0 && amountAfterRefunds(after) >= after.chargedMinor;
        const isReversed = current !== null && !isFullyPaid && !isPaid(after);
        const options = { isFullyPaid, isReversed, closeAs: each === instructions ? closeAs : undefined };
        updates.push([each, await updateState(context, unit, each, state, options)]);
      }
      return updates;
    };
    // After a reversal, the transaction's status depends on the updated states of its instructions.
    const reversedUpdates = changeMinor < 0n ? await updateStates() : null;
    let changed = priced;
    for (const each of changes) changed = await applyReceivedChange(context, unit, changed, each);
    if (changeMinor > 0n) await withdrawOtherInstructions(unit, changed, context.clock.now(), instructions);
    const updates = reversedUpdates ?? (await updateStates());
    const closedUpdate = updates.find(
      ([before, now]) =>
        (areInstructionsOpen(before) && !areInstructionsOpen(now)) ||
        (hasPendingConfirmations(before) && !hasPendingConfirmations(now)),
    );
    const updated = updates.find(([before]) => before === instructions)?.[1] ?? instructions;
    const closed = changes.length === 0 && closedUpdate ? closedUpdate[1] : null;
    if (updates.some(([before, now]) => now.isInReview && !before.isInReview))
      changed = await recordReview(context, unit, changed);
    return { instructions: updated, transaction: await awaitOrReopen(context, unit, changed, closed) };
  });
}

type CurrentPayments = ReadonlyMap<PaymentInstructions, PushPayment>;

/**
 * Reads all of a transaction's payments from an acquirer that stores them in our database; null if it does not have
 * this one.
 */
async function readCurrentPayments(
  unit: UnitOfWork,
  acquirer: PushAcquirer,
  transaction: FiatTransaction,
  instructions: PaymentInstructions,
  all: readonly PaymentInstructions[],
): Promise<CurrentPayments | null> {
  const others = all.filter((each) => each !== instructions && each.accountKey === instructions.accountKey);
  const acquirerMinor = await sumReceipts(unit, transaction, [instructions, ...others]);
  // Before the first receipt, the price is that of the paid method.
  const owedMinor =
    transaction.receivedMinor === 0n
      ? instructions.amountMinor
      : transaction.chargedMinor - (transaction.receivedMinor - acquirerMinor);
  const siblings = others.map(({ instructionsKey }) => instructionsKey);
  const payments = await acquirer.readCurrentPayments?.(unit, instructions.instructionsKey, { siblings, owedMinor });
  if (!payments?.has(instructions.instructionsKey)) return null;
  return new Map(
    [instructions, ...others].flatMap((each): [PaymentInstructions, PushPayment][] => {
      const payment = payments.get(each.instructionsKey);
      return payment ? [[each, payment]] : [];
    }),
  );
}

/**
 * True if a report is older than our state. Receipts only accumulate, so a report with fewer receipts is stale. A
 * report is also stale if it lacks a deposit observed since it was requested.
 */
async function isStaleReport(
  unit: UnitOfWork,
  instructions: PaymentInstructions,
  payment: PushPayment,
  { changes, requestedAt }: { changes: readonly bigint[]; requestedAt: Instant | undefined },
): Promise<boolean> {
  const lacksDeposit = instructions.confirmations !== null && payment.confirmations === null && changes.length === 0;
  return (
    payment.receipts.length < (await countReceipts(unit, instructions)) ||
    (lacksDeposit && (requestedAt === undefined || instructions.updatedAt >= requestedAt))
  );
}

/** Replaces the stored receipts with the current ones. Returns the change of their sum; empty without a change. */
async function replaceReceipts(
  context: PaymentsContext,
  unit: UnitOfWork,
  current: CurrentPayments,
): Promise<bigint[]> {
  let changeMinor = 0n;
  for (const [instructions, { receipts }] of current)
    changeMinor += await replaceReceiptsOf(context, unit, instructions, receipts);
  return changeMinor === 0n ? [] : [changeMinor];
}

async function replaceReceiptsOf(
  context: PaymentsContext,
  unit: UnitOfWork,
  { merchantId, transactionId, id }: PaymentInstructions,
  receipts: readonly Receipt[],
): Promise<bigint> {
  const rows = await db(unit)
    .selectFrom('payment_receipts')
    .select(['id', 'receipt_key', 'amount_minor'])
    .where('merchant_id', '=', merchantId)
    .where('payment_instructions_id', '=', id)
    .execute();
  const stored = new Map(rows.map((row) => [row.receipt_key, row]));
  let changeMinor = 0n;
  for (const { receiptKey, amountMinor, receivedAt } of receipts) {
    const row = stored.get(receiptKey);
    stored.delete(receiptKey);
    const difference = amountMinor - BigInt(row?.amount_minor ?? 0);
    if (row && difference === 0n) continue;
    changeMinor += difference;
    const amount_minor = Number(amountMinor);
    if (row) {
      await db(unit).updateTable('payment_receipts').set({ amount_minor }).where('id', '=', row.id).execute();
      continue;
    }
    await db(unit)
      .insertInto('payment_receipts')
      .values({
        merchant_id: merchantId,
        fiat_transaction_id: transactionId,
        payment_instructions_id: id,
        receipt_key: receiptKey,
        amount_minor,
        received_at: receivedAt,
        created_at: context.clock.now(),
      })
      .execute();
  }
  for (const { id: rowId, amount_minor } of stored.values()) {
    changeMinor -= BigInt(amount_minor);
    await db(unit).deleteFrom('payment_receipts').where('id', '=', rowId).execute();
  }
  return changeMinor;
}

/** Inserts new receipts. Returns their amounts, in order. */
async function insertNewReceipts(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  instructions: PaymentInstructions,
  receipts: readonly Receipt[],
): Promise<bigint[]> {
  const insertedMinor: bigint[] = [];
  for (const { receiptKey, amountMinor, receivedAt } of receipts) {
    const inserted = await db(unit)
      .insertInto('payment_receipts')
      .values({
        merchant_id: transaction.merchantId,
        fiat_transaction_id: transaction.id,
        payment_instructions_id: instructions.id,
        receipt_key: receiptKey,
        amount_minor: Number(amountMinor),
        received_at: receivedAt,
        created_at: context.clock.now(),
      })
      .onConflict((conflict) => conflict.columns(['merchant_id', 'payment_instructions_id', 'receipt_key']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted) insertedMinor.push(amountMinor);
  }
  return insertedMinor;
}

interface StateOptions {
  isFullyPaid: boolean;
  /** True when deposits may have been reversed and the others do not pay the transaction. */
  isReversed: boolean;
  closeAs: 'withdrawn' | 'expired' | undefined;
}

/** Updates instructions from the acquirer's report, and returns them. */
async function updateState(
  context: PaymentsContext,
  unit: UnitOfWork,
  instructions: PaymentInstructions,
  payment: PushPayment,
  options: StateOptions,
): Promise<PaymentInstructions> {
  const now = context.clock.now();
  const state = nextState(instructions, payment, options, now);
  const confirmations = state === 'paid' && !options.isReversed ? null : payment.confirmations;
  const { isInReview = false } = payment;
  const isUnchanged =
    state === instructions.state &&
    confirmations === instructions.confirmations &&
    isInReview === instructions.isInReview;
  const acquirerReference = nextReference(instructions, payment);
  if (isUnchanged && acquirerReference === instructions.acquirerReference) return instructions;
  const poll = isUnchanged ? {} : nextPoll(instructions, state, confirmations, now);
  const change = { ...poll, confirmations, isInReview, acquirerReference };
  return await updateInstructions(unit, instructions, change, now);
}

/** Refunds need the reference of the payment that was received; there may have been another before it. */
function nextReference(
  { acquirerReference: stored }: PaymentInstructions,
  { acquirerReference: reported, receipts }: PushPayment,
): string | null {
  return (receipts.length > 0 ? (reported ?? stored) : (stored ?? reported)) ?? null;
}

/** Schedules polls of closed instructions for late payments, unless they were declined. */
function nextPoll(
  instructions: PaymentInstructions,
  state: InstructionsState,
  confirmations: number | null,
  now: Instant,
) {
  if (state !== instructions.state)
    return { state, checksMade: 0, nextCheckAt: state === 'refused' ? null : nextClosedPollAt(now, 0) };
  if (areInstructionsOpen(instructions)) return {};
  return confirmations === null
    ? { checksMade: 0, nextCheckAt: nextClosedPollAt(now, 0) }
    : { nextCheckAt: now + POLL_INTERVAL };
}

function nextState(
  instructions: PaymentInstructions,
  payment: PushPayment,
  { isFullyPaid, isReversed, closeAs }: StateOptions,
  now: Instant,
): InstructionsState {
  // The payment was reversed and awaits no confirmations: new instructions can be issued, at their own price.
  const isUnderpaid =
    payment.receipts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n) < instructions.amountMinor;
  if (instructions.state === 'paid' && isReversed && isUnderpaid && payment.confirmations === null)
    return instructions.expiresAt !== null && !isExpired(instructions, now) ? 'withdrawn' : 'expired';
  if (!areInstructionsOpen(instructions)) return instructions.state;
  if (isFullyPaid) return 'paid';
  // A deposit that awaits confirmations cannot be canceled.
  if (payment.confirmations !== null) return instructions.state;
  if (payment.state === 'refused') return 'refused';
  // Closed by the acquirer: the page must no longer show the instructions.
  return closeAs ?? (payment.state === 'closed' ? 'withdrawn' : instructions.state);
}

/** Applies a change of the received amount. Received funds count in every status of the transaction. */
async function applyReceivedChange(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  changeMinor: bigint,
): Promise<FiatTransaction> {
  const receivedMinor = transaction.receivedMinor + changeMinor;
  const after = { ...transaction, receivedMinor };
  const detail = `${formatAmount(changeMinor > 0n ? changeMinor : -changeMinor, transaction)} ${changeMinor > 0n ? 'received' : 'reversed'}`;
  const next = await statusAfter(context, unit, after, changeMinor < 0n);
  const updated = await updateNetAmount(unit, transaction, { ...after, status: next.to });
  const clearsAcceptance = receivedMinor === 0n && next.to !== 'waiting' && !isRejected(after);
  return await transition(context, unit, updated, {
    ...next,
    ...(clearsAcceptance && noAcceptance),
    detail,
    receivedMinor,
  });
}

/** Clears an acceptance after its funds were reversed: it does not apply to later receipts. */
const noAcceptance = { acceptedMinor: null, decision: null } as const;

async function statusAfter(
  context: PaymentsContext,
  unit: UnitOfWork,
  after: FiatTransaction,
  isReversal: boolean,
): Promise<Pick<StatusChange, 'to' | 'reason'>> {
  const { status, reason } = after;
  const discrepancy = paymentDiscrepancy(after);
  // After a rejection, every further receipt needs another review, even of the exact amount.
  if (isRejected(after)) return { to: 'failed', reason: 'rejected' };
  if (isPaid(after)) return { to: 'confirmed', ...(discrepancy && { reason: discrepancy }) };
  const nextReason = discrepancy ?? (status === 'confirmed' || reason === 'reversed' ? 'reversed' : null);
  if (status === 'failed') return { to: 'failed', reason: nextReason ?? 'expired' };
  if (!isReversal) return { to: 'waiting', ...(nextReason && { reason: nextReason }) };
  const { attempts, instructions } = await readPaymentAttempts(unit, after);
  const isInProgress =
    instructions.some((each) => areInstructionsOpen(each) || hasPendingConfirmations(each)) ||
    attempts.some(({ state }) => isAttemptOpen(state));
  // After a refund, the buyer is not asked to pay again.
  if (!isInProgress && after.refundedMinor > 0n) return { to: 'failed', reason: 'reversed' };
  if (!isInProgress && isExpired(after, context.clock.now())) return { to: 'failed', reason: nextReason ?? 'expired' };
  return { to: isInProgress || discrepancy ? 'waiting' : 'pending', ...(nextReason && { reason: nextReason }) };
}

/** Updates the net amount of a transaction that becomes paid, stops being paid, or is paid with another amount. */
async function updateNetAmount(
  unit: UnitOfWork,
  before: FiatTransaction,
  after: FiatTransaction,
): Promise<FiatTransaction> {
  const wasPaid = before.status === 'confirmed';
  if (after.status !== 'confirmed') return wasPaid ? await setNetAmount(unit, before, agreedNetAmount(before)) : before;
  if (!wasPaid)
    return after.acceptedMinor === null ? before : await setNetAmount(unit, before, netAmountWhenPaid(after));
  // Refunds of the paid transaction do not change the amount.
  const withoutRefunds = (transaction: FiatTransaction) => netAmountWhenPaid({ ...transaction, refundedMinor: 0n });
  const change = withoutRefunds(after) - withoutRefunds(before);
  return change === 0n ? before : await setNetAmount(unit, before, before.netMinor + change);
}

/** Reports a deposit that awaits the merchant's approval: it is not received yet, so nothing else reports it. */
async function recordReview(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
): Promise<FiatTransaction> {
  const { status, reason } = transaction;
  const to = status === 'pending' ? 'waiting' : status;
  return await transition(context, unit, transaction, { to, ...(reason && { reason }), detail: 'awaits approval' });
}

/** Waits for pending confirmations, or reopens the transaction after its instructions were closed without a payment. */
async function awaitOrReopen(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  closed: PaymentInstructions | null,
): Promise<FiatTransaction> {
  const instructions = await listInstructions(unit, transaction);
  const isUnconfirmed = instructions.some(hasPendingConfirmations);
  const reason = transaction.reason === 'reversed' ? { reason: transaction.reason } : {};
  if (isUnconfirmed && transaction.status === 'pending')
    return await transition(context, unit, transaction, { to: 'waiting', ...reason, detail: 'payment detected' });
  if (!closed || transaction.status !== 'waiting') return transaction;
  // A partial payment waits for the remaining amount until the transaction expires.
  if (isUnconfirmed || transaction.receivedMinor > 0n || instructions.some(areInstructionsOpen)) return transaction;
  const attempts = await listAttempts(unit, transaction);
  if (attempts.some(({ state }) => isAttemptOpen(state))) return transaction;
  const detail = closed.state;
  // After a refund, the buyer is not asked to pay again.
  if (transaction.refundedMinor > 0n)
    return await transition(context, unit, transaction, { to: 'failed', reason: 'reversed', detail });
  return await transition(context, unit, transaction, { to: 'pending', ...reason, ...noAcceptance, detail });
}
