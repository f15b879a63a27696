import type { Generated } from 'kysely';
import type { Instant } from '../../contract/time.ts';

/*
 * One row type for each table. The same on SQLite and PostgreSQL: moments are microseconds, amounts
 * are minor units, truths are 0 or 1, JSON is text. Identifiers and amounts stay within 2^53.
 */

export interface MerchantTable {
  id: Generated<number>;
  name: string;
  /** Standard Webhooks form, `whsec_…`. */
  callback_secret: string;
  created_at: Instant;
}

export interface AccessTokenTable {
  id: Generated<number>;
  merchant_id: number;
  role: 'merchant' | 'manager';
  /** SHA-256 of the token in hex; the token itself is not kept. */
  hash: string;
  /** Space-separated, as in RFC 6749. */
  scopes: string;
  created_at: Instant;
  last_used_at: Instant | null;
  revoked_at: Instant | null;
}

export interface PreferenceTable {
  merchant_id: number;
  key: string;
  /** JSON. */
  value: string;
  created_at: Instant;
  updated_at: Instant;
}

export interface MerchantMethodTable {
  merchant_id: number;
  payment_method: string;
  currency: string;
  fee_fix_minor: number;
  /** Millionths of the amount: 2.9 % is 29,000. */
  fee_percent_millionths: number;
  created_at: Instant;
}

export interface FiatTransactionTable {
  id: Generated<number>;
  merchant_id: number;
  /** The merchant's own reference. */
  transaction_id: string;
  link_id: string;
  kind: 'link' | 'custom_form';
  status: string;
  reason: string | null;
  /** 1 when the money came after the transaction had failed. */
  late: number;
  payment_method: string;
  country: string;
  currency: string;
  amount_minor: number;
  amount_charged_minor: number;
  amount_delivered_minor: number;
  amount_received_minor: number;
  fee_fix_minor: number;
  fee_percent_millionths: number;
  fee_calculation: string;
  description: string;
  success_redirect_url: string | null;
  fail_redirect_url: string | null;
  additional_currency: string;
  /** Decimals as text. */
  ex_rate: string;
  rate: string;
  rate_merchant_final: string;
  /** SHA-256 over the creation's fields: tells a repeated creation from a conflicting one. */
  request_digest: string;
  /** Where the buyer was seen to be, ISO 3166-1 alpha-2. */
  buyer_country: string | null;
  /** Number of the last event; 0 is the creation. */
  sequence: number;
  created_at: Instant;
  updated_at: Instant;
  expires_at: Instant;
}

export interface CardAttemptTable {
  id: Generated<number>;
  merchant_id: number;
  fiat_transaction_id: number;
  /** From 1, within the transaction. */
  number: number;
  /** What the provider knows the attempt by: one charge for one key, however often it is sent. */
  attempt_key: string;
  state: string;
  provider: string;
  challenge_url: string | null;
  three_d_secure: number;
  brand: string | null;
  first6: string;
  last4: string;
  decline_code: string | null;
  decline_network_code: string | null;
  decline_retryable: number | null;
  decline_advice: string | null;
  /** How often the provider was asked for an outcome that it had not given. */
  checks_made: number;
  /** When to ask again; null when there is nothing to ask, or when a person must. */
  next_check_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
}

export interface EventTable {
  id: Generated<number>;
  merchant_id: number;
  fiat_transaction_id: number;
  sequence: number;
  type: string;
  at: Instant;
  status: string;
  previous_status: string | null;
  detail: string | null;
  /** JSON: what GET answered at that moment. */
  data: string;
}

export interface CallbackTable {
  id: Generated<number>;
  merchant_id: number;
  fiat_transaction_id: number;
  sequence: number;
  event_id: number;
  /** The `webhook-id`: the same at every attempt. */
  webhook_id: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts_made: number;
  next_attempt_at: Instant;
  created_at: Instant;
  finished_at: Instant | null;
}

export interface CallbackAttemptTable {
  id: Generated<number>;
  merchant_id: number;
  callback_id: number;
  number: number;
  url: string;
  at: Instant;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
}

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

/** What a buyer was told to do, by one method. */
export interface PaymentInstructionsTable {
  id: Generated<number>;
  merchant_id: number;
  fiat_transaction_id: number;
  /** From 1, within the transaction. */
  number: number;
  /** What the provider knows the payment by. */
  instructions_key: string;
  payment_method: string;
  choice: string | null;
  provider: string;
  state: string;
  /** JSON; null while the provider is asked. */
  instructions: string | null;
  reference: string | null;
  expires_at: Instant | null;
  /** When to ask the provider what has become of it; null when there is nothing to ask. */
  next_check_at: Instant | null;
  checks_made: number;
  created_at: Instant;
  updated_at: Instant;
}

/** Money that has arrived. */
export interface PaymentReceiptTable {
  id: Generated<number>;
  merchant_id: number;
  fiat_transaction_id: number;
  payment_instructions_id: number;
  /** The provider's own name for it. */
  receipt_key: string;
  amount_minor: number;
  received_at: Instant;
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
}

export interface ServiceKeyTable {
  name: string;
  value: string;
}

export interface Tables {
  merchants: MerchantTable;
  access_tokens: AccessTokenTable;
  preferences: PreferenceTable;
  merchant_methods: MerchantMethodTable;
  fiat_transactions: FiatTransactionTable;
  card_attempts: CardAttemptTable;
  events: EventTable;
  callbacks: CallbackTable;
  callback_attempts: CallbackAttemptTable;
  payment_instructions: PaymentInstructionsTable;
  payment_receipts: PaymentReceiptTable;
  sandbox_charges: SandboxChargeTable;
  sandbox_push_payments: SandboxPushPaymentTable;
  sandbox_receipts: SandboxReceiptTable;
  service_keys: ServiceKeyTable;
}
