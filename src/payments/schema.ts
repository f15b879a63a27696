import type { Generated } from 'kysely';
import type { Instant } from '../shared/time.ts';
import { tablesOf } from '../database/tables-of.ts';

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
  /** Who has accepted or rejected its money last: `token 1`, `person 2`; null while nobody has. */
  decided_by: string | null;
  decided_at: Instant | null;
  decision_reason: string | null;
  /** The received amount that the merchant accepted as the payment; null where nothing was accepted. */
  accepted_minor: Generated<number | null>;
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
  /** Keyed hash that names the request which made it, where its sender gave it an `Idempotency-Key`. */
  submission_key: string | null;
  /** How often the provider was asked for an outcome that it had not given. */
  checks_made: number;
  /** When to ask again; null when there is nothing to ask, or when a person must. */
  next_check_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
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

/** Money that goes back to a buyer, from one charge or one expected payment. */
export interface RefundTable {
  id: Generated<number>;
  merchant_id: number;
  fiat_transaction_id: number;
  number: number;
  /** Its name between us and the provider. */
  refund_key: string;
  /** Keyed hash that names the request which asked for it, where its sender gave it an `Idempotency-Key`. */
  request_name: string | null;
  source: 'card' | 'push';
  /** The attempt or the instructions by which the money came. */
  charge_key: string;
  provider: string;
  amount_minor: number;
  state: string;
  failure_code: string | null;
  failure_detail: string | null;
  /** 1 for what the merchant has given back in a way of their own: no provider was asked. */
  out_of_band: Generated<number>;
  checks_made: number;
  next_check_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
}

export interface PaymentTables {
  fiat_transactions: FiatTransactionTable;
  former_links: FormerLinkTable;
  card_attempts: CardAttemptTable;
  payment_instructions: PaymentInstructionsTable;
  payment_receipts: PaymentReceiptTable;
  refunds: RefundTable;
}

export const { db, statement, lists } = tablesOf<PaymentTables>();
