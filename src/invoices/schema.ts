import type { CryptoTransaction as ApiTransaction } from '../api/crypto-transaction.ts';
import type { Metadata } from '../api/metadata.ts';
import { metadataIndex, type MetadataTable } from '../database/metadata-index.ts';
import {
  amount,
  digits,
  flag,
  generated,
  integer,
  json,
  record,
  type RecordOf,
  type TableOf,
  text,
} from '../database/record.ts';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { CryptoLabel, CryptoStatus, InvoiceType } from '../shared/crypto-status.ts';
import type { EvaluatedTransaction } from './evaluate.ts';
import type { CurrencyCode } from '../api/currency.ts';
import type { IssuedInstructions } from '../acquirers/push-port.ts';
import { tablesOf } from '../database/tables-of.ts';

/** An invoice, or a deposit without one. Amounts are in the smallest unit of the currency. */
export const cryptoTransactionRecord = record({
  id: generated(),
  merchant_id: integer(),
  /** ID in the API and in URLs. */
  public_id: text(),
  /** The merchant's reference; null for deposits without an invoice and for payments of payment links. */
  tx_id: text().nullable(),
  /** `transaction_id` of the fiat transaction that it pays; null if it pays none. */
  pays_for: text().nullable(),
  /** `unidentified`: a deposit without an invoice; `stray`: an unattributed deposit, received after retirement. */
  kind: text<'invoice' | 'unidentified' | 'stray'>(),
  type: text<InvoiceType>(),
  chain: text<ChainName>(),
  code: text<CryptoCurrencyCode>(),
  wallet_id: integer(),
  /** The invoice that an unidentified deposit may be intended for. */
  meant_for_id: integer().nullable().as('intendedForId'),
  status: text<CryptoStatus>(),
  labels: json((stored) => stored as readonly CryptoLabel[]),
  /** Labels set on arrival of the deposit, which cannot be derived from amounts. */
  given_labels: json((stored) => stored as readonly CryptoLabel[]),
  /** Requested amount; for a user's wallet it is only informative. */
  amount_required: digits().nullable(),
  tolerance: digits(),
  amount: digits(),
  amount_credited: digits(),
  /** Decimal string. */
  processing_fee_percent: text(),
  min_confirmations: integer(),
  rejection: text<NonNullable<EvaluatedTransaction['rejection']>>().nullable(),
  refund_address: text().nullable(),
  decided_by: text().nullable(),
  decided_at: integer().nullable(),
  decision_reason: text().nullable(),
  /** Decision of the last review; null without one. Earlier versions stored it only in `rejection`. */
  is_approved: flag().nullable(),
  /** Exchange rate at creation. */
  exchange_rate: json((stored) => stored as NonNullable<ApiTransaction['exchangeRate']>).nullable(),
  comment: text().nullable(),
  /** Purpose of the payment, as shown to the payer. */
  description: text().nullable(),
  /** URL that the payer returns to. */
  return_url: text().nullable(),
  metadata: json((stored) => stored as Metadata).nullable(),
  /** The language in which the invoice page opens, in BCP 47; null for the browser's. */
  locale: text().nullable(),
  /**
   * The canceled withdrawal that returned these funds. They are not from a payer, so they are not listed and have no
   * events.
   */
  returned_by: integer().nullable(),
  /** Sequence number of the last event; 1 is the creation. */
  sequence: integer(),
  created_at: integer(),
  updated_at: integer(),
  expires_at: integer().nullable(),
});
export interface CryptoTransaction extends RecordOf<typeof cryptoTransactionRecord> {}
export type CryptoTransactionTable = TableOf<typeof cryptoTransactionRecord>;

/** A crypto payment of a payment link. */
export const linkPaymentRecord = record({
  id: generated(),
  instructions_key: text(),
  /** The crypto transaction that receives its deposits; null if it was canceled before it was issued. */
  crypto_transaction_id: integer().nullable().as('transactionId'),
  state: text<'open' | 'closed'>(),
  currency: text<CurrencyCode>(),
  amount_minor: amount(),
  /** URL that the payer returns to. */
  return_url: text().nullable(),
  issued: json((stored) => stored as IssuedInstructions).nullable(),
  created_at: integer(),
  /** Time when the link is due to apply changed deposits; null if it is up to date. */
  due_at: integer().nullable(),
});
export interface LinkPayment extends RecordOf<typeof linkPaymentRecord> {}
type LinkPaymentTable = TableOf<typeof linkPaymentRecord>;

/**
 * Value of a late deposit to a payment link, in the link's currency, at the rate when it was first seen. Stored in its
 * own table: it is written under the lock of the link, which must not wait for the lock of the deposit.
 */
interface LateDepositValueTable {
  deposit_id: number;
  amount_minor: number;
}

/** A rate lock: the price of one whole coin that a buyer of a link sees until `locked_until`. */
interface RateLockTable {
  merchant_id: number;
  /** The merchant's reference of the fiat transaction. */
  transaction_id: string;
  /** The buyer's network. */
  viewer: string;
  code: string;
  /** A decimal, in the currency of the transaction. */
  rate: string;
  source: string;
  at: number;
  locked_until: number;
}

export interface InvoiceTables {
  crypto_transactions: CryptoTransactionTable;
  crypto_transaction_metadata: MetadataTable;
  coin_payments: LinkPaymentTable;
  late_deposit_values: LateDepositValueTable;
  rate_locks: RateLockTable;
}

export const { db, statement, combinedStatement } = tablesOf<InvoiceTables>();

export const transactionMetadata = metadataIndex('crypto_transaction_metadata', 'crypto_transactions');
