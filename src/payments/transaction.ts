import type { Selectable } from 'kysely';
import type { CurrencyCode } from '../api/currency.ts';
import type { DeclineAdvice, DeclineDetails } from '../api/card-submission.ts';
import type { FeeCalculation } from '../shared/fees.ts';
import type { FailureReason, TransactionStatus } from '../api/fiat-transaction.ts';
import type { Instant } from '../shared/time.ts';
import type { CardAttemptTable, FiatTransactionTable } from '../database/tables.ts';
import type { AttemptState } from './states.ts';

/** Who accepts or rejects money, and why. */
export interface Verdict {
  by: string;
  reason: string | null;
}

export interface Decision extends Verdict {
  at: Instant;
}

/** A fiat transaction as it stands in the database. Amounts are minor units of `currency`. */
export interface FiatTransaction {
  id: number;
  merchantId: number;
  /** The merchant's own, unique within the merchant. */
  reference: string;
  linkId: string;
  kind: 'link' | 'custom_form';
  status: TransactionStatus;
  reason: FailureReason | null;
  late: boolean;
  paymentMethod: string;
  country: string;
  currency: CurrencyCode;
  amountMinor: bigint;
  chargedMinor: bigint;
  deliveredMinor: bigint;
  receivedMinor: bigint;
  /** Of what was received: given back, or on its way back. */
  refundedMinor: bigint;
  feeFixMinor: bigint;
  feePercentMillionths: number;
  feeCalculation: FeeCalculation;
  description: string;
  successRedirectUrl: string | null;
  failRedirectUrl: string | null;
  additionalCurrency: string;
  exRate: string;
  rate: string;
  rateMerchantFinal: string;
  requestDigest: string;
  /** ISO 3166-1 alpha-2. */
  buyerCountry: string | null;
  /** What said so: `address` or `header`. */
  buyerCountrySource: string | null;
  buyerNetwork: string | null;
  /** BCP 47; the language that the buyer chose. */
  buyerLocale: string | null;
  /** What somebody decided last about its money; null while nobody has. */
  decision: Decision | null;
  /** The received amount that the merchant accepted as the payment; null where nothing was accepted. */
  acceptedMinor: bigint | null;
  sequence: number;
  createdAt: Instant;
  updatedAt: Instant;
  expiresAt: Instant;
}

/** What has arrived and is not given back: nothing where more was given back than is still there. */
export function keptOf({
  receivedMinor,
  refundedMinor,
}: Pick<FiatTransaction, 'receivedMinor' | 'refundedMinor'>): bigint {
  return receivedMinor > refundedMinor ? receivedMinor - refundedMinor : 0n;
}

/** What is left of the amount, or all of it; negative when more has come. */
export function leftToPay(transaction: FiatTransaction): bigint {
  return transaction.chargedMinor - keptOf(transaction);
}

/** What is read of a transaction: named, so that a statement that is kept prepared outlives a migration that adds one. */
export const transactionColumns = [
  'id',
  'merchant_id',
  'transaction_id',
  'link_id',
  'kind',
  'status',
  'reason',
  'late',
  'payment_method',
  'country',
  'currency',
  'amount_minor',
  'amount_charged_minor',
  'amount_delivered_minor',
  'amount_received_minor',
  'amount_refunded_minor',
  'fee_fix_minor',
  'fee_percent_millionths',
  'fee_calculation',
  'description',
  'success_redirect_url',
  'fail_redirect_url',
  'additional_currency',
  'ex_rate',
  'rate',
  'rate_merchant_final',
  'request_digest',
  'buyer_country',
  'buyer_country_source',
  'buyer_network',
  'buyer_locale',
  'decided_by',
  'decided_at',
  'decision_reason',
  'accepted_minor',
  'sequence',
  'created_at',
  'updated_at',
  'expires_at',
] as const satisfies readonly (keyof FiatTransactionTable)[];

export function toTransaction(
  row: Pick<Selectable<FiatTransactionTable>, (typeof transactionColumns)[number]>,
): FiatTransaction {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    reference: row.transaction_id,
    linkId: row.link_id,
    kind: row.kind,
    status: row.status as TransactionStatus,
    reason: row.reason as FailureReason | null,
    late: row.late === 1,
    paymentMethod: row.payment_method,
    country: row.country,
    currency: row.currency as CurrencyCode,
    amountMinor: BigInt(row.amount_minor),
    chargedMinor: BigInt(row.amount_charged_minor),
    deliveredMinor: BigInt(row.amount_delivered_minor),
    receivedMinor: BigInt(row.amount_received_minor),
    refundedMinor: BigInt(row.amount_refunded_minor),
    feeFixMinor: BigInt(row.fee_fix_minor),
    feePercentMillionths: row.fee_percent_millionths,
    feeCalculation: row.fee_calculation as FeeCalculation,
    description: row.description,
    successRedirectUrl: row.success_redirect_url,
    failRedirectUrl: row.fail_redirect_url,
    additionalCurrency: row.additional_currency,
    exRate: row.ex_rate,
    rate: row.rate,
    rateMerchantFinal: row.rate_merchant_final,
    requestDigest: row.request_digest,
    buyerCountry: row.buyer_country,
    buyerCountrySource: row.buyer_country_source,
    buyerNetwork: row.buyer_network,
    buyerLocale: row.buyer_locale,
    decision:
      row.decided_by === null || row.decided_at === null
        ? null
        : { by: row.decided_by, at: row.decided_at, reason: row.decision_reason },
    acceptedMinor: row.accepted_minor === null ? null : BigInt(row.accepted_minor),
    sequence: row.sequence,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  };
}

/** One try to charge one card. */
export interface CardAttempt {
  id: number;
  merchantId: number;
  transactionId: number;
  number: number;
  attemptKey: string;
  /** Names the request that made it, where its sender gave it an `Idempotency-Key`. */
  submissionKey: string | null;
  paymentMethod: string;
  amountMinor: bigint;
  feeFixMinor: bigint;
  feePercentMillionths: number;
  state: AttemptState;
  provider: string;
  challengeUrl: string | null;
  threeDSecure: boolean;
  brand: string | null;
  first6: string;
  last4: string;
  decline: DeclineDetails | null;
  checksMade: number;
  nextCheckAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
}

export const attemptColumns = [
  'id',
  'merchant_id',
  'fiat_transaction_id',
  'number',
  'attempt_key',
  'payment_method',
  'amount_minor',
  'fee_fix_minor',
  'fee_percent_millionths',
  'state',
  'provider',
  'challenge_url',
  'three_d_secure',
  'brand',
  'first6',
  'last4',
  'decline_code',
  'decline_network_code',
  'decline_retryable',
  'decline_advice',
  'submission_key',
  'checks_made',
  'next_check_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof CardAttemptTable)[];

export function toAttempt(row: Pick<Selectable<CardAttemptTable>, (typeof attemptColumns)[number]>): CardAttempt {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    transactionId: row.fiat_transaction_id,
    number: row.number,
    attemptKey: row.attempt_key,
    submissionKey: row.submission_key,
    paymentMethod: row.payment_method,
    amountMinor: BigInt(row.amount_minor),
    feeFixMinor: BigInt(row.fee_fix_minor),
    feePercentMillionths: row.fee_percent_millionths,
    state: row.state as AttemptState,
    provider: row.provider,
    challengeUrl: row.challenge_url,
    threeDSecure: row.three_d_secure === 1,
    brand: row.brand,
    first6: row.first6,
    last4: row.last4,
    decline:
      row.decline_code === null
        ? null
        : {
            code: row.decline_code,
            network_code: row.decline_network_code,
            retryable: row.decline_retryable === 1,
            advice: row.decline_advice as DeclineAdvice,
          },
    checksMade: row.checks_made,
    nextCheckAt: row.next_check_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
