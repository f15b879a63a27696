import { db, transactionMetadata } from './schema.ts';
import { sql } from 'kysely';
import { hasDepositWithHash, selectTransactionIdsByHash } from '../deposits/deposit.ts';
import { storedForms } from '../wallets/addresses.ts';
import type { ConnectedChains } from '../wallets/connected-chains.ts';
import { selectWallets } from '../wallets/wallet.ts';
import { chainNames } from '../shared/crypto-currency.ts';
import type { Database } from '../database/database.ts';
import {
  beginsWith,
  beginsWithUnindexed,
  matchesAny,
  MAX_SEARCH_ROWS,
  type SearchFilter,
  unindexed,
} from '../database/search.ts';

/**
 * Finds a merchant's crypto transactions by text: a prefix of the reference, the wallet's address, the hash of a
 * deposit's transaction, or a value of the metadata.
 */
export async function searchTransactions(
  database: Pick<Database, 'engine' | 'query'>,
  chains: ConnectedChains,
  merchantId: number,
  text: string,
): Promise<SearchFilter> {
  const { engine } = database;
  const tables = db(database);
  const wallets = await selectWallets(database)
    .where('chain', 'in', chainNames)
    .where('address', 'in', storedForms(chains, text))
    .where(unindexed('merchant_id'), '=', merchantId)
    .execute();
  const transactions = tables
    .selectFrom('crypto_transactions')
    .select('id')
    .limit(MAX_SEARCH_ROWS + 1);
  const searches = [
    transactions
      .where('merchant_id', '=', merchantId)
      .where(beginsWith(engine, sql.ref('tx_id'), text))
      .execute()
      .then((rows) => ({ rows, scan: beginsWithUnindexed(engine, sql.ref('tx_id'), text) })),
    ...wallets.map(async ({ id }) => ({
      rows: await transactions.where('wallet_id', '=', id).orderBy('id', 'desc').execute(),
      scan: sql<boolean>`${unindexed('wallet_id')} = ${id}`,
    })),
    selectTransactionIdsByHash(database, merchantId, text)
      .limit(MAX_SEARCH_ROWS + 1)
      .execute()
      .then((rows) => ({ rows, scan: hasDepositWithHash(database, sql.ref('crypto_transactions.id'), text) })),
    transactionMetadata
      .idsByValue(merchantId, text)
      .execute(database.query)
      .then(({ rows }) => ({ rows, scan: transactionMetadata.hasValue(merchantId, text) })),
  ];
  return matchesAny(engine, await Promise.all(searches));
}
