import { type Instant, MINUTE } from '../contract/time.ts';
import { describeError } from '../platform/log.ts';
import { claimRows } from '../platform/database/database.ts';
import type { Job } from '../platform/jobs.ts';
import type { PaymentsContext } from './context.ts';
import { LOOK_PAUSE, pushProviderOf } from './instruct.ts';
import {
  areOpen,
  findInstructions,
  type PaymentInstructions,
  toInstructions,
  updateInstructions,
} from './instructions-store.ts';
import { receive } from './receive.ts';

const BATCH = 20;
/** Taken instructions whose process died are taken up again after this long. */
const CLAIM: Instant = MINUTE;

/**
 * Asks providers what has become of what they issued, in case their word has been lost; takes back
 * what nobody has followed in time, and what was cut off by a crash.
 */
export function createInstructionsJob(context: PaymentsContext): Job {
  return {
    name: 'instructions',
    async round() {
      const due = await claimDue(context);
      await Promise.all(due.map((instructions) => follow(context, instructions)));
      return due.length;
    },
  };
}

/** A provider that fails is asked again when the claim has run out; its failures are no answers. */
async function follow(context: PaymentsContext, due: PaymentInstructions): Promise<void> {
  const provider = pushProviderOf(context, due);
  if (!provider) return;
  try {
    const now = context.clock.now();
    const isOver = due.expiresAt === null || due.expiresAt <= now;
    const payment = isOver ? await provider.withdraw(due.instructionsKey) : await provider.lookUp(due.instructionsKey);
    if (payment) await receive(context, due.instructionsKey, payment, isOver ? 'expired' : undefined);
    await context.database.inUnit(async (unit) => {
      const found = await findInstructions(unit, due.instructionsKey);
      if (!found || !areOpen(found)) return;
      const next = Math.min(found.expiresAt ?? now + LOOK_PAUSE, now + LOOK_PAUSE);
      await updateInstructions(unit, found, { next_check_at: next, checks_made: found.checksMade + 1 }, now);
    });
  } catch (error) {
    context.log.warn({ provider: provider.name, error: describeError(error) }, 'a provider could not be asked');
  }
}

async function claimDue(context: PaymentsContext): Promise<PaymentInstructions[]> {
  const now = context.clock.now();
  return await context.database.inUnit(async (unit) => {
    const due = unit.query
      .selectFrom('payment_instructions')
      .selectAll()
      .where('next_check_at', '<=', now)
      .orderBy('next_check_at')
      .limit(BATCH);
    const rows = await claimRows(unit, due).execute();
    if (rows.length === 0) return [];
    await unit.query
      .updateTable('payment_instructions')
      .set({ next_check_at: now + CLAIM })
      .where(
        'id',
        'in',
        rows.map((row) => row.id),
      )
      .execute();
    return rows.map(toInstructions);
  });
}
