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

/** Days for which `GET /v1/events` returns an event. */
export const EVENT_PULL_DAYS = 90;
/** Maximum seconds of a long poll. */
const MAX_WAIT_SECONDS = 30;

/** Query of `GET /v1/events`. */
export const eventsQuery = z.strictObject({
  after: text(64).optional().describe('The `next` of the previous response; by default the oldest stored event'),
  limit: wholeNumber(100).optional().describe('Page size; 20 by default'),
  wait: wholeNumber(MAX_WAIT_SECONDS).optional().describe('Seconds to wait for an event if there is none yet'),
});
export type EventsQuery = z.infer<typeof eventsQuery>;

/** An event of a fiat transaction, as `GET /fiat/v1/transaction/events` returns it. */
export type TransactionEvent = PulledEvent<EventTypeOf<'fiat_transaction'>>;

/** Any event of a merchant's event log, by `type`. */
export type MerchantEvent = PulledEvent<RecordedEventType>;

export const eventsResponse = z.object({
  events: z.array(pulledEvent),
  next: z.string().nullable().describe('Cursor for the next request; null before the first event'),
  has_more: z.boolean().describe('True if more events are available now'),
});

/** Query of `GET /fiat/v1/transaction/events`: all events of one transaction, in order. */
export const transactionEventsQuery = z.strictObject({ transaction_id: text(64) });
export const transactionEventsResponse = z.object({ events: z.array(transactionEvent) });
