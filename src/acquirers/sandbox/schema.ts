import type { Generated } from 'kysely';
import type { Instant } from '../../shared/time.ts';
import { tablesOf } from '../../database/tables-of.ts';

/** The sandbox acquirer's own books. */
export interface SandboxChargeTable {
  id: Generated<number>;
  attempt_key: string;
  issuer_page_id: string;
  scenario: string;
  state: string;
  amount_minor: number;
  currency: string;
  merchant_name: string;
  last4: string;
  return_url: string;
  /** When the acquirer tells an outcome that it kept to itself. */
  notify_at: Instant | null;
  created_at: Instant;
}

/** The sandbox bank's own books. */
export interface SandboxPushPaymentTable {
  id: Generated<number>;
  instructions_key: string;
  simulator_page_id: string;
  state: string;
  method: string;
  choice: string | null;
  amount_minor: number;
  currency: string;
  merchant_name: string;
  return_url: string;
  /** JSON; null for a payment that was withdrawn before it was seen. */
  issued: string | null;
  expires_at: Instant;
  /** When the simulated buyer pays after all, too late. */
  pays_late_at: Instant | null;
  created_at: Instant;
}

export interface SandboxReceiptTable {
  id: Generated<number>;
  sandbox_push_payment_id: number;
  receipt_key: string;
  amount_minor: number;
  received_at: Instant;
  /** 0 when the money counts. */
  confirmations_missing: number;
}

export interface SandboxRefundTable {
  id: Generated<number>;
  refund_key: string;
  charge_key: string;
  amount_minor: number;
  state: string;
  succeeds_at: Instant | null;
  created_at: Instant;
}

export interface SandboxTables {
  sandbox_charges: SandboxChargeTable;
  sandbox_push_payments: SandboxPushPaymentTable;
  sandbox_receipts: SandboxReceiptTable;
  sandbox_refunds: SandboxRefundTable;
}

export const { db, statement, combinedStatement } = tablesOf<SandboxTables>();
