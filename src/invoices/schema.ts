import type { Generated } from 'kysely';
import { tablesOf } from '../database/tables-of.ts';
import type { Instant } from '../shared/time.ts';

/** Amounts are digits of the smallest unit. */
export interface CryptoTransactionTable {
  id: Generated<number>;
  merchant_id: number;
  /** What outsiders know it by. */
  public_id: string;
  /** The merchant's own reference; null for money that belongs to no invoice. */
  tx_id: string | null;
  /** `transaction_id` of the fiat payment that it pays. */
  pays_for: string | null;
  kind: 'invoice' | 'unidentified' | 'stray';
  type: 'static' | 'revolver' | 'user';
  chain: string;
  code: string;
  wallet_id: number;
  /** Of unidentified money: the invoice that it may have been meant for. */
  meant_for_id: number | null;
  status: string;
  /** JSON, a list of words. */
  labels: string;
  /** JSON: those that were given when the money came, and that no sum tells. */
  given_labels: string;
  amount_required: string | null;
  tolerance: string;
  amount: string;
  amount_credited: string;
  processing_fee_percent: string;
  min_confirmations: number;
  rejection: string | null;
  refund_address: string | null;
  decided_by: string | null;
  decided_at: Instant | null;
  decision_reason: string | null;
  /** JSON: the rate when it was made. */
  exchange_rate: string | null;
  comment: string | null;
  /** Money that no payer sent: the cancelled withdrawal that has returned it to the wallet. */
  returned_by: number | null;
  /** Number of the last event; the first is the creation. */
  sequence: number;
  created_at: Instant;
  updated_at: Instant;
  expires_at: Instant | null;
}

/** A payment of a payment link in coins. */
export interface CoinPaymentTable {
  id: Generated<number>;
  instructions_key: string;
  /** Null where it was taken back before it was issued. */
  crypto_transaction_id: number | null;
  state: 'open' | 'closed';
  currency: string;
  amount_minor: number;
  /** The page that the payer comes back to. */
  return_url: string | null;
  /** JSON of `IssuedInstructions`. */
  issued: string | null;
  created_at: number;
  /** From when on the link is due to take up a change of its deposits; null where it has. */
  due_at: Instant | null;
}

/** What an arrival of coins is worth in the link's currency, as it was reckoned when it was first seen. */
interface CoinReceiptTable {
  chain_payment_id: number;
  coin_payment_id: number;
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
  coin_receipts: CoinReceiptTable;
  held_rates: HeldRateTable;
}

export const { db, statement, lists } = tablesOf<InvoiceTables>();
