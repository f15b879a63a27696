import { z } from 'zod';
import { fromCoins, inCoins, smallestUnitText } from './crypto-amount.ts';
import { cryptoCurrencies, type CryptoCurrencyCode, cryptoCurrencyCodes } from '../shared/crypto-currency.ts';
import { cryptoLabels, cryptoStatuses, invoiceTypes } from '../shared/crypto-status.ts';
import { wholeNumber } from './fiat-transaction.ts';
import { rule } from './rule.ts';
import { addressText, instantText, text } from './text.ts';
import { DAY, type Instant, MICROS_PER_MS, parseMoment } from '../shared/time.ts';

/** How long an invoice lives that does not say so itself. */
export const INVOICE_LIFETIME: Instant = 30 * 60 * 1_000_000;
/** The longest that it may ask for. */
export const LONGEST_INVOICE_LIFETIME: Instant = DAY;

export const cryptoCurrencyCode = z
  .enum(cryptoCurrencyCodes as [CryptoCurrencyCode, ...CryptoCurrencyCode[]])
  .meta({ id: 'CryptoCurrencyCode', description: 'A currency of `GET /v1/currencies`' });

const code = cryptoCurrencyCode;

/** Any text here: what is wrong with it is said by a rule that knows the currency. */
const amount = z
  .string()
  .max(200)
  .describe('A whole number of the currency’s smallest unit, such as satoshi or wei')
  .meta({ pattern: '^[1-9][0-9]{0,77}$' });

const txId = text(64).describe('Your own reference, unique among your transactions of one currency');

/**
 * Body of `POST /v1/transaction/invoice`. `expiredAt` is not for the type `user`, whose wallet lives until it
 * is rotated; whether the default type is that one is known only to the server.
 */
export const createInvoiceRequest = (nowMs: number) => {
  const now: Instant = nowMs * MICROS_PER_MS;
  const fields = z.strictObject({
    txId,
    code,
    amount,
    type: z.enum([...invoiceTypes, 'invoice_type_default']),
    expiredAt: z
      .string()
      .max(40)
      .optional()
      .describe('When it ends, at most 24 hours from now; in 30 minutes when left out. Not for the type `user`')
      .meta({ format: 'date-time' }),
    comment: text(255).optional().describe('For yourself; the payer does not see it'),
  });
  return fields.check(
    rule<z.output<typeof fields>>((body, tell) => {
      if (body.amount !== undefined) tellAmount(body, tell);
      if (body.expiredAt !== undefined) {
        const at = parseMoment(body.expiredAt)?.at;
        if (at === undefined) tell('expiredAt', 'invalid_time', 'must be a date-time such as 2026-01-31T09:30:00Z');
        else if (at <= now) tell('expiredAt', 'in_the_past', 'must be later than now');
        else if (at > now + LONGEST_INVOICE_LIFETIME)
          tell('expiredAt', 'too_late', 'must be at most 24 hours from now');
        if (body.type === 'user') tell('expiredAt', 'not_for_type', 'is not for the type user, which does not expire');
      }
    }),
  );
};
export type CreateInvoiceRequest = z.infer<ReturnType<typeof createInvoiceRequest>>;

/** A factor of 10^8 is at stake: whoever wrote whole coins is told what they would be. */
function tellAmount(
  { amount: given = '', code: currency }: { amount?: string; code?: CryptoCurrencyCode },
  tell: (field: 'amount', code: string, detail: string) => void,
): void {
  if (smallestUnitText.safeParse(given).success) {
    if (!currency) return;
    const { leastUnits, mostUnits } = cryptoCurrencies[currency];
    const told = (units: bigint) => `${units} (${inCoins(units, currency)} whole coins)`;
    if (BigInt(given) > mostUnits) tell('amount', 'too_large', `must be at most ${told(mostUnits)}`);
    if (BigInt(given) < leastUnits)
      tell('amount', 'below_minimum', `must be at least ${told(leastUnits)}: nodes relay no smaller payment`);
    return;
  }
  const units = currency ? fromCoins(given, currency) : null;
  const meant = units !== null && units > 0n ? `; ${given} whole coins would be ${units}` : '';
  tell(
    'amount',
    'amount_not_in_smallest_unit',
    `must be a whole number of the currency’s smallest unit, digits only, at most 78, not beginning with 0${meant}`,
  );
}

const statusText = z.enum(cryptoStatuses).meta({ id: 'CryptoStatus' });
const labels = z.array(z.enum(cryptoLabels)).describe('What is to be known beside the status');
const units = z.string().describe('In the smallest unit');
const coins = z.string().describe('The same in whole coins');

/** Money that was seen on the chain for a transaction. */
export const cryptoPayment = z
  .object({
    txHash: z.string().describe('Empty for ether that a contract has sent: a balance tells of it, and no transaction'),
    amount: units,
    confirmations: z.number().int().nullable().describe('0 while it waits for a block; null when it is gone'),
    decision: z
      .enum(['accepted', 'undecided', 'rejected'])
      .describe('Whether it counts: `accepted` by the rules or by a person; `undecided` waits for one'),
    writtenOffAt: instantText
      .nullable()
      .describe(
        'When it was found spent by a transaction that the service did not make: it is no longer part of the wallet’s balance. null where it was not',
      ),
    seenAt: instantText,
  })
  .meta({ id: 'CryptoPayment' });

/** Answer of a creation and of `GET /v1/transaction`, and the `data` of its callbacks. */
export const cryptoTransaction = z
  .object({
    id: z.string(),
    txId: z.string().nullable().describe('null for money that belongs to no invoice'),
    type: z.enum(invoiceTypes).describe('What `invoice_type_default` was when it was made'),
    code,
    amountRequired: units.nullable().describe('What was asked for; null where any amount will do'),
    amountRequiredUnit: coins.nullable(),
    walletAddress: z.string(),
    walletType: z.enum(invoiceTypes),
    uri: addressText.describe('For a wallet app: BIP 21 or EIP-681'),
    status: statusText,
    labels,
    amount: units.describe('What has been seen, in a block or not'),
    amountUnit: coins,
    amountDue: units.describe('What is still asked for'),
    confirmations: z.number().int().describe('The fewest that any of its payments has'),
    minConfirmations: z.number().int().describe('From how many on a payment counts'),
    payments: z.array(cryptoPayment),
    processingFeePercent: z.number(),
    processingFee: units.describe('Of what is credited'),
    exchangeRate: z
      .object({
        currency: z.string(),
        exchangeRate: z.string().describe('What one whole coin is in `currency`'),
        currencyAmount: z.string().describe('What the amount is in `currency`'),
        code,
        source: z.string(),
        at: instantText,
      })
      .nullable(),
    link: z.object({ self: addressText, payment: addressText.describe('A page for the payer') }),
    fiatTransactionId: z
      .string()
      .nullable()
      .describe('`transaction_id` of the payment that it pays, where it was made on the page of a payment link'),
    comment: z.string().nullable(),
    meantFor: z.string().nullable().describe('`txId` of the invoice that unidentified money may have been meant for'),
    decision: z
      .object({
        by: z.string().describe('`token 2` or `person 3`: the same, whatever they are called later'),
        byName: z
          .string()
          .nullable()
          .describe(
            'What the person is called now; null for a token, and in events and callbacks: the names of your people are not sent out',
          ),
        at: instantText,
        reason: z.string().nullable(),
        isApproved: z.boolean(),
        refundAddress: z.string().nullable(),
      })
      .nullable()
      .describe('What a person has decided about its money, if one has'),
    availableActions: z
      .array(z.enum(['approve', 'reject', 'withdraw']))
      .describe('What can be done about money that waits; `withdraw` by a manager'),
    createdAt: instantText,
    updatedAt: instantText,
    expiredAt: instantText.nullable().describe('null where it does not expire'),
  })
  .meta({ id: 'CryptoTransaction' });
export type CryptoTransaction = z.infer<typeof cryptoTransaction>;

/** Query of `GET /v1/transaction`: `txId` and `code`, or `id`. */
const transactionQueryFields = z.strictObject({
  txId: txId.optional(),
  code: code.optional(),
  id: text(64)
    .optional()
    .describe('In place of `txId` and `code`: the `id` of an answer, for money that has no `txId`'),
});
export const cryptoTransactionQuery = transactionQueryFields.check(
  rule<z.output<typeof transactionQueryFields>>((query, tell) => {
    if (query.id !== undefined) return;
    if (query.txId === undefined) tell('txId', 'required', 'must be given, with code; or id in place of both');
    if (query.code === undefined) tell('code', 'required', 'must be given, with txId; or id in place of both');
  }),
);

/** Query of `GET /v1/transactions`: newest first. */
export const cryptoTransactionsQuery = z.strictObject({
  status: statusText.optional(),
  code: code.optional(),
  search: text(128)
    .optional()
    .describe('What `txId` begins with, letter for letter; or a whole `walletAddress` or `txHash`'),
  cursor: text(64).optional().describe('The `next_cursor` of the answer before'),
  per_page: wholeNumber(100).optional().describe('How many at most; 20 when left out'),
});
export type CryptoTransactionsQuery = z.infer<typeof cryptoTransactionsQuery>;
export const cryptoTransactionsResponse = z.object({
  transactions: z.array(cryptoTransaction),
  next_cursor: z.string().nullable(),
});

/** Body of `POST /v1/transaction/approve`: money that waits for a person counts from now on. */
export const approveRequest = z.strictObject({ id: text(64), reason: text(255).optional() });

/** Body of `POST /v1/transaction/reject`: it goes back to an address, or the transaction just fails. */
export const rejectRequest = z.strictObject({
  id: text(64),
  reason: text(255).optional(),
  refundAddress: text(128)
    .optional()
    .describe('Where the money goes back to, with the scope `withdrawal:write`; without it nothing is sent'),
});

/** One of `GET /v1/currencies`. */
export const currencyEntry = z
  .object({
    code,
    name: z.string(),
    chain: z.string(),
    decimals: z.number().int().describe('Of the whole coin: amounts are whole numbers of its 10^-decimals'),
    minAmount: units.describe('The least that an invoice may ask for'),
    minConfirmations: z.number().int(),
  })
  .meta({ id: 'CryptoCurrency' });
export const currenciesResponse = z.object({ currencies: z.array(currencyEntry) });
