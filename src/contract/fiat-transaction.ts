import { z } from 'zod';
import { countryAlpha3 } from './country.ts';
import { currencyCode, minorUnitsOf } from './currency.ts';
import { parseAmount } from './money.ts';
import { rule } from './rule.ts';
import { httpUrl, text } from './text.ts';
import { type Moment, parseMoment } from './time.ts';

export const transactionStatuses = ['pending', 'waiting', 'confirmed', 'failed'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

/** A status as the API writes it. */
export type WireStatus = `transaction_status_${TransactionStatus}`;
export const wireStatuses = transactionStatuses.map((status) => `transaction_status_${status}` as const);

export function toWireStatus(status: TransactionStatus): WireStatus {
  return `transaction_status_${status}`;
}

/** Why a transaction failed, or stopped short of being paid. */
export const failureReasons = ['expired', 'declined', 'cancelled', 'underpaid', 'overpaid'] as const;
export type FailureReason = (typeof failureReasons)[number];

export const feeCalculations = ['forward_without_fee', 'forward_with_fee'] as const;
export type FeeCalculation = (typeof feeCalculations)[number];

/** The merchant's reference: text of at most 64 characters; a whole number is kept as its digits. */
export const transactionReference = z.union([
  text(64),
  z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).transform(String),
]);

const amountProblemTexts = {
  not_positive: 'must be greater than zero',
  too_large: 'must have at most 15 digits, decimals included',
  too_many_decimals: 'has more decimals than the currency',
} as const;

const createFields = z.strictObject({
  transaction_id: transactionReference,
  payment_method: text(64),
  amount: z.number(),
  country: countryAlpha3,
  currency: currencyCode,
  description: text(255).optional(),
  success_redirect_url: httpUrl.optional(),
  fail_redirect_url: httpUrl.optional(),
  type_of_calculation: z.enum(feeCalculations).optional(),
  transaction_type: z.enum(['link', 'custom_form']).optional(),
});

const requiredForLink = ['description', 'success_redirect_url', 'fail_redirect_url', 'type_of_calculation'] as const;

/**
 * Body of `POST /fiat/v1/transaction`. The link kind (the default) needs a description, both
 * redirects and the fee calculation; the custom_form kind may leave them out.
 */
export const createTransactionRequest = createFields
  .check(
    rule<z.output<typeof createFields>>((body, tell) => {
      if (body.transaction_type !== 'custom_form') {
        for (const field of requiredForLink) {
          if (body[field] === undefined) tell(field, 'required', 'is required for a payment link');
        }
      }
      if (body.amount === undefined || body.currency === undefined) return;
      const minor = parseAmount(body.amount, minorUnitsOf(body.currency));
      if (typeof minor === 'bigint') return;
      tell('amount', minor, amountProblemTexts[minor] + (minor === 'too_many_decimals' ? ` ${body.currency} has` : ''));
    }),
  )
  .transform((body) => ({
    ...body,
    transaction_type: body.transaction_type ?? ('link' as const),
    type_of_calculation: body.type_of_calculation ?? ('forward_without_fee' as const),
  }));
export type CreateTransactionRequest = z.infer<typeof createTransactionRequest>;

const createdFields = { transaction_id: z.string(), status: z.enum(wireStatuses), expires_at: z.string() };

/** Answer to a creation of the link kind. `ex_rate`: US dollars for one unit of the currency. */
export const linkCreated = z.object({
  type: z.literal('link'),
  ex_rate: z.number(),
  value: z.object({ link: z.string() }),
  ...createdFields,
});

/**
 * Answer to a creation of the custom_form kind. `amount_charged` is what the payer is shown,
 * `client_token` is good for submitting this one transaction, `embed_url` is the `src` of a `<pay-form>`.
 */
export const customFormCreated = z.object({
  type: z.literal('custom_form'),
  amount_charged: z.number(),
  currency: z.string(),
  ex_rate: z.number(),
  ...createdFields,
  client_token: z.string(),
  embed_url: z.string(),
});
export const createTransactionResponse = z.discriminatedUnion('type', [linkCreated, customFormCreated]);
export type CreateTransactionResponse = z.infer<typeof createTransactionResponse>;

/** Query of `GET /fiat/v1/transaction`. */
export const transactionQuery = z.strictObject({ transaction_id: text(64) });

/** Body of `POST /fiat/v1/transaction/cancel`. */
export const cancelTransactionRequest = z.strictObject({ transaction_id: transactionReference });

/** Body of `POST /fiat/v1/transaction/accept`. */
export const acceptTransactionRequest = z.strictObject({ transaction_id: transactionReference });

/** What happened, in order: one entry for each event of the transaction. */
export const timelineEntry = z.object({
  sequence: z.number().int(),
  type: z.string(),
  at: z.string(),
  status: z.enum(wireStatuses),
  detail: z.string().optional(),
});

/** A card attempt as the merchant sees it: never more of the number than its first six and last four digits. */
export const attemptSummary = z.object({
  number: z.number().int(),
  state: z.string(),
  brand: z.string().nullable(),
  first6: z.string(),
  last4: z.string(),
  three_d_secure: z.boolean(),
  decline: z.object({ code: z.string(), advice: z.string() }).optional(),
  created_at: z.string(),
});

/** What the buyer was told to do by a method that they began, and what has become of it. */
export const instructionsSummary = z.object({
  number: z.number().int(),
  payment_method: z.string(),
  choice: z.string().nullable(),
  state: z.string(),
  /** What the buyer's bank says the payment by. */
  reference: z.string().nullable(),
  expires_at: z.string().nullable(),
  created_at: z.string(),
});

/** Money that has arrived by what a buyer was told to do. */
export const receiptSummary = z.object({ amount: z.number(), received_at: z.string() });

/** Answer of `GET /fiat/v1/transaction`, and the `data` of its callbacks. */
export const transactionDetail = z.object({
  transaction_id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  expires_at: z.string(),
  amount: z.number(),
  amount_charged: z.number(),
  amount_delivered: z.number(),
  amount_received: z.number(),
  currency: z.string(),
  country: z.string(),
  descriptions: z.string(),
  payment_method: z.string(),
  status: z.enum(wireStatuses),
  reason: z.enum(failureReasons).optional(),
  late: z.boolean().optional(),
  type_of_fee_calculate: z.enum(feeCalculations),
  link: z.string(),
  merchant_fee_fix: z.number(),
  merchant_fee_percent: z.number(),
  additional_currency: z.string(),
  rate: z.number(),
  rate_merchant_final: z.number(),
  buyer_country: z.string().optional(),
  attempts: z.array(attemptSummary),
  instructions: z.array(instructionsSummary),
  receipts: z.array(receiptSummary),
  available_actions: z.array(z.string()),
  timeline: z.array(timelineEntry),
});
export type TransactionDetail = z.infer<typeof transactionDetail>;

export const transactionListItem = z.object({
  id: z.number().int(),
  merchant_id: z.number().int(),
  amount: z.number(),
  amount_charged: z.number(),
  transaction_id: z.string(),
  currency: z.string(),
  status: z.enum(wireStatuses),
  description: z.string(),
  additional_currency: z.string(),
  rate_merchant_final: z.number(),
  created_at: z.string(),
  payment_method: z.string(),
});

export const transactionOrders = [
  'created_at',
  'updated_at',
  'amount',
  'status',
  'transaction_id',
  'payment_method',
] as const;
export type TransactionOrder = (typeof transactionOrders)[number];

/** Words of the payment_method filter that are no catalogue codes and the code that each means, where it means one. */
export const paymentMethodFilterAliases: Readonly<Record<string, string | null>> = {
  qr_scan: 'qr_code',
  online_bank_transfer: 'online_banking',
  cards: 'credit_card',
  virtual_bank_account: 'virtual_account',
  upi2: 'upi',
  promptpay: 'qr_code',
  wire: null,
  ewallet: null,
  mobile_money: null,
  cup: null,
  p2p: null,
  cash: null,
  agent: null,
  alipay: null,
  wechat: null,
};

const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, { error: `must be a whole number from 1 to ${max}` })
    .transform(Number)
    .refine((value) => value <= max, {
      error: `must be a whole number from 1 to ${max}`,
      params: { code: 'too_large' },
    });

/** A date (UTC), an ISO 8601 date-time (UTC unless it says otherwise), or Unix seconds. */
const moment = z.string().transform((value, context): Moment => {
  const parsed = parseMoment(value);
  if (parsed) return parsed;
  context.issues.push({
    code: 'custom',
    input: value,
    message: 'must be a date (2026-01-31), a date-time (2026-01-31T09:30:00Z) or Unix seconds',
    params: { code: 'invalid_time' },
  });
  return z.NEVER;
});

/** Deepest row that `page` reaches; beyond it lists go on by `cursor`. */
export const COUNTED_ROWS = 10_000;

/** Query of `GET /fiat/v1/transactions`: each filter is applied only when it is given. */
export const transactionListQuery = z.strictObject({
  order_direction: z.enum(['asc', 'desc']).optional(),
  order: z.enum(transactionOrders).optional(),
  page: wholeNumber(COUNTED_ROWS).optional(),
  per_page: wholeNumber(100).optional(),
  cursor: text(512).optional(),
  status: z.enum(wireStatuses).optional(),
  payment_method: text(64).optional(),
  since: moment.optional(),
  till: moment.optional(),
});
export type TransactionListQuery = z.infer<typeof transactionListQuery>;

export const transactionListResponse = z.object({
  transactions: z.array(transactionListItem),
  pagination: z.object({
    page: z.number().int().nullable(),
    per_page: z.number().int(),
    total: z.number().int(),
    total_capped: z.boolean(),
    pages: z.number().int(),
    next_cursor: z.string().nullable(),
  }),
});
