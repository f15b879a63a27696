import type { Generated } from 'kysely';
import { digits, generated, integer, record, type RecordOf, type TableOf, text } from '../database/record.ts';
import { tablesOf } from '../database/tables-of.ts';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { InvoiceType } from '../shared/crypto-status.ts';
import type { Instant } from '../shared/time.ts';

/** An account's extended public key, by its digest, and how many addresses of it have been given out. */
interface WalletAccountTable {
  id: Generated<number>;
  name: string;
  chain: string;
  next_index: number;
  /** Suspected loss of the last writes: from when on, why, and the last block read then. Null: never suspected. */
  lost_writes_since: Instant | null;
  lost_writes_reason: string | null;
  lost_writes_height: number | null;
  /** When that was settled; no address is issued while it is not. */
  settled_at: Instant | null;
  /** Whether marks outside the database are kept. */
  has_mark: Generated<number>;
  /** Of PostgreSQL: the cluster and its timeline. */
  database_timeline: string | null;
  /** Each index below has a wallet, or a row in `unissued_addresses`. */
  watched_to: Generated<number>;
}

/** An address that was not issued: ahead of the next index, or skipped. A deposit to it is a sign of lost writes. */
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

/** An address of ours that was given out to payers. */
export const walletRecord = record({
  id: generated(),
  merchant_id: integer(),
  chain: text<ChainName>(),
  code: text<CryptoCurrencyCode>(),
  type: text<InvoiceType>(),
  wallet_account_id: integer().as('accountId'),
  derivation_index: integer(),
  address: text(),
  /** `rotated`: no new invoice gets it, those that have it are still paid; `retired`: nothing that comes to it is credited. */
  state: text<'serving' | 'resting' | 'rotated' | 'retired'>(),
  /** Of one that rests: when it may serve again, and from which block on. */
  rests_until: integer().nullable(),
  rests_until_height: integer().nullable(),
  /** What blocks brought of its currency and nobody has withdrawn. */
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
