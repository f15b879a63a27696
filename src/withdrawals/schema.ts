import type { Generated } from 'kysely';
import type { WaitReason, WithdrawalPurpose, WithdrawalStatus } from '../api/withdrawal.ts';
import { digits, flag, generated, integer, json, record, type TableOf, text } from '../database/record.ts';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { tablesOf } from '../database/tables-of.ts';
import type { Instant } from '../shared/time.ts';

/** What a withdrawal waits for; rates are in the smallest unit: satoshi per virtual byte, wei per unit of gas. */
export interface WaitsFor {
  reason: WaitReason;
  detail: string;
  feeNow: string | null;
  limit: string | null;
}

/** A withdrawal. Amounts are in the smallest unit of the currency. */
export const withdrawalRecord = record({
  id: generated(),
  merchant_id: integer(),
  /** The ID in the API. */
  public_id: text(),
  chain: text<ChainName>(),
  code: text<CryptoCurrencyCode>(),
  purpose: text<WithdrawalPurpose>(),
  /** What its deposits must be until it is sent; null for gas, which the operator funds. */
  source: text<'credited' | 'refunding' | 'stray' | 'rejected'>().nullable(),
  status: text<WithdrawalStatus>(),
  waits_for: json((stored) => stored as WaitsFor).nullable(),
  failure: text().nullable(),
  destination: text(),
  /** The transaction that a refund returns. */
  crypto_transaction_id: integer().nullable().as('transactionId'),
  /** Of gas: the withdrawal that it is for. */
  funds_id: integer().nullable(),
  requested_by: text().nullable(),
  /** On chains with accounts: the sending address, and its path below the account (`/CHAIN/INDEX`). */
  sender: text().nullable(),
  sender_chain: integer().nullable(),
  sender_index: integer().nullable(),
  nonce: integer().nullable(),
  /** What it takes from wallets. */
  spent: digits(),
  /** The amount that arrives, the highest fee and its rate, by its last transaction; null before one. */
  amount: digits().nullable(),
  fee: digits().nullable(),
  fee_rate: digits().nullable(),
  fee_limit: digits().nullable(),
  tx_hash: text().nullable(),
  /** Its block; null without one. */
  height: integer().nullable(),
  block_hash: text().nullable(),
  /** It failed in its block, and moved nothing. */
  is_reverted: flag(),
  /** On chains with accounts: the fee paid in its block, at most `fee`. */
  fee_paid: digits().nullable(),
  /** On chains with accounts: the part of `spent` that was no longer at the wallet. */
  written_off: digits().nullable(),
  /** It goes to a new address: nothing is sent before this time. */
  held_until: integer().nullable(),
  /** When a manager asked for a transaction that replaces those signed; null where none did. */
  cancel_requested_at: integer().nullable(),
  /** The transaction in its block is one that cancels it. */
  is_cancelled: flag(),
  /** Number of the last event. */
  sequence: integer(),
  created_at: integer(),
  updated_at: integer(),
});
export type WithdrawalTable = TableOf<typeof withdrawalRecord>;

/** A transaction created for a withdrawal; at most one of a withdrawal's is ever mined. */
export const versionRecord = record({
  id: generated(),
  merchant_id: integer(),
  withdrawal_id: integer(),
  number: integer(),
  /** BIP 174 in base64, or EIP-2718 in hexadecimal. */
  unsigned: text(),
  /** As it is sent; null until it is signed. */
  raw: text().nullable(),
  /** Null where only the signature determines it. */
  tx_hash: text().nullable(),
  amount: digits(),
  fee: digits(),
  fee_rate: digits(),
  /** Of `fee_rate`, the part that the block's producer gets; null where a chain has no such part. */
  priority_rate: digits().nullable(),
  /** Height of the last block before it could first be sent. */
  since: integer(),
  /** Height of the last block when it was signed: from there on it is awaited. */
  signed_height: integer().nullable(),
  sent_at: integer().nullable(),
  /** The node's last refusal. */
  refusal: text().nullable(),
  /** It returns the money instead of sending it. */
  cancels: flag(),
  created_at: integer(),
});
export type WithdrawalVersionTable = TableOf<typeof versionRecord>;

/** Where a merchant's money goes by itself: the newest that is effective holds. */
interface WithdrawalDestinationTable {
  id: Generated<number>;
  merchant_id: number;
  chain: string;
  code: string;
  /** null: nowhere. */
  address: string | null;
  previous_address: string | null;
  requested_by: string;
  effective_at: Instant;
  created_at: Instant;
}

/** What is sealed with a key that is not here. */
interface SealedSecretTable {
  name: string;
  value: string;
  updated_at: Instant;
}

export interface WithdrawalTables {
  withdrawals: WithdrawalTable;
  withdrawal_versions: WithdrawalVersionTable;
  withdrawal_destinations: WithdrawalDestinationTable;
  sealed_secrets: SealedSecretTable;
}

export const { db, statement } = tablesOf<WithdrawalTables>();
