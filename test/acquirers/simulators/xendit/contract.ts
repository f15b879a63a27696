/*
 * Xendit's Payments API of 2024-11-11, its refunds, transactions and balance: the operations and fields that Paylatch
 * uses. A field that is missing here is rejected, so a new one is added with its limits from Xendit's documentation.
 */
import { z } from 'zod';
import { alpha3, cardNumber, headers, instant, month, operation, securityCode, text, webAddress } from '../contract.ts';

const paymentRequestId = z.string().regex(/^pr-[0-9a-f-]{36}$/);
const paymentId = z.string().regex(/^py-[0-9a-f-]{36}$/);
const refundId = z.string().regex(/^rfd-[0-9a-f-]{36}$/);
const referenceId = text(255);
const metadata = z.record(z.string(), z.unknown());

const countries = ['ID', 'PH', 'VN', 'TH', 'SG', 'MY', 'HK', 'MX'] as const;
const currencies = [
  ...['IDR', 'PHP', 'VND', 'THB', 'SGD', 'MYR', 'USD', 'HKD', 'AUD', 'GBP', 'EUR', 'JPY', 'MXN'],
] as const;

/** Amounts are in whole currency units. The rupiah, the yen and the dong have no decimals here. */
const money = z.number().positive();
function hasItsDecimals(amount: number, currency: string): boolean {
  const scale = ['IDR', 'JPY', 'VND'].includes(currency) ? 1 : 100;
  return Number((Math.round(amount * scale) / scale).toFixed(2)) === amount;
}

const cardDetails = z.strictObject({
  card_number: cardNumber,
  cvn: securityCode.optional(),
  expiry_month: month,
  expiry_year: z.string().regex(/^20\d\d$/),
  cardholder_first_name: text(255).optional(),
  cardholder_last_name: text(255).optional(),
  cardholder_email: z.email().optional(),
  cardholder_phone_number: z
    .string()
    .regex(/^\+\d{6,15}$/)
    .optional(),
});

const returnUrl = webAddress.min(11).max(255);
const channelProperties = z.strictObject({
  card_details: cardDetails.optional(),
  skip_three_ds: z.boolean().optional(),
  statement_descriptor: text(22).optional(),
  success_return_url: returnUrl.optional(),
  failure_return_url: returnUrl.optional(),
  cancel_return_url: returnUrl.optional(),
  display_name: text(50).optional(),
  expires_at: instant.optional(),
});

const creation = z
  .strictObject({
    reference_id: referenceId,
    type: z.literal('PAY'),
    country: z.enum(countries),
    currency: z.enum(currencies),
    request_amount: money,
    capture_method: z.enum(['AUTOMATIC', 'MANUAL']).optional(),
    channel_code: z.string().regex(/^[A-Z0-9_]+$/),
    channel_properties: channelProperties,
    description: text(1000).optional(),
    customer: z
      .strictObject({
        type: z.literal('INDIVIDUAL'),
        reference_id: referenceId,
        email: z.email().optional(),
        mobile_number: z
          .string()
          .regex(/^\+\d{6,15}$/)
          .optional(),
        individual_detail: z.strictObject({ given_names: text(255), surname: text(255).optional() }),
      })
      .optional(),
    metadata: metadata.optional(),
  })
  .refine(({ request_amount, currency }) => hasItsDecimals(request_amount, currency), {
    error: 'has more decimals than its currency',
    path: ['request_amount'],
  })
  .refine(({ channel_code, channel_properties }) => (channel_code === 'CARDS') === !!channel_properties.card_details, {
    error: 'card_details belong to CARDS only, which needs them',
    path: ['channel_properties'],
  });

const statuses = [
  ...['ACCEPTING_PAYMENTS', 'REQUIRES_ACTION', 'AUTHORIZED', 'CANCELED', 'EXPIRED', 'SUCCEEDED', 'FAILED'],
] as const;

export const failureCodes = [
  ...['INSUFFICIENT_BALANCE', 'CARD_DECLINED', 'DECLINED_BY_ISSUER', 'EXPIRED_CARD', 'STOLEN_CARD', 'INVALID_CVV'],
  ...['AUTHENTICATION_FAILED', 'USER_DECLINED_PAYMENT', 'ISSUER_UNAVAILABLE', 'SUSPECTED_FRAUDULENT'],
  ...['INACTIVE_OR_UNAUTHORIZED_CARD', 'PROCESSOR_ERROR', 'PAYMENT_REQUEST_EXPIRED', 'DECLINED_BY_PROCESSOR'],
] as const;
export type FailureCode = (typeof failureCodes)[number];

export const paymentRequest = z.strictObject({
  business_id: z.string(),
  reference_id: referenceId,
  payment_request_id: paymentRequestId,
  latest_payment_id: paymentId.optional(),
  type: z.literal('PAY'),
  country: z.enum(countries),
  currency: z.enum(currencies),
  request_amount: money,
  capture_method: z.enum(['AUTOMATIC', 'MANUAL']),
  channel_code: z.string(),
  /** Without the card. */
  channel_properties: channelProperties.omit({ card_details: true }),
  actions: z.array(
    z.strictObject({
      type: z.enum(['REDIRECT_CUSTOMER', 'PRESENT_TO_CUSTOMER', 'API_POST_REQUEST']),
      descriptor: z.enum(['WEB_URL', 'QR_STRING', 'VIRTUAL_ACCOUNT_NUMBER']),
      value: z.string(),
    }),
  ),
  status: z.enum(statuses),
  failure_code: z.enum(failureCodes).optional(),
  description: z.string().optional(),
  metadata: metadata.optional(),
  created: instant,
  updated: instant,
});
export type PaymentRequest = z.infer<typeof paymentRequest>;

export const payment = z.strictObject({
  payment_id: paymentId,
  business_id: z.string(),
  payment_request_id: paymentRequestId,
  reference_id: referenceId,
  type: z.literal('PAY'),
  country: z.enum(countries),
  currency: z.enum(currencies),
  request_amount: money,
  channel_code: z.string(),
  status: z.enum(['AUTHORIZED', 'CANCELED', 'SUCCEEDED', 'FAILED']),
  captures: z
    .array(z.strictObject({ capture_id: z.string(), capture_amount: money, capture_timestamp: instant }))
    .optional(),
  failure_code: z.enum(failureCodes).optional(),
  payment_details: z
    .strictObject({ card_network_response_code: z.string(), merchant_advice_code: z.string().optional() })
    .optional(),
  created: instant,
  updated: instant,
});
export type PaymentResponse = z.infer<typeof payment>;

export const refund = z.strictObject({
  id: refundId,
  payment_request_id: paymentRequestId,
  payment_id: paymentId,
  reference_id: referenceId,
  amount: money,
  currency: z.enum(currencies),
  channel_code: z.string(),
  status: z.enum(['PENDING', 'SUCCEEDED', 'FAILED']),
  reason: z.string(),
  failure_code: z.string().nullable(),
  refund_fee_amount: z.number().nullable(),
  metadata: metadata.nullable(),
  created: instant,
  updated: instant,
});
export type RefundResponse = z.infer<typeof refund>;

const transaction = z.strictObject({
  id: z.string(),
  product_id: z.string(),
  type: z.enum(['PAYMENT', 'REFUND']),
  status: z.enum(['PENDING', 'SUCCESS', 'FAILED', 'VOIDED', 'REVERSED']),
  channel_category: z.string(),
  channel_code: z.string(),
  reference_id: referenceId,
  account_identifier: z.string().nullable(),
  currency: alpha3,
  amount: money,
  net_amount: money,
  cashflow: z.enum(['MONEY_IN', 'MONEY_OUT']),
  settlement_status: z.enum(['PENDING', 'EARLY_SETTLED', 'SETTLED']).nullable(),
  business_id: z.string(),
  created: instant,
  updated: instant,
  product_data: z.strictObject({ payment_request_id: paymentRequestId }).nullable(),
});

const error = z.strictObject({ error_code: z.string().regex(/^[A-Z0-9_]+$/), message: z.string() });
const errors = { 400: error, 401: error, 403: error, 404: error, 409: error, 429: error, 500: error, 503: error };

const authorization = z.string().startsWith('Basic ');
const version = { authorization, 'api-version': z.literal('2024-11-11') };
const get = headers(version, { hasBody: false });
const post = headers(version);
const unversioned = headers({ authorization }, { hasBody: false });

export const xenditContract = {
  charge: operation({
    name: 'charge',
    method: 'POST',
    path: '/v3/payment_requests',
    headers: post,
    body: creation,
    responses: { 201: paymentRequest, ...errors },
  }),
  fetch: operation({
    name: 'fetch',
    method: 'GET',
    path: '/v3/payment_requests/{payment_request_id}',
    headers: get,
    responses: { 200: paymentRequest, ...errors },
  }),
  cancel: operation({
    name: 'cancel',
    method: 'POST',
    path: '/v3/payment_requests/{payment_request_id}/cancel',
    headers: get,
    body: z.strictObject({}).optional(),
    responses: { 200: paymentRequest, ...errors },
  }),
  capturePayment: operation({
    name: 'capture',
    method: 'POST',
    path: '/v3/payments/{payment_id}/capture',
    headers: post,
    body: z.strictObject({ capture_amount: money.optional() }),
    responses: { 200: payment, ...errors },
  }),
  cancelPayment: operation({
    name: 'cancelPayment',
    method: 'POST',
    path: '/v3/payments/{payment_id}/cancel',
    headers: get,
    body: z.strictObject({}).optional(),
    responses: { 200: payment, ...errors },
  }),
  simulate: operation({
    name: 'simulate',
    method: 'POST',
    path: '/v3/payment_requests/{payment_request_id}/simulate',
    headers: post,
    body: z.strictObject({ amount: money }),
    responses: { 200: z.strictObject({ status: z.literal('PENDING'), message: z.string() }), ...errors },
  }),
  fetchPayment: operation({
    name: 'fetchPayment',
    method: 'GET',
    path: '/v3/payments/{payment_id}',
    headers: get,
    responses: { 200: payment, ...errors },
  }),
  refund: operation({
    name: 'refund',
    method: 'POST',
    path: '/refunds',
    headers: headers({ authorization, 'idempotency-key': text(255).optional() }),
    body: z.strictObject({
      payment_request_id: paymentRequestId,
      reference_id: referenceId.optional(),
      currency: z.enum(currencies).optional(),
      amount: money.optional(),
      reason: z.enum(['FRAUDULENT', 'DUPLICATE', 'REQUESTED_BY_CUSTOMER', 'CANCELLATION', 'OTHERS']),
      metadata: metadata.optional(),
    }),
    responses: { 200: refund, ...errors },
  }),
  fetchRefund: operation({
    name: 'fetchRefund',
    method: 'GET',
    path: '/refunds/{refund_id}',
    headers: unversioned,
    responses: { 200: refund, ...errors },
    api: 'refunds',
  }),
  transactions: operation({
    name: 'transactions',
    method: 'GET',
    path: '/transactions',
    headers: unversioned,
    query: z.strictObject({
      reference_id: referenceId.optional(),
      product_id: text(255).optional(),
      types: z.enum(['PAYMENT', 'REFUND']).optional(),
      limit: z
        .string()
        .regex(/^\d{1,2}$/)
        .optional(),
    }),
    responses: {
      200: z.strictObject({ has_more: z.boolean(), data: z.array(transaction), links: z.array(z.unknown()) }),
      ...errors,
    },
    api: 'transactions',
  }),
  balance: operation({
    name: 'balance',
    method: 'GET',
    path: '/balance',
    headers: unversioned,
    query: z.strictObject({ account_type: z.enum(['CASH', 'HOLDING']).optional(), currency: alpha3.optional() }),
    responses: { 200: z.strictObject({ balance: z.number() }), ...errors },
    api: 'balance',
  }),
};
