import type { Generated } from 'kysely';
import { tablesOf } from '../database/tables-of.ts';
import type { Instant } from '../shared/time.ts';

/** Money that was seen on a chain at an address of ours. */
export interface ChainPaymentTable {
  id: Generated<number>;
  merchant_id: number;
  wallet_id: number;
  crypto_transaction_id: number;
  chain: string;
  code: string;
  payment_key: string;
  tx_hash: string;
  amount: string;
  state: 'waiting' | 'mined' | 'gone';
  /** Whether it counts: by the rules, or because somebody has said so. */
  decision: 'accepted' | 'undecided' | 'rejected';
  height: number | null;
  block_hash: string | null;
  /** The height at which it is deep enough; null where it is in no block, or nobody waits for that. */
  counts_at: number | null;
  /** Of coins that were just made: the height from which on they may be spent. */
  spendable_from: number | null;
  /** By what it is spent, or is to be; of one that failed it is nobody's again once somebody asks for it. */
  withdrawal_id: number | null;
  /** When it was found spent outside the service; it is no part of its wallet's balance from then on. */
  written_off_at: Instant | null;
  /** The height of the last block that was read then. */
  written_off_height: number | null;
  /** The part of its amount that the operator has written off; null for none. The rest is still at the wallet. */
  written_off: Generated<string | null>;
  /** The deposit that vanished and whose place this one takes; null where it replaces none. */
  replaces_id: Generated<number | null>;
  /** The liability account that its amount is posted to; null for a dropped deposit. */
  ledger_account: string | null;
  seen_at: Instant;
  updated_at: Instant;
}

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
  chain_payments: ChainPaymentTable;
  watched_balances: WatchedBalanceTable;
}

export const { db } = tablesOf<DepositTables>();
