import type { Generated } from 'kysely';
import type { Instant } from '../../shared/time.ts';
import { tablesOf } from '../../database/tables-of.ts';

/** A simulated chain with its current fee rate. */
interface SimulatedChainTable {
  chain: string;
  /** Decimal digits: satoshi per virtual byte, or wei per unit of gas. */
  fee_rate: string;
  /** The proposer's part of the fee rate; null on Bitcoin. */
  priority_fee: string | null;
}

interface SimulatedBlockTable {
  chain: string;
  height: number;
  hash: string;
  parent_hash: string;
  at: Instant;
}

export interface SimulatedTransactionTable {
  /** Also the order of arrival. */
  id: Generated<number>;
  chain: string;
  tx_hash: string;
  /** `failed`: in a block without effect. `dropped`: never returns; only its hash is kept. */
  state: 'waiting' | 'mined' | 'failed' | 'dropped';
  /** Null if it is in no block. */
  height: number | null;
  /** 1 for signed transactions, 0 for external ones. */
  is_signed: number;
  /** Ethereum, signed transactions only: the sending account and its limits. */
  sender: string | null;
  nonce: number | null;
  gas_limit: number | null;
  max_fee_per_gas: string | null;
  max_priority_fee_per_gas: string | null;
  /** Fee of a signed transaction; on Ethereum as paid in its last block. */
  fee: string | null;
}

interface SimulatedOutputTable {
  transaction_id: number;
  place: number;
  /** Null for outputs that are not visible in a block: ether sent by contracts. */
  payment_key: string | null;
  address: string;
  code: string;
  amount: string;
  /** Bitcoin: the transaction that spends it, in the mempool or a block. */
  spent_by_id: number | null;
}

export interface SimulatedChainTables {
  simulated_chains: SimulatedChainTable;
  simulated_blocks: SimulatedBlockTable;
  simulated_transactions: SimulatedTransactionTable;
  simulated_outputs: SimulatedOutputTable;
}

export const { db, statement } = tablesOf<SimulatedChainTables>();
