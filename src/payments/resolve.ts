import type { Instant } from '../contract/time.ts';
import { MINUTE } from '../contract/time.ts';
import { describeError } from '../platform/log.ts';
import { claimRows } from '../platform/database/database.ts';
import type { Job } from '../platform/jobs.ts';
import type { CardProvider, ChargeOutcome } from '../providers/port.ts';
import type { PaymentsContext } from './context.ts';
import { settle } from './settle.ts';
import { findAttempt, updateAttempt } from './store.ts';
import { type CardAttempt, toAttempt } from './transaction.ts';

const BATCH = 20;
/** Taken attempts whose process died are taken up again after this long. */
const CLAIM: Instant = MINUTE;

/**
 * Asks providers for outcomes that they owe: of attempts that were cut off by a crash, left unknown,
 * or whose challenge nobody came back from; and gives back what was charged twice.
 */
export function createResolutionJob(context: PaymentsContext): Job {
  return {
    name: 'resolution',
    async round() {
      const attempts = await claimDue(context);
      for (const attempt of attempts) {
        const provider = context.cardProvider;
        if (provider?.name !== attempt.provider) {
          context.log.error({ provider: attempt.provider }, 'an attempt waits for a provider that is not set up');
          continue;
        }
        await (attempt.state === 'duplicate' ? giveBack(context, provider, attempt) : ask(context, provider, attempt));
      }
      return attempts.length;
    },
  };
}

async function ask(context: PaymentsContext, provider: CardProvider, attempt: CardAttempt): Promise<void> {
  let outcome: ChargeOutcome;
  try {
    // A key that the provider never saw belongs to a charge that was not sent. It is closed there, so that it cannot arrive later.
    outcome = (await provider.lookUp(attempt.attemptKey)) ?? (await provider.abandon(attempt.attemptKey));
    // A challenge that can no longer be of use, because another attempt paid, is not left open.
    if (outcome.kind === 'challenge' && !(await isAwaited(context, attempt)))
      outcome = await provider.abandon(attempt.attemptKey);
  } catch (error) {
    context.log.warn({ provider: provider.name, error: describeError(error) }, 'a provider could not be asked');
    outcome = { kind: 'unknown' };
  }
  if (outcome.kind === 'unknown' && attempt.state === 'challenge') return;
  await settle(context, attempt.attemptKey, outcome);
}

async function isAwaited(context: PaymentsContext, attempt: CardAttempt): Promise<boolean> {
  const row = await context.database.query
    .selectFrom('fiat_transactions')
    .select('status')
    .where('merchant_id', '=', attempt.merchantId)
    .where('id', '=', attempt.transactionId)
    .executeTakeFirstOrThrow();
  return row.status === 'waiting';
}

async function giveBack(context: PaymentsContext, provider: CardProvider, attempt: CardAttempt): Promise<void> {
  try {
    await provider.reverse(attempt.attemptKey);
  } catch (error) {
    context.log.warn(
      { provider: provider.name, error: describeError(error) },
      'a second charge could not be given back yet',
    );
    return;
  }
  await context.database.inUnit(async (unit) => {
    const fresh = await findAttempt(unit, attempt.attemptKey);
    if (fresh?.state !== 'duplicate') return;
    await updateAttempt(unit, fresh, { state: 'reversed', next_check_at: null }, context.clock.now());
  });
}

async function claimDue(context: PaymentsContext): Promise<CardAttempt[]> {
  const now = context.clock.now();
  return await context.database.inUnit(async (unit) => {
    const due = unit.query
      .selectFrom('card_attempts')
      .selectAll()
      .where('next_check_at', '<=', now)
      .orderBy('next_check_at')
      .limit(BATCH);
    const rows = await claimRows(unit, due).execute();
    if (rows.length === 0) return [];
    await unit.query
      .updateTable('card_attempts')
      .set({ next_check_at: now + CLAIM })
      .where(
        'id',
        'in',
        rows.map((row) => row.id),
      )
      .execute();
    return rows.map(toAttempt);
  });
}
