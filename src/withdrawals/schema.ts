import type { Generated } from 'kysely';
import { tablesOf } from '../database/tables-of.ts';
import type { Instant } from '../shared/time.ts';

/** Money that leaves wallets. Amounts are digits of the smallest unit. */
export interface WithdrawalTable {
  id: Generated<number>;
  merchant_id: number;
  /** What outsiders know it by. */
  public_id: string;
  chain: string;
  code: string;
  purpose: 'sweep' | 'refund' | 'manual' | 'gas';
  /** What its money must be until it is sent; null for gas, which is the operator's. */
  source: 'credited' | 'refunding' | 'stray' | 'rejected' | null;
  status: 'waiting' | 'to_sign' | 'sent' | 'confirmed' | 'failed';
  /** JSON. */
  waits_for: string | null;
  failure: string | null;
  destination: string;
  /** Whose money a refund gives back. */
  crypto_transaction_id: number | null;
  /** Of gas: the withdrawal that it is for. */
  funds_id: number | null;
  requested_by: string | null;
  /** On chains with accounts: whose transaction it is, and its place below the account (`/CHAIN/INDEX`). */
  sender: string | null;
  sender_chain: number | null;
  sender_index: number | null;
  nonce: number | null;
  /** What it takes from wallets. */
  spent: string;
  /** What arrives, what it costs at most and at which rate, by its last transaction; null where there is none yet. */
  amount: string | null;
  fee: string | null;
  fee_rate: string | null;
  fee_limit: string | null;
  tx_hash: string | null;
  /** The block that holds it; null while there is none. */
  height: number | null;
  block_hash: string | null;
  /** Whether it failed in its block, and moved nothing. */
  is_reverted: Generated<number>;
  /** On chains with accounts: the fee paid in its block, at most `fee`. */
  fee_paid: string | null;
  /** On chains with accounts: the part of `spent` that was no longer at the wallet. */
  written_off: string | null;
  /** It goes to a new address: nothing leaves before then. */
  held_until: Instant | null;
  /** When a manager asked for a transaction that takes the place of those signed; null where none did. */
  cancel_requested_at: Instant | null;
  /** Whether the transaction in its block is one that cancels it. */
  is_cancelled: Generated<number>;
  /** Number of the last event. */
  sequence: number;
  created_at: Instant;
  updated_at: Instant;
}

/** A transaction made for a withdrawal; of all that there are for one, one at most is ever mined. */
export interface WithdrawalVersionTable {
  id: Generated<number>;
  merchant_id: number;
  withdrawal_id: number;
  number: number;
  /** BIP 174 in base64, or EIP-2718 in hexadecimal. */
  unsigned: string;
  /** As it is sent; null until it is signed. */
  raw: string | null;
  /** null where only the signature tells it. */
  tx_hash: string | null;
  amount: string;
  fee: string;
  fee_rate: string;
  /** Of `fee_rate`, the part that the block's producer gets; null where a chain has no such part. */
  priority_rate: string | null;
  /** The height of the last block before it could first be sent. */
  since: number;
  /** The height of the last block when it was signed: from there on it is waited for. */
  signed_height: number | null;
  sent_at: Instant | null;
  /** What the node said against it, the last time. */
  refusal: string | null;
  /** Whether it returns the money instead of sending it. */
  cancels: Generated<number>;
  created_at: Instant;
}

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
