import { z } from 'zod';
import { cryptoStatuses } from '../shared/crypto-status.ts';
import { cryptoTransaction } from './crypto-transaction.ts';
import { transactionDetail, wireStatuses, wholeNumber } from './fiat-transaction.ts';
import { addressText, instantText, text } from './text.ts';
import { destinationChange, withdrawal, withdrawalStatuses } from './withdrawal.ts';

/** How many days events can be pulled. */
export const EVENTS_KEPT_DAYS = 90;
/** Seconds that a pull may wait for news. */
export const LONGEST_WAIT_SECONDS = 30;

/** In every event's `data`, whatever its type. */
const ofMerchant = {
  merchant_id: z.number().int().describe('Your merchant ID; a receiver refuses any other'),
};

/** Query of `GET /v1/events`. */
export const eventsQuery = z.strictObject({
  after: text(64).optional().describe('The `next` of the answer before; without it, from the oldest that is kept'),
  limit: wholeNumber(100).optional().describe('How many at most; 20 when left out'),
  wait: wholeNumber(LONGEST_WAIT_SECONDS)
    .optional()
    .describe('Seconds to wait for the first one where there is none yet'),
});
export type EventsQuery = z.infer<typeof eventsQuery>;

/**
 * Body of a callback (Standard Webhooks): `data` is what `GET /fiat/v1/transaction` answered at that
 * moment, with the status before and the number of the change within its transaction (from 1, no gaps).
 */
export const fiatTransactionUpdated = z.object({
  type: z.literal('fiat.transaction.updated'),
  timestamp: instantText,
  data: transactionDetail.extend({
    ...ofMerchant,
    previous_status: z.enum(wireStatuses),
    sequence: z.number().int().describe('From 1, without gaps, within the transaction'),
  }),
});
export type FiatTransactionUpdated = z.infer<typeof fiatTransactionUpdated>;

/** The same for whoever asks. */
export const transactionEvent = fiatTransactionUpdated
  .extend({ id: z.string().describe('The same as the `webhook-id` of its callback') })
  .meta({ id: 'TransactionEvent' });
export type TransactionEvent = z.infer<typeof transactionEvent>;

/**
 * The same of crypto transactions: `data` is what `GET /v1/transaction` answered at that moment. The first is
 * `created`, and has no status before.
 */
export const cryptoTransactionTold = z.object({
  type: z.enum(['crypto.transaction.created', 'crypto.transaction.updated']),
  timestamp: instantText,
  data: cryptoTransaction.extend({
    ...ofMerchant,
    previous_status: z.enum(cryptoStatuses).nullable().describe('null in the first'),
    sequence: z.number().int().describe('From 1, without gaps, within the transaction'),
  }),
});
export const cryptoTransactionEvent = cryptoTransactionTold
  .extend({ id: z.string().describe('The same as the `webhook-id` of its callback') })
  .meta({ id: 'CryptoTransactionEvent' });
export type CryptoTransactionEvent = z.infer<typeof cryptoTransactionEvent>;

/** The same of withdrawals: `data` is what `GET /v1/withdrawals` had of it at that moment. */
export const withdrawalTold = z.object({
  type: z.literal('crypto.withdrawal.updated'),
  timestamp: instantText,
  data: withdrawal.extend({
    ...ofMerchant,
    previous_status: z.enum(withdrawalStatuses).nullable().describe('null in the first'),
    sequence: z.number().int().describe('From 1, without gaps, within the withdrawal'),
  }),
});
export const withdrawalEvent = withdrawalTold
  .extend({ id: z.string().describe('The same as the `webhook-id` of its callback') })
  .meta({ id: 'WithdrawalEvent' });
export type WithdrawalEvent = z.infer<typeof withdrawalEvent>;

/** Somebody has changed where money goes by itself: told at once, so that there is time to object. */
export const destinationChangeTold = z.object({
  type: z.literal('crypto.withdrawal.destination_changed'),
  timestamp: instantText,
  data: destinationChange.extend({
    ...ofMerchant,
    previous_status: z.null(),
    sequence: z.literal(1),
  }),
});
export const destinationChangeEvent = destinationChangeTold
  .extend({ id: z.string().describe('The same as the `webhook-id` of its callback') })
  .meta({ id: 'WithdrawalDestinationChangeEvent' });
export type DestinationChangeEvent = z.infer<typeof destinationChangeEvent>;

/** The `callback-url` was replaced or removed: also sent to the former ones. */
export const callbackUrlChanged = z.object({
  type: z.literal('callback.url_changed'),
  timestamp: instantText,
  data: z.object({
    ...ofMerchant,
    url: addressText
      .nullable()
      .describe('Origin of the new URL (no path or query, which may hold a secret); null: removed'),
    previous_url: addressText.nullable().describe('Origin of the former URL; null: none was set'),
    requested_by: z.string().describe('Who changed it: `token 7` or `person 3`'),
    created_at: instantText,
    previous_status: z.null(),
    sequence: z.literal(1),
  }),
});
export const callbackUrlChangeEvent = callbackUrlChanged
  .extend({ id: z.string().describe('The same as the `webhook-id` of its callback') })
  .meta({ id: 'CallbackUrlChangeEvent' });
export type CallbackUrlChangeEvent = z.infer<typeof callbackUrlChangeEvent>;

/** Whatever a merchant is told, by its `type`. */
export type MerchantEvent =
  | TransactionEvent
  | CryptoTransactionEvent
  | WithdrawalEvent
  | DestinationChangeEvent
  | CallbackUrlChangeEvent;

export const eventsResponse = z.object({
  events: z.array(
    z.union([
      transactionEvent,
      cryptoTransactionEvent,
      withdrawalEvent,
      destinationChangeEvent,
      callbackUrlChangeEvent,
    ]),
  ),
  next: z.string().nullable().describe('Where to go on; null while there has never been an event'),
  has_more: z.boolean().describe('Whether there are more already'),
});

/** Query of `GET /fiat/v1/transaction/events`: all of one transaction, in order. */
export const transactionEventsQuery = z.strictObject({ transaction_id: text(64) });
export const transactionEventsResponse = z.object({ events: z.array(transactionEvent) });
