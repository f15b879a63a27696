import { db } from '../schema.ts';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import {
  beginsWith,
  beginsWithUnindexed,
  type SearchFilter,
  isAmong,
  MAX_SEARCH_ROWS,
  unionOfIds,
} from '../../database/search.ts';
import { amountExpression } from './amount-order.ts';

/**
 * Searches a merchant's transactions by text: a prefix of the reference, the last four digits of an attempted card, or
 * the amount. The matches of the three indexes are collected first. When there are too many, the list scans its rows in
 * order instead, where matches are frequent.
 */
export async function searchTransactions(database: Database, merchantId: number, text: string): Promise<SearchFilter> {
  const { engine } = database;
  const tables = db(database);
  const amount = parseSearchAmount(text);
  const last4 = /^\d{4}$/.test(text) ? text : null;
  const byReference = tables
    .selectFrom('fiat_transactions')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where(beginsWith(engine, sql.ref('transaction_id'), text))
    .limit(MAX_SEARCH_ROWS + 1);
  const byAmount = tables
    .selectFrom('fiat_transactions')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where(amountExpression, '=', amount ?? 0)
    .limit(MAX_SEARCH_ROWS + 1);
  const byCard = tables
    .selectFrom('card_attempts')
    .select('fiat_transaction_id as id')
    .where('merchant_id', '=', merchantId)
    .where('last4', '=', last4 ?? '')
    .limit(MAX_SEARCH_ROWS + 1);
  const queries = [byReference, ...(amount === null ? [] : [byAmount]), ...(last4 === null ? [] : [byCard])];
  const ids = unionOfIds(await Promise.all(queries.map(async (query) => await query.execute())));
  if (ids) return { condition: isAmong(engine, 'id', ids), isSelective: true };

  const conditions = [
    beginsWithUnindexed(engine, sql.ref('transaction_id'), text),
    // The unary plus excludes the index of amounts.
    ...(amount === null ? [] : [sql<boolean>`+${amountExpression} = ${amount}`]),
    ...(last4 === null
      ? []
      : [
          sql<boolean>`exists (select 1 from card_attempts as attempt where attempt.merchant_id = ${merchantId}
            and attempt.fiat_transaction_id = fiat_transactions.id and attempt.last4 || '' = ${last4})`,
        ]),
  ];
  return { condition: sql<boolean>`(${sql.join(conditions, sql` or `)})`, isSelective: false };
}

/** Parses a search text as an amount; null for other texts. */
function parseSearchAmount(text: string): number | null {
  // A double represents 15 digits exactly.
  return /^\d{1,15}(?:\.\d{1,6})?$/.test(text) && text.replace(/\.|0+$/g, '').length <= 15 ? Number(text) : null;
}
