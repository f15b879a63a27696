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

/** Every operation of the API as a method, and what goes through its lists to the end. */
export interface Client extends Operations {
  /** Every transaction that the filters let through, page by page as they are needed. */
  eachTransaction(
    filters?: Omit<ListTransactionsInput, 'page'>,
    options?: CallOptions,
  ): AsyncGenerator<TransactionListItem, void, undefined>;
  /** Every callback that the filters let through, page by page as they are needed. */
  eachCallback(filters?: ListCallbacksInput, options?: CallOptions): AsyncGenerator<Callback, void, undefined>;
  /**
   * Events as they happen, without end: from `after`, or from the oldest that is kept. Keep `next` once you
   * have dealt with `events`: whoever begins there again misses nothing.
   *
   * @example
   * for await (const { events, next } of paylatch.followEvents({ after: await readPlace() })) {
   *   for (const event of events) await deal(event);
   *   await keepPlace(next);
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
 * A client of the merchant's API. Throws a `PaylatchError` for every call that does not succeed.
 *
 * @example
 * const paylatch = createClient({ baseUrl: 'https://pay.example', token: process.env.PAYLATCH_TOKEN ?? '' });
 * const { status } = await paylatch.getTransaction({ transaction_id: 'order-1001' });
 */
export function createClient(options: ClientOptions): Client {
  return clientOf(createCall(options));
}

/** The client whose requests `call` sends. */
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
