import { sql } from 'kysely';
import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';

/** Composable query: crypto transactions of a merchant that are awaiting review. */
export function pendingReviews(on: Runner, merchantId: number, limit: number) {
  return (
    db(on)
      .selectFrom('crypto_transactions')
      .select('id')
      .where('merchant_id', '=', merchantId)
      // A literal: the partial index applies only if the query repeats its condition.
      .where('status', '=', sql.lit('approved_required'))
      .where('returned_by', 'is', null)
      .limit(limit)
  );
}
