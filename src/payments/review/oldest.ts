import { sql } from 'kysely';
import type { Runner } from '../../database/engine.ts';
import type { Instant } from '../../shared/time.ts';
import { db } from '../schema.ts';

/** Returns the time of the last change of the transaction that has waited longest for a review; null without one. */
export async function findOldestReview(reader: Runner): Promise<Instant | null> {
  const { since } = await db(reader)
    .selectFrom('fiat_transactions')
    .select(({ fn }) => fn.min<Instant | null>('updated_at').as('since'))
    // SQLite uses the partial index only with its exact condition.
    .where('status', '<>', sql.lit('confirmed'))
    .whereRef('amount_received_minor', '>', 'amount_refunded_minor')
    // Payers can still complete a partial payment.
    .where('status', '<>', sql.lit('pending'))
    .executeTakeFirstOrThrow();
  return since;
}
