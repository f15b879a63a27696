import { db } from '../schema.ts';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import {
  beginsWith,
  beginsWithUnindexed,
  type Found,
  isAmong,
  MOST_GATHERED,
  together,
} from '../../database/search.ts';
import { amountExpression } from './amount-order.ts';

/**
 * Which of a merchant's transactions somebody means by a text: those whose reference begins with it, those
 * that a card was tried for that ends with it, and those of that amount. What each of the three is by its index
 * is gathered first; where that would be a great deal, the list goes through its rows in their order and
 * comes across enough of them.
 */
export async function searchTransactions(database: Database, merchantId: number, text: string): Promise<Found> {
  const { engine } = database;
  const tables = db(database);
  const amount = parseSearchAmount(text);
  const last4 = /^\d{4}$/.test(text) ? text : null;
  const ofReference = tables
    .selectFrom('fiat_transactions')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where(beginsWith(engine, sql.ref('transaction_id'), text))
    .limit(MOST_GATHERED + 1);
  const ofAmount = tables
    .selectFrom('fiat_transactions')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where(amountExpression, '=', amount ?? 0)
    .limit(MOST_GATHERED + 1);
  const ofCards = tables
    .selectFrom('card_attempts')
    .select('fiat_transaction_id as id')
    .where('merchant_id', '=', merchantId)
    .where('last4', '=', last4 ?? '')
    .limit(MOST_GATHERED + 1);
  const asked = [ofReference, ...(amount === null ? [] : [ofAmount]), ...(last4 === null ? [] : [ofCards])];
  const ids = together(await Promise.all(asked.map(async (each) => await each.execute())));
  if (ids) return { condition: isAmong(engine, 'id', ids), isLittle: true };

  const conditions = [
    beginsWithUnindexed(engine, sql.ref('transaction_id'), text),
    // The sign keeps the index of amounts out of it.
    ...(amount === null ? [] : [sql<boolean>`+${amountExpression} = ${amount}`]),
    ...(last4 === null
      ? []
      : [
          sql<boolean>`exists (select 1 from card_attempts as attempt where attempt.merchant_id = ${merchantId}
            and attempt.fiat_transaction_id = fiat_transactions.id and attempt.last4 || '' = ${last4})`,
        ]),
  ];
  return { condition: sql<boolean>`(${sql.join(conditions, sql` or `)})`, isLittle: false };
}

/** The amount that a text may mean; null when no amount is written so. */
function parseSearchAmount(text: string): number | null {
  // A double tells apart numbers of 15 digits.
  return /^\d{1,15}(?:\.\d{1,6})?$/.test(text) && text.replace(/\.|0+$/g, '').length <= 15 ? Number(text) : null;
}
