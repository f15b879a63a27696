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
  /** Signs beside the present one until its time is over. */
  previous_callback_secret: string | null;
  previous_callback_secret_until: Instant | null;
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
  /** What its owner calls it. */
  name: string;
  /** null for one that lives until it is revoked. */
  expires_at: Instant | null;
  /** The client that has got it for its secret. */
  oauth_client_id: number | null;
}

/** A program that gets short-lived tokens for a secret of its own (RFC 6749, section 4.4). */
export interface OAuthClientTable {
  id: Generated<number>;
  merchant_id: number;
  client_id: string;
  /** SHA-256 of the secret in hex. */
  secret_hash: string;
  role: 'merchant' | 'manager';
  scopes: string;
  name: string;
  created_at: Instant;
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
  /** Given back, or on its way back. */
  amount_refunded_minor: Generated<number>;
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
  /** What said so: `address` (the database of addresses) or `header` (the operator's proxy). */
  buyer_country_source: string | null;
  /** The network of the buyer's address: a /24 of IPv4, a /48 of IPv6. */
  buyer_network: string | null;
  /** BCP 47; the language that the buyer chose on the page. */
  buyer_locale: string | null;
  /** Number of the last event; 0 is the creation. */
  sequence: number;
  created_at: Instant;
  updated_at: Instant;
  expires_at: Instant;
}

/** A link that leads on to the present one of its transaction. */
export interface FormerLinkTable {
  link_id: string;
  merchant_id: number;
  fiat_transaction_id: number;
  renewed_at: Instant;
}

export interface CardAttemptTable {
  id: Generated<number>;
  merchant_id: number;
  fiat_transaction_id: number;
  /** From 1, within the transaction. */
  number: number;
  /** What the provider knows the attempt by: one charge for one key, however often it is sent. */
  attempt_key: string;
  payment_method: string;
  /** What was asked for, in minor units of the transaction's currency, and the fee in it. */
  amount_minor: number;
  fee_fix_minor: number;
  fee_percent_millionths: number;
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
  /** Names the request that made it, where its sender gave it an `Idempotency-Key`. */
  submission_key: string | null;
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
  /** The `webhook-id` of its callback; null for what no callback tells, the creation. */
  webhook_id: string | null;
  /** Its place in what the merchant pulls, a rising number; null until it is given one by a pull. */
  position: Generated<number | null>;
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
  /** 1 while an earlier one of its transaction is pending: it is not due, whatever its time. */
  held: Generated<number>;
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
  /** The beginning of what the receiver answered. */
  answer: string | null;
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
  /** What was asked for, in minor units of the transaction's currency, and the fee in it. */
  amount_minor: number;
  fee_fix_minor: number;
  fee_percent_millionths: number;
  choice: string | null;
  provider: string;
  state: string;
  /** JSON; null while the provider is asked. */
  instructions: string | null;
  reference: string | null;
  expires_at: Instant | null;
  /** The fewest that anything has that was seen on a chain and does not count yet; null when there is nothing such. */
  confirmations: number | null;
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
  /** 0 when the money counts. */
  confirmations_missing: number;
}

export interface ServiceKeyTable {
  name: string;
  value: string;
}

/** A request that its sender may repeat without its being done twice. */
export interface IdempotencyKeyTable {
  merchant_id: number;
  /** Whose key it is: an access token, or the page of a transaction. */
  identity: string;
  operation: string;
  key: string;
  /** Keyed hash of the request, without what must not be kept. */
  request_digest: string;
  /** While it is worked on: until when nobody else may; null when it is answered. */
  held_until: Instant | null;
  status: number | null;
  /** JSON. */
  answer: string | null;
  created_at: Instant;
}

/** The generic cell rate algorithm's one number for each name. */
export interface RateLimitTable {
  name: string;
  /** When all that came would have come evenly. */
  reached_at: Instant;
}

/** Money that goes back to a buyer, from one charge or one expected payment. */
export interface RefundTable {
  id: Generated<number>;
  merchant_id: number;
  fiat_transaction_id: number;
  number: number;
  /** Its name between us and the provider. */
  refund_key: string;
  /** Names the request that asked for it, where its sender gave it an `Idempotency-Key`. */
  request_name: string | null;
  source: 'card' | 'push';
  /** The attempt or the instructions by which the money came. */
  charge_key: string;
  provider: string;
  amount_minor: number;
  state: string;
  failure_code: string | null;
  failure_detail: string | null;
  checks_made: number;
  next_check_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
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

/** How a merchant's receiver does; there is a row once it has failed. */
export interface CallbackReceiverTable {
  merchant_id: number;
  failing_since: Instant;
  failed_at: Instant;
  off_at: Instant | null;
  off_reason: 'gone' | 'no_success' | null;
}

export interface Tables {
  merchants: MerchantTable;
  access_tokens: AccessTokenTable;
  oauth_clients: OAuthClientTable;
  preferences: PreferenceTable;
  merchant_methods: MerchantMethodTable;
  fiat_transactions: FiatTransactionTable;
  former_links: FormerLinkTable;
  card_attempts: CardAttemptTable;
  events: EventTable;
  callbacks: CallbackTable;
  callback_attempts: CallbackAttemptTable;
  callback_receivers: CallbackReceiverTable;
  payment_instructions: PaymentInstructionsTable;
  payment_receipts: PaymentReceiptTable;
  refunds: RefundTable;
  sandbox_charges: SandboxChargeTable;
  sandbox_push_payments: SandboxPushPaymentTable;
  sandbox_receipts: SandboxReceiptTable;
  sandbox_refunds: SandboxRefundTable;
  service_keys: ServiceKeyTable;
  rate_limits: RateLimitTable;
  idempotency_keys: IdempotencyKeyTable;
}
