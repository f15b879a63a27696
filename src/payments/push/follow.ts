import { isExpired } from '../expire.ts';
import { db, type FiatTransaction, type PaymentInstructions, instructionsRecord } from '../schema.ts';
import type { Instant } from '../../shared/time.ts';
import { claimDue, earliestDue } from '../../jobs/due.ts';
import { describeError } from '../../system/log.ts';
import type { Job } from '../../jobs/runner.ts';
import { type PaymentsContext, pushProviderNamed } from '../context.ts';
import {
  areOpen,
  countReceipts,
  findInstructions,
  INSTRUCTIONS_JOB,
  isMoneyMoving,
  listInstructions,
} from './instructions.ts';
import { receive } from './receipts.ts';
import { findById } from '../store.ts';
import { leftToPay } from '../transaction.ts';
import { LOOK_PAUSE, nextWatch } from './polling.ts';

/**
 * Asks providers what has become of what they issued, in case their word has been lost; takes back
 * what nobody has followed in time, and what was cut off by a crash.
 */
export function createInstructionsJob(context: PaymentsContext): Job {
  return {
    name: INSTRUCTIONS_JOB,
    earliestDue: earliestDue('payment_instructions', 'next_check_at'),
    async round() {
      const { database, clock } = context;
      const due = await database.inTransaction(
        async (unit) =>
          await claimDue(db, unit, { table: 'payment_instructions', column: 'next_check_at', now: clock.now() }),
      );
      await Promise.all(due.map((row) => follow(context, instructionsRecord.read(row))));
      return due.length;
    },
  };
}

/** Asks about what the buyer may just come from paying: what is open, on its way, or was begun last. */
export async function followInstructions(context: PaymentsContext, transaction: FiatTransaction): Promise<void> {
  const all = await listInstructions(context.database, transaction);
  for (const each of all) {
    if (areOpen(each)) await follow(context, each);
    else if (isMoneyMoving(each) || each === all.at(-1)) await ask(context, each, null);
  }
}

/** What the job does with what is due: asks, and says when to ask again. */
async function follow(context: PaymentsContext, due: PaymentInstructions): Promise<void> {
  const now = context.clock.now();
  if (!(await ask(context, due, await endOf(context, due, now)))) return;
  await context.database.inTransaction(async (unit) => {
    const found = await findInstructions(unit, due.instructionsKey);
    // What has just been closed has its next time already.
    if (!found || areOpen(found) !== areOpen(due)) return;
    const checksMade = found.checksMade + 1;
    await db(unit)
      .updateTable('payment_instructions')
      .set({ next_check_at: nextLook(found, now, checksMade), checks_made: checksMade })
      .where('merchant_id', '=', found.merchantId)
      .where('id', '=', found.id)
      // Nor what is being closed at this moment.
      .where('state', '=', found.state)
      .where('checks_made', '=', found.checksMade)
      .execute();
  });
}

/** Asks what has come, or takes back what is over; false where the provider could not be asked: its failures are no answers. */
async function ask(
  context: PaymentsContext,
  due: PaymentInstructions,
  closeAs: 'expired' | 'withdrawn' | null,
): Promise<boolean> {
  const provider = pushProviderNamed(context, due.provider);
  if (!provider) return false;
  try {
    const askedAt = context.clock.now();
    const payment = closeAs ? await provider.withdraw(due.instructionsKey) : await provider.lookUp(due.instructionsKey);
    if (payment) await receive(context, due.instructionsKey, payment, { closeAs: closeAs ?? undefined, askedAt });
    return true;
  } catch (error) {
    context.log.warn({ provider: provider.name, error: describeError(error) }, 'a provider could not be asked');
    return false;
  }
}

/** Why what is open is to be taken back: its time is over, or money has come another way; null when it is not, or is not open. */
async function endOf(
  context: PaymentsContext,
  due: PaymentInstructions,
  now: Instant,
): Promise<'expired' | 'withdrawn' | null> {
  if (!areOpen(due)) return null;
  if (due.expiresAt === null || isExpired(due, now)) return 'expired';
  const transaction = await findById(context.database, due.merchantId, due.transactionId);
  if (!transaction || transaction.status === 'confirmed') return 'withdrawn';
  const isOfUse = due.amountMinor === leftToPay(transaction) || (await countReceipts(context.database, due)) > 0;
  return isOfUse ? null : 'withdrawn';
}

function nextLook({ state, confirmations, expiresAt }: PaymentInstructions, now: Instant, checksMade: number) {
  const later = now + LOOK_PAUSE;
  // What has been seen is followed as long as it takes, also past its end.
  if (confirmations !== null) return later;
  if (!areOpen({ state })) return nextWatch(now, checksMade);
  return expiresAt === null || expiresAt <= now ? later : Math.min(expiresAt, later);
}
