import { db } from '../wallets/crypto-tables.ts';
import { sql } from 'kysely';
import { chainNames } from '../shared/crypto-currency.ts';
import type { Database } from '../database/database.ts';
import {
  beginsWith,
  beginsWithUnindexed,
  type Found,
  isAmong,
  MOST_GATHERED,
  together,
  unindexed,
} from '../database/search.ts';

/**
 * Which of a merchant's crypto transactions somebody means by a text: those whose reference begins with it, those
 * of the wallet with this address, and those that a transaction with this hash has paid for.
 */
export async function findMeant(
  database: Pick<Database, 'engine' | 'query'>,
  merchantId: number,
  text: string,
): Promise<Found> {
  const { engine } = database;
  const tables = db(database);
  const wallets = await tables
    .selectFrom('wallets')
    .select('id')
    .where('chain', 'in', chainNames)
    .where('address', '=', text)
    .where(unindexed('merchant_id'), '=', merchantId)
    .execute();
  const walletIds = wallets.map(({ id }) => id);
  const ofReference = tables
    .selectFrom('crypto_transactions')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where(beginsWith(engine, sql.ref('tx_id'), text))
    .limit(MOST_GATHERED + 1);
  const ofWallets = walletIds.map((walletId) =>
    tables
      .selectFrom('crypto_transactions')
      .select('id')
      .where('wallet_id', '=', walletId)
      .orderBy('id', 'desc')
      .limit(MOST_GATHERED + 1),
  );
  const ofHash = tables
    .selectFrom('chain_payments')
    .select('crypto_transaction_id as id')
    .where('merchant_id', '=', merchantId)
    .where('tx_hash', '=', text)
    .limit(MOST_GATHERED + 1);
  const asked = [ofReference, ...ofWallets, ofHash];
  const ids = together(await Promise.all(asked.map(async (each) => await each.execute())));
  if (ids) return { condition: isAmong(engine, 'id', ids), isLittle: true };

  const conditions = [
    beginsWithUnindexed(engine, sql.ref('tx_id'), text),
    ...walletIds.map((walletId) => sql<boolean>`${unindexed('wallet_id')} = ${walletId}`),
    sql<boolean>`exists (select 1 from chain_payments as payment
      where payment.crypto_transaction_id = crypto_transactions.id and payment.tx_hash || '' = ${text})`,
  ];
  return { condition: sql<boolean>`(${sql.join(conditions, sql` or `)})`, isLittle: false };
}
