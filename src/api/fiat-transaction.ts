import { z } from 'zod';
import { feeCalculations } from '../shared/fees.ts';
import { countryAlpha3 } from './country.ts';
import { type CurrencyCode, currencyCode, maximumAmountOf, minorUnitsOf } from './currency.ts';
import { MAX_MINOR, parseAmount } from '../shared/money.ts';
import { rule } from './rule.ts';
import { addressText, httpUrl, instantText, text } from './text.ts';
import { type Moment, parseMoment } from '../shared/time.ts';

export const transactionStatuses = ['pending', 'waiting', 'confirmed', 'failed'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

/** A status as the API writes it. */
export type WireStatus = `transaction_status_${TransactionStatus}`;
export const wireStatuses = transactionStatuses.map((status) => `transaction_status_${status}` as const);

export function toWireStatus(status: TransactionStatus): WireStatus {
  return `transaction_status_${status}`;
}

/** Why a transaction failed, or stopped short of being paid; `reversed`: it was paid by deposits that a chain has dropped. */
export const failureReasons = [
  'expired',
  'declined',
  'cancelled',
  'underpaid',
  'overpaid',
  'rejected',
  'reversed',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** The merchant's reference: text of at most 64 characters; a whole number is kept as its digits. */
export const transactionReference = z
  .union([text(64), z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).transform(String)])
  .meta({ id: 'TransactionReference', description: 'Your own reference, unique among your transactions' });

export const amountProblemTexts = {
  not_positive: 'must be greater than zero',
  too_large: 'must have at most 15 digits, decimals included',
  too_many_decimals: 'has more decimals than the currency',
} as const;

const createFields = z.strictObject({
  transaction_id: transactionReference,
  payment_method: text(64).describe('A method that is enabled for the country and the currency'),
  amount: z
    .number()
    .describe('In the currency’s own decimals, such as 12.50; at most the maximum of the currency')
    .meta({ exclusiveMinimum: 0, maximum: Number(MAX_MINOR) }),
  country: countryAlpha3,
  currency: currencyCode,
  description: text(255).optional().describe('What is paid for; needed for a link'),
  success_redirect_url: httpUrl.optional().describe('Where the buyer goes after success; needed for a link'),
  fail_redirect_url: httpUrl.optional().describe('Where the buyer goes after failure; needed for a link'),
  type_of_calculation: z
    .enum(feeCalculations)
    .optional()
    .describe('Whether the fee comes on top of the amount, or off it; needed for a link'),
  transaction_type: z.enum(['link', 'custom_form']).optional().describe('The kind of answer; link when left out'),
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
      const maximum = maximumAmountOf(body.currency);
      if (minor === 'too_large' || body.amount > maximum) {
        tell('amount', 'too_large', `must be at most ${maximum} ${body.currency}`);
      } else if (minor === 'too_many_decimals') {
        tell('amount', minor, `${amountProblemTexts[minor]} ${body.currency} has`);
      } else if (minor === 'not_positive') {
        tell('amount', minor, amountProblemTexts[minor]);
      }
    }),
  )
  .transform((body) => ({
    ...body,
    transaction_type: body.transaction_type ?? ('link' as const),
    type_of_calculation: body.type_of_calculation ?? ('forward_without_fee' as const),
  }));
export type CreateTransactionRequest = z.infer<typeof createTransactionRequest>;

const statusText = z.enum(wireStatuses).meta({ id: 'TransactionStatus' });

const createdFields = { transaction_id: z.string(), status: statusText, expires_at: instantText };

/** Answer to a creation of the link kind. `ex_rate`: US dollars for one unit of the currency. */
export const linkCreated = z
  .object({
    type: z.literal('link'),
    ex_rate: z.number().describe('US dollars for one unit of the currency'),
    value: z.object({ link: addressText.describe('For the buyer; good once') }),
    ...createdFields,
  })
  .meta({ id: 'LinkCreated' });

/**
 * Answer to a creation of the custom_form kind. `amount_charged` is what the payer is shown,
 * `client_token` is good for submitting this one transaction, `embed_url` is the `src` of a `<pay-form>`.
 */
export const customFormCreated = z
  .object({
    type: z.literal('custom_form'),
    amount_charged: z.number().describe('What to show the payer'),
    currency: z.string(),
    ex_rate: z.number().describe('US dollars for one unit of the currency'),
    ...createdFields,
    client_token: z.string().describe('For a browser: submits this one transaction, for 30 minutes'),
    embed_url: addressText.describe('The src of a <pay-form>'),
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

const outOfBand = z
  .boolean()
  .optional()
  .describe(
    'You have given the money back in a way of your own: it is only written down, and no provider is asked. Left out, it goes back by the way it came',
  );

/** Body of `POST /fiat/v1/transaction/refund`. */
export const refundTransactionRequest = z.strictObject({
  transaction_id: transactionReference,
  amount: z
    .number()
    .refine((value) => value > 0, { error: amountProblemTexts.not_positive, params: { code: 'not_positive' } })
    .refine((value) => value <= Number(MAX_MINOR), {
      error: amountProblemTexts.too_large,
      params: { code: 'too_large' },
    })
    .optional()
    .describe('In the currency’s own decimals; all that is left when left out')
    .meta({ exclusiveMinimum: 0, maximum: Number(MAX_MINOR) }),
  out_of_band: outOfBand,
});

const reasonGiven = text(255).optional().describe('Kept with the decision, for your own people');

/** Body of `POST /fiat/v1/transaction/accept`. */
export const acceptTransactionRequest = z.strictObject({ transaction_id: transactionReference, reason: reasonGiven });

/** Body of `POST /fiat/v1/transaction/reject`: all that has come goes back. */
export const rejectTransactionRequest = z.strictObject({
  ...{ transaction_id: transactionReference, reason: reasonGiven },
  out_of_band: outOfBand,
});

/** What happened, in order: one entry for each event of the transaction. */
export const timelineEntry = z
  .object({
    sequence: z.number().int(),
    type: z.string(),
    at: instantText,
    status: statusText,
    detail: z.string().optional(),
  })
  .meta({ id: 'TimelineEntry' });

/** A card attempt as the merchant sees it: never more of the number than its first six and last four digits. */
export const attemptSummary = z
  .object({
    number: z.number().int(),
    state: z.string(),
    brand: z.string().nullable(),
    first6: z.string(),
    last4: z.string(),
    three_d_secure: z.boolean(),
    decline: z.object({ code: z.string(), advice: z.string() }).optional(),
    created_at: instantText,
  })
  .meta({ id: 'AttemptSummary' });

/** What the buyer was told to do by a method that they began, and what has become of it. */
export const instructionsSummary = z
  .object({
    number: z.number().int(),
    payment_method: z.string(),
    choice: z.string().nullable().describe('The bank or wallet that the buyer chose'),
    state: z.string().describe('issued, paid, refused, withdrawn or expired'),
    reference: z.string().nullable().describe('What the payment is known by at the buyer’s bank'),
    expires_at: instantText.nullable(),
    confirmations: z
      .number()
      .int()
      .nullable()
      .describe(
        'The fewest that anything has that was seen on a chain and does not count yet; null when there is nothing such',
      ),
    created_at: instantText,
  })
  .meta({ id: 'InstructionsSummary' });

/** Money that has arrived by what a buyer was told to do. */
export const receiptSummary = z
  .object({
    reference: z
      .string()
      .describe('The ID of the money at the acquirer; of a crypto deposit, the hash of its transaction comes first'),
    amount: z.number(),
    instructions_number: z.number().int().describe('Which of `instructions` it came by'),
    received_at: instantText,
  })
  .meta({ id: 'ReceiptSummary' });

/** Money that goes back to the buyer: `pending` until the provider says that it `succeeded` or `failed`. */
export const refundSummary = z
  .object({
    number: z.number().int(),
    amount: z.number(),
    state: z.enum(['pending', 'succeeded', 'failed']),
    /** Why the provider refused. */
    failure: z.object({ code: z.string(), detail: z.string() }).optional(),
    out_of_band: z.boolean().optional().describe('Given back in a way of your own, past the provider'),
    created_at: instantText,
    updated_at: instantText,
  })
  .meta({ id: 'RefundSummary' });

/** Answer of `GET /fiat/v1/transaction`, and the `data` of its callbacks. */
export const transactionDetail = z
  .object({
    transaction_id: z.string(),
    created_at: instantText,
    updated_at: instantText,
    expires_at: instantText,
    amount: z.number().describe('What the transaction was made for'),
    amount_charged: z.number().describe('What the buyer pays'),
    amount_delivered: z.number().describe('What you get, less the fee'),
    amount_received: z.number().describe('What has arrived'),
    refunded_amount: z.number().describe('The amount refunded so far'),
    currency: z.string(),
    country: z.string().describe('ISO 3166-1 alpha-3'),
    descriptions: z.string(),
    payment_method: z.string(),
    status: statusText,
    reason: z.enum(failureReasons).optional().describe('Why it failed, or stopped short of being paid'),
    late: z.boolean().optional().describe('The money came after the transaction had failed'),
    decision: z
      .object({
        by: z.string().describe('`token 2` or `person 3`: the same, whatever they are called later'),
        by_name: z
          .string()
          .nullable()
          .describe(
            'What the person is called now; null for a token, and in events and callbacks: the names of your people are not sent out',
          ),
        at: instantText,
        reason: z.string().nullable(),
        is_approved: z.boolean(),
      })
      .optional()
      .describe('The last review decision; absent before one'),
    type_of_fee_calculate: z.enum(feeCalculations).describe('Whether the fee comes on top of the amount, or off it'),
    link: addressText.describe('For the buyer; good once'),
    merchant_fee_fix: z.number(),
    merchant_fee_percent: z.number(),
    additional_currency: z.string().describe('The preference of this name'),
    rate: z.number().describe('What one unit of the currency is in `additional_currency`'),
    rate_merchant_final: z.number().describe('The same, less your percent fee'),
    buyer_country: z
      .string()
      .optional()
      .describe('ISO 3166-1 alpha-2 of where the buyer seemed to be; absent when no source knew'),
    buyer_country_source: z
      .string()
      .optional()
      .describe('What said so: `address`, the database of addresses, or `header`, that of the operator’s proxy'),
    buyer_network: z.string().optional().describe('The network of the buyer’s address: a /24 of IPv4, a /48 of IPv6'),
    attempts: z.array(attemptSummary).describe('Cards that were tried'),
    instructions: z
      .array(instructionsSummary)
      .describe('The payment instructions shown to the buyer, with their status'),
    receipts: z.array(receiptSummary).describe('Money that has arrived by it'),
    refunds: z.array(refundSummary).describe('Its refunds, with their status'),
    available_actions: z.array(z.string()).describe('What can be done now: cancel, accept, reject, renew, refund'),
    timeline: z.array(timelineEntry).describe('What happened, in order'),
  })
  .meta({ id: 'TransactionDetail' });
export type TransactionDetail = z.infer<typeof transactionDetail>;

export const transactionListItem = z
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
    amount_received: z.number(),
    amount_kept: z.number().describe('The amount received, less refunds that succeeded or are pending'),
  })
  .meta({ id: 'TransactionListItem' });

export const transactionOrders = [
  'created_at',
  'updated_at',
  'amount',
  'status',
  'transaction_id',
  'payment_method',
] as const;
export type TransactionOrder = (typeof transactionOrders)[number];

/** Words of the payment_method filter that are not method codes: the method that each stands for, or null. `ewallet` stands for every wallet. */
export const paymentMethodWords: Readonly<
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

/** A whole number from 1: a query writes it as text, and OpenAPI says what it reads as. */
export const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, { error: `must be a whole number from 1 to ${max}` })
    .transform(Number)
    .refine((value) => value <= max, {
      error: `must be a whole number from 1 to ${max}`,
      params: { code: 'too_large' },
    })
    .meta({ type: 'integer', minimum: 1, maximum: max });

/** A date-time whose offset began with a `+` that was read as a space, as in a form. */
const lostPlus = /\d[T ]\d.*\d \d{2}:?\d{2}$/;

/** A date (UTC), an ISO 8601 date-time (UTC unless it says otherwise), or Unix seconds. */
export const moment = z.string().transform((value, context): Moment => {
  const parsed = parseMoment(value);
  if (parsed) return parsed;
  context.issues.push({
    code: 'custom',
    input: value,
    message: `must be a date (2026-01-31), a date-time (2026-01-31T09:30:00Z) or Unix seconds${
      lostPlus.test(value) ? '; a + in a URL must be written as %2B' : ''
    }`,
    params: { code: 'invalid_time' },
  });
  return z.NEVER;
});

/** Deepest row that `page` reaches; beyond it lists go on by `cursor`. */
export const COUNTED_ROWS = 10_000;

/** What both a list and an export can be narrowed to: each filter is applied only when it is given. */
const transactionFilters = {
  status: z.enum(wireStatuses).optional(),
  reason: z.enum(failureReasons).optional().describe('Why it failed, or stopped short of being paid'),
  awaits_decision: z
    .literal('true')
    .optional()
    .describe('Only those for which money has come that waits for you to accept or reject it'),
  payment_method: text(64)
    .optional()
    .describe(`A method code, or one of ${Object.keys(paymentMethodWords).join(', ')}`),
  since: moment.optional().describe('Made from then on: a date (UTC), a date-time, or Unix seconds'),
  till: moment.optional().describe('Made until then: a date with its whole day, a date-time or Unix seconds exclusive'),
  currency: currencyCode.optional(),
  country: countryAlpha3.optional(),
  search: text(64)
    .optional()
    .describe(
      'What `transaction_id` begins with, letter for letter; four digits are the last ones of a card as well, and a number such as `12.50` the `amount`',
    ),
};

/** Query of `GET /fiat/v1/transactions`. */
export const transactionListQuery = z.strictObject({
  order_direction: z.enum(['asc', 'desc']).optional().describe('`asc` when left out and `order` is given'),
  order: z.enum(transactionOrders).optional().describe('What to order by; newest first when left out'),
  page: wholeNumber(COUNTED_ROWS).optional().describe('Reaches 10,000 rows deep; beyond that go on by `cursor`'),
  per_page: wholeNumber(100).optional().describe('How many at most; 20 when left out'),
  cursor: text(512).optional().describe('The `pagination.next_cursor` of the answer before; not beside `page`'),
  ...transactionFilters,
});
export type TransactionListQuery = z.infer<typeof transactionListQuery>;
export type TransactionFilters = Pick<TransactionListQuery, keyof typeof transactionFilters>;

/** Query of `GET /fiat/v1/transactions/export`: in the order of creation, which alone never changes. */
export const transactionExportQuery = z.strictObject({
  order_direction: z.enum(['asc', 'desc']).optional(),
  ...transactionFilters,
});
export type TransactionExportQuery = z.infer<typeof transactionExportQuery>;

/** The columns of an export, each named as the list or the detail names it; later ones come behind. */
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
] as const;
export type TransactionExportColumn = (typeof transactionExportColumns)[number];

/** Answer of `GET /fiat/v1/transactions/export`: RFC 4180 with a header row. */
export const transactionExportText = z.string().startsWith(`${transactionExportColumns.join(',')}\r\n`);

export const transactionListResponse = z.object({
  transactions: z.array(transactionListItem),
  pagination: z.object({
    page: z.number().int().nullable(),
    per_page: z.number().int(),
    total: z.number().int().describe('Counted to 10,000 at most'),
    total_capped: z.boolean().describe('Whether there are more than were counted'),
    pages: z.number().int(),
    next_cursor: z.string().nullable().describe('Where to go on; null at the end'),
  }),
});
