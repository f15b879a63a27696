import { digits, generated, integer, record, type RecordOf, type TableOf, text } from '../database/record.ts';
import { tablesOf } from '../database/tables-of.ts';
import type { DepositAccount } from '../ledger/accounts.ts';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';

/** A deposit observed at one of our addresses: for an invoice, for a payment link, or without either. */
export const depositRecord = record({
  id: generated(),
  merchant_id: integer(),
  wallet_id: integer(),
  crypto_transaction_id: integer().as('transactionId'),
  chain: text<ChainName>(),
  code: text<CryptoCurrencyCode>(),
  payment_key: text(),
  tx_hash: text(),
  amount: digits(),
  state: text<'waiting' | 'mined' | 'gone'>(),
  /** Result of the merchant's rules or of a review. */
  decision: text<'accepted' | 'undecided' | 'rejected'>(),
  height: integer().nullable(),
  block_hash: text().nullable(),
  /** Height at which it has its required confirmations; null if it is not in a block. */
  counts_at: integer().nullable(),
  /** Height from which newly mined coins can be spent. */
  spendable_from: integer().nullable(),
  /** The withdrawal that spends it. A deposit of a failed withdrawal can be assigned to another one. */
  withdrawal_id: integer().nullable(),
  /** Time when it was found spent outside the service. It is then excluded from the wallet's balance. */
  written_off_at: integer().nullable(),
  /** Height of the last scanned block at that time. */
  written_off_height: integer().nullable(),
  /** Part of the amount that the operator has written off. The rest is still in the wallet. */
  written_off: digits(),
  /** The dropped deposit that this one replaces; null if none. */
  replaces_id: integer().nullable(),
  /** Liability account that its amount is posted to; null if it was dropped. */
  ledger_account: text<DepositAccount>().nullable(),
  seen_at: integer(),
  updated_at: integer(),
});
export interface Deposit extends RecordOf<typeof depositRecord> {}
export type DepositTable = TableOf<typeof depositRecord>;

/** A wallet whose balance is compared with its known movements, and its last checkpoint. */
interface WatchedBalanceTable {
  wallet_id: number;
  chain: string;
  height: number;
  /** Balance at that block, as digits; null until it is read. */
  balance: string | null;
  /** Number of transactions that the wallet has sent up to that block; null until it is read. */
  sent: number | null;
  /** Lane of the scan: 1 for a long-lived wallet (without expiry), 2 after the last invoice ended, otherwise 0. */
  is_patient: number;
  /** Height since which the wallet has no open invoice; null while it has one. */
  idle_since: number | null;
}

export interface DepositTables {
  deposits: DepositTable;
  watched_balances: WatchedBalanceTable;
}

export const { db } = tablesOf<DepositTables>();
