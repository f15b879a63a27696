import { digits, generated, integer, record, type RecordOf, type TableOf, text } from '../database/record.ts';
import { tablesOf } from '../database/tables-of.ts';
import type { DepositAccount } from '../ledger/accounts.ts';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';

/** Money that was seen on a chain at an address of ours, whether it pays an invoice, a payment link or nothing. */
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
  /** Whether it counts: by the rules, or because somebody has said so. */
  decision: text<'accepted' | 'undecided' | 'rejected'>(),
  height: integer().nullable(),
  block_hash: text().nullable(),
  /** The height at which it is deep enough; null where it is in no block, or nobody waits for that. */
  counts_at: integer().nullable(),
  /** Of coins that were just made: the height from which on they may be spent. */
  spendable_from: integer().nullable(),
  /** By what it is spent, or is to be; of one that failed it is nobody's again once somebody asks for it. */
  withdrawal_id: integer().nullable(),
  /** When it was found spent outside the service; it is no part of its wallet's balance from then on. */
  written_off_at: integer().nullable(),
  /** The height of the last block that was read then. */
  written_off_height: integer().nullable(),
  /** The part of its amount that the operator has written off. The rest is still at the wallet. */
  written_off: digits(),
  /** The deposit that vanished and whose place this one takes; null where it replaces none. */
  replaces_id: integer().nullable(),
  /** The liability account that its amount is posted to; null for a dropped deposit. */
  ledger_account: text<DepositAccount>().nullable(),
  seen_at: integer(),
  updated_at: integer(),
});
export interface Deposit extends RecordOf<typeof depositRecord> {}
export type DepositTable = TableOf<typeof depositRecord>;

/** A wallet whose balance is compared with what is known to have come and gone, from a block on. */
interface WatchedBalanceTable {
  wallet_id: number;
  chain: string;
  height: number;
  /** What it held in that block, in digits, and how many transactions it had sent; null until that is asked. */
  balance: string | null;
  sent: number | null;
  /** Whether payers use it for as long as they like: then it may wait for its turn. */
  is_patient: number;
  /** The height from which on no invoice waits for money there; null while one does. */
  idle_since: number | null;
}

export interface DepositTables {
  deposits: DepositTable;
  watched_balances: WatchedBalanceTable;
}

export const { db } = tablesOf<DepositTables>();
