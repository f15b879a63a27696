import { sql } from 'kysely';
import type { Runner } from '../database/engine.ts';
import type { Instant } from '../shared/time.ts';
import { db } from './schema.ts';

/** Returns the last change of the crypto transaction that has waited longest for a review; null without one. */
export async function findOldestReview(reader: Runner): Promise<Instant | null> {
  const { since } = await db(reader)
    .selectFrom('crypto_transactions')
    .select(({ fn }) => fn.min<Instant | null>('updated_at').as('since'))
    .where('status', '=', sql.lit('approved_required'))
    .where('returned_by', 'is', null)
    .executeTakeFirstOrThrow();
  return since;
}

/** Composable query: crypto transactions of a merchant that are awaiting review. */
export function pendingReviews(reader: Runner, merchantId: number, limit: number) {
  return (
    db(reader)
      .selectFrom('crypto_transactions')
      .select('id')
      .where('merchant_id', '=', merchantId)
      // A literal: the partial index applies only if the query repeats its condition.
      .where('status', '=', sql.lit('approved_required'))
      .where('returned_by', 'is', null)
      .limit(limit)
  );
}
