import { lists } from '../wallets/crypto-tables.ts';
import type { Runner } from '../database/engine.ts';
import { type Brand, findBrandFor } from '../merchants/merchants.ts';
import { isRandomId } from '../system/random.ts';
import {
  type CryptoTransaction,
  paymentColumns,
  type SeenPayment,
  toSeenPayment,
  toTransaction,
  toWallet,
  transactionColumns,
  type Wallet,
  walletColumns,
} from './transaction.ts';

/** All that the page of an invoice is described from. */
export interface PageReading {
  transaction: CryptoTransaction;
  wallet: Wallet;
  payments: readonly SeenPayment[];
  /** Height of the last block that was read. */
  tipHeight: number;
  merchant: Brand;
  /** Whether the merchant does not take payers from where this one seems to be. */
  isRestricted: boolean;
}

const belongingsOf = lists((query, { publicId }: { publicId: string }) => {
  const own = query.selectFrom('crypto_transactions').where('public_id', '=', publicId);
  return {
    transactions: own.select(transactionColumns),
    wallets: query.selectFrom('wallets').select(walletColumns).where('id', '=', own.select('wallet_id')),
    payments: query
      .selectFrom('chain_payments')
      .select(paymentColumns)
      .where('crypto_transaction_id', '=', own.select('id'))
      .orderBy('id'),
    cursors: query.selectFrom('chain_cursors').select('height').where('chain', '=', own.select('chain')),
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
  const [transaction] = transactions.map(toTransaction);
  if (!transaction) return null;
  const [wallet] = wallets.map(toWallet);
  if (!wallet) throw new Error('A transaction has no wallet');
  const { brand, isRestricted } = await findBrandFor(database, transaction.merchantId, payerCountry);
  return {
    transaction,
    wallet,
    payments: payments.map(toSeenPayment),
    tipHeight: cursors[0]?.height ?? 0,
    merchant: brand,
    isRestricted,
  };
}
