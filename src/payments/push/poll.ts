import { isExpired } from '../expire.ts';
import { db, type FiatTransaction, type PaymentInstructions, instructionsRecord } from '../schema.ts';
import type { Instant } from '../../shared/time.ts';
import { claimDue, earliestDue } from '../../jobs/due.ts';
import { describeError } from '../../system/log.ts';
import type { Job } from '../../jobs/runner.ts';
import { type PaymentsContext, findPushAcquirer } from '../context.ts';
import {
  areInstructionsOpen,
  countReceipts,
  findInstructions,
  INSTRUCTIONS_JOB,
  hasPendingConfirmations,
  listInstructions,
} from './instructions.ts';
import { applyReceipts } from './receipts.ts';
import { findById } from '../store.ts';
import { remainingAmount } from '../transaction.ts';
import { POLL_INTERVAL, nextClosedPollAt } from './poll-schedule.ts';

/**
 * Asks providers what has become of what they issued, in case their word has been lost; takes back
 * what nobody has followed in time, and what was cut off by a crash.
 */
export function createInstructionsJob(context: PaymentsContext): Job {
  return {
    name: INSTRUCTIONS_JOB,
    due: earliestDue('payment_instructions', 'next_check_at'),
    async round() {
      const { database, clock } = context;
      const due = await database.inUnit(
        async (unit) =>
          await claimDue(db, unit, { table: 'payment_instructions', column: 'next_check_at', now: clock.now() }),
      );
      await Promise.all(due.map((row) => pollInstructions(context, instructionsRecord.read(row))));
      return due.length;
    },
  };
}

/** Asks about what the buyer may just come from paying: what is open, on its way, or was begun last. */
export async function refreshInstructions(context: PaymentsContext, transaction: FiatTransaction): Promise<void> {
  const all = await listInstructions(context.database, transaction);
  for (const each of all) {
    if (areInstructionsOpen(each)) await pollInstructions(context, each);
    else if (hasPendingConfirmations(each) || each === all.at(-1)) await pollAcquirer(context, each, null);
  }
}

/** What the job does with what is due: asks, and says when to ask again. */
async function pollInstructions(context: PaymentsContext, due: PaymentInstructions): Promise<void> {
  const now = context.clock.now();
  if (!(await pollAcquirer(context, due, await closeReason(context, due, now)))) return;
  await context.database.inUnit(async (unit) => {
    const found = await findInstructions(unit, due.instructionsKey);
    // What has just been closed has its next time already.
    if (!found || areInstructionsOpen(found) !== areInstructionsOpen(due)) return;
    const checksMade = found.checksMade + 1;
    await db(unit)
      .updateTable('payment_instructions')
      .set({ next_check_at: nextCheckAt(found, now, checksMade), checks_made: checksMade })
      .where('merchant_id', '=', found.merchantId)
      .where('id', '=', found.id)
      // Nor what is being closed at this moment.
      .where('state', '=', found.state)
      .where('checks_made', '=', found.checksMade)
      .execute();
  });
}

/** Asks what has come, or takes back what is over; false where the provider could not be asked: its failures are no answers. */
async function pollAcquirer(
  context: PaymentsContext,
  due: PaymentInstructions,
  closeAs: 'expired' | 'withdrawn' | null,
): Promise<boolean> {
  const provider = findPushAcquirer(context, due.provider);
  if (!provider) return false;
  try {
    const askedAt = context.clock.now();
    const payment = closeAs
      ? await provider.withdraw(due.instructionsKey)
      : await provider.fetchPayment(due.instructionsKey);
    if (payment) await applyReceipts(context, due.instructionsKey, payment, { closeAs: closeAs ?? undefined, askedAt });
    return true;
  } catch (error) {
    context.log.warn({ provider: provider.name, error: describeError(error) }, 'a provider could not be asked');
    return false;
  }
}

/** Why what is open is to be taken back: its time is over, or money has come another way; null when it is not, or is not open. */
async function closeReason(
  context: PaymentsContext,
  due: PaymentInstructions,
  now: Instant,
): Promise<'expired' | 'withdrawn' | null> {
  if (!areInstructionsOpen(due)) return null;
  if (due.expiresAt === null || isExpired(due, now)) return 'expired';
  const transaction = await findById(context.database, due.merchantId, due.transactionId);
  if (!transaction || transaction.status === 'confirmed') return 'withdrawn';
  const isOfUse = due.amountMinor === remainingAmount(transaction) || (await countReceipts(context.database, due)) > 0;
  return isOfUse ? null : 'withdrawn';
}

function nextCheckAt({ state, confirmations, expiresAt }: PaymentInstructions, now: Instant, checksMade: number) {
  const later = now + POLL_INTERVAL;
  // What has been seen is followed as long as it takes, also past its end.
  if (confirmations !== null) return later;
  if (!areInstructionsOpen({ state })) return nextClosedPollAt(now, checksMade);
  return expiresAt === null || expiresAt <= now ? later : Math.min(expiresAt, later);
}
