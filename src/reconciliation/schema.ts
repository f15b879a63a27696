import { tablesOf } from '../database/tables-of.ts';
import type { Instant } from '../shared/time.ts';

/** The last comparison of a chain with the ledger. */
interface ReconciliationTable {
  chain: string;
  at: Instant;
  /** The block that balances were compared at. */
  height: number;
  /** Number of wallets compared. */
  wallets: number;
  /** Number of differences that the operator has to look at. */
  unsettled: number;
  /** JSON of the differences. */
  differences: string;
}

export interface ReconciliationTables {
  reconciliations: ReconciliationTable;
}

export const { db } = tablesOf<ReconciliationTables>();
