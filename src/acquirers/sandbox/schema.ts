import type { Generated } from 'kysely';
import type { Instant } from '../../shared/time.ts';
import { tablesOf } from '../../database/tables-of.ts';

/** Charges of the simulated card acquirer. */
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
  /** State of a charge that is captured manually; null for others. */
  capture: SandboxCapture | null;
  /** Key of its last capture or void. */
  modification_key: string | null;
  captured_minor: number | null;
  /** Report time of a delayed outcome; null without one. */
  notify_at: Instant | null;
  created_at: Instant;
}

/** `refused` follows `captured` when a capture fails later. */
type SandboxCapture = 'open' | 'captured' | 'refused' | 'voided';

/** Push payments of the simulated bank. */
interface SandboxPushPaymentTable {
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
  /** JSON; null for a payment that was withdrawn before its instructions were issued. */
  issued: string | null;
  expires_at: Instant;
  /** Time of a simulated late payment; null without one. */
  pays_late_at: Instant | null;
  created_at: Instant;
}

interface SandboxReceiptTable {
  id: Generated<number>;
  sandbox_push_payment_id: number;
  receipt_key: string;
  amount_minor: number;
  received_at: Instant;
  /** 0 for a final receipt. */
  confirmations_missing: number;
}

interface SandboxRefundTable {
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

export const { db, statement } = tablesOf<SandboxTables>();
