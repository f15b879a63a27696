import { sql } from 'kysely';
import { type CryptoTransaction, combinedStatement, cryptoTransactionRecord } from './schema.ts';
import type { Runner } from '../database/engine.ts';
import type { PageMerchant } from '../api/page-state.ts';
import { findBrandAndRestriction } from '../merchants/merchants.ts';
import { isPublicId } from '../system/random.ts';
import type { Instant } from '../shared/time.ts';
import { lastEventQuery } from '../webhooks/record-event.ts';
import { selectHeight } from '../chains/cursor.ts';
import { selectTransactionDeposits } from '../deposits/deposit.ts';
import { type Deposit, depositRecord } from '../deposits/schema.ts';
import { selectWallets } from '../wallets/wallet.ts';
import { type Wallet, walletRecord } from '../wallets/schema.ts';

/** Records from which an invoice page is built. */
export interface InvoicePageRecords {
  transaction: CryptoTransaction;
  wallet: Wallet;
  deposits: readonly Deposit[];
  /** Time of the last payment: the last event with the status `complete`; null before. */
  paidAt: Instant | null;
  /** Height of the last scanned block. */
  tipHeight: number;
  merchant: PageMerchant;
  /** True if the merchant's geo restriction excludes the payer's country. */
  isRestricted: boolean;
}

const queryPage = combinedStatement((query, { publicId }: { publicId: string }, reader) => {
  const transaction = query.selectFrom('crypto_transactions').where('public_id', '=', publicId);
  return {
    transactions: transaction.select(cryptoTransactionRecord.columns),
    wallets: selectWallets(reader).where('id', '=', sql<number>`${transaction.select('wallet_id')}`),
    payments: selectTransactionDeposits(reader, sql<number>`${transaction.select('id')}`),
    paid: lastEventQuery(reader, {
      merchantId: sql<number>`${transaction.select('merchant_id')}`,
      kind: 'crypto_transaction',
      id: sql<number>`${transaction.select('id')}`,
      status: 'complete',
    }),
    cursors: selectHeight(reader, sql<string>`${transaction.select('chain')}`),
  };
});

/** Reads the records of an invoice page for a payer in `payerCountry`; null if the invoice does not exist. */
export async function readPageRecords(
  database: Runner,
  publicId: string,
  payerCountry: string | null,
): Promise<InvoicePageRecords | null> {
  if (!isPublicId(publicId)) return null;
  const { transactions, wallets, payments, paid, cursors } = await queryPage(database, { publicId });
  const [transaction] = transactions.map(cryptoTransactionRecord.read);
  if (!transaction) return null;
  const [wallet] = wallets.map(walletRecord.read);
  if (!wallet) throw new Error(`Crypto transaction ${publicId} has no wallet.`);
  const { brand, isRestricted } = await findBrandAndRestriction(database, transaction.merchantId, payerCountry);
  return {
    transaction,
    wallet,
    deposits: payments.map(depositRecord.read),
    paidAt: paid[0]?.at ?? null,
    tipHeight: cursors[0]?.height ?? 0,
    merchant: brand,
    isRestricted,
  };
}
