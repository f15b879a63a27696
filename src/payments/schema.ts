import { z } from 'zod';
import type { Generated } from 'kysely';
import type { AuthorizationStatus, FailureReason, TransactionStatus } from '../api/fiat-transaction.ts';
import type { FeeCalculation } from '../shared/fees.ts';
import type { CaptureMode } from '../acquirers/port.ts';
import type { CurrencyCode } from '../api/currency.ts';
import type { DeclineAdvice } from '../api/decline.ts';
import { instructions } from '../api/instructions.ts';
import { lineItems } from '../api/line-items.ts';
import type { Metadata } from '../api/metadata.ts';
import { metadataIndex, type MetadataTable } from '../database/metadata-index.ts';
import { payerDetails } from '../api/payer.ts';
import {
  amount,
  flag,
  generated,
  integer,
  json,
  record,
  type RecordOf,
  type TableOf,
  text,
} from '../database/record.ts';
import { tablesOf } from '../database/tables-of.ts';
import type { Instant } from '../shared/time.ts';
import type { DisputeState } from '../shared/dispute.ts';
import type { AttemptState, InstructionsState, RefundState } from './states.ts';

/** The stored response data of the issuer and card network (`ChargeDetails` of the acquirer's port). */
const chargeDetails = z.object({
  authorizationCode: z.string().optional(),
  networkCode: z.string().optional(),
  merchantAdviceCode: z.string().optional(),
  avsResult: z.string().optional(),
  cvvResult: z.string().optional(),
  arn: z.string().optional(),
});

/** The stored form fields of a challenge that starts with a form POST. */
const challengeFields = z.record(z.string(), z.string());

/** Amounts are minor units of `currency`. Indexes and constraints are in the migrations. */
export const transactionRecord = record({
  id: generated(),
  merchant_id: integer(),
  /** The merchant's own reference, unique within the merchant. */
  transaction_id: text().as('reference'),
  link_id: text(),
  kind: text<'link' | 'custom_form'>(),
  status: text<TransactionStatus>(),
  reason: text<FailureReason>().nullable(),
  capture: text<CaptureMode>(),
  /** Status of the last authorization; null without one. */
  authorization_status: text<AuthorizationStatus>().nullable(),
  /** Paid after the transaction had failed. */
  late: flag(),
  payment_method: text(),
  country: text(),
  currency: text<CurrencyCode>(),
  amount_minor: amount(),
  amount_charged_minor: amount().as('chargedMinor'),
  amount_delivered_minor: amount().as('netMinor'),
  amount_received_minor: amount().as('receivedMinor'),
  /** Refunded, or being refunded. */
  amount_refunded_minor: amount().as('refundedMinor'),
  fee_fix_minor: amount(),
  fee_percent_millionths: integer(),
  fee_calculation: text<FeeCalculation>(),
  description: text().partlyPersonal(),
  success_redirect_url: text().nullable().partlyPersonal(),
  fail_redirect_url: text().nullable().partlyPersonal(),
  additional_currency: text(),
  /** Decimals. */
  ex_rate: text(),
  rate: text(),
  rate_merchant_final: text(),
  /** Sources of `rate`, and its time; null if both currencies are the same. */
  rate_source: text().nullable(),
  rate_at: integer().nullable(),
  /** SHA-256 over the request's fields, to detect a conflicting creation; empty after the payer's erasure. */
  request_digest: text(),
  /** The buyer's country, ISO 3166-1 alpha-2. */
  buyer_country: text().nullable(),
  /** Its source: `address` (the IP address database) or `header` (the operator's proxy). */
  buyer_country_source: text().nullable(),
  /** The network of the buyer's IP address: a /24 of IPv4, a /48 of IPv6. */
  buyer_network: text().nullable().personal(),
  /** The language that the buyer chose on the page, in BCP 47. */
  buyer_locale: text().nullable().personal(),
  /** Details of the payer from the merchant; null without any. */
  payer: json(payerDetails.parse).nullable().personal(),
  /** Search keys: the payer's name without case and accents, also with the last name first, and the lowercase email. */
  payer_name_key: text().nullable().personal(),
  payer_last_name_key: text().nullable().personal(),
  payer_email_key: text().nullable().personal(),
  /** Line items; null without any. */
  line_items: json(lineItems.parse).nullable().partlyPersonal(),
  metadata: json((stored) => stored as Metadata)
    .nullable()
    .partlyPersonal(),
  /** The language in which the payment page opens, in BCP 47; null for the browser's. */
  locale: text().nullable(),
  /** Public ID of the reusable link through which it was created; null without one. */
  reusable_link_id: text().nullable(),
  /** Quantity bought through the reusable link. */
  reusable_link_quantity: integer().nullable(),
  /** The last reviewer: `token 1`, `person 2`; null before a review. */
  decided_by: text().nullable(),
  decided_at: integer().nullable(),
  decision_reason: text().nullable().partlyPersonal(),
  /** The received amount that the merchant accepted as full payment; null without an acceptance. */
  accepted_minor: amount().nullable(),
  /** Sequence number of the last event; 0 is the creation. */
  sequence: integer(),
  created_at: integer(),
  updated_at: integer(),
  expires_at: integer(),
  /** Lifetime that the merchant set for this link, in microseconds; null for the preference's. Renewals keep it. */
  link_lifetime: integer().nullable(),
});
export interface FiatTransaction extends RecordOf<typeof transactionRecord> {}
export type FiatTransactionTable = TableOf<typeof transactionRecord>;

/** One attempt to charge one card. */
export const attemptRecord = record({
  id: generated(),
  merchant_id: integer(),
  fiat_transaction_id: integer().as('transactionId'),
  /** From 1, within the transaction. */
  number: integer(),
  /** Idempotency key of the charge, sent to the acquirer. */
  attempt_key: text(),
  payment_method: text(),
  /** The charged amount in minor units of the transaction's currency, including the fee. */
  amount_minor: amount(),
  fee_fix_minor: amount(),
  fee_percent_millionths: integer(),
  state: text<AttemptState>(),
  /** Key of the acquirer's account. */
  provider: text().as('accountKey'),
  /** The acquirer's own reference of the charge; null if none was reported. */
  acquirer_reference: text().nullable(),
  challenge_url: text().nullable(),
  /** Form fields of a challenge that starts with a form POST; null if it starts with a redirect. */
  challenge_fields: json(challengeFields.parse).nullable(),
  three_d_secure: flag().as('threeDSecure'),
  brand: text().nullable(),
  first6: text(),
  last4: text(),
  /** Null for attempts that are older than these columns. */
  payer_name: text().nullable().personal(),
  /** The name without case and accents, also with the last name first, for searches. */
  payer_name_key: text().nullable().personal(),
  payer_last_name_key: text().nullable().personal(),
  /** In lower case. */
  payer_email: text().nullable().personal(),
  decline_code: text().nullable(),
  decline_network_code: text().nullable(),
  decline_retryable: flag().nullable(),
  decline_advice: text<DeclineAdvice>().nullable(),
  /** Response data of the issuer and card network. */
  charge_details: json(chargeDetails.parse).nullable().partlyPersonal(),
  /** Keyed hash of the request's `Idempotency-Key`; null without one. */
  submission_key: text().nullable(),
  /** Polls of the acquirer without an outcome. */
  checks_made: integer(),
  /** Next poll of the acquirer; null when no poll is due. */
  next_check_at: integer().nullable(),
  created_at: integer(),
  updated_at: integer(),
});
export interface CardAttempt extends RecordOf<typeof attemptRecord> {}
export type CardAttemptTable = TableOf<typeof attemptRecord>;

/** The authorization of an approved attempt, with `capture: 'manual'`. It is captured or voided once. */
export const authorizationRecord = record({
  id: generated(),
  merchant_id: integer(),
  fiat_transaction_id: integer().as('transactionId'),
  attempt_key: text(),
  /** Key of the acquirer's account. */
  account_key: text(),
  status: text<AuthorizationStatus>(),
  amount_minor: amount(),
  /** Captured, or being captured; 0 before. */
  captured_minor: amount(),
  /** Idempotency key of the last capture or void, sent to the acquirer; null before the first. */
  modification_key: text().nullable(),
  /** The acquirer's own reference of that capture or void; null if none was reported. */
  modification_reference: text().nullable(),
  /** Keyed hash of the `Idempotency-Key` of its request; null without one. */
  request_name: text().nullable(),
  failure_code: text().nullable(),
  failure_detail: text().nullable(),
  /** The acquirer's time of the last capture or its late failure; null if it reported none. Older ones change nothing. */
  reported_at: integer().nullable(),
  checks_made: integer(),
  /** Time of the expiry, or of the next call to the acquirer; null when nothing is due. */
  next_check_at: integer().nullable(),
  expires_at: integer(),
  created_at: integer(),
  updated_at: integer(),
});
export interface CardAuthorization extends RecordOf<typeof authorizationRecord> {}
type CardAuthorizationTable = TableOf<typeof authorizationRecord>;

/** Payment instructions of one push payment. */
export const instructionsRecord = record({
  id: generated(),
  merchant_id: integer(),
  fiat_transaction_id: integer().as('transactionId'),
  /** From 1, within the transaction. */
  number: integer(),
  /** Idempotency key of the payment, sent to the acquirer. */
  instructions_key: text(),
  payment_method: text(),
  /** The requested amount in minor units of the transaction's currency, including the fee. */
  amount_minor: amount(),
  fee_fix_minor: amount(),
  fee_percent_millionths: integer(),
  choice: text().nullable().partlyPersonal(),
  /** Key of the acquirer's account. */
  provider: text().as('accountKey'),
  /** The acquirer's own reference of the payment; null if none was reported. */
  acquirer_reference: text().nullable(),
  state: text<InstructionsState>(),
  /** Null until the acquirer has issued the instructions. */
  instructions: json(instructions.parse).nullable().partlyPersonal(),
  reference: text().nullable().partlyPersonal(),
  expires_at: integer().nullable(),
  /** Lowest confirmation count among deposits that are not final yet; null without one. */
  confirmations: integer().nullable(),
  /** True while a deposit awaits the merchant's approval. */
  in_review: flag().as('isInReview'),
  /** Next poll of the acquirer; null when no poll is due. */
  next_check_at: integer().nullable(),
  checks_made: integer(),
  created_at: integer(),
  updated_at: integer(),
});
export interface PaymentInstructions extends RecordOf<typeof instructionsRecord> {}
type PaymentInstructionsTable = TableOf<typeof instructionsRecord>;

/** A receipt of funds by payment instructions. */
const receiptRecord = record({
  id: generated(),
  merchant_id: integer(),
  fiat_transaction_id: integer().as('transactionId'),
  payment_instructions_id: integer().as('instructionsId'),
  /** The acquirer's ID of the receipt. */
  receipt_key: text(),
  amount_minor: amount(),
  received_at: integer(),
  created_at: integer(),
});
export type PaymentReceiptTable = TableOf<typeof receiptRecord>;

/** A refund of one charge or push payment. */
export const refundRecord = record({
  id: generated(),
  merchant_id: integer(),
  fiat_transaction_id: integer().as('transactionId'),
  number: integer(),
  /** Idempotency key of the refund, sent to the acquirer. */
  refund_key: text(),
  /** Keyed hash of the request's `Idempotency-Key`; null without one. */
  request_name: text().nullable(),
  source: text<'card' | 'push'>(),
  /** Key of the refunded attempt or instructions. */
  charge_key: text(),
  /** Key of the acquirer's account. */
  provider: text().as('accountKey'),
  /** The acquirer's own reference of the refund; null if none was reported. */
  acquirer_reference: text().nullable(),
  amount_minor: amount(),
  state: text<RefundState>(),
  failure_code: text().nullable(),
  failure_detail: text().nullable(),
  /** The acquirer's time of the last result; null if it reported none. Older ones change nothing. */
  reported_at: integer().nullable(),
  /** Refunded by the merchant outside the service, without an acquirer. */
  out_of_band: flag().as('isOutOfBand'),
  checks_made: integer(),
  next_check_at: integer().nullable(),
  created_at: integer(),
  updated_at: integer(),
});
export interface PaymentRefund extends RecordOf<typeof refundRecord> {}
type RefundTable = TableOf<typeof refundRecord>;

/** A dispute of a charge or push payment. */
export const disputeRecord = record({
  id: generated(),
  merchant_id: integer(),
  fiat_transaction_id: integer().as('transactionId'),
  /** From 1, within the transaction. */
  number: integer(),
  /** Key of the acquirer's account. */
  account_key: text(),
  /** The acquirer's reference of the dispute. */
  dispute_key: text(),
  /** Key of the disputed attempt or instructions. */
  charge_key: text(),
  state: text<DisputeState>(),
  /** Minor units of `currency`, which can differ from the transaction's. */
  amount_minor: amount(),
  currency: text<CurrencyCode>(),
  reason_code: text().nullable(),
  reason: text().nullable(),
  /** Deadline for a response; null if no response is possible. */
  respond_by: integer().nullable(),
  /** Time of the acquirer's latest report. An older report changes nothing. */
  reported_at: integer(),
  created_at: integer(),
  updated_at: integer(),
});
export interface Dispute extends RecordOf<typeof disputeRecord> {}
type DisputeTable = TableOf<typeof disputeRecord>;

/**
 * Creates a transaction for each buyer. Either `amount_minor` is set, or the limits of an amount chosen by the buyer.
 */
export const reusableLinkRecord = record({
  id: generated(),
  merchant_id: integer(),
  public_id: text(),
  title: text(),
  description: text().nullable(),
  image_url: text().nullable(),
  /** ISO 3166-1 alpha-3. */
  country: text(),
  currency: text<CurrencyCode>(),
  payment_method: text(),
  fee_calculation: text<FeeCalculation>(),
  /** Unit price in minor units of `currency`. */
  amount_minor: amount().nullable(),
  minimum_minor: amount().nullable(),
  maximum_minor: amount().nullable(),
  suggested_minor: amount().nullable(),
  minimum_quantity: integer(),
  maximum_quantity: integer(),
  /** Maximum number sold; null without a limit. */
  stock: integer().nullable(),
  asks_email: flag(),
  asks_name: flag(),
  success_redirect_url: text().nullable(),
  fail_redirect_url: text().nullable(),
  /** Copied to its transactions. */
  metadata: json((stored) => stored as Metadata).nullable(),
  archived_at: integer().nullable(),
  created_at: integer(),
  updated_at: integer(),
});
export interface ReusableLink extends RecordOf<typeof reusableLinkRecord> {}
type ReusableLinkTable = TableOf<typeof reusableLinkRecord>;

/** A link of a renewed transaction. It redirects to the current link. */
interface FormerLinkTable {
  link_id: string;
  merchant_id: number;
  fiat_transaction_id: number;
  renewed_at: Instant;
}

/**
 * Progress of a merchant's statistics roll-up (`statistics/`). Quarter-hours are numbered from 1970. Those in
 * [`rolled_from`, `rolled_before`) are stored, without recorded changes.
 */
interface StatisticsProgressTable {
  merchant_id: number;
  /** Triggers record changes to transactions created in an earlier quarter-hour. */
  closed_before: number;
  rolled_from: number;
  rolled_before: number;
}

/** A change that the stored statistics of its quarter-hour may not include. Rows are never updated. */
interface StatisticsChangeTable {
  id: Generated<number>;
  merchant_id: number;
  quarter: number;
}

/** `Figures` of transactions created in the quarter-hour; no row if there are none. */
interface StatisticsQuarterTable {
  merchant_id: number;
  quarter: number;
  figures: string;
}

/** The sum of the quarter-hours of a day (UTC). Days are numbered from 1970. */
interface StatisticsDayTable {
  merchant_id: number;
  day: number;
  figures: string;
}

export interface PaymentTables {
  fiat_transactions: FiatTransactionTable;
  fiat_transaction_metadata: MetadataTable;
  former_links: FormerLinkTable;
  reusable_links: ReusableLinkTable;
  card_attempts: CardAttemptTable;
  card_authorizations: CardAuthorizationTable;
  payment_instructions: PaymentInstructionsTable;
  payment_receipts: PaymentReceiptTable;
  refunds: RefundTable;
  disputes: DisputeTable;
  statistics_progress: StatisticsProgressTable;
  statistics_changes: StatisticsChangeTable;
  statistics_quarters: StatisticsQuarterTable;
  statistics_days: StatisticsDayTable;
}

export const { db, statement, pipelinedStatement, combinedStatement } = tablesOf<PaymentTables>();

export const transactionMetadata = metadataIndex('fiat_transaction_metadata', 'fiat_transactions');
