import { sql } from 'kysely';
import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';

/** The query for a merchant's crypto transactions that wait for a review, for counts of other modules. */
export function pendingReviews(on: Runner, merchantId: number, limit: number) {
  return (
    db(on)
      .selectFrom('crypto_transactions')
      .select('id')
      .where('merchant_id', '=', merchantId)
      // A literal, for the partial index.
      .where('status', '=', sql.lit('approved_required'))
      .where('returned_by', 'is', null)
      .limit(limit)
  );
}
