import type { Generated } from 'kysely';
import { tablesOf } from '../database/tables-of.ts';
import type { Instant } from '../shared/time.ts';

/** One movement between two accounts. Amounts are digits, in the smallest unit. Append-only. */
interface LedgerEntryTable {
  id: Generated<number>;
  at: Instant;
  chain: string;
  code: string;
  kind: string;
  debit: string;
  credit: string;
  amount: string;
  merchant_id: number | null;
  wallet_id: number | null;
  deposit_id: number | null;
  withdrawal_id: number | null;
}

export interface LedgerTables {
  ledger_entries: LedgerEntryTable;
}

export const { db } = tablesOf<LedgerTables>();
