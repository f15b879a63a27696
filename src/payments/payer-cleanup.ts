import { inBatches } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { createCleanupJob, type Job } from '../jobs/runner.ts';
import { deletePaymentEmails, selectEmailedPayments } from '../mail/outbox.ts';
import type { Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { createEraser } from '../system/eraser.ts';
import { eraseFromEvents } from '../webhooks/erase.ts';
import { PAYER_FIELDS } from './erase-payer.ts';
import { db } from './schema.ts';
import { lockTransaction } from './store.ts';

const BATCH_SIZE = 500;
const erasePayerFields = createEraser([], PAYER_FIELDS);

/**
 * Removes payers' data from payments older than `retention`, and from their events; none if it is null. Open payments
 * keep theirs. The emails about these payments are deleted.
 */
export function createPayerCleanup({
  database,
  clock,
  retention,
}: {
  database: Database;
  clock: Clock;
  retention: Instant | null;
}): Job {
  return createCleanupJob('payer data', clock, async (now) => {
    if (retention === null) return;
    await inBatches(0, (last) => clearTransactions(database, now - retention, last));
    await inBatches(0, (last) => clearAttempts(database, now - retention, last));
  });
}

async function clearTransactions(database: Database, cutoff: Instant, after: number): Promise<number | null> {
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
  for (const { merchant_id, id } of ended)
    await database.inTransaction(async (unit) => {
      const { status } = await lockTransaction(unit, merchant_id, id);
      if (status === 'pending' || status === 'waiting') return;
      await eraseFromEvents(unit, { merchantId: merchant_id, kind: 'fiat_transaction', id, erase: erasePayerFields });
      await db(unit)
        .updateTable('fiat_transactions')
        .set({ payer: null, payer_name_key: null, payer_email_key: null, buyer_network: null, buyer_locale: null })
        .where('merchant_id', '=', merchant_id)
        .where('id', '=', id)
        .execute();
    });
  if (ended.length > 0) await deletePaymentEmails(database, ended);
  return expired.length === BATCH_SIZE ? (expired.at(-1)?.id ?? null) : null;
}

async function clearAttempts(database: Database, cutoff: Instant, after: number): Promise<number | null> {
  const rows = await db(database)
    .selectFrom('card_attempts')
    .innerJoin('fiat_transactions', 'fiat_transactions.id', 'card_attempts.fiat_transaction_id')
    .select(['card_attempts.id', 'fiat_transactions.created_at', 'fiat_transactions.status'])
    .where('card_attempts.id', '>', after)
    .where((eb) => eb.or([eb('payer_name', 'is not', null), eb('payer_email', 'is not', null)]))
    .orderBy('card_attempts.id')
    .limit(BATCH_SIZE)
    .execute();
  const expired = rows.filter(({ created_at }) => created_at < cutoff);
  const ended = expired.filter(({ status }) => status !== 'pending' && status !== 'waiting').map(({ id }) => id);
  if (ended.length > 0)
    await db(database)
      .updateTable('card_attempts')
      .set({ payer_name: null, payer_name_key: null, payer_email: null })
      .where('id', 'in', ended)
      .execute();
  // IDs of attempts follow time less closely than those of payments: a full batch may contain newer payments.
  return rows.length === BATCH_SIZE && expired.length > 0 ? (rows.at(-1)?.id ?? null) : null;
}
