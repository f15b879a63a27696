import {
  type Callback,
  type ListCallbacksInput,
  type ListEventsAnswer,
  type ListEventsInput,
  type ListTransactionsInput,
  type Operations,
  places,
  type TransactionListItem,
} from './api.ts';
import {
  type Call,
  type CallOptions,
  type ClientOptions,
  createCall,
  type Place,
  type RepeatableCallOptions,
} from './call.ts';

/** Every operation of the API as a method, and iterators over its lists. */
export interface Client extends Operations {
  /** Iterates over all transactions that match the filters. Fetches pages as needed. */
  eachTransaction(
    filters?: Omit<ListTransactionsInput, 'page'>,
    options?: CallOptions,
  ): AsyncGenerator<TransactionListItem, void, undefined>;
  /** Iterates over all callbacks that match the filters. Fetches pages as needed. */
  eachCallback(filters?: ListCallbacksInput, options?: CallOptions): AsyncGenerator<Callback, void, undefined>;
  /**
   * Streams events without end, starting after `after`, or with the oldest stored event. Store `next` once you have
   * processed `events`; to resume without gaps, pass it as `after`.
   *
   * @example
   * for await (const { events, next } of paylatch.followEvents({ after: await readCursor() })) {
   *   for (const event of events) await process(event);
   *   await saveCursor(next);
   * }
   */
  followEvents(
    from?: Pick<ListEventsInput, 'after'>,
    options?: CallOptions,
  ): AsyncGenerator<{ events: ListEventsAnswer['events']; next: string }, void, undefined>;
}

const MOST_PER_PAGE = 100;
const WAIT_SECONDS = 30;

/**
 * Creates a client for the merchant API. Its methods throw a `PaylatchError` if a call fails.
 *
 * @example
 * const paylatch = createClient({ baseUrl: 'https://pay.example', token: process.env.PAYLATCH_TOKEN ?? '' });
 * const { status } = await paylatch.getTransaction({ transaction_id: 'order-1001' });
 */
export function createClient(options: ClientOptions): Client {
  return clientOf(createCall(options));
}

/** Creates a client that sends its requests through `call`. */
export function clientOf(call: Call): Client {
  const method = (place: Place) =>
    place.sends === 'query' || place.sends === 'body'
      ? async (input?: unknown, own?: RepeatableCallOptions) => await call(place, input, own)
      : async (own?: RepeatableCallOptions) => await call(place, undefined, own);
  const operations = Object.fromEntries(
    Object.entries(places).map(([id, place]) => [id, method(place)]),
  ) as unknown as Operations;

  return {
    ...operations,
    async *eachTransaction(filters = {}, own) {
      let cursor = filters.cursor ?? null;
      do {
        const from = { per_page: MOST_PER_PAGE, ...filters, ...(cursor !== null && { cursor }) };
        const { transactions, pagination } = await operations.listTransactions(from, own);
        yield* transactions;
        cursor = pagination.next_cursor;
      } while (cursor !== null);
    },
    async *eachCallback(filters = {}, own) {
      let cursor = filters.cursor ?? null;
      do {
        const from = { per_page: MOST_PER_PAGE, ...filters, ...(cursor !== null && { cursor }) };
        const { callbacks, next_cursor: next } = await operations.listCallbacks(from, own);
        yield* callbacks;
        cursor = next;
      } while (cursor !== null);
    },
    async *followEvents({ after } = {}, own) {
      let place = after;
      for (;;) {
        const from = { limit: MOST_PER_PAGE, wait: WAIT_SECONDS, ...(place !== undefined && { after: place }) };
        const { events, next } = await operations.listEvents(from, own);
        if (next === null) continue;
        place = next;
        if (events.length > 0) yield { events, next };
      }
    },
  };
}
