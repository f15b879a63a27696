import type { CardAttempt, CardAuthorization, Dispute, FiatTransaction, PaymentInstructions } from './schema.ts';
import type { Runner } from '../database/engine.ts';
import { type Acquirers, displayNameOf } from '../acquirers/registry.ts';
import {
  type AuthorizationSummary,
  type ChargeDetailsSummary,
  type DisputeSummary,
  type TransactionDetail,
  toApiStatus,
  type TransactionStatus,
} from '../api/fiat-transaction.ts';
import { amountNumber } from '../shared/money.ts';
import { minorUnitsOf } from '../api/currency.ts';
import { formatInstant } from '../shared/time.ts';
import { noNames, type UserNames, readUserNames } from '../auth/user-names.ts';
import { possibleActions } from './actions.ts';
import { linkUrl, type PaymentsContext } from './context.ts';
import { type RelatedRecords, readRelatedRecords, recordsOfNew, type TransactionEventRow } from './related-records.ts';
import { capabilityOf } from './refunds/sources.ts';
import { sumRefunds } from './refunds/store.ts';
import { attemptPayer } from './listed-payer.ts';
import { type RecordedDecision, decisionOf, declineOf, failureOf } from './transaction.ts';

/** Reads a transaction's detail, the response of `GET /fiat/v1/transaction`. Only `canSeePayers` includes payers. */
export async function readTransactionDetail(
  context: Pick<PaymentsContext, 'publicUrl' | 'acquirers'>,
  reader: Runner,
  transaction: FiatTransaction,
  canSeePayers: boolean,
): Promise<TransactionDetail> {
  const names = await readUserNames(reader, [transaction.decidedBy]);
  const related = await readRelatedRecords(reader, transaction);
  const detail = toDetail(context, transaction, related, names);
  if (!canSeePayers) return detail;
  const attempts = detail.attempts.map((attempt, index) => {
    const payer = related.attempts[index] && attemptPayer(related.attempts[index]);
    return { ...attempt, ...(payer && { payer }) };
  });
  return { ...detail, attempts, ...(transaction.payer && { payer: transaction.payer }) };
}

/** Returns a transaction's detail for a webhook, including an event that is not inserted yet. */
export function detailAfter(
  context: Pick<PaymentsContext, 'publicUrl' | 'acquirers'>,
  transaction: FiatTransaction,
  related: RelatedRecords,
  newest: TransactionEventRow,
): TransactionDetail {
  return toDetail(context, transaction, { ...related, events: [...related.events, newest] });
}

/** Returns the detail of a new transaction. */
export function newTransactionDetail(
  context: Pick<PaymentsContext, 'publicUrl' | 'acquirers'>,
  transaction: FiatTransaction,
): TransactionDetail {
  return toDetail(context, transaction, recordsOfNew(transaction));
}

function toDetail(
  context: Pick<PaymentsContext, 'publicUrl' | 'acquirers'>,
  transaction: FiatTransaction,
  related: RelatedRecords,
  names = noNames,
): TransactionDetail {
  const { attempts, authorizations, events, instructions, receipts, refunds, disputes } = related;
  const authorization = authorizations.at(-1);
  const number = (minor: bigint) => amountNumber(minor, minorUnitsOf(transaction.currency));
  const decision = decisionOf(transaction);
  const possible = possibleActions(context.acquirers, transaction, related);
  return {
    transaction_id: transaction.reference,
    created_at: formatInstant(transaction.createdAt),
    updated_at: formatInstant(transaction.updatedAt),
    expires_at: formatInstant(transaction.expiresAt),
    amount: number(transaction.amountMinor),
    amount_charged: number(transaction.chargedMinor),
    amount_delivered: number(transaction.netMinor),
    amount_received: number(transaction.receivedMinor),
    refunded_amount: number(sumRefunds(refunds.filter(({ state }) => state === 'succeeded'))),
    currency: transaction.currency,
    country: transaction.country,
    descriptions: transaction.description,
    ...(transaction.lineItems && { line_items: transaction.lineItems }),
    ...(transaction.metadata && { metadata: transaction.metadata }),
    ...(transaction.locale !== null && { locale: transaction.locale }),
    ...(transaction.reusableLinkId !== null && { reusable_link_id: transaction.reusableLinkId }),
    payment_method: transaction.paymentMethod,
    status: toApiStatus(transaction.status),
    ...(transaction.reason && { reason: transaction.reason }),
    ...(transaction.capture === 'manual' && { capture: 'manual' as const }),
    ...(authorization && { authorization: toAuthorizationSummary(authorization, transaction) }),
    ...(transaction.late && { late: true }),
    ...(decision && { decision: toDecision(decision, transaction, names) }),
    type_of_fee_calculate: transaction.feeCalculation,
    link: linkUrl(context, transaction.linkId),
    merchant_fee_fix: number(transaction.feeFixMinor),
    merchant_fee_percent: transaction.feePercentMillionths / 10_000,
    additional_currency: transaction.additionalCurrency,
    rate: Number(transaction.rate),
    rate_merchant_final: Number(transaction.rateMerchantFinal),
    ...(transaction.rateSource !== null && { rate_source: transaction.rateSource }),
    ...(transaction.rateAt !== null && { rate_at: formatInstant(transaction.rateAt) }),
    ...(transaction.buyerCountry && { buyer_country: transaction.buyerCountry }),
    ...(transaction.buyerCountrySource && { buyer_country_source: transaction.buyerCountrySource }),
    ...(transaction.buyerNetwork && { buyer_network: transaction.buyerNetwork }),
    attempts: attempts.map((attempt) => toAttemptDetail(context.acquirers, attempt)),
    instructions: instructions.map((each) => toInstructionsDetail(context.acquirers, transaction, each)),
    receipts: receipts.map(({ receiptKey, amountMinor, instructionsNumber, receivedAt }) => ({
      reference: receiptKey,
      amount: number(amountMinor),
      instructions_number: instructionsNumber,
      received_at: formatInstant(receivedAt),
    })),
    refunds: refunds.map((refund) => {
      const failure = failureOf(refund);
      return {
        number: refund.number,
        amount: number(refund.amountMinor),
        state: refund.state,
        ...(failure && { failure }),
        ...(refund.isOutOfBand && { out_of_band: true }),
        created_at: formatInstant(refund.createdAt),
        updated_at: formatInstant(refund.updatedAt),
      };
    }),
    disputes: disputes.map(toDisputeSummary),
    available_actions: possible.actions,
    ...(possible.refunds && {
      refund_options: {
        maximum: number(possible.refunds.maximumMinor),
        partial: possible.refunds.isPartialPossible,
        ...(possible.refunds.errorCode && { refusal: possible.refunds.errorCode }),
      },
    }),
    timeline: events.map((event) => ({
      sequence: event.sequence,
      type: event.type,
      at: formatInstant(event.at),
      status: toApiStatus(event.status as TransactionStatus),
      ...(event.detail && { detail: event.detail }),
    })),
  };
}

function toAuthorizationSummary(
  { status, amountMinor, capturedMinor, createdAt, expiresAt, ...last }: CardAuthorization,
  { currency }: FiatTransaction,
): AuthorizationSummary {
  const failure = failureOf(last);
  return {
    status,
    amount: amountNumber(amountMinor, minorUnitsOf(currency)),
    captured_amount: amountNumber(capturedMinor, minorUnitsOf(currency)),
    ...(failure && { failure }),
    created_at: formatInstant(createdAt),
    expires_at: formatInstant(expiresAt),
  };
}

/** Returns a dispute as the API shows it. */
export function toDisputeSummary(dispute: Dispute): DisputeSummary {
  return {
    number: dispute.number,
    state: dispute.state,
    amount: amountNumber(dispute.amountMinor, minorUnitsOf(dispute.currency)),
    currency: dispute.currency,
    reference: dispute.disputeKey,
    reason_code: dispute.reasonCode,
    reason: dispute.reason,
    respond_by: dispute.respondBy === null ? null : formatInstant(dispute.respondBy),
    created_at: formatInstant(dispute.createdAt),
    updated_at: formatInstant(dispute.updatedAt),
  };
}

function toDecision(
  { by, at, reason }: RecordedDecision,
  { acceptedMinor }: FiatTransaction,
  names: UserNames,
): TransactionDetail['decision'] {
  return { by, by_name: names.get(by) ?? null, at: formatInstant(at), reason, is_approved: acceptedMinor !== null };
}

function toAttemptDetail(acquirers: Acquirers, attempt: CardAttempt): TransactionDetail['attempts'][number] {
  const decline = declineOf(attempt);
  const acquirerName = displayNameOf(acquirers.find(attempt.accountKey));
  return {
    number: attempt.number,
    state: attempt.state,
    brand: attempt.brand,
    first6: attempt.first6,
    last4: attempt.last4,
    three_d_secure: attempt.threeDSecure,
    ...(acquirerName !== undefined && { acquirer_name: acquirerName }),
    ...(attempt.acquirerReference !== null && { acquirer_reference: attempt.acquirerReference }),
    ...(decline && { decline }),
    ...(attempt.chargeDetails && { charge_details: toChargeDetails(attempt.chargeDetails) }),
    created_at: formatInstant(attempt.createdAt),
  };
}

function toChargeDetails({
  authorizationCode,
  networkCode,
  merchantAdviceCode,
  avsResult,
  cvvResult,
  arn,
}: NonNullable<CardAttempt['chargeDetails']>): ChargeDetailsSummary {
  return {
    ...(authorizationCode !== undefined && { authorization_code: authorizationCode }),
    ...(networkCode !== undefined && { network_code: networkCode }),
    ...(merchantAdviceCode !== undefined && { merchant_advice_code: merchantAdviceCode }),
    ...(avsResult !== undefined && { avs_result: avsResult }),
    ...(cvvResult !== undefined && { cvv_result: cvvResult }),
    ...(arn !== undefined && { arn }),
  };
}

function toInstructionsDetail(
  acquirers: Acquirers,
  transaction: FiatTransaction,
  instructions: PaymentInstructions,
): TransactionDetail['instructions'][number] {
  const account = acquirers.find(instructions.accountKey);
  return {
    number: instructions.number,
    payment_method: instructions.paymentMethod,
    choice: instructions.choice,
    state: instructions.state,
    reference: instructions.reference,
    expires_at: instructions.expiresAt === null ? null : formatInstant(instructions.expiresAt),
    confirmations: instructions.confirmations,
    ...(instructions.isInReview && { in_review: true }),
    late_payments: account
      ? (capabilityOf(account, transaction, instructions.paymentMethod)?.latePayments ?? true)
      : true,
    created_at: formatInstant(instructions.createdAt),
  };
}
