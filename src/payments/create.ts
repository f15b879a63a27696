import { createHash } from 'node:crypto';
import { type CurrencyCode, minorUnitsOf } from '../api/currency.ts';
import { type CreateTransactionRequest, type CreateTransactionResponse, toApiStatus } from '../api/fiat-transaction.ts';
import { amountNumber, formatMinor, MAX_MINOR, parseAmount } from '../shared/money.ts';
import { formatInstant, type Instant } from '../shared/time.ts';
import type { OfferedPaymentMethod } from '../methods/availability.ts';
import { findPaymentMethod, possibleMethods } from '../methods/catalog.ts';
import { canonicalJson } from '../operations/idempotency.ts';
import type { StoreResponse } from '../operations/serve.ts';
import { deductFromRate } from '../shared/rate-arithmetic.ts';
import type { UnitOfWork } from '../database/database.ts';
import { networkOf, publicUrlProblem } from '../http/address.ts';
import type { ClientLocation } from '../http/context.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import { publicId } from '../system/random.ts';
import { embedUrl, linkUrl, type PaymentsContext } from './context.ts';
import { newTransactionDetail } from './detail.ts';
import { expireIfDue } from './expire.ts';
import { expiryOf, requireLifetime } from './expiry.ts';
import { type FeeSplit, splitFee } from '../shared/fees.ts';
import { creationEvent } from './related-records.ts';
import { findByReference } from './store.ts';
import { type FiatTransaction, transactionMetadata, transactionRecord } from './schema.ts';
import { suppliedPayerKeys } from './listed-payer.ts';

/** The reusable link through which a buyer creates a transaction. */
export interface TransactionOrigin {
  reusableLinkId: string;
  quantity: number;
  buyer: ClientLocation;
  /** Limits the lifetime of the payment link; null for no limit. */
  maximumLifetime: Instant | null;
  /** Reserves the quantity in the unit of work that inserts the transaction; throws a `Problem` if it cannot. */
  reserve(unit: UnitOfWork): Promise<void>;
}

/**
 * Creates a transaction and its one-time link. The same request again returns the same link; a different request with
 * the same `transaction_id` is a conflict.
 */
export async function createTransaction(
  context: PaymentsContext,
  merchantId: number,
  request: CreateTransactionRequest,
  storeResponse?: StoreResponse<CreateTransactionResponse>,
  origin?: TransactionOrigin,
): Promise<CreateTransactionResponse> {
  const digest = digestRequest(request);
  let problem: Problem | null = null;
  // Almost every reference is new: the lookup happens only after a failed insert.
  const created = await tryCreate(context, merchantId, request, { digest, storeResponse, origin }).catch(
    (error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      problem = error;
      return null;
    },
  );
  if (created) return created;
  const existing = await findByReference(context.database, merchantId, request.transaction_id);
  if (existing) return await replay(context, existing, request);
  throw problem ?? new Error('The conflicting transaction was not found');
}

/**
 * Returns null when the merchant already has a transaction with this reference. Throws a `Problem` for invalid fields.
 */
async function tryCreate(
  context: PaymentsContext,
  merchantId: number,
  request: CreateTransactionRequest,
  {
    digest,
    storeResponse,
    origin,
  }: {
    digest: string;
    storeResponse: StoreResponse<CreateTransactionResponse> | undefined;
    origin: TransactionOrigin | undefined;
  },
): Promise<CreateTransactionResponse | null> {
  const { settings, method, amountMinor, split } = await priceTransaction(context, merchantId, request);
  const { additionalCurrency, rate, source: rateSource, at: rateAt } = reportingRate(context, request, settings);
  const now = context.clock.now();
  const linkLifetime = requireLifetime(request, now);
  const draft = {
    merchantId,
    reference: request.transaction_id,
    linkId: publicId(context.random),
    kind: request.transaction_type,
    status: 'pending' as const,
    reason: null,
    capture: request.capture ?? ('automatic' as const),
    authorizationStatus: null,
    late: false,
    paymentMethod: request.payment_method,
    country: request.country,
    currency: request.currency,
    amountMinor,
    chargedMinor: split.chargedMinor,
    netMinor: split.netMinor,
    receivedMinor: 0n,
    refundedMinor: 0n,
    feeFixMinor: method.fee.fixedMinor,
    feePercentMillionths: method.fee.percentMillionths,
    feeCalculation: request.type_of_calculation,
    description: request.description ?? '',
    successRedirectUrl: request.success_redirect_url ?? null,
    failRedirectUrl: request.fail_redirect_url ?? null,
    additionalCurrency,
    exRate: knownRate(context, request.currency, 'USD')?.rate ?? '0',
    rate,
    rateSource,
    rateAt,
    rateMerchantFinal: deductFromRate(rate, method.fee.percentMillionths),
    requestDigest: digest,
    buyerCountry: origin?.buyer.country ?? null,
    buyerCountrySource: origin?.buyer.countrySource ?? null,
    buyerNetwork: origin ? networkOf(origin.buyer.address) : null,
    buyerLocale: null,
    payer: request.payer ?? null,
    ...suppliedPayerKeys(request.payer ?? null),
    lineItems: request.line_items ?? null,
    metadata: request.metadata ?? null,
    locale: request.locale ?? null,
    reusableLinkId: origin?.reusableLinkId ?? null,
    reusableLinkQuantity: origin?.quantity ?? null,
    decidedBy: null,
    decidedAt: null,
    decisionReason: null,
    acceptedMinor: null,
    sequence: 0,
    createdAt: now,
    updatedAt: now,
    linkLifetime,
  };
  const maximumLifetime = origin?.maximumLifetime ?? null;
  const expiresAt = expiryOf(draft, { issuedAt: now, defaultLifetime: settings.linkLifetime, maximumLifetime });
  const transaction = { ...draft, expiresAt };
  const row = transactionRecord.write(transaction);
  const event = {
    previous_status: null,
    webhook_id: null,
    // The event's data does not include the transaction's internal ID.
    data: JSON.stringify(newTransactionDetail(context, { id: 0, ...transaction })),
    ...creationEvent(transaction),
  };
  const toResponse = (id: number | null) => (id === null ? null : toCreateResponse(context, { id, ...transaction }));
  const { database, transactionWriter } = context;
  const { metadata } = request;
  if (!storeResponse && !origin && !metadata) return toResponse(await transactionWriter.insert(row, event));
  return await database.inTransaction(async (unit) => {
    await origin?.reserve(unit);
    const id = await transactionWriter.insertIn(unit, row, event);
    const response = toResponse(id);
    if (id !== null && metadata) await transactionMetadata.insert(unit, { merchantId, id }, metadata);
    if (response) await storeResponse?.(unit, response);
    return response;
  });
}

/** Returns the method and the amounts of a new transaction; throws a `Problem` if the merchant cannot accept it. */
export async function priceTransaction(
  context: PaymentsContext,
  merchantId: number,
  request: CreateTransactionRequest,
) {
  const { country, currency } = request;
  const { settings, methods } = await context.merchantTerms.read(merchantId, country, currency);
  const method = requireEnabledMethod(context, merchantId, methods, request);
  const amountMinor = parseAmount(request.amount, minorUnitsOf(request.currency));
  if (typeof amountMinor !== 'bigint') throw new Error('The amount was not validated');
  const split = requireFeeSplit(request, amountMinor, method);
  requirePublicImages(context, request);
  const payment = { merchantId, method, country, currency, amountMinor: split.chargedMinor };
  requireSupportedAmount(context, payment);
  if (request.capture === 'manual') requireManualCapture(context, payment);
  return { settings, method, amountMinor, split };
}

/** The rate between two currencies, for information; null if there has never been one. */
function knownRate({ rates }: PaymentsContext, from: CurrencyCode, to: CurrencyCode) {
  try {
    return rates.rate(from, to);
  } catch (error) {
    if (error instanceof Problem && error.code === 'rate_unavailable') return null;
    throw error;
  }
}

/** The currency in which a transaction is reported, with its rate: without a rate, the transaction's own. */
function reportingRate(
  context: PaymentsContext,
  { currency }: CreateTransactionRequest,
  { additionalCurrency }: { additionalCurrency: CurrencyCode },
) {
  const known = knownRate(context, currency, additionalCurrency);
  return known ? { additionalCurrency, ...known } : { additionalCurrency: currency, rate: '1', source: null, at: null };
}

/** Returns the response of the first request; throws a `Problem` when the fields differ. */
async function replay(
  context: PaymentsContext,
  existing: FiatTransaction,
  request: CreateTransactionRequest,
): Promise<CreateTransactionResponse> {
  // Earlier versions kept the order of nested fields.
  const digests = [digestRequest(request), digestRequest(request, JSON.stringify)];
  if (digests.includes(existing.requestDigest)) return toCreateResponse(context, await expireIfDue(context, existing));
  throw new Problem(
    'transaction_id_conflict',
    `A transaction ${existing.reference} with other fields already exists. Use a new transaction_id, or repeat the first request unchanged.`,
  );
}

/** Returns the response to a creation or a renewal. */
export function toCreateResponse(context: PaymentsContext, transaction: FiatTransaction): CreateTransactionResponse {
  const common = {
    ex_rate: Number(transaction.exRate),
    transaction_id: transaction.reference,
    status: toApiStatus(transaction.status),
    expires_at: formatInstant(transaction.expiresAt),
  };
  if (transaction.kind === 'link')
    return { type: 'link', value: { link: linkUrl(context, transaction.linkId) }, ...common };
  const grant = { merchantId: transaction.merchantId, transactionId: transaction.id };
  return {
    type: 'custom_form',
    amount_charged: amountNumber(transaction.chargedMinor, minorUnitsOf(transaction.currency)),
    currency: transaction.currency,
    ...common,
    client_token: context.clientTokens.issue(grant, context.clock.now()),
    embed_url: embedUrl(context, transaction.linkId),
  };
}

function digestRequest(request: CreateTransactionRequest, toText: (value: unknown) => string = canonicalJson): string {
  const fields = Object.entries(request).filter(([, value]) => value !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(toText(fields)).digest('hex');
}

/** Returns the requested method; throws a `Problem` when it is unknown, unavailable, unsupported or not enabled. */
function requireEnabledMethod(
  { supportsMethod }: Pick<PaymentsContext, 'supportsMethod'>,
  merchantId: number,
  enabled: readonly OfferedPaymentMethod[],
  request: CreateTransactionRequest,
): OfferedPaymentMethod {
  const { payment_method: code, country, currency } = request;
  const method = enabled.find((candidate) => candidate.code === code);
  if (method) return method;
  const possible = enabled.map((candidate) => candidate.code).join(', ') || 'none';
  const methodProblem = (problemCode: string, reason: string) =>
    validationProblem([
      {
        pointer: '/payment_method',
        code: problemCode,
        detail: `${reason}; possible for ${country} and ${currency}: ${possible}`,
      },
    ]);
  const known = findPaymentMethod(code);
  if (!known) throw methodProblem('unknown_payment_method', 'is not a known payment method');
  const isSupported = supportsMethod({ merchantId, method: known, country, currency });
  // In a currency that needs a route, the sandbox's own account accepts a method only once the method is enabled.
  const isRouted = supportsMethod({ merchantId, method: known, country, currency, isStoredOnly: true });
  if (!possibleMethods(country, currency, () => isRouted).includes(known)) {
    throw methodProblem('payment_method_not_for_country', 'is not available in this country and currency');
  }
  if (!isSupported) {
    throw methodProblem('acquirer_unavailable', 'has no acquirer in this installation; ask its operator to set one up');
  }
  throw methodProblem('payment_method_not_enabled', 'is not enabled for your account');
}

/** Throws a `Problem` for images that buyers' browsers must not load. */
function requirePublicImages(
  { isSandbox }: PaymentsContext,
  { line_items: items = [] }: CreateTransactionRequest,
): void {
  const problems = items.flatMap(({ image_url: url }, index) => {
    const problem = url === undefined ? null : publicUrlProblem(new URL(url), isSandbox);
    return problem === null
      ? []
      : [{ pointer: `/line_items/${index}/image_url`, code: 'invalid_url', detail: problem }];
  });
  if (problems.length > 0) throw validationProblem(problems);
}

/** Throws a `Problem` if no acquirer account accepts the amount by this method. */
function requireSupportedAmount(
  { supportsMethod }: Pick<PaymentsContext, 'supportsMethod'>,
  payment: Parameters<PaymentsContext['supportsMethod']>[0],
): void {
  if (supportsMethod(payment)) return;
  const detail = `is outside the acquirer’s limits for ${payment.method.code}, or has more decimals than it accepts`;
  throw validationProblem([{ pointer: '/amount', code: 'amount_not_supported', detail }]);
}

/** Throws a `Problem` if no acquirer account can authorize the payment and capture it later. */
function requireManualCapture(
  { supportsMethod }: Pick<PaymentsContext, 'supportsMethod'>,
  payment: Parameters<PaymentsContext['supportsMethod']>[0],
): void {
  if (supportsMethod({ ...payment, isManualCapture: true })) return;
  const { code, action } = payment.method;
  const detail =
    action === 'card'
      ? 'must be automatic: no acquirer account for this payment supports manual capture'
      : `must be automatic: ${code} is not a card method`;
  throw validationProblem([{ pointer: '/capture', code: 'capture_not_supported', detail }]);
}

/**
 * Returns the fee split; throws a `Problem` when the net amount is not positive, or the charged amount is too large.
 */
function requireFeeSplit(
  request: CreateTransactionRequest,
  amountMinor: bigint,
  method: OfferedPaymentMethod,
): FeeSplit {
  const { currency, type_of_calculation: feeCalculation } = request;
  const split = splitFee({ amountMinor, currency, feeCalculation }, method.fee);
  if (split.netMinor <= 0n) {
    const fee = formatMinor(split.feeMinor, minorUnitsOf(request.currency));
    throw validationProblem([
      {
        pointer: '/amount',
        code: 'amount_below_fee',
        detail: `must be greater than the fee of ${fee} ${request.currency}`,
      },
    ]);
  }
  if (split.chargedMinor > MAX_MINOR) {
    throw validationProblem([{ pointer: '/amount', code: 'too_large', detail: 'is too large including the fee' }]);
  }
  return split;
}
