import { db, transactionMetadata } from '../schema.ts';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import {
  beginsWith,
  beginsWithUnindexed,
  type SearchFilter,
  hasAnyId,
  MAX_SEARCH_ROWS,
  unionOfIds,
} from '../../database/search.ts';
import { foldName } from '../listed-payer.ts';
import { amountExpression } from './amount-order.ts';
import type { ListReader } from './list.ts';

const suppliedPayerColumns = ['payer_name_key', 'payer_email_key'] as const;

/**
 * Searches a merchant's transactions by text: a prefix of the reference or of the payer's name or email (entered by the
 * buyer, or supplied by the merchant), the last four digits of an attempted card, the amount, or a metadata value. The
 * matches of all indexes are collected first. If there are too many, the list scans its rows in order instead, because
 * matches are frequent.
 */
export async function searchTransactions(
  database: Database,
  { merchantId, canSeePayers }: ListReader,
  text: string,
): Promise<SearchFilter> {
  const { engine } = database;
  const tables = db(database);
  const amount = parseSearchAmount(text);
  const last4 = /^(?:[•*]+ ?)?(\d{4})$/.exec(text)?.[1] ?? null;
  const payer = canSeePayers ? foldName(text) : '';
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
  const byPayer = (['payer_name_key', 'payer_email'] as const).map((column) =>
    tables
      .selectFrom('card_attempts')
      .select('fiat_transaction_id as id')
      .where('merchant_id', '=', merchantId)
      .where(beginsWith(engine, sql.ref(column), payer))
      .limit(MAX_SEARCH_ROWS + 1),
  );
  const byGivenPayer = suppliedPayerColumns.map((column) =>
    tables
      .selectFrom('fiat_transactions')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where(beginsWith(engine, sql.ref(column), payer))
      .limit(MAX_SEARCH_ROWS + 1),
  );
  const queries = [
    byReference,
    ...(amount === null ? [] : [byAmount]),
    ...(last4 === null ? [] : [byCard]),
    ...(payer === '' ? [] : [...byPayer, ...byGivenPayer]),
  ];
  const byMetadata = transactionMetadata.idsByValue(merchantId, text).execute(database.query);
  const found = await Promise.all([
    ...queries.map(async (query) => await query.execute()),
    byMetadata.then(({ rows }) => rows),
  ]);
  const ids = unionOfIds(found);
  if (ids) return { condition: hasAnyId(engine, 'id', ids), isSelective: true };

  const conditions = [
    beginsWithUnindexed(engine, sql.ref('transaction_id'), text),
    transactionMetadata.hasValue(merchantId, text),
    // The unary plus excludes the index of amounts.
    ...(amount === null ? [] : [sql<boolean>`+${amountExpression} = ${amount}`]),
    ...(last4 === null
      ? []
      : [
          sql<boolean>`exists (select 1 from card_attempts as attempt where attempt.merchant_id = ${merchantId}
            and attempt.fiat_transaction_id = fiat_transactions.id and attempt.last4 || '' = ${last4})`,
        ]),
    ...(payer === ''
      ? []
      : [
          sql<boolean>`exists (select 1 from card_attempts as attempt where attempt.merchant_id = ${merchantId}
            and attempt.fiat_transaction_id = fiat_transactions.id
            and (${beginsWithUnindexed(engine, sql.ref('attempt.payer_name_key'), payer)}
              or ${beginsWithUnindexed(engine, sql.ref('attempt.payer_email'), payer)}))`,
          ...suppliedPayerColumns.map((column) => beginsWithUnindexed(engine, sql.ref(column), payer)),
        ]),
  ];
  return { condition: sql<boolean>`(${sql.join(conditions, sql` or `)})`, isSelective: false };
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
