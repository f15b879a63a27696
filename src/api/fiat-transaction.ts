import { disputeStates } from '../shared/dispute.ts';
import { z } from 'zod';
import { feeCalculations } from '../shared/fees.ts';
import { anyOf } from './filter.ts';
import { countryAlpha3 } from './country.ts';
import { type CurrencyCode, currencyCode, maximumAmountOf, minorUnitsOf } from './currency.ts';
import { declineDetails } from './decline.ts';
import { MAX_MINOR, parseAmount } from '../shared/money.ts';
import { pageLanguage } from './link-page.ts';
import { lineItems, lineItemsProblem } from './line-items.ts';
import { metadataInput, metadata, metadataFilter } from './metadata.ts';
import { payerDetails } from './payer.ts';
import { rule } from './rule.ts';
import { describeStatuses } from './statuses.ts';
import { urlText, httpUrl, instantText, requestedInstant, text } from './text.ts';
import { type Moment, parseMoment } from '../shared/time.ts';

export const transactionStatuses = ['pending', 'waiting', 'confirmed', 'failed'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

/** A status in the API. */
export type ApiStatus = `transaction_status_${TransactionStatus}`;
export const apiStatuses = transactionStatuses.map((status) => `transaction_status_${status}` as const);

export function toApiStatus(status: TransactionStatus): ApiStatus {
  return `transaction_status_${status}`;
}

export function fromApiStatus(status: ApiStatus): TransactionStatus {
  return status.slice('transaction_status_'.length) as TransactionStatus;
}

/** Failure reasons; `reversed`: the transaction was paid by deposits that were later dropped from the chain. */
const failureReasons = ['expired', 'declined', 'cancelled', 'underpaid', 'overpaid', 'rejected', 'reversed'] as const;
export type FailureReason = (typeof failureReasons)[number];

/** The merchant's reference: text of at most 64 characters; a whole number is converted to its digits. */
export const transactionReference = z
  .union([text(64), z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).transform(String)])
  .meta({ id: 'TransactionReference', description: 'Your own reference, unique among your transactions' });

export const amountProblemTexts = {
  not_positive: 'must be greater than zero',
  too_large: 'must have at most 15 digits, decimals included',
  too_many_decimals: 'has more decimals than the currency',
} as const;

/** `manual`: an approved card is authorized, and the merchant captures the amount later. */
const captureModes = ['automatic', 'manual'] as const;

/**
 * Statuses of an authorization: `authorized`, then `captured`, `voided` or `expired`. `capture_pending` and
 * `void_pending` until the acquirer reports the outcome.
 */
const authorizationStatuses = [
  'authorized',
  'capture_pending',
  'captured',
  'void_pending',
  'voided',
  'expired',
] as const;
export type AuthorizationStatus = (typeof authorizationStatuses)[number];

const createFields = z.strictObject({
  transaction_id: transactionReference,
  payment_method: text(64).describe('A method that is enabled for the country and the currency'),
  amount: z
    .number()
    .describe('In the currency’s own decimals, such as 12.50; at most the maximum of the currency')
    .meta({ exclusiveMinimum: 0, maximum: Number(MAX_MINOR) }),
  country: countryAlpha3,
  currency: currencyCode,
  description: text(255).optional().describe('Purpose of the payment; required for a link'),
  success_redirect_url: httpUrl
    .nullish()
    .describe('Redirect after success; required for a link. With `null` the payer stays on the payment page'),
  fail_redirect_url: httpUrl
    .nullish()
    .describe('Redirect after failure; required for a link. With `null` the payer stays on the payment page'),
  type_of_calculation: z
    .enum(feeCalculations)
    .optional()
    .describe('Fee added to the amount or deducted from it; required for a link'),
  transaction_type: z.enum(['link', 'custom_form']).optional().describe('Response type; `link` by default'),
  expires_at: requestedInstant
    .optional()
    .describe(
      'Expiry of the link, from 1 minute to 365 days ahead; set by the preference `link-lifetime-minutes` by default',
    )
    .meta({ format: 'date-time' }),
  capture: z
    .enum(captureModes)
    .optional()
    .describe(
      '`manual`: an approval only authorizes the amount; capture or void it later. Requires a card method whose acquirer supports manual capture. `automatic` by default',
    ),
  payer: payerDetails.optional().describe('Known details of the payer; the payment page does not ask for them again'),
  line_items: lineItems
    .optional()
    .describe('Purchased items, shown on the payment page and the receipt. The items must add up to `amount`'),
  metadata: metadataInput.optional(),
  locale: pageLanguage.optional(),
});

const requiredForLink = ['description', 'success_redirect_url', 'fail_redirect_url', 'type_of_calculation'] as const;

/**
 * Body of `POST /fiat/v1/transaction`. The link kind (the default) needs a description, both redirects (a URL or null) and
 * the fee calculation; for the custom_form kind they are optional.
 */
export const createTransactionRequest = createFields
  .check(
    rule<z.output<typeof createFields>>((body, report) => {
      if (body.transaction_type !== 'custom_form') {
        for (const field of requiredForLink) {
          if (body[field] === undefined) report(field, 'required', 'is required for a payment link');
        }
      }
      if (body.amount === undefined || body.currency === undefined) return;
      const minor = parseAmount(body.amount, minorUnitsOf(body.currency));
      const maximum = maximumAmountOf(body.currency);
      if (minor === 'too_large' || body.amount > maximum) {
        report('amount', 'too_large', `must be at most ${maximum} ${body.currency}`);
      } else if (minor === 'too_many_decimals') {
        report('amount', minor, `${amountProblemTexts[minor]} ${body.currency} has`);
      } else if (minor === 'not_positive') {
        report('amount', minor, amountProblemTexts[minor]);
      } else if (body.line_items !== undefined) {
        const scale = { currency: body.currency, minorUnits: minorUnitsOf(body.currency) };
        const problem = lineItemsProblem(body.line_items, minor, scale);
        if (problem) report('line_items', problem.code, problem.message, problem.path);
      }
    }),
  )
  .transform((body) => ({
    ...body,
    transaction_type: body.transaction_type ?? ('link' as const),
    type_of_calculation: body.type_of_calculation ?? ('forward_without_fee' as const),
  }));
export type CreateTransactionRequest = z.infer<typeof createTransactionRequest>;

const statusText = z.enum(apiStatuses).meta({ id: 'TransactionStatus', description: describeStatuses('transaction') });

const createdFields = { transaction_id: z.string(), status: statusText, expires_at: instantText };

/** Response of `POST /fiat/v1/transaction` for the link kind. `ex_rate`: US dollars for one unit of the currency. */
const linkCreated = z
  .object({
    type: z.literal('link'),
    ex_rate: z.number().describe('US dollars for one unit of the currency; 0 if there has never been a rate'),
    value: z.object({ link: urlText.describe('Payment link for the buyer; single use') }),
    ...createdFields,
  })
  .meta({ id: 'LinkCreated' });

/**
 * Response of `POST /fiat/v1/transaction` for the custom_form kind. `amount_charged` is the amount to show to the
 * buyer, `client_token` submits only this transaction, and `embed_url` is the `src` of a `<pay-form>`.
 */
const customFormCreated = z
  .object({
    type: z.literal('custom_form'),
    amount_charged: z.number().describe('Amount to show to the payer'),
    currency: z.string(),
    ex_rate: z.number().describe('US dollars for one unit of the currency; 0 if there has never been a rate'),
    ...createdFields,
    client_token: z.string().describe('Lets a browser submit this transaction for 30 minutes'),
    embed_url: urlText.describe('`src` of a `<pay-form>`'),
  })
  .meta({ id: 'CustomFormCreated' });
export const createTransactionResponse = z.discriminatedUnion('type', [linkCreated, customFormCreated]);
export type CreateTransactionResponse = z.infer<typeof createTransactionResponse>;

/** Query of `GET /fiat/v1/transaction`. */
export const transactionQuery = z.strictObject({ transaction_id: text(64) });

/** Body of `POST /fiat/v1/transaction/cancel`. */
export const cancelTransactionRequest = z.strictObject({ transaction_id: transactionReference });

/** Body of `POST /fiat/v1/transaction/renew`. */
export const renewTransactionRequest = z.strictObject({ transaction_id: transactionReference });

const positiveAmount = z
  .number()
  .refine((value) => value > 0, { error: amountProblemTexts.not_positive, params: { code: 'not_positive' } })
  .refine((value) => value <= Number(MAX_MINOR), {
    error: amountProblemTexts.too_large,
    params: { code: 'too_large' },
  });
const amountLimits = { exclusiveMinimum: 0, maximum: Number(MAX_MINOR) };

/** Body of `POST /fiat/v1/transaction/capture`. */
export const captureTransactionRequest = z.strictObject({
  transaction_id: transactionReference,
  amount: positiveAmount
    .optional()
    .describe(
      'In the currency’s decimals, at most the authorized amount, which is the default. The remaining amount is released',
    )
    .meta(amountLimits),
});

/** Body of `POST /fiat/v1/transaction/void`. */
export const voidTransactionRequest = z.strictObject({ transaction_id: transactionReference });

const outOfBand = z
  .boolean()
  .optional()
  .describe(
    'True records a refund that you made elsewhere; the acquirer is not called. By default the funds are returned to the original payment method',
  );

/** Body of `POST /fiat/v1/transaction/refund`. */
export const refundTransactionRequest = z.strictObject({
  transaction_id: transactionReference,
  amount: positiveAmount
    .optional()
    .describe('In the currency’s decimals; the full remaining amount by default')
    .meta(amountLimits),
  out_of_band: outOfBand,
});

const reviewReason = text(255).optional().describe('Stored with the decision, for your team');

/** Body of `POST /fiat/v1/transaction/accept`. */
export const acceptTransactionRequest = z.strictObject({ transaction_id: transactionReference, reason: reviewReason });

/** Body of `POST /fiat/v1/transaction/reject`: refunds everything received. */
export const rejectTransactionRequest = z.strictObject({
  ...{ transaction_id: transactionReference, reason: reviewReason },
  out_of_band: outOfBand,
});

/** One entry for each event of the transaction, in order. */
const timelineEntry = z
  .object({
    sequence: z.number().int(),
    type: z.string(),
    at: instantText,
    status: statusText,
    detail: z.string().optional(),
  })
  .meta({ id: 'TimelineEntry' });

/** Response data of the issuer and the card network. Absent fields were not reported. */
const chargeDetailsSummary = z
  .object({
    authorization_code: z.string().optional().describe('The issuer’s authorization code'),
    network_code: z.string().optional().describe('Response code of the card network, such as `51`'),
    merchant_advice_code: z
      .string()
      .optional()
      .describe('Merchant advice code of the network: with `03` or `21`, do not charge this card again'),
    avs_result: z.string().optional().describe('Result of the address check (AVS), as reported by the acquirer'),
    cvv_result: z.string().optional().describe('Result of the security code check (CVV), as reported by the acquirer'),
    arn: z.string().optional().describe('Acquirer reference number, with which the payer’s bank can trace the payment'),
  })
  .meta({ id: 'ChargeDetails' });
export type ChargeDetailsSummary = z.infer<typeof chargeDetailsSummary>;

/** A card attempt. Of the card number, it contains only the first six and last four digits. */
const attemptSummary = z
  .object({
    number: z.number().int(),
    state: z.string().describe(describeStatuses('attempt')),
    brand: z.string().nullable(),
    first6: z.string(),
    last4: z.string(),
    three_d_secure: z.boolean(),
    acquirer_name: z
      .string()
      .optional()
      .describe('Acquirer of the attempt, such as `Adyen`; absent if its account was removed'),
    acquirer_reference: z
      .string()
      .optional()
      .describe('The acquirer’s reference of the charge, such as Adyen’s PSP reference; absent if none was reported'),
    decline: declineDetails.optional(),
    charge_details: chargeDetailsSummary.optional(),
    payer: z
      .object({ name: z.string().nullable(), email: z.string().nullable() })
      .optional()
      .describe('Entered with this card; absent from webhooks, and without the scope `approval:write`'),
    created_at: instantText,
  })
  .meta({ id: 'AttemptSummary' });

/** Payment instructions shown to the buyer, with their status. */
const instructionsSummary = z
  .object({
    number: z.number().int(),
    payment_method: z.string(),
    choice: z.string().nullable().describe('Bank or wallet selected by the buyer'),
    state: z.string().describe(describeStatuses('instructions')),
    reference: z.string().nullable().describe('Payment reference at the buyer’s bank'),
    expires_at: instantText.nullable(),
    confirmations: z
      .number()
      .int()
      .nullable()
      .describe('Lowest number of confirmations among deposits that await confirmations; null if there are none'),
    in_review: z
      .boolean()
      .optional()
      .describe('True while a crypto deposit awaits your approval, in the review of crypto transactions'),
    late_payments: z
      .boolean()
      .describe(
        'True if funds can still arrive after these instructions ended; they then confirm the transaction late',
      ),
    created_at: instantText,
  })
  .meta({ id: 'InstructionsSummary' });

/** Funds received through payment instructions. */
const receiptSummary = z
  .object({
    reference: z
      .string()
      .describe('The acquirer’s ID of the receipt; for a crypto deposit it begins with the transaction hash'),
    amount: z.number(),
    instructions_number: z.number().int().describe('`number` of the instructions by which it was received'),
    received_at: instantText,
  })
  .meta({ id: 'ReceiptSummary' });

/** A refund: `pending` until the acquirer reports that it `succeeded` or `failed`. */
const refundSummary = z
  .object({
    number: z.number().int(),
    amount: z.number(),
    state: z.enum(['pending', 'succeeded', 'failed']).describe(describeStatuses('refund')),
    failure: z.object({ code: z.string(), detail: z.string() }).optional(),
    out_of_band: z.boolean().optional().describe('Refunded outside the service, not through the acquirer'),
    created_at: instantText,
    updated_at: instantText,
  })
  .meta({ id: 'RefundSummary' });

/** A dispute: the buyer contests the payment with their bank. */
export const disputeSummary = z
  .object({
    number: z.number().int(),
    state: z.enum(disputeStates).describe(describeStatuses('dispute')),
    amount: z.number(),
    currency: z.string(),
    reference: z
      .string()
      .describe('The acquirer’s reference for the dispute; of the charge until the acquirer reports one'),
    reason_code: z.string().nullable().describe('Reason code of the card network'),
    reason: z.string().nullable(),
    respond_by: instantText.nullable().describe('Deadline for a response'),
    created_at: instantText,
    updated_at: instantText,
  })
  .meta({ id: 'DisputeSummary' });
export type DisputeSummary = z.infer<typeof disputeSummary>;

/** The authorization of a card. Amounts include the fee that the payer pays. */
const authorizationSummary = z
  .object({
    status: z.enum(authorizationStatuses).describe(describeStatuses('authorization')),
    amount: z.number().describe('Authorized amount'),
    captured_amount: z.number().describe('Captured amount; the requested one while a capture is pending'),
    failure: z
      .object({ code: z.string(), detail: z.string() })
      .optional()
      .describe('Reason for the last rejected capture or void'),
    created_at: instantText,
    expires_at: instantText.describe('If not captured by then, the amount is released'),
  })
  .meta({ id: 'Authorization' });
export type AuthorizationSummary = z.infer<typeof authorizationSummary>;

/** Actions of a transaction. */
const availableActions = [
  'cancel',
  'capture',
  'void',
  'accept',
  'reject',
  'reject_out_of_band',
  'renew',
  'refund',
  'refund_out_of_band',
] as const;

/** Reasons for which an acquirer cannot refund a payment. They are problem codes. */
export const refundErrorCodes = [
  'refund_not_supported',
  'partial_refund_not_supported',
  'acquirer_account_missing',
] as const;

/** The refunds that the acquirers of a transaction can issue. */
const refundOptions = z
  .object({
    maximum: z.number().describe('Maximum amount that can be refunded through the acquirers'),
    partial: z
      .boolean()
      .describe('True if any amount up to `maximum` can be refunded; otherwise only the full `maximum`'),
    refusal: z
      .enum(refundErrorCodes)
      .optional()
      .describe('The error code for amounts above `maximum`; absent if everything can be refunded'),
  })
  .meta({ id: 'RefundOptions' });

/** Response of `GET /fiat/v1/transaction`, and part of the `data` of its webhooks. */
export const transactionDetail = z
  .object({
    transaction_id: z.string(),
    created_at: instantText,
    updated_at: instantText,
    expires_at: instantText,
    amount: z.number().describe('Amount of the transaction'),
    amount_charged: z.number().describe('Amount that the buyer pays'),
    amount_delivered: z.number().describe('Net amount after the fee'),
    amount_received: z.number().describe('Amount received'),
    refunded_amount: z.number().describe('The amount refunded so far'),
    currency: z.string(),
    country: z.string().describe('ISO 3166-1 alpha-3'),
    descriptions: z.string(),
    line_items: lineItems.optional().describe('Purchased items, as sent when the transaction was created'),
    metadata: metadata.optional(),
    locale: z
      .string()
      .optional()
      .describe('Initial language of the payment page; absent if the browser’s language is used'),
    reusable_link_id: z.string().optional().describe('The reusable link that created the transaction'),
    payment_method: z.string(),
    status: statusText,
    reason: z.enum(failureReasons).optional().describe('Failure reason'),
    capture: z.literal('manual').optional().describe('Absent: captured automatically'),
    authorization: authorizationSummary
      .optional()
      .describe('With `capture: "manual"`, once a payment was authorized. The status is `waiting` until the capture'),
    late: z.boolean().optional().describe('True if the funds arrived after the transaction failed'),
    decision: z
      .object({
        by: z.string().describe('Stable ID: `token 2` or `person 3`'),
        by_name: z
          .string()
          .nullable()
          .describe('Current name of the user; null for tokens, and always null in events and webhooks'),
        at: instantText,
        reason: z.string().nullable(),
        is_approved: z.boolean(),
      })
      .optional()
      .describe('The last review decision; absent before the first'),
    type_of_fee_calculate: z.enum(feeCalculations).describe('Fee added to the amount or deducted from it'),
    payer: payerDetails
      .optional()
      .describe(
        'Details of the payer that you provided when you created the transaction; absent from webhooks, and without the scope `approval:write`',
      ),
    link: urlText.describe('Payment link for the buyer; single use'),
    merchant_fee_fix: z.number(),
    merchant_fee_percent: z.number(),
    additional_currency: z
      .string()
      .describe(
        'The preference `additional-currency` at creation, or the currency of the payment if there was no rate between them',
      ),
    rate: z.number().describe('Price of one unit of `currency` in `additional_currency`'),
    rate_merchant_final: z.number().describe('`rate` less your percentage fee'),
    rate_source: z
      .string()
      .optional()
      .describe(
        'Sources of `rate`, separated by commas; `sandbox-table` for the fixed table of the sandbox. Absent if the currencies are the same, or the transaction is older than this field',
      ),
    rate_at: instantText.optional().describe('Time of the oldest quote in `rate`. Absent whenever `rate_source` is'),
    buyer_country: z
      .string()
      .optional()
      .describe('Detected country of the buyer (ISO 3166-1 alpha-2); absent if unknown'),
    buyer_country_source: z
      .string()
      .optional()
      .describe('Source of the country: `address` (IP database) or `header` (the operator’s proxy)'),
    buyer_network: z.string().optional().describe('Network of the buyer’s IP address: a /24 of IPv4, a /48 of IPv6'),
    attempts: z.array(attemptSummary).describe('Card payment attempts'),
    instructions: z
      .array(instructionsSummary)
      .describe('The payment instructions shown to the buyer, with their status'),
    receipts: z.array(receiptSummary).describe('Receipts of funds by instructions'),
    refunds: z.array(refundSummary).describe('Refunds, with their status'),
    requested_refunds: z
      .array(z.number().int())
      .optional()
      .describe('Only in the response to a refund: `number` of each refund that the request created'),
    disputes: z.array(disputeSummary).describe('Disputes and chargebacks, with their status'),
    available_actions: z
      .array(z.enum(availableActions))
      .describe(
        'Currently available actions. `refund_out_of_band` and `reject_out_of_band`: only with `out_of_band`, because the acquirer cannot refund',
      ),
    refund_options: refundOptions.optional().describe('Absent while nothing can be refunded'),
    timeline: z.array(timelineEntry).describe('Events of the transaction, in order'),
  })
  .meta({ id: 'TransactionDetail' });
export type TransactionDetail = z.infer<typeof transactionDetail>;

const transactionListItem = z
  .object({
    id: z.number().int(),
    merchant_id: z.number().int(),
    amount: z.number(),
    amount_charged: z.number(),
    transaction_id: z.string(),
    currency: z.string(),
    status: statusText,
    description: z.string(),
    additional_currency: z.string(),
    rate_merchant_final: z.number(),
    created_at: instantText,
    payment_method: z.string(),
    updated_at: instantText,
    reason: z.enum(failureReasons).optional(),
    reusable_link_id: z.string().optional(),
    authorization_status: z.enum(authorizationStatuses).optional(),
    metadata: metadata.optional(),
    amount_received: z.number(),
    amount_kept: z.number().describe('The amount received, less refunds that succeeded or are pending'),
    card: z
      .object({ brand: z.string().nullable(), last4: z.string() })
      .optional()
      .describe('The card that was charged, or the last one attempted; absent if there was none'),
    payer: z
      .object({ name: z.string().nullable(), email: z.string().nullable() })
      .optional()
      .describe(
        'Payer details entered with that card, or the `payer` of the request. Masked without the scope `approval:write`',
      ),
  })
  .meta({ id: 'TransactionListItem' });

const transactionOrders = ['created_at', 'updated_at', 'amount', 'status', 'transaction_id', 'payment_method'] as const;
export type TransactionOrder = (typeof transactionOrders)[number];

/** Aliases of the payment_method filter: the method code of each, or null. `ewallet` matches every wallet. */
export const paymentMethodAliases: Readonly<
  Record<string, { method: string; currency?: CurrencyCode } | 'wallets' | null>
> = {
  qr_scan: { method: 'qr_code' },
  promptpay: { method: 'qr_code', currency: 'THB' },
  online_bank_transfer: { method: 'online_banking' },
  cards: { method: 'credit_card' },
  virtual_bank_account: { method: 'virtual_account' },
  upi2: { method: 'upi' },
  ewallet: 'wallets',
  wire: null,
  mobile_money: null,
  cup: null,
  p2p: null,
  cash: null,
  agent: null,
  alipay: null,
  wechat: null,
};

/** A whole number from 1. It is text in a query; OpenAPI describes it as a number. */
export const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,15}$/, { error: `must be a whole number from 1 to ${max}` })
    .transform(Number)
    .refine((value) => value <= max, {
      error: `must be a whole number from 1 to ${max}`,
      params: { code: 'too_large' },
    })
    .meta({ type: 'integer', minimum: 1, maximum: max });

/** A date-time whose offset began with a `+` that was read as a space, as in a form. */
const spaceForPlus = /^[\d-]{10}[T ][\d:.]+ \d{2}:?\d{2}$/;

/** A date (UTC), an ISO 8601 date-time (UTC unless it has an offset), or Unix seconds. */
export const moment = z.string().transform((value, context): Moment => {
  const parsed = parseMoment(value);
  if (parsed) return parsed;
  context.issues.push({
    code: 'custom',
    input: value,
    message: `must be a date (2026-01-31), a date-time (2026-01-31T09:30:00Z) or Unix seconds${
      spaceForPlus.test(value) ? '; a + in a URL must be written as %2B' : ''
    }`,
    params: { code: 'invalid_time' },
  });
  return z.NEVER;
});

/** Filters list entries by the time of their last change. A change can appear after a later one, because its time is set before its commit. */
export const updatedSince = moment
  .optional()
  .describe(
    'Changed at or after this time: a date (UTC), a date-time, or Unix seconds. A change can appear after changes with a later time. To synchronize, start five minutes before the latest change that you read, and skip records that you have with the same time of change; or use `GET /v1/events`, which misses no event',
  );

/** Maximum rows reachable with `page`; later rows are reachable with `cursor` only. */
export const MAX_COUNTED_ROWS = 10_000;

/** Filters of lists and exports; all are optional. */
const transactionFilters = {
  status: anyOf(z.enum(apiStatuses)),
  reason: anyOf(z.enum(failureReasons)).describe('Failure reason'),
  authorization_status: anyOf(z.enum(authorizationStatuses)).describe('Status of the card authorization'),
  awaiting_review: z.literal('true').optional().describe('Only transactions with received funds awaiting review'),
  payment_method: anyOf(text(64)).describe(`Method codes, or aliases: ${Object.keys(paymentMethodAliases).join(', ')}`),
  since: moment.optional().describe('Created at or after this time: a date (UTC), a date-time, or Unix seconds'),
  till: moment
    .optional()
    .describe('Created before this time: a date (inclusive), or a date-time or Unix seconds (exclusive)'),
  updated_since: updatedSince,
  currency: anyOf(currencyCode),
  country: anyOf(countryAlpha3),
  reusable_link_id: anyOf(text(64)).describe('Only transactions that these reusable links created'),
  metadata: metadataFilter,
  search: text(64)
    .optional()
    .describe(
      'Prefix of the `transaction_id` (case-sensitive), a complete `metadata` value, or a prefix of the payer’s first name, last name or email (with the scope `approval:write`); four digits also match the end of a card number, and a number such as `12.50` or `$1,250` the `amount`',
    ),
};

/** Query of `GET /fiat/v1/transactions`. */
export const transactionListQuery = z.strictObject({
  order_direction: z.enum(['asc', 'desc']).optional().describe('`asc` by default if `order` is given'),
  order: z.enum(transactionOrders).optional().describe('Field to sort by; newest first by default'),
  page: wholeNumber(MAX_COUNTED_ROWS).optional().describe('Covers the first 10,000 rows; beyond that, use `cursor`'),
  per_page: wholeNumber(100).optional().describe('Page size; 20 by default'),
  cursor: text(512)
    .optional()
    .describe('The `pagination.next_cursor` of the previous page; cannot be combined with `page`'),
  counts: z.literal('true').optional().describe('Adds `counts` to the response'),
  ...transactionFilters,
});
export type TransactionListQuery = z.infer<typeof transactionListQuery>;
export type TransactionFilters = Pick<TransactionListQuery, keyof typeof transactionFilters>;

/** Query of `GET /fiat/v1/transactions/export`: ordered by creation, the only order that never changes. */
export const transactionExportQuery = z.strictObject({
  order_direction: z.enum(['asc', 'desc']).optional().describe('By creation: `desc` (default, newest first) or `asc`'),
  ...transactionFilters,
});
export type TransactionExportQuery = z.infer<typeof transactionExportQuery>;

/** The columns of an export, named as in the list and the detail; new ones are appended. */
export const transactionExportColumns = [
  'id',
  'merchant_id',
  'transaction_id',
  'created_at',
  'updated_at',
  'status',
  'reason',
  'payment_method',
  'country',
  'currency',
  'amount',
  'amount_charged',
  'amount_delivered',
  'amount_received',
  'description',
  'additional_currency',
  'rate_merchant_final',
  'authorization_status',
  'metadata',
  'payer_name',
  'payer_email',
  'amount_kept',
] as const;
export type TransactionExportColumn = (typeof transactionExportColumns)[number];

/** Response of `GET /fiat/v1/transactions/export`: RFC 4180 with a header row. */
export const transactionExportText = z.string().startsWith(`${transactionExportColumns.join(',')}\r\n`);

const countedRows = z.number().int();

export const transactionListResponse = z.object({
  transactions: z.array(transactionListItem),
  pagination: z.object({
    page: z.number().int().nullable(),
    per_page: z.number().int(),
    total: z.number().int().describe('Number of matching rows, counted up to 10,000'),
    total_capped: z.boolean().describe('True if there are more rows than were counted'),
    pages: z.number().int(),
    next_cursor: z.string().nullable().describe('Cursor of the next page; null on the last page'),
  }),
  counts: z
    .object({
      pending: countedRows,
      waiting: countedRows,
      confirmed: countedRows,
      failed: countedRows,
      awaiting_review: countedRows,
      authorized: countedRows.describe('Authorized payments awaiting capture; included in `waiting`'),
    })
    .optional()
    .describe(
      'With `counts=true`: transactions by status, and those awaiting review, that match all filters but `status`, `reason`, `authorization_status` and `awaiting_review`; each counted up to 10,000',
    ),
});
export type TransactionCounts = NonNullable<z.infer<typeof transactionListResponse>['counts']>;
