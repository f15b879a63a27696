import type { AcquirerTables } from '../../src/acquirers/schema.ts';
import type { SandboxTables } from '../../src/acquirers/sandbox/schema.ts';
import type { AuditTables } from '../../src/audit/schema.ts';
import type { AuthTables } from '../../src/auth/schema.ts';
import type { ChainTables } from '../../src/chains/schema.ts';
import type { SimulatedChainTables } from '../../src/chains/simulated/schema.ts';
import type { InstallationTables } from '../../src/database/installation.ts';
import type { DepositTables } from '../../src/deposits/schema.ts';
import type { InvoiceTables } from '../../src/invoices/schema.ts';
import type { LedgerTables } from '../../src/ledger/schema.ts';
import type { ReconciliationTables } from '../../src/reconciliation/schema.ts';
import type { WalletTables } from '../../src/wallets/schema.ts';
import type { WithdrawalTables } from '../../src/withdrawals/schema.ts';
import { tablesOf } from '../../src/database/tables-of.ts';
import type { HttpTables } from '../../src/http/schema.ts';
import type { MerchantsTables } from '../../src/merchants/schema.ts';
import type { MethodTables } from '../../src/methods/schema.ts';
import type { RateTables } from '../../src/rates/schema.ts';
import type { OperationsTables } from '../../src/operations/schema.ts';
import type { PaymentTables } from '../../src/payments/schema.ts';
import type { WebhookTables } from '../../src/webhooks/schema.ts';

/** The tables of all modules. */
export type AllTables = AcquirerTables &
  SandboxTables &
  AuditTables &
  AuthTables &
  SimulatedChainTables &
  InstallationTables &
  HttpTables &
  MerchantsTables &
  MethodTables &
  OperationsTables &
  PaymentTables &
  RateTables &
  ChainTables &
  LedgerTables &
  WalletTables &
  DepositTables &
  InvoiceTables &
  WithdrawalTables &
  ReconciliationTables &
  WebhookTables;

export const { db, statement, combinedStatement } = tablesOf<AllTables>();
