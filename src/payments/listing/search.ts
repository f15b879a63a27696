import { db, transactionMetadata } from '../schema.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import {
  beginsWith,
  beginsWithUnindexed,
  type IndexSearch,
  matchesAny,
  MAX_SEARCH_ROWS,
  type SearchFilter,
} from '../../database/search.ts';
import { foldName } from '../listed-payer.ts';
import { amountExpression } from './amount-order.ts';
import type { ListReader } from './list.ts';

/**
 * Searches a merchant's transactions by text: a prefix of the reference or of the payer's first name, last name or email
 * (entered by the buyer, or supplied by the merchant), the last four digits of an attempted card, the amount, or a
 * metadata value. The matches of each index are collected first. If an index has too many, the list scans its rows in
 * order for them instead, because they are frequent.
 */
export async function searchTransactions(
  database: Database,
  { merchantId, canSeePayers }: ListReader,
  text: string,
): Promise<SearchFilter> {
  const { engine, query } = database;
  const amount = parseSearchAmount(text);
  const last4 = /^(?:[\u2022*]+ ?)?(\d{4})$/.exec(text)?.[1] ?? null;
  const payer = canSeePayers ? foldName(text) : '';
  const byColumn = async (condition: RawBuilder<boolean>, scan: RawBuilder<boolean>): Promise<IndexSearch> => {
    const rows = db(database).selectFrom('fiat_transactions').select('id').where('merchant_id', '=', merchantId);
    return {
      rows: await rows
        .where(condition)
        .limit(MAX_SEARCH_ROWS + 1)
        .execute(),
      scan,
    };
  };
  const byAttempt = async (condition: RawBuilder<boolean>, scan: RawBuilder<boolean>): Promise<IndexSearch> => {
    const rows = db(database)
      .selectFrom('card_attempts')
      .select('fiat_transaction_id as id')
      .where('merchant_id', '=', merchantId)
      .where(condition);
    return {
      rows: await rows.limit(MAX_SEARCH_ROWS + 1).execute(),
      scan: sql`exists (select 1 from card_attempts as attempt where attempt.merchant_id = ${merchantId}
        and attempt.fiat_transaction_id = fiat_transactions.id and ${scan})`,
    };
  };
  const begins = (column: string, prefix: string) =>
    [beginsWith(engine, sql.ref(column), prefix), beginsWithUnindexed(engine, sql.ref(column), prefix)] as const;
  const searches = [
    byColumn(...begins('transaction_id', text)),
    transactionMetadata
      .idsByValue(merchantId, text)
      .execute(query)
      .then(({ rows }) => ({ rows, scan: transactionMetadata.hasValue(merchantId, text) })),
    // The unary plus excludes the index of amounts.
    ...(amount === null ? [] : [byColumn(sql`${amountExpression} = ${amount}`, sql`+${amountExpression} = ${amount}`)]),
    ...(last4 === null ? [] : [byAttempt(sql`last4 = ${last4}`, sql`last4 || '' = ${last4}`)]),
    ...(payer === ''
      ? []
      : [
          ...(['payer_name_key', 'payer_last_name_key', 'payer_email'] as const).map(
            async (column) => await byAttempt(...begins(column, payer)),
          ),
          ...(['payer_name_key', 'payer_last_name_key', 'payer_email_key'] as const).map(
            async (column) => await byColumn(...begins(column, payer)),
          ),
        ]),
  ];
  return matchesAny(engine, await Promise.all(searches));
}

/** Parses a search text such as `12.50`, `$1,250` or `12,50 EUR` as an amount; null for other texts. */
function parseSearchAmount(typed: string): number | null {
  const text = typed
    .replaceAll(/^(?:\p{Sc}|[A-Za-z]{3}(?=[ \d])) ?| ?(?:\p{Sc}|[A-Za-z]{3})$/gu, '')
    .replaceAll(/(?<=^\d{1,3}(?:,\d{3})*),(?=(?:\d{3},)*\d{3}(?:\.|$))/g, '')
    .replace(/^(\d+),(\d{1,2})$/, '$1.$2');
  // A double represents 15 digits exactly.
  return /^\d{1,15}(?:\.\d{1,6})?$/.test(text) && text.replace(/\.|0+$/g, '').length <= 15 ? Number(text) : null;
}
