import { z } from 'zod';
import { wholeNumber } from './fiat-transaction.ts';
import { text } from './text.ts';
import {
  type EventTypeOf,
  type PulledEvent,
  pulledEvent,
  type RecordedEventType,
  transactionEvent,
} from './webhook-events.ts';

/** How many days events can be pulled. */
export const EVENTS_KEPT_DAYS = 90;
/** Seconds that a pull may wait for news. */
export const LONGEST_WAIT_SECONDS = 30;

/** Query of `GET /v1/events`. */
export const eventsQuery = z.strictObject({
  after: text(64).optional().describe('The `next` of the answer before; without it, from the oldest that is kept'),
  limit: wholeNumber(100).optional().describe('How many at most; 20 when left out'),
  wait: wholeNumber(LONGEST_WAIT_SECONDS)
    .optional()
    .describe('Seconds to wait for the first one where there is none yet'),
});
export type EventsQuery = z.infer<typeof eventsQuery>;

/** An event of a fiat transaction, as `GET /fiat/v1/transaction/events` returns it. */
export type TransactionEvent = PulledEvent<EventTypeOf<'fiat_transaction'>>;

/** Any event of a merchant's event log; `type` tells which. */
export type MerchantEvent = PulledEvent<RecordedEventType>;

export const eventsResponse = z.object({
  events: z.array(pulledEvent),
  next: z.string().nullable().describe('Where to go on; null while there has never been an event'),
  has_more: z.boolean().describe('Whether there are more already'),
});

/** Query of `GET /fiat/v1/transaction/events`: all of one transaction, in order. */
export const transactionEventsQuery = z.strictObject({ transaction_id: text(64) });
export const transactionEventsResponse = z.object({ events: z.array(transactionEvent) });
