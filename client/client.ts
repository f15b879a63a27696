/*
 * Map of `client/`: `client.ts` is the API client, with the generated types of `api.ts`. `call.ts` sends its requests
 * with retries, and `client-credentials.ts` gets its tokens. `webhooks.ts` verifies webhooks, and
 * `webhook-receiver.ts` stores and handles them. Reasons: docs/decisions/client.md.
 */

import {
  type Callback,
  type ListCallbacksInput,
  type ListEventsResponse,
  type ListEventsInput,
  type ListTransactionsInput,
  type Operations,
  endpoints,
  type TransactionListItem,
} from './api.ts';
import {
  type Call,
  type CallOptions,
  type ClientOptions,
  createCall,
  DEFAULT_TIMEOUT_MS,
  type Endpoint,
  type IdempotentCallOptions,
} from './call.ts';

/** Every operation of the API as a method, and iterators over its lists. */
export interface Client extends Operations {
  /** Iterates over all transactions that match the filters. Fetches pages as needed. */
  eachTransaction(
    filters?: Omit<ListTransactionsInput, 'page'>,
    options?: CallOptions,
  ): AsyncGenerator<TransactionListItem, void, undefined>;
  /** Iterates over all webhooks that match the filters. Fetches pages as needed. */
  eachCallback(filters?: ListCallbacksInput, options?: CallOptions): AsyncGenerator<Callback, void, undefined>;
  /**
   * Streams events indefinitely, starting after `after`, or with the oldest stored event. Store `next` once you have
   * processed `events`; to resume without gaps, pass it as `after`. The timeout of its requests is at least 40 s: the
   * service holds them for up to 30 s.
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
  ): AsyncGenerator<{ events: ListEventsResponse['events']; next: string }, void, undefined>;
}

const MAX_PER_PAGE = 100;
const WAIT_SECONDS = 30;
/** Shortest timeout of a request that waits for events. */
const MIN_WAIT_TIMEOUT_MS = (WAIT_SECONDS + 10) * 1000;

/**
 * Creates a client for the merchant API. Its methods throw a `PaylatchError` if a call fails.
 *
 * @example
 * const paylatch = createClient({ baseUrl: 'https://pay.example', token: process.env.ACCESS_TOKEN ?? '' });
 * const { status } = await paylatch.getTransaction({ transaction_id: 'order-1001' });
 */
export function createClient(options: ClientOptions): Client {
  return clientFrom(createCall(options), options.timeoutMs);
}

/** Creates a client that sends its requests through `call`, whose default timeout is `defaultTimeoutMs`. */
export function clientFrom(call: Call, defaultTimeoutMs = DEFAULT_TIMEOUT_MS): Client {
  const method = (endpoint: Endpoint) =>
    endpoint.sends === 'query' || endpoint.sends === 'body'
      ? async (input?: unknown, options?: IdempotentCallOptions) => await call(endpoint, input, options)
      : async (options?: IdempotentCallOptions) => await call(endpoint, undefined, options);
  const operations = Object.fromEntries(
    Object.entries(endpoints).map(([id, endpoint]) => [id, method(endpoint)]),
  ) as unknown as Operations;

  return {
    ...operations,
    async *eachTransaction(filters = {}, options) {
      let cursor = filters.cursor ?? null;
      do {
        const from = { per_page: MAX_PER_PAGE, ...filters, ...(cursor !== null && { cursor }) };
        const { transactions, pagination } = await operations.listTransactions(from, options);
        yield* transactions;
        cursor = pagination.next_cursor;
      } while (cursor !== null);
    },
    async *eachCallback(filters = {}, options) {
      let cursor = filters.cursor ?? null;
      do {
        const from = { per_page: MAX_PER_PAGE, ...filters, ...(cursor !== null && { cursor }) };
        const { callbacks, next_cursor: next } = await operations.listCallbacks(from, options);
        yield* callbacks;
        cursor = next;
      } while (cursor !== null);
    },
    async *followEvents({ after } = {}, options = {}) {
      const timeoutMs = Math.max(options.timeoutMs ?? defaultTimeoutMs, MIN_WAIT_TIMEOUT_MS);
      let endpoint = after;
      for (;;) {
        const from = { limit: MAX_PER_PAGE, wait: WAIT_SECONDS, ...(endpoint !== undefined && { after: endpoint }) };
        const { events, next } = await operations.listEvents(from, { ...options, timeoutMs });
        if (next === null) continue;
        endpoint = next;
        if (events.length > 0) yield { events, next };
      }
    },
  };
}
