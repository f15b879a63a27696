import { type TransactionDetail, toWireStatus, type TransactionStatus } from '../contract/fiat-transaction.ts';
import { amountNumber } from '../contract/money.ts';
import { minorUnitsOf } from '../contract/currency.ts';
import { formatInstant } from '../contract/time.ts';
import type { Database } from '../platform/database/database.ts';
import { linkUrl, type PaymentsContext } from './context.ts';
import { isAcceptable } from './acceptable.ts';
import { listInstructions, listReceipts, type PaymentInstructions } from './instructions-store.ts';
import { isOpen } from './states.ts';
import { listAttempts, listEvents } from './store.ts';
import type { CardAttempt, FiatTransaction } from './transaction.ts';

type EventRow = Awaited<ReturnType<typeof listEvents>>[number];

/** The whole truth about a transaction, as `GET /fiat/v1/transaction` and callbacks tell it. */
export async function describeTransaction(
  context: Pick<PaymentsContext, 'publicUrl'>,
  reader: Pick<Database, 'query'>,
  transaction: FiatTransaction,
  newest?: EventRow,
): Promise<TransactionDetail> {
  const attempts = await listAttempts(reader, transaction);
  const events = await listEvents(reader, transaction);
  const instructions = await listInstructions(reader, transaction);
  const receipts = await listReceipts(reader, transaction);
  const number = (minor: bigint) => amountNumber(minor, minorUnitsOf(transaction.currency));
  return {
    transaction_id: transaction.reference,
    created_at: formatInstant(transaction.createdAt),
    updated_at: formatInstant(transaction.updatedAt),
    expires_at: formatInstant(transaction.expiresAt),
    amount: number(transaction.amountMinor),
    amount_charged: number(transaction.chargedMinor),
    amount_delivered: number(transaction.deliveredMinor),
    amount_received: number(transaction.receivedMinor),
    currency: transaction.currency,
    country: transaction.country,
    descriptions: transaction.description,
    payment_method: transaction.paymentMethod,
    status: toWireStatus(transaction.status),
    ...(transaction.reason && { reason: transaction.reason }),
    ...(transaction.late && { late: true }),
    type_of_fee_calculate: transaction.feeCalculation,
    link: linkUrl(context, transaction.linkId),
    merchant_fee_fix: number(transaction.feeFixMinor),
    merchant_fee_percent: transaction.feePercentMillionths / 10_000,
    additional_currency: transaction.additionalCurrency,
    rate: Number(transaction.rate),
    rate_merchant_final: Number(transaction.rateMerchantFinal),
    ...(transaction.buyerCountry && { buyer_country: transaction.buyerCountry }),
    attempts: attempts.map(describeAttempt),
    instructions: instructions.map(describeInstructions),
    receipts: receipts.map(({ amountMinor, receivedAt }) => ({
      amount: number(amountMinor),
      received_at: formatInstant(receivedAt),
    })),
    available_actions: availableActions(transaction, attempts),
    timeline: [...events, ...(newest ? [newest] : [])].map((event) => ({
      sequence: event.sequence,
      type: event.type,
      at: formatInstant(event.at),
      status: toWireStatus(event.status as TransactionStatus),
      ...(event.detail && { detail: event.detail }),
    })),
  };
}

function describeAttempt(attempt: CardAttempt): TransactionDetail['attempts'][number] {
  return {
    number: attempt.number,
    state: attempt.state,
    brand: attempt.brand,
    first6: attempt.first6,
    last4: attempt.last4,
    three_d_secure: attempt.threeDSecure,
    ...(attempt.decline && { decline: { code: attempt.decline.code, advice: attempt.decline.advice } }),
    created_at: formatInstant(attempt.createdAt),
  };
}

function describeInstructions(instructions: PaymentInstructions): TransactionDetail['instructions'][number] {
  return {
    number: instructions.number,
    payment_method: instructions.paymentMethod,
    choice: instructions.choice,
    state: instructions.state,
    reference: instructions.reference,
    expires_at: instructions.expiresAt === null ? null : formatInstant(instructions.expiresAt),
    created_at: formatInstant(instructions.createdAt),
  };
}

function availableActions(transaction: FiatTransaction, attempts: readonly CardAttempt[]): string[] {
  const open = attempts.find((attempt) => isOpen(attempt.state));
  const isIdle = open === undefined || open.state === 'challenge';
  const isUnpaid = transaction.receivedMinor === 0n;
  const isCancellable = transaction.status === 'pending' || (transaction.status === 'waiting' && isIdle && isUnpaid);
  return [...(isCancellable ? ['cancel'] : []), ...(isAcceptable(transaction) ? ['accept'] : [])];
}
