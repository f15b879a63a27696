import { z } from 'zod';
import { feeCalculations } from '../shared/fees.ts';
import { MAX_MINOR, parseAmount } from '../shared/money.ts';
import { countryAlpha3 } from './country.ts';
import { type CurrencyCode, currencyCode, maximumAmountOf, minorUnitsOf } from './currency.ts';
import { amountProblemTexts, wholeNumber } from './fiat-transaction.ts';
import { metadataInput, metadata, metadataFilter } from './metadata.ts';
import { rule } from './rule.ts';
import { describeStatuses } from './statuses.ts';
import { urlText, displayName, httpUrl, instantText, text } from './text.ts';

/** Maximum stock. */
const MAX_STOCK = 999_999;
/** Maximum quantity in one payment. */
const MAX_QUANTITY = 9_999;

const reusableLinkId = text(64).describe('The `id` of the reusable link');

const amount = z.number().gt(0).max(Number(MAX_MINOR));

const customAmount = z
  .strictObject({
    minimum: amount,
    maximum: amount,
    suggested: amount.nullable().optional().describe('Prefilled amount'),
  })
  .meta({ id: 'CustomAmount' });

const quantityLimits = z
  .strictObject({
    minimum: z.number().int().min(1).max(MAX_QUANTITY),
    maximum: z.number().int().min(1).max(MAX_QUANTITY),
  })
  .meta({ id: 'QuantityLimits' });

/** Details of the payer that the page can ask for. */
const askedFields = ['email', 'name'] as const;
const asked = z
  .array(z.enum(askedFields))
  .max(askedFields.length)
  .refine((fields) => new Set(fields).size === fields.length, 'must not repeat a field');

const fields = {
  title: displayName(150).describe('Name of the product or purpose; also the description of its transactions'),
  description: text(500).nullable().optional().describe('Text below the title'),
  image_url: httpUrl.nullable().optional().describe('An https:// URL of an image, which the buyer’s browser loads'),
  country: countryAlpha3,
  currency: currencyCode,
  payment_method: text(64).describe('A method that is enabled for the country and the currency; buyers can switch'),
  type_of_calculation: z
    .enum(feeCalculations)
    .optional()
    .describe('Fee added to the amount or deducted from it; `forward_without_fee` by default'),
  amount: amount.nullable().optional().describe('Unit price, in the currency’s decimals; not with `custom_amount`'),
  custom_amount: customAmount.nullable().optional().describe('Limits of an amount that the buyer chooses'),
  quantity: quantityLimits.nullable().optional().describe('Lets the buyer choose a quantity; only with `amount`'),
  stock: z
    .number()
    .int()
    .min(0)
    .max(MAX_STOCK)
    .nullable()
    .optional()
    .describe('Maximum number sold in total; null for no limit'),
  ask: asked.optional().describe('Details that the buyer must enter; the payment page does not ask again'),
  success_redirect_url: httpUrl.nullable().optional().describe('Redirect after success; null for our own page'),
  fail_redirect_url: httpUrl
    .nullable()
    .optional()
    .describe('Redirect after failure; null for the page of the reusable link'),
  metadata: metadataInput.nullable().optional().describe('Copied to its transactions; see `metadata` there'),
};

const createFields = z.strictObject(fields);
type CreateFields = z.output<typeof createFields>;
type Report = (field: keyof CreateFields, code: string, message: string, subpath?: readonly string[]) => void;

/** Body of `POST /fiat/v1/reusable-links`. */
export const createReusableLinkRequest = createFields.check(
  rule<CreateFields>((body, report) => {
    const { amount: price, custom_amount: custom, currency, quantity } = body;
    const isCustom = custom !== undefined && custom !== null;
    if (isCustom && price !== undefined && price !== null)
      report('custom_amount', 'conflict', 'cannot be combined with amount');
    if (!isCustom && (price === undefined || price === null))
      report('amount', 'required', 'is required without custom_amount');
    if (quantity) {
      if (isCustom) report('quantity', 'conflict', 'cannot be combined with custom_amount');
      if (quantity.minimum > quantity.maximum)
        report('quantity', 'too_small', 'must not be less than minimum', ['maximum']);
    }
    if (currency === undefined) return;
    if (isCustom) checkCustomAmount(custom, currency, report);
    else if (typeof price === 'number') checkPrice(price, quantity?.maximum ?? 1, currency, report);
  }),
);
export type CreateReusableLinkRequest = z.output<typeof createReusableLinkRequest>;

function checkPrice(price: number, maximumQuantity: number, currency: CurrencyCode, report: Report) {
  const problem = amountProblem(price, currency);
  if (problem) return report('amount', problem.code, problem.message);
  const total = price * maximumQuantity;
  const maximum = maximumAmountOf(currency);
  if (total > maximum)
    report('quantity', 'too_large', `times amount must be at most ${maximum} ${currency}`, ['maximum']);
}

function checkCustomAmount(
  { minimum, maximum, suggested }: z.output<typeof customAmount>,
  currency: CurrencyCode,
  report: Report,
) {
  for (const [name, value] of Object.entries({ minimum, maximum, suggested })) {
    const problem = typeof value === 'number' ? amountProblem(value, currency) : null;
    if (problem) return report('custom_amount', problem.code, problem.message, [name]);
  }
  if (minimum > maximum) report('custom_amount', 'too_small', 'must not be less than minimum', ['maximum']);
  else if (typeof suggested === 'number' && (suggested < minimum || suggested > maximum))
    report('custom_amount', 'out_of_range', 'must be from minimum to maximum', ['suggested']);
}

/** The reason why a number is not an amount of the currency; null if it is one. */
function amountProblem(value: number, currency: CurrencyCode): { code: string; message: string } | null {
  const minor = parseAmount(value, minorUnitsOf(currency));
  const maximum = maximumAmountOf(currency);
  if (minor === 'too_large' || value > maximum)
    return { code: 'too_large', message: `must be at most ${maximum} ${currency}` };
  if (minor === 'too_many_decimals') return { code: minor, message: `${amountProblemTexts[minor]} ${currency} has` };
  return typeof minor === 'bigint' ? null : { code: minor, message: amountProblemTexts[minor] };
}

/** Body of `PATCH /fiat/v1/reusable-link`. The currency of a reusable link cannot change. */
export const updateReusableLinkRequest = createFields.omit({ currency: true }).partial().extend({ id: reusableLinkId });
export type UpdateReusableLinkRequest = z.output<typeof updateReusableLinkRequest>;

export const reusableLinkQuery = z.strictObject({ id: reusableLinkId });

export const reusableLinkStatuses = ['active', 'archived'] as const;

/** Query of `GET /fiat/v1/reusable-links`. */
export const reusableLinksQuery = z.strictObject({
  status: z.enum(reusableLinkStatuses).optional(),
  metadata: metadataFilter,
  per_page: wholeNumber(100).optional().describe('20 by default'),
  cursor: text(64).optional().describe('The `next_cursor` of the previous page'),
});
export type ReusableLinksQuery = z.output<typeof reusableLinksQuery>;

/** Body of `POST /fiat/v1/reusable-link/archive`. */
export const archiveReusableLinkRequest = z.strictObject({
  id: reusableLinkId,
  archived: z.boolean().optional().describe('False makes the link active again; true by default'),
});

const count = z.number().int();

export const reusableLink = z
  .object({
    id: z.string(),
    url: urlText.describe('Page to share or print; each buyer gets a separate transaction'),
    status: z.enum(reusableLinkStatuses).describe(describeStatuses('reusable_link')),
    title: z.string(),
    description: z.string().nullable(),
    image_url: urlText.nullable(),
    country: z.string(),
    currency: z.string(),
    payment_method: z.string(),
    type_of_calculation: z.enum(feeCalculations),
    amount: z.number().nullable(),
    custom_amount: z.object({ minimum: z.number(), maximum: z.number(), suggested: z.number().nullable() }).nullable(),
    quantity: z.object({ minimum: count, maximum: count }).nullable(),
    stock: count.nullable(),
    ask: z.array(z.enum(askedFields)),
    success_redirect_url: urlText.nullable(),
    fail_redirect_url: urlText.nullable(),
    metadata: metadata.nullable(),
    sold: count.describe('Quantity sold in paid transactions, including refunded ones'),
    reserved: count.describe('Quantity reserved by open transactions'),
    available: count.nullable().describe('`stock` less `sold` and `reserved`; null without a limit'),
    revenue: z.number().describe('Amount received from paid transactions, less refunds'),
    created_at: instantText,
    updated_at: instantText,
  })
  .meta({ id: 'ReusableLink' });
export type ReusableLinkEntry = z.infer<typeof reusableLink>;

export const reusableLinksResponse = z.object({
  reusable_links: z.array(reusableLink).describe('Newest first'),
  next_cursor: z.string().nullable(),
});
