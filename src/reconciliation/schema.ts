import { tablesOf } from '../database/tables-of.ts';
import type { Instant } from '../shared/time.ts';

/** The last reconciliation of a chain. */
interface ReconciliationTable {
  chain: string;
  at: Instant;
  /** Height of the block at which balances were compared. */
  height: number;
  /** Number of wallets compared. */
  wallets: number;
  /** Number of differences that the operator must investigate. */
  unresolved: number;
  /** Differences, as JSON. */
  differences: string;
}

export interface ReconciliationTables {
  reconciliations: ReconciliationTable;
}

export const { db } = tablesOf<ReconciliationTables>();
