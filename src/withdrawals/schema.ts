import type { Generated } from 'kysely';
import type { WaitReason, WithdrawalPurpose, WithdrawalStatus } from '../api/withdrawal.ts';
import { digits, flag, generated, integer, json, record, type TableOf, text } from '../database/record.ts';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { tablesOf } from '../database/tables-of.ts';
import type { Instant } from '../shared/time.ts';

/**
 * Reason why a withdrawal is waiting. Rates are in the smallest unit: satoshi per virtual byte, wei per unit of gas.
 */
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
  /** ID in the API. */
  public_id: text(),
  chain: text<ChainName>(),
  code: text<CryptoCurrencyCode>(),
  purpose: text<WithdrawalPurpose>(),
  /** Required state of its deposits until it is sent; null for gas funding by the operator. */
  source: text<'credited' | 'refunding' | 'stray' | 'rejected'>().nullable(),
  status: text<WithdrawalStatus>(),
  waits_for: json((stored) => stored as WaitsFor).nullable(),
  failure: text().nullable(),
  destination: text(),
  /** The crypto transaction that it refunds. */
  crypto_transaction_id: integer().nullable().as('transactionId'),
  /** The withdrawal that this gas funding is for. */
  funds_id: integer().nullable(),
  requested_by: text().nullable(),
  /** On account-based chains: the sending address, and its path below the account (`/CHAIN/INDEX`). */
  sender: text().nullable(),
  sender_chain: integer().nullable(),
  sender_index: integer().nullable(),
  nonce: integer().nullable(),
  /** Amount debited from wallets. */
  spent: digits(),
  /** Net amount, maximum fee and fee rate of its last transaction; null before the first. */
  amount: digits().nullable(),
  fee: digits().nullable(),
  fee_rate: digits().nullable(),
  fee_limit: digits().nullable(),
  tx_hash: text().nullable(),
  /** Block of its mined transaction; null before. */
  height: integer().nullable(),
  block_hash: text().nullable(),
  /** The transaction was reverted in its block and moved nothing. */
  is_reverted: flag(),
  /** On account-based chains: the fee paid in its block, at most `fee`. */
  fee_paid: digits().nullable(),
  /** On account-based chains: the missing part of `spent` that was written off. */
  written_off: digits().nullable(),
  /** New destination: nothing is sent before this time. */
  held_until: integer().nullable(),
  /** Time when a manager requested cancellation of the signed transactions; null without a request. */
  cancel_requested_at: integer().nullable(),
  /** The mined transaction is the one that cancels it. */
  is_cancelled: flag(),
  /** Sequence number of the last event. */
  sequence: integer(),
  created_at: integer(),
  updated_at: integer(),
});
export type WithdrawalTable = TableOf<typeof withdrawalRecord>;

/** A transaction created for a withdrawal. At most one version of a withdrawal is ever mined. */
export const versionRecord = record({
  id: generated(),
  merchant_id: integer(),
  withdrawal_id: integer(),
  number: integer(),
  /** BIP 174 in base64, or EIP-2718 in hexadecimal. */
  unsigned: text(),
  /** Signed transaction, ready to send; null until it is signed. */
  raw: text().nullable(),
  /** Null if the hash depends on a missing signature. */
  tx_hash: text().nullable(),
  amount: digits(),
  fee: digits(),
  fee_rate: digits(),
  /** Priority fee per unit of gas, part of `fee_rate`; null on chains without one. */
  priority_rate: digits().nullable(),
  /** Height of the last block before it could first be sent. */
  since: integer(),
  /** Tip height when it was signed; the wait for its block starts there. */
  signed_height: integer().nullable(),
  sent_at: integer().nullable(),
  /** Reason of the node's last rejection. */
  refusal: text().nullable(),
  /** It cancels the withdrawal and returns the funds. */
  cancels: flag(),
  created_at: integer(),
});
export type WithdrawalVersionTable = TableOf<typeof versionRecord>;

/** Destinations of a merchant's automatic withdrawals. The newest effective row applies. */
interface WithdrawalDestinationTable {
  id: Generated<number>;
  merchant_id: number;
  chain: string;
  code: string;
  /** Null: no automatic withdrawals. */
  address: string | null;
  previous_address: string | null;
  requested_by: string;
  effective_at: Instant;
  created_at: Instant;
}

/** A secret sealed with a key from outside the database. */
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
