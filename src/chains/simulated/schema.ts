import type { Generated } from 'kysely';
import type { Instant } from '../../shared/time.ts';
import { tablesOf } from '../../database/tables-of.ts';

/** A chain that is simulated: what a transaction costs there now. */
export interface SimulatedChainTable {
  chain: string;
  /** Digits: satoshi for a virtual byte, or wei for a unit of gas. */
  fee_rate: string;
  /** What of it goes to whoever makes the block; null on bitcoin. */
  priority_fee: string | null;
}

export interface SimulatedBlockTable {
  chain: string;
  height: number;
  hash: string;
  parent_hash: string;
  at: Instant;
}

export interface SimulatedTransactionTable {
  /** Also the order in which they came. */
  id: Generated<number>;
  chain: string;
  tx_hash: string;
  /** `failed` in a block, where it moved nothing; `dropped` for ever: nothing but its hash is left. */
  state: 'waiting' | 'mined' | 'failed' | 'dropped';
  /** null where it is in no block. */
  height: number | null;
  /** Whether it was sent as it is signed; others come from outside. */
  is_signed: number;
  /** The account that sends, on ethereum, of one that is signed; and what it may cost. */
  sender: string | null;
  nonce: number | null;
  gas_limit: number | null;
  max_fee_per_gas: string | null;
  max_priority_fee_per_gas: string | null;
  /** What one that is signed pays; on ethereum as it was in the last block that it was in. */
  fee: string | null;
}

export interface SimulatedOutputTable {
  transaction_id: number;
  place: number;
  /** null for what is not to be seen in its block: ether that a contract sends. */
  payment_key: string | null;
  address: string;
  code: string;
  amount: string;
  /** On bitcoin the transaction whose input it is, waiting or in a block. */
  spent_by_id: number | null;
}

export interface SimulatedChainTables {
  simulated_chains: SimulatedChainTable;
  simulated_blocks: SimulatedBlockTable;
  simulated_transactions: SimulatedTransactionTable;
  simulated_outputs: SimulatedOutputTable;
}

export const { db, statement, combinedStatement } = tablesOf<SimulatedChainTables>();
