import type { Selectable } from 'kysely';
import { inBatches } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { createCleanupJob, type Job } from '../jobs/runner.ts';
import { selectEmailedPayments } from '../mail/outbox.ts';
import type { Instant } from '../shared/time.ts';
import { nextAfter } from '../system/cell.ts';
import type { PaymentsContext } from './context.ts';
import { eraseEndedPayment } from './erase-payer.ts';
import { db, type FiatTransactionTable } from './schema.ts';

type CleanupContext = Pick<PaymentsContext, 'database' | 'clock' | 'eraseCryptoPayments'>;

type PaymentRow = Pick<Selectable<FiatTransactionTable>, 'id' | 'merchant_id' | 'created_at' | 'status'>;

const BATCH_SIZE = 500;

/**
 * Removes payers' data from payments older than `retention`, from their texts and events; none if it is null. Open
 * payments keep theirs. The emails about these payments are deleted.
 */
export function createPayerCleanup(context: CleanupContext, retention: Instant | null): Job {
  const { database } = context;
  return createCleanupJob('payer data', context.clock, async (now) => {
    if (retention === null) return;
    const errors: unknown[] = [];
    /** Erases old payments that have ended. An error in one does not stop the others. */
    const erase = async (rows: readonly PaymentRow[]): Promise<number | null> => {
      const isOld = ({ created_at }: PaymentRow) => created_at < now - retention;
      const ended = rows.filter(isOld).filter(({ status }) => status !== 'pending' && status !== 'waiting');
      const merchants = new Map(ended.map((row) => [row.id, row.merchant_id]));
      for (const [id, merchantId] of merchants)
        try {
          await eraseEndedPayment(context, merchantId, id);
        } catch (error) {
          errors.push(error);
        }
      return nextAfter(rows, BATCH_SIZE, isOld);
    };
    await inBatches(0, async (last) => await erase(await listPayments(database, last)));
    await inBatches(0, async (last) => await erase(await listAttempts(database, last)));
    if (errors.length > 0) throw errors[0];
  });
}

/** Lists payments with data of a payer, or with emails about them. */
async function listPayments(database: Database, after: number): Promise<PaymentRow[]> {
  return await db(database)
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
}

/** Lists payments whose attempts name a payer, such as late attempts on a payment that was cleared before. */
async function listAttempts(database: Database, after: number): Promise<PaymentRow[]> {
  return await db(database)
    .selectFrom('card_attempts')
    .innerJoin('fiat_transactions', 'fiat_transactions.id', 'card_attempts.fiat_transaction_id')
    .select(['fiat_transaction_id as id', 'card_attempts.merchant_id'])
    .select(['fiat_transactions.created_at', 'fiat_transactions.status'])
    .where('fiat_transaction_id', '>', after)
    .where((eb) => eb.or([eb('payer_name', 'is not', null), eb('payer_email', 'is not', null)]))
    .orderBy('fiat_transaction_id')
    .limit(BATCH_SIZE)
    .execute();
}
