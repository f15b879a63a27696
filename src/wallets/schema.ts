import type { Generated } from 'kysely';
import { digits, generated, integer, record, type RecordOf, type TableOf, text } from '../database/record.ts';
import { tablesOf } from '../database/tables-of.ts';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { InvoiceType } from '../shared/crypto-status.ts';
import type { Instant } from '../shared/time.ts';

/** An account, named by the digest of its extended public key, and its next address index. */
interface WalletAccountTable {
  id: Generated<number>;
  name: string;
  chain: string;
  next_index: number;
  /** Suspected loss of the last writes: its time, its reason, and the last scanned block at that time. Null: never. */
  lost_writes_since: Instant | null;
  lost_writes_reason: string | null;
  lost_writes_height: number | null;
  /** Time when issuing was resumed; null while it is suspended. */
  settled_at: Instant | null;
  /** 1 if the account has marks outside the database. */
  has_mark: Generated<number>;
  /** PostgreSQL cluster and timeline. */
  database_timeline: string | null;
  /** Every lower index has a wallet or a row in `unissued_addresses`. */
  watched_to: Generated<number>;
}

/** An address that was not issued: derived ahead, or skipped. A deposit to it is evidence of lost writes. */
interface UnissuedAddressTable {
  wallet_account_id: number;
  derivation_index: number;
  chain: string;
  address: string;
}

/** A deposit to an address that this database has not issued. */
interface UnissuedDepositTable {
  id: Generated<number>;
  wallet_account_id: number;
  derivation_index: number;
  chain: string;
  code: string;
  address: string;
  payment_key: string;
  tx_hash: string;
  amount: string;
  /** Null until it is in a block. */
  height: number | null;
  seen_at: Instant;
}

/** An address that was issued to payers. */
export const walletRecord = record({
  id: generated(),
  merchant_id: integer(),
  chain: text<ChainName>(),
  code: text<CryptoCurrencyCode>(),
  type: text<InvoiceType>(),
  wallet_account_id: integer().as('accountId'),
  derivation_index: integer(),
  address: text(),
  /** `rotated`: existing invoices can still be paid, no new one is assigned; `retired`: no deposit is credited. */
  state: text<'serving' | 'resting' | 'rotated' | 'retired'>(),
  /** Earliest time and block at which a free wallet can be assigned again. */
  rests_until: integer().nullable(),
  rests_until_height: integer().nullable(),
  /** Deposits in blocks, in the wallet's currency, less withdrawals. */
  balance: digits(),
  created_at: integer(),
  updated_at: integer(),
  retired_at: integer().nullable(),
});
export interface Wallet extends RecordOf<typeof walletRecord> {}
export type WalletTable = TableOf<typeof walletRecord>;

export interface WalletTables {
  wallet_accounts: WalletAccountTable;
  unissued_addresses: UnissuedAddressTable;
  unissued_deposits: UnissuedDepositTable;
  wallets: WalletTable;
}

export const { db } = tablesOf<WalletTables>();
