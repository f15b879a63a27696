import { z } from 'zod';
import { fromCoins, toCoins, smallestUnitText } from './crypto-amount.ts';
import { cryptoCurrencies, type CryptoCurrencyCode, cryptoCurrencyCodes } from '../shared/crypto-currency.ts';
import { cryptoLabels, cryptoStatuses, invoiceTypes } from '../shared/crypto-status.ts';
import { moment, updatedSince, wholeNumber } from './fiat-transaction.ts';
import { anyOf } from './filter.ts';
import { pageLanguage } from './link-page.ts';
import { metadataInput, metadata, metadataFilter } from './metadata.ts';
import { rule } from './rule.ts';
import { describeStatuses } from './statuses.ts';
import { urlText, httpUrl, instantText, text } from './text.ts';
import { parseMoment } from '../shared/time.ts';

export const cryptoCurrencyCode = z
  .enum(cryptoCurrencyCodes as [CryptoCurrencyCode, ...CryptoCurrencyCode[]])
  .meta({ id: 'CryptoCurrencyCode', description: 'A cryptocurrency of `GET /v1/currencies`' });

const code = cryptoCurrencyCode;

/** Any text; a rule that knows the currency validates it. */
const amount = z
  .string()
  .max(200)
  .describe('A whole number of the currency’s smallest unit, such as satoshi or wei')
  .meta({ pattern: '^[1-9][0-9]{0,77}$' });

const txId = text(64).describe('Your reference, unique among your transactions of one currency');

const invoiceFields = z.strictObject({
  txId,
  code,
  amount: amount
    .optional()
    .describe('A whole number of the currency’s smallest unit, such as satoshi or wei; optional for the type `user`'),
  type: z.enum([...invoiceTypes, 'invoice_type_default']),
  expiredAt: z
    .string()
    .max(40)
    .optional()
    .describe('Expiry, at most 24 hours from now; 30 minutes by default. Not for the type `user`')
    .meta({ format: 'date-time' }),
  comment: text(255).optional().describe('Internal note; the payer does not see it'),
  description: text(255).optional().describe('Description shown to the payer'),
  returnUrl: httpUrl.optional().describe('URL of your page to which the payer returns from the invoice page'),
  metadata: metadataInput.optional(),
  locale: pageLanguage.optional(),
});

/**
 * Body of `POST /v1/transaction/invoice`. `expiredAt` does not apply to the type `user`, whose wallet is valid until it
 * is rotated; only the server knows whether the default type is `user`.
 */
export const createInvoiceRequest = invoiceFields.check(
  rule<z.output<typeof invoiceFields>>((body, report) => {
    if (body.amount !== undefined) reportAmount(body, report);
    else if (body.type === 'static' || body.type === 'revolver')
      report('amount', 'required', 'is required, except for the type user');
    if (body.expiredAt !== undefined) {
      if (parseMoment(body.expiredAt) === null)
        report('expiredAt', 'invalid_time', 'must be a date-time such as 2026-01-31T09:30:00Z');
      if (body.type === 'user')
        report('expiredAt', 'not_for_type', 'cannot be set for the type user, which does not expire');
    }
  }),
);

export type CreateInvoiceRequest = z.infer<typeof createInvoiceRequest>;

/**
 * Reports an invalid amount. Whole coins instead of the smallest unit would be wrong by a factor of 10^8, so the
 * message contains the converted amount.
 */
function reportAmount(
  { amount: given = '', code: currency }: { amount?: string | undefined; code?: CryptoCurrencyCode },
  report: (field: 'amount', code: string, detail: string) => void,
): void {
  if (smallestUnitText.safeParse(given).success) {
    if (!currency) return;
    const { minUnits, maxUnits } = cryptoCurrencies[currency];
    const inBothUnits = (units: bigint) => `${units} (${toCoins(units, currency)} whole coins)`;
    if (BigInt(given) > maxUnits) report('amount', 'too_large', `must be at most ${inBothUnits(maxUnits)}`);
    if (BigInt(given) < minUnits)
      report(
        'amount',
        'below_minimum',
        `must be at least ${inBothUnits(minUnits)}: nodes do not relay smaller payments`,
      );
    return;
  }
  const units = currency ? fromCoins(given, currency) : null;
  const conversion = units !== null && units > 0n ? `; ${given} whole coins would be ${units}` : '';
  report(
    'amount',
    'amount_not_in_smallest_unit',
    `must be a whole number of the currency’s smallest unit, digits only, at most 78, not beginning with 0${conversion}`,
  );
}

const statusText = z.enum(cryptoStatuses).meta({ id: 'CryptoStatus', description: describeStatuses('crypto') });
const labels = z.array(z.enum(cryptoLabels)).describe('Conditions in addition to the status');
const units = z.string().describe('In the smallest unit');
const coins = z.string().describe('The same in whole coins');

/** A deposit of a transaction. */
const cryptoPayment = z
  .object({
    txHash: z.string().describe('Empty for ether sent by a contract, which is detected by balance'),
    amount: units,
    confirmations: z.number().int().nullable().describe('0 until it is in a block; null if it was dropped'),
    decision: z.enum(['accepted', 'pending', 'rejected']).describe(describeStatuses('deposit')),
    writtenOffAt: instantText
      .nullable()
      .describe(
        'Time at which the deposit was found to be spent outside the service, which removed it from the wallet’s balance; null otherwise',
      ),
    seenAt: instantText,
  })
  .meta({ id: 'CryptoPayment' });

/** Response of `POST /v1/transaction/invoice` and `GET /v1/transaction`, and the `data` of its callbacks. */
export const cryptoTransaction = z
  .object({
    id: z.string(),
    txId: z.string().nullable().describe('null for deposits without an invoice'),
    type: z.enum(invoiceTypes).describe('Invoice type; `invoice_type_default` as resolved at creation'),
    code,
    amountRequired: units.nullable().describe('Requested amount; null if any amount is accepted'),
    amountRequiredUnit: coins.nullable(),
    walletAddress: z.string(),
    walletType: z.enum(invoiceTypes),
    uri: urlText.describe('Payment URI for wallet apps: BIP 21 or EIP-681'),
    status: statusText,
    labels,
    amount: units.describe('Amount detected, confirmed or not'),
    amountUnit: coins,
    amountDue: units.describe('Amount still due'),
    confirmations: z.number().int().describe('Lowest number of confirmations among its deposits'),
    minConfirmations: z.number().int().describe('Confirmations required of a deposit'),
    payments: z.array(cryptoPayment),
    processingFeePercent: z.number(),
    processingFee: units.describe('Fee on the credited amount'),
    exchangeRate: z
      .object({
        currency: z.string(),
        exchangeRate: z.string().describe('Price of one whole coin in `currency`'),
        currencyAmount: z.string().describe('The amount in `currency`'),
        code,
        source: z.string(),
        at: instantText,
      })
      .nullable(),
    link: z.object({ self: urlText, payment: urlText.describe('Payment page for the payer') }),
    fiatTransactionId: z.string().nullable().describe('`transaction_id` of the payment link that it pays, if any'),
    comment: z.string().nullable(),
    description: z.string().nullable().describe('Description shown to the payer'),
    returnUrl: z.string().nullable().describe('URL of your page to which the payer returns'),
    metadata: metadata.optional(),
    locale: z
      .string()
      .optional()
      .describe('Initial language of the invoice page; absent if the browser’s language is used'),
    probableTxId: z.string().nullable().describe('`txId` of the invoice that the deposit was probably meant for'),
    decision: z
      .object({
        by: z.string().describe('Stable ID: `token 2` or `person 3`'),
        byName: z
          .string()
          .nullable()
          .describe('Current name of the user; null for tokens, and always null in events and webhooks'),
        at: instantText,
        reason: z.string().nullable(),
        isApproved: z.boolean(),
        refundAddress: z.string().nullable(),
      })
      .nullable()
      .describe('The review decision, if any'),
    availableActions: z
      .array(z.enum(['approve', 'reject', 'withdraw']))
      .describe('Currently available actions; `withdraw` for managers only'),
    createdAt: instantText,
    updatedAt: instantText,
    expiredAt: instantText.nullable().describe('null if it does not expire'),
  })
  .meta({ id: 'CryptoTransaction' });
export type CryptoTransaction = z.infer<typeof cryptoTransaction>;

/** Query of `GET /v1/transaction`: `txId` and `code`, or `id`. */
const transactionQueryFields = z.strictObject({
  txId: txId.optional(),
  code: code.optional(),
  id: text(64)
    .optional()
    .describe('Instead of `txId` and `code`: the `id` of a response, for deposits without a `txId`'),
});
export const cryptoTransactionQuery = transactionQueryFields.check(
  rule<z.output<typeof transactionQueryFields>>((query, report) => {
    if (query.id !== undefined) return;
    if (query.txId === undefined) report('txId', 'required', 'is required together with code, unless id is given');
    if (query.code === undefined) report('code', 'required', 'is required together with txId, unless id is given');
  }),
);

/** Query of `GET /v1/transactions`: newest first. */
export const cryptoTransactionsQuery = z.strictObject({
  status: anyOf(statusText),
  code: anyOf(code),
  since: moment.optional().describe('Created at or after this time: a date (UTC), a date-time, or Unix seconds'),
  till: moment
    .optional()
    .describe('Created before this time: a date (inclusive), or a date-time or Unix seconds (exclusive)'),
  updated_since: updatedSince,
  metadata: metadataFilter,
  search: text(128)
    .optional()
    .describe(
      'Prefix of a `txId` (case-sensitive), a full `walletAddress` or `txHash`, or a complete `metadata` value',
    ),
  cursor: text(64).optional().describe('The `next_cursor` of the previous page'),
  per_page: wholeNumber(100).optional().describe('Page size; 20 by default'),
});
export type CryptoTransactionsQuery = z.infer<typeof cryptoTransactionsQuery>;
export const cryptoTransactionsResponse = z.object({
  transactions: z.array(cryptoTransaction),
  next_cursor: z.string().nullable(),
});

/** Body of `POST /v1/transaction/approve`. */
export const approveRequest = z.strictObject({ id: text(64), reason: text(255).optional() });

/** Body of `POST /v1/transaction/reject`. */
export const rejectRequest = z.strictObject({
  id: text(64),
  reason: text(255).optional(),
  refundAddress: text(128)
    .optional()
    .describe(
      'Refund address; needs the scope `withdrawal:write`. Without it nothing is sent. Not allowed for type `user`',
    ),
});

/** An entry of `GET /v1/currencies`. */
const currencyEntry = z
  .object({
    code,
    name: z.string(),
    chain: z.string(),
    decimals: z.number().int().describe('Decimals of a whole coin; amounts are whole numbers of 10^-decimals'),
    minAmount: units.describe('Minimum amount of an invoice'),
    minConfirmations: z.number().int(),
  })
  .meta({ id: 'CryptoCurrency' });
export const currenciesResponse = z.object({ currencies: z.array(currencyEntry) });
