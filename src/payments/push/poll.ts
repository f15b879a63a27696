import { db, type FiatTransaction, type PaymentInstructions, instructionsRecord } from '../schema.ts';
import type { Instant } from '../../shared/time.ts';
import { createDueJob } from '../../jobs/due.ts';
import { describeError } from '../../system/log.ts';
import type { Job } from '../../jobs/runner.ts';
import { type PaymentsContext, pushAcquirerOf, pushKeyOf } from '../context.ts';
import {
  areInstructionsOpen,
  countReceipts,
  findInstructions,
  INSTRUCTIONS_JOB,
  hasPendingConfirmations,
  listInstructions,
} from './instructions.ts';
import { CLOSED } from './start.ts';
import { applyReceipts } from './receipts.ts';
import { findById } from '../store.ts';
import { remainingAmount } from '../transaction.ts';
import { isExpired } from '../expiry.ts';
import { POLL_INTERVAL, nextClosedPollAt } from './poll-schedule.ts';

/**
 * Polls acquirers for receipts, in case a notification was lost. Withdraws expired instructions, and those that were not
 * fully issued because of a crash.
 */
export function createInstructionsJob(context: PaymentsContext): Job {
  return createDueJob(context, db, {
    ...{ name: INSTRUCTIONS_JOB, table: 'payment_instructions', column: 'next_check_at' },
    work: async (row) => await pollInstructions(context, instructionsRecord.read(row)),
  });
}

/** Polls the instructions that a returning buyer may just have paid: open, unconfirmed, and the last ones. */
export async function refreshInstructions(context: PaymentsContext, transaction: FiatTransaction): Promise<void> {
  const instructions = await listInstructions(context.database, transaction);
  for (const each of instructions) {
    // Another request is issuing them.
    if (each.state === 'issuing') continue;
    if (areInstructionsOpen(each)) await pollInstructions(context, each);
    else if (hasPendingConfirmations(each) || each === instructions.at(-1)) await pollAcquirer(context, each, null);
  }
}

/** Polls due instructions and schedules the next poll. */
async function pollInstructions(context: PaymentsContext, due: PaymentInstructions): Promise<void> {
  const now = context.clock.now();
  if (!(await pollAcquirer(context, due, await closeReason(context, due, now)))) return;
  await context.database.inTransaction(async (unit) => {
    const current = await findInstructions(unit, due.instructionsKey);
    // Closing the instructions has already scheduled the next poll.
    if (!current || areInstructionsOpen(current) !== areInstructionsOpen(due)) return;
    const checksMade = current.checksMade + 1;
    await db(unit)
      .updateTable('payment_instructions')
      .set({ next_check_at: nextPollAt(current, now, checksMade), checks_made: checksMade })
      .where('merchant_id', '=', current.merchantId)
      .where('id', '=', current.id)
      // Excludes instructions that are being closed concurrently.
      .where('state', '=', current.state)
      .where('checks_made', '=', current.checksMade)
      .execute();
  });
}

/** Polls the acquirer, or withdraws the instructions. Returns false when the acquirer failed; a failure is not an outcome. */
async function pollAcquirer(
  context: PaymentsContext,
  instructions: PaymentInstructions,
  closeAs: 'expired' | 'withdrawn' | null,
): Promise<boolean> {
  const acquirer = pushAcquirerOf(context, instructions);
  if (!acquirer) return false;
  try {
    const requestedAt = context.clock.now();
    const { instructionsKey } = instructions;
    const transaction = await findById(context.database, instructions.merchantId, instructions.transactionId);
    if (!transaction) throw new Error('The transaction was not found');
    const key = pushKeyOf(instructions, transaction);
    const payment = closeAs ? ((await acquirer.withdraw(key)) ?? CLOSED) : await acquirer.fetchPayment(key);
    if (payment) await applyReceipts(context, instructionsKey, payment, { closeAs: closeAs ?? undefined, requestedAt });
    return true;
  } catch (error) {
    context.log.warn({ account: instructions.accountKey, error: describeError(error) }, 'acquirer could not be polled');
    return false;
  }
}

/**
 * Returns the reason to withdraw open instructions: expired, never issued, or the transaction was paid another way. Null
 * if they stay open.
 */
async function closeReason(
  context: PaymentsContext,
  due: PaymentInstructions,
  now: Instant,
): Promise<'expired' | 'withdrawn' | null> {
  if (!areInstructionsOpen(due)) return null;
  if (due.expiresAt === null) return 'withdrawn';
  if (isExpired(due, now)) return 'expired';
  const transaction = await findById(context.database, due.merchantId, due.transactionId);
  if (!transaction || transaction.status === 'confirmed') return 'withdrawn';
  const isUsable = due.amountMinor === remainingAmount(transaction) || (await countReceipts(context.database, due)) > 0;
  return isUsable ? null : 'withdrawn';
}

function nextPollAt({ state, confirmations, expiresAt }: PaymentInstructions, now: Instant, checksMade: number) {
  const later = now + POLL_INTERVAL;
  // Pending confirmations are polled until they are final, even past the expiry.
  if (confirmations !== null) return later;
  if (!areInstructionsOpen({ state })) return nextClosedPollAt(now, checksMade);
  return expiresAt === null || expiresAt <= now ? later : Math.min(expiresAt, later);
}
