import { inBatches } from '../database/batch.ts';
import { createCleanupJob, type Job } from '../jobs/runner.ts';
import { selectEmailedPayments } from '../mail/outbox.ts';
import type { Instant } from '../shared/time.ts';
import type { PaymentsContext } from './context.ts';
import { eraseEndedPayment } from './erase-payer.ts';
import { db } from './schema.ts';

type CleanupContext = Pick<PaymentsContext, 'database' | 'clock' | 'eraseCryptoPayments'>;

const BATCH_SIZE = 500;

/**
 * Removes payers' data from payments older than `retention`, from their texts and events; none if it is null. Open
 * payments keep theirs. The emails about these payments are deleted.
 */
export function createPayerCleanup(context: CleanupContext, retention: Instant | null): Job {
  return createCleanupJob('payer data', context.clock, async (now) => {
    if (retention === null) return;
    await inBatches(0, (last) => clearTransactions(context, now - retention, last));
    await inBatches(0, (last) => clearAttempts(context, now - retention, last));
  });
}

async function clearTransactions(context: CleanupContext, cutoff: Instant, after: number): Promise<number | null> {
  const { database } = context;
  const rows = await db(database)
    .selectFrom('fiat_transactions')
    .select(['id', 'merchant_id', 'created_at', 'status'])
    .where('id', '>', after)
    .where((eb) =>
      eb.or([
        eb('payer', 'is not', null),
        eb('buyer_network', 'is not', null),
        eb('buyer_locale', 'is not', null),
        eb('id', 'in', selectEmailedPayments(database)),
      ]),
    )
    .orderBy('id')
    .limit(BATCH_SIZE)
    .execute();
  const expired = rows.filter(({ created_at }) => created_at < cutoff);
  const ended = expired.filter(({ status }) => status !== 'pending' && status !== 'waiting');
  for (const { merchant_id, id } of ended) await eraseEndedPayment(context, merchant_id, id);
  return expired.length === BATCH_SIZE ? (expired.at(-1)?.id ?? null) : null;
}

/** Removes payers that only attempts name, such as those of a late attempt on a payment that was cleared before. */
async function clearAttempts(context: CleanupContext, cutoff: Instant, after: number): Promise<number | null> {
  const rows = await db(context.database)
    .selectFrom('card_attempts')
    .innerJoin('fiat_transactions', 'fiat_transactions.id', 'card_attempts.fiat_transaction_id')
    .select(['fiat_transaction_id as id', 'card_attempts.merchant_id'])
    .select(['fiat_transactions.created_at', 'fiat_transactions.status'])
    .where('fiat_transaction_id', '>', after)
    .where((eb) => eb.or([eb('payer_name', 'is not', null), eb('payer_email', 'is not', null)]))
    .orderBy('fiat_transaction_id')
    .limit(BATCH_SIZE)
    .execute();
  const expired = rows.filter(({ created_at }) => created_at < cutoff);
  const ended = expired.filter(({ status }) => status !== 'pending' && status !== 'waiting');
  const merchants = new Map(ended.map((row) => [row.id, row.merchant_id]));
  for (const [id, merchantId] of merchants) await eraseEndedPayment(context, merchantId, id);
  return expired.length === BATCH_SIZE ? (expired.at(-1)?.id ?? null) : null;
}
