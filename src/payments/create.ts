import { createHash } from 'node:crypto';
import { minorUnitsOf } from '../api/currency.ts';
import {
  type CreateTransactionRequest,
  type CreateTransactionResponse,
  toWireStatus,
} from '../api/fiat-transaction.ts';
import { amountNumber, formatMinor, MAX_MINOR, parseAmount } from '../shared/money.ts';
import { formatInstant } from '../shared/time.ts';
import type { OfferedPaymentMethod } from '../methods/availability.ts';
import { findPaymentMethod, methodsForCountry } from '../methods/catalogue.ts';
import type { KeepAnswer } from '../operations/serve.ts';
import { rateLess } from '../shared/rate-arithmetic.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import { randomId } from '../system/random.ts';
import { embedUrl, linkUrl, type PaymentsContext } from './context.ts';
import { newTransactionDetail } from './detail.ts';
import { expireIfDue } from './expire.ts';
import { type FeeSplit, splitFee } from '../shared/fees.ts';
import { findByReference } from './store.ts';
import { type FiatTransaction, transactionRecord } from './schema.ts';

/**
 * Makes a transaction and its one-time link. The same request again answers the same link; another
 * one under the same `transaction_id` is a conflict.
 */
export async function createTransaction(
  context: PaymentsContext,
  merchantId: number,
  request: CreateTransactionRequest,
  keepAnswer?: KeepAnswer<CreateTransactionResponse>,
): Promise<CreateTransactionResponse> {
  const digest = digestRequest(request);
  const findFormer = async () => await findByReference(context.database, merchantId, request.transaction_id);
  let refusal: Problem | null = null;
  // Almost every request is the first of its reference, so that nothing is looked for before.
  const made = await tryCreate(context, merchantId, request, digest, keepAnswer).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    refusal = error;
    return null;
  });
  if (made) return made;
  const former = await findFormer();
  if (former) return await replay(context, former, digest);
  throw refusal ?? new Error('A transaction that was in the way is gone');
}

/** Null when the merchant has a transaction of this reference; the problem when there cannot be one. */
async function tryCreate(
  context: PaymentsContext,
  merchantId: number,
  request: CreateTransactionRequest,
  digest: string,
  keepAnswer: KeepAnswer<CreateTransactionResponse> | undefined,
): Promise<CreateTransactionResponse | null> {
  const { country, currency } = request;
  const { settings, methods } = await context.merchantTerms.read(merchantId, country, currency);
  const { additionalCurrency, linkLifetime } = settings;
  const method = requireEnabledMethod(context, methods, request);
  const amountMinor = parseAmount(request.amount, minorUnitsOf(request.currency));
  if (typeof amountMinor !== 'bigint') throw new Error('The amount was not checked at the door');
  const split = requireFeeSplit(request, amountMinor, method);
  const rate = context.rates.rate(request.currency, additionalCurrency);
  const now = context.clock.now();
  const transaction = {
    merchantId,
    reference: request.transaction_id,
    linkId: randomId(context.random),
    kind: request.transaction_type,
    status: 'pending' as const,
    reason: null,
    late: false,
    paymentMethod: request.payment_method,
    country: request.country,
    currency: request.currency,
    amountMinor,
    chargedMinor: split.chargedMinor,
    deliveredMinor: split.deliveredMinor,
    receivedMinor: 0n,
    refundedMinor: 0n,
    feeFixMinor: method.fee.fixMinor,
    feePercentMillionths: method.fee.percentMillionths,
    feeCalculation: request.type_of_calculation,
    description: request.description ?? '',
    successRedirectUrl: request.success_redirect_url ?? null,
    failRedirectUrl: request.fail_redirect_url ?? null,
    additionalCurrency,
    exRate: context.rates.rate(request.currency, 'USD'),
    rate,
    rateMerchantFinal: rateLess(rate, method.fee.percentMillionths),
    requestDigest: digest,
    buyerCountry: null,
    buyerCountrySource: null,
    buyerNetwork: null,
    buyerLocale: null,
    decidedBy: null,
    decidedAt: null,
    decisionReason: null,
    acceptedMinor: null,
    sequence: 0,
    createdAt: now,
    updatedAt: now,
    expiresAt: now + linkLifetime,
  };
  const row = transactionRecord.write(transaction);
  const first = { sequence: 0, type: 'fiat.transaction.created', at: now, status: 'pending', detail: null };
  const event = {
    previous_status: null,
    webhook_id: null,
    // Its number is in nothing that a merchant is told.
    data: JSON.stringify(newTransactionDetail(context, { id: 0, ...transaction }, first)),
    ...first,
  };
  const answer = (id: number | null) => (id === null ? null : toCreateResponse(context, { id, ...transaction }));
  const { database, transactionWriter } = context;
  if (!keepAnswer) return answer(await transactionWriter.insert(row, event));
  return await database.inUnit(async (unit) => {
    const created = answer(await transactionWriter.insertIn(unit, row, event));
    if (created) await keepAnswer(unit, created);
    return created;
  });
}

async function replay(
  context: PaymentsContext,
  existing: FiatTransaction,
  digest: string,
): Promise<CreateTransactionResponse> {
  if (existing.requestDigest === digest) return toCreateResponse(context, await expireIfDue(context, existing));
  throw new Problem(
    'transaction_id_conflict',
    `There is a transaction ${existing.reference} already, made with other fields. Use a new transaction_id, or repeat the first request unchanged.`,
  );
}

/** A transaction as its creation, or its renewal, is answered. */
export function toCreateResponse(context: PaymentsContext, transaction: FiatTransaction): CreateTransactionResponse {
  const rest = {
    ex_rate: Number(transaction.exRate),
    transaction_id: transaction.reference,
    status: toWireStatus(transaction.status),
    expires_at: formatInstant(transaction.expiresAt),
  };
  if (transaction.kind === 'link')
    return { type: 'link', value: { link: linkUrl(context, transaction.linkId) }, ...rest };
  const grant = { merchantId: transaction.merchantId, transactionId: transaction.id };
  return {
    type: 'custom_form',
    amount_charged: amountNumber(transaction.chargedMinor, minorUnitsOf(transaction.currency)),
    currency: transaction.currency,
    ...rest,
    client_token: context.clientTokens.issue(grant, context.clock.now()),
    embed_url: embedUrl(context, transaction.linkId),
  };
}

function digestRequest(request: CreateTransactionRequest): string {
  const fields = Object.entries(request).filter(([, value]) => value !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

/** The method, if it exists, works in this country and currency, and is this merchant's to use. */
function requireEnabledMethod(
  { supportsMethod }: Pick<PaymentsContext, 'supportsMethod'>,
  enabled: readonly OfferedPaymentMethod[],
  request: CreateTransactionRequest,
): OfferedPaymentMethod {
  const { payment_method: code, country, currency } = request;
  const method = enabled.find((candidate) => candidate.code === code);
  if (method) return method;
  const possible = enabled.map((candidate) => candidate.code).join(', ') || 'none';
  const refuse = (problem: string, what: string) =>
    validationProblem([
      {
        pointer: '/payment_method',
        code: problem,
        detail: `${what}; possible for ${country} and ${currency}: ${possible}`,
      },
    ]);
  const known = findPaymentMethod(code);
  if (!known) throw refuse('unknown_payment_method', 'is not a payment method of the catalogue');
  if (!methodsForCountry(country, currency).some((candidate) => candidate.code === code)) {
    throw refuse('payment_method_not_for_country', 'does not work in this country and currency');
  }
  if (!supportsMethod(known)) {
    throw refuse('provider_unavailable', 'has no provider in this installation yet: ask its operator');
  }
  throw refuse('payment_method_not_enabled', 'is not enabled for your account');
}

/** The fee split; refused when nothing would be left for the merchant, or the sum does not fit. */
function requireFeeSplit(
  request: CreateTransactionRequest,
  amountMinor: bigint,
  method: OfferedPaymentMethod,
): FeeSplit {
  const split = splitFee(amountMinor, method.fee, request.type_of_calculation);
  if (split.deliveredMinor <= 0n) {
    const fee = formatMinor(split.feeMinor, minorUnitsOf(request.currency));
    throw validationProblem([
      {
        pointer: '/amount',
        code: 'amount_below_fee',
        detail: `must be more than the fee of ${fee} ${request.currency}`,
      },
    ]);
  }
  if (split.chargedMinor > MAX_MINOR) {
    throw validationProblem([{ pointer: '/amount', code: 'too_large', detail: 'is too large with the fee on top' }]);
  }
  return split;
}
