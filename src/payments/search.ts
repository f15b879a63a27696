import { sql } from 'kysely';
import { type CurrencyCode, currencyCodes, minorUnitsOf } from '../contract/currency.ts';
import { MAX_MINOR } from '../contract/money.ts';
import type { Database } from '../platform/database/database.ts';
import {
  beginsWith,
  beginsWithUnindexed,
  type Found,
  isAmong,
  MOST_GATHERED,
  together,
  unindexed,
} from '../platform/database/search.ts';

/** An amount in the currencies in which it can be written as it was. */
interface Meant {
  minor: number;
  currencies: CurrencyCode[];
}

/**
 * Which of a merchant's transactions somebody means by a text: those whose reference begins with it, those
 * that a card was tried for that ends with it, and those of that amount. What each of the three is by its index
 * is gathered first; where that would be a great deal, the list goes through its rows in their order and
 * comes across enough of them.
 */
export async function findMeant(database: Database, merchantId: number, text: string): Promise<Found> {
  const { engine, query } = database;
  const amounts = amountsMeant(text);
  const last4 = /^\d{4}$/.test(text) ? text : null;
  const ofReference = query
    .selectFrom('fiat_transactions')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where(beginsWith(engine, sql.ref('transaction_id'), text))
    .limit(MOST_GATHERED + 1);
  const ofAmounts = amounts.map(({ minor, currencies }) =>
    query
      .selectFrom('fiat_transactions')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('amount_minor', '=', minor)
      .where('currency', 'in', currencies)
      .limit(MOST_GATHERED + 1),
  );
  const ofCards = query
    .selectFrom('card_attempts')
    .select('fiat_transaction_id as id')
    .where('merchant_id', '=', merchantId)
    .where('last4', '=', last4 ?? '')
    .limit(MOST_GATHERED + 1);
  const asked = [ofReference, ...ofAmounts, ...(last4 === null ? [] : [ofCards])];
  const ids = together(await Promise.all(asked.map(async (each) => await each.execute())));
  if (ids) return { condition: isAmong(engine, 'id', ids), isLittle: true };

  const conditions = [
    beginsWithUnindexed(engine, sql.ref('transaction_id'), text),
    ...amounts.map(
      ({ minor, currencies }) =>
        sql<boolean>`(${unindexed('amount_minor')} = ${minor} and currency in (${sql.join(currencies)}))`,
    ),
    ...(last4 === null
      ? []
      : [
          sql<boolean>`exists (select 1 from card_attempts as attempt where attempt.merchant_id = ${merchantId}
            and attempt.fiat_transaction_id = fiat_transactions.id and attempt.last4 || '' = ${last4})`,
        ]),
  ];
  return { condition: sql<boolean>`(${sql.join(conditions, sql` or `)})`, isLittle: false };
}

/** What a number means in each of the currencies that can express it: 12.5 is 1250 cents, and no dong. */
function amountsMeant(text: string): Meant[] {
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined) return [];
  const decimals = fraction.replace(/0+$/, '');
  const byUnits = new Map<number, CurrencyCode[]>();
  for (const code of currencyCodes) byUnits.set(minorUnitsOf(code), [...(byUnits.get(minorUnitsOf(code)) ?? []), code]);
  return [...byUnits].flatMap(([units, currencies]) => {
    const minor = BigInt(whole + decimals.padEnd(units, '0'));
    return decimals.length > units || minor > MAX_MINOR ? [] : [{ minor: Number(minor), currencies }];
  });
}
