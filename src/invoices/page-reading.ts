import { sql } from 'kysely';
import { type CryptoTransaction, combinedStatement, cryptoTransactionRecord } from './schema.ts';
import type { Runner } from '../database/engine.ts';
import { type Brand, findBrandAndRestriction } from '../merchants/merchants.ts';
import { isRandomId } from '../system/random.ts';
import { heightOf } from '../chains/cursor.ts';
import { selectDepositsOf } from '../deposits/deposit.ts';
import { type Deposit, depositRecord } from '../deposits/schema.ts';
import { selectWallets } from '../wallets/wallet.ts';
import { type Wallet, walletRecord } from '../wallets/schema.ts';

/** All that the page of an invoice is described from. */
export interface PageReading {
  transaction: CryptoTransaction;
  wallet: Wallet;
  payments: readonly Deposit[];
  /** Height of the last block that was read. */
  tipHeight: number;
  merchant: Brand;
  /** Whether the merchant does not take payers from where this one seems to be. */
  isRestricted: boolean;
}

const belongingsOf = combinedStatement((query, { publicId }: { publicId: string }, on) => {
  const own = query.selectFrom('crypto_transactions').where('public_id', '=', publicId);
  return {
    transactions: own.select(cryptoTransactionRecord.columns),
    wallets: selectWallets(on).where('id', '=', sql<number>`${own.select('wallet_id')}`),
    payments: selectDepositsOf(on, sql<number>`${own.select('id')}`),
    cursors: heightOf(on, sql<string>`${own.select('chain')}`),
  };
});

/** Reads what a page shows to a payer who seems to be in `payerCountry`; null where there is no such page. */
export async function readPage(
  database: Runner,
  publicId: string,
  payerCountry: string | null,
): Promise<PageReading | null> {
  if (!isRandomId(publicId)) return null;
  const { transactions, wallets, payments, cursors } = await belongingsOf(database, { publicId });
  const [transaction] = transactions.map(cryptoTransactionRecord.read);
  if (!transaction) return null;
  const [wallet] = wallets.map(walletRecord.read);
  if (!wallet) throw new Error('A transaction has no wallet');
  const { brand, isRestricted } = await findBrandAndRestriction(database, transaction.merchantId, payerCountry);
  return {
    transaction,
    wallet,
    payments: payments.map(depositRecord.read),
    tipHeight: cursors[0]?.height ?? 0,
    merchant: brand,
    isRestricted,
  };
}
