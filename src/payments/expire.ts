import { db, type FiatTransaction, type PaymentTables } from './schema.ts';
import { type Kysely, sql } from 'kysely';
import { describeError } from '../system/log.ts';
import type { Job } from '../jobs/runner.ts';
import type { PaymentsContext } from './context.ts';
import { isExpired } from './expiry.ts';
import { expiryReason } from './review/rules.ts';
import { readPaymentAttempts } from './related-records.ts';
import { areInstructionsOpen, hasPendingConfirmations } from './push/instructions.ts';
import { isAttemptOpen } from './states.ts';
import { findByLink, lockTransaction } from './store.ts';
import { hasOpenAuthorization } from './transaction.ts';
import { transition } from './transition.ts';

const BATCH_SIZE = 50;

/**
 * Fails a transaction that has expired, and returns it. A transaction with an open attempt, open instructions or an
 * authorization does not change. Unknown outcomes are awaited, the resolution job cancels open challenges, and the
 * instructions job withdraws open instructions.
 */
export async function expireIfDue(context: PaymentsContext, transaction: FiatTransaction): Promise<FiatTransaction> {
  const isDue = (candidate: FiatTransaction) =>
    (candidate.status === 'pending' || candidate.status === 'waiting') &&
    !hasOpenAuthorization(candidate) &&
    isExpired(candidate, context.clock.now());
  if (!isDue(transaction)) return transaction;
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockTransaction(unit, transaction.merchantId, transaction.id);
    if (!isDue(locked)) return locked;
    const { attempts, instructions } = await readPaymentAttempts(unit, locked);
    if (attempts.some((attempt) => isAttemptOpen(attempt.state))) return locked;
    if (instructions.some((each) => areInstructionsOpen(each) || hasPendingConfirmations(each))) return locked;
    return await transition(context, unit, locked, { to: 'failed', reason: expiryReason(locked) });
  });
}

/** The query for open transactions without an open attempt, authorization, open instructions or pending confirmations. */
function expirableQuery(query: Kysely<PaymentTables>) {
  return (
    query
      .selectFrom('fiat_transactions as transaction')
      // SQLite uses the partial index of open transactions only with literals, not with parameters.
      .where('status', 'in', [sql.lit('pending'), sql.lit('waiting')])
      .where((eb) =>
        eb.or([
          eb('authorization_status', 'is', null),
          eb('authorization_status', 'not in', ['authorized', 'capture_pending', 'void_pending']),
        ]),
      )
      .where((expression) =>
        expression.not(
          expression.exists(
            expression
              .selectFrom('card_attempts as attempt')
              .select('attempt.id')
              .whereRef('attempt.merchant_id', '=', 'transaction.merchant_id')
              .whereRef('attempt.fiat_transaction_id', '=', 'transaction.id')
              .where('attempt.state', 'in', ['submitting', 'challenge', 'unknown']),
          ),
        ),
      )
      .where((expression) =>
        expression.not(
          expression.exists(
            expression
              .selectFrom('payment_instructions as instructions')
              .select('instructions.id')
              .whereRef('instructions.merchant_id', '=', 'transaction.merchant_id')
              .whereRef('instructions.fiat_transaction_id', '=', 'transaction.id')
              .where((eb) =>
                eb.or([
                  eb('instructions.state', 'in', ['issuing', 'issued']),
                  eb('instructions.confirmations', 'is not', null),
                ]),
              ),
          ),
        ),
      )
  );
}

/** Fails expired transactions that no request touches. */
export function createExpiryJob(context: PaymentsContext): Job {
  return {
    name: 'expiry',
    earliestDue: (reader) =>
      expirableQuery(db(reader))
        .select(({ fn }) => fn.min('expires_at').as('due'))
        .$asScalar(),
    async runOnce() {
      const due = await expirableQuery(db(context.database))
        .select('link_id')
        .where('expires_at', '<=', context.clock.now())
        .orderBy('expires_at')
        .limit(BATCH_SIZE)
        .execute();
      let expired = 0;
      for (const { link_id } of due) {
        const transaction = await findByLink(context.database, link_id);
        if (!transaction) continue;
        try {
          const after = await expireIfDue(context, transaction);
          if (after.status !== transaction.status) expired += 1;
        } catch (error) {
          // A failure to expire one transaction must not block the others.
          context.log.error(
            { transaction: transaction.id, error: describeError(error) },
            'transaction could not be expired',
          );
        }
      }
      return expired;
    },
  };
}
