import { tablesOf } from '../database/tables-of.ts';
import type { DepositTables } from '../deposits/schema.ts';
import type { InvoiceTables } from '../invoices/schema.ts';
import type { LedgerTables } from '../ledger/schema.ts';
import type { ReconciliationTables } from '../reconciliation/schema.ts';
import type { WithdrawalTables } from '../withdrawals/schema.ts';
import type { WalletTables } from './schema.ts';

export type CryptoTables = WalletTables &
  DepositTables &
  InvoiceTables &
  LedgerTables &
  ReconciliationTables &
  WithdrawalTables;

export const { db, statement, lists } = tablesOf<CryptoTables>();
