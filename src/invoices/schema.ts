import type { CryptoTransaction as WireTransaction } from '../api/crypto-transaction.ts';
import {
  amount,
  digits,
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
  /** The ID in the API and in links. */
  public_id: text(),
  /** The merchant's own reference; null for unattributed deposits, and for what pays a payment link. */
  tx_id: text().nullable(),
  /** `transaction_id` of the fiat payment that it pays; null where it stands for itself. */
  pays_for: text().nullable(),
  /** `unidentified` deposits belong to no invoice, `stray` ones came to a retired wallet. */
  kind: text<'invoice' | 'unidentified' | 'stray'>(),
  type: text<InvoiceType>(),
  chain: text<ChainName>(),
  code: text<CryptoCurrencyCode>(),
  wallet_id: integer(),
  /** Of an unidentified deposit: the invoice that it may have been meant for. */
  meant_for_id: integer().nullable(),
  status: text<CryptoStatus>(),
  labels: json((stored) => stored as readonly CryptoLabel[]),
  /** Labels that were given when a deposit came, and that no sum shows. */
  given_labels: json((stored) => stored as readonly CryptoLabel[]),
  /** The requested amount; for a user's wallet only the merchant's expectation. */
  amount_required: digits().nullable(),
  tolerance: digits(),
  amount: digits(),
  amount_credited: digits(),
  /** A decimal. */
  processing_fee_percent: text(),
  min_confirmations: integer(),
  rejection: text<NonNullable<EvaluatedTransaction['rejection']>>().nullable(),
  refund_address: text().nullable(),
  decided_by: text().nullable(),
  decided_at: integer().nullable(),
  decision_reason: text().nullable(),
  /** The rate at its creation. */
  exchange_rate: json((stored) => stored as NonNullable<WireTransaction['exchangeRate']>).nullable(),
  comment: text().nullable(),
  /** The cancelled withdrawal that returned this money. No payer sent it: it is not listed and has no events. */
  returned_by: integer().nullable(),
  /** Number of the last event; the first is the creation. */
  sequence: integer(),
  created_at: integer(),
  updated_at: integer(),
  expires_at: integer().nullable(),
});
export interface CryptoTransaction extends RecordOf<typeof cryptoTransactionRecord> {}
export type CryptoTransactionTable = TableOf<typeof cryptoTransactionRecord>;

/** A payment of a payment link in coins. */
export const coinPaymentRecord = record({
  id: generated(),
  instructions_key: text(),
  /** The crypto transaction that its money comes to; null where it was taken back before it was issued. */
  crypto_transaction_id: integer().nullable().as('transactionId'),
  state: text<'open' | 'closed'>(),
  currency: text<CurrencyCode>(),
  amount_minor: amount(),
  /** The page that the payer comes back to. */
  return_url: text().nullable(),
  issued: json((stored) => stored as IssuedInstructions).nullable(),
  created_at: integer(),
  /** From when on the link is due to take up a change of its deposits; null where it has. */
  due_at: integer().nullable(),
});
export interface CoinPayment extends RecordOf<typeof coinPaymentRecord> {}
type CoinPaymentTable = TableOf<typeof coinPaymentRecord>;

/**
 * The value of a late deposit to a payment link in the link's currency, at the rate when it was first seen. A row of its
 * own: whoever values it holds the lock of the link, and must not wait for the deposit's.
 */
interface LateDepositValueTable {
  deposit_id: number;
  amount_minor: number;
}

/** What one whole coin is, the same for all who ask until it is held no more. */
interface HeldRateTable {
  code: string;
  currency: string;
  /** A decimal. */
  rate: string;
  source: string;
  at: number;
  held_until: number;
}

export interface InvoiceTables {
  crypto_transactions: CryptoTransactionTable;
  coin_payments: CoinPaymentTable;
  late_deposit_values: LateDepositValueTable;
  held_rates: HeldRateTable;
}

export const { db, statement, combinedStatement } = tablesOf<InvoiceTables>();
