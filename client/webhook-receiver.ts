import type { WebhookEvent } from './api.ts';
import {
  type ReceivedWebhook,
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookRequest,
} from './webhooks.ts';

/** One function per event type. Events of other types are acknowledged and ignored. */
export type WebhookHandlers = {
  [Type in WebhookEvent['type']]?: (event: ReceivedWebhook<Type>) => void | Promise<void>;
};

/** Position of an event in the sequence of one payment, dispute, crypto transaction or withdrawal. */
export interface WebhookPosition {
  /** The object that the event is about, such as `fiat.transaction order-1001`. */
  subject: string;
  /** Starts at 1. */
  sequence: number;
}

/** Keeps events until they are processed. Use durable storage: an event counts as delivered once `add` returns. */
export interface WebhookStore {
  /** Adds an unprocessed event. Returns false, and changes nothing, if an event with its `id` was added before. */
  add(event: ReceivedWebhook): Promise<boolean>;
  /** Returns the unprocessed events, in the order in which they were added. */
  pending(): Promise<readonly ReceivedWebhook[]>;
  /** Returns the last sequence that was processed for a subject; 0 if there is none. */
  lastSequence(subject: string): Promise<number>;
  /**
   * Marks an event as processed and stores its position. Keeps its `id`, because events of the last 90 days can be
   * redelivered.
   */
  markProcessed(event: ReceivedWebhook, position: WebhookPosition | null): Promise<void>;
}

export interface ReceiverOptions extends VerifyOptions {
  handlers: WebhookHandlers;
  store: WebhookStore;
  /** Called when a handler or the store throws. The event is processed again later. Default: `console.error`. */
  onError?: (error: unknown, event: ReceivedWebhook | null) => void;
  /** Maximum number of concurrent handlers. Default: 8. */
  concurrency?: number;
  /** Delay before the next attempt, in milliseconds. Default: 1 s, doubled with each failure, up to 5 minutes. */
  retryDelayMs?: (failures: number) => number;
  /** Schedules a retry. Default: `setTimeout`. */
  schedule?: (action: () => void, delayMs: number) => void;
}

export interface WebhookReceiver {
  /**
   * Verifies and stores a webhook, and processes it in the background. Respond with the returned status: 204; 401 if
   * the webhook is not valid; 500 if it could not be stored, so that the service sends it again.
   */
  receive(request: WebhookRequest): Promise<{ status: 204 | 401 | 500 }>;
  /** Same as `receive`, for servers with the Fetch API's `Request` and `Response`. Status 413: a body over 1 MB. */
  fetch(request: Request): Promise<Response>;
  /** Processes the events that were stored before a restart. Call it once when your program starts. */
  start(): void;
  /** Resolves once all running handlers have finished. Failed events may still wait for their next attempt. */
  idle(): Promise<void>;
}

const MAX_BODY_BYTES = 1_000_000;
const DEFAULT_CONCURRENCY = 8;
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 300_000;

/**
 * Creates a webhook receiver. It responds once an event is verified and stored, and calls the handlers afterward:
 *
 * - An event is processed once, however often it is delivered. It is processed again only if its handler throws, or if
 *   the program ends while the handler runs.
 * - Events of one payment, dispute, crypto transaction or withdrawal are processed one after another, by `sequence`. An
 *   event older than one that was processed is skipped, since its `data` is out of date.
 *
 * Run one receiver per store.
 *
 * @example
 * const receiver = createWebhookReceiver({
 *   key: secret,
 *   merchantId: 1,
 *   store,
 *   handlers: { 'fiat.transaction.updated': ({ data }) => updateOrder(data.transaction_id, data.status) },
 * });
 * receiver.start();
 */
export function createWebhookReceiver(options: ReceiverOptions): WebhookReceiver {
  const { handlers, store, concurrency = DEFAULT_CONCURRENCY, retryDelayMs = backoff } = options;
  const { schedule = setTimeout, onError = logError } = options;
  /** Queues whose events are being processed, or wait for their next attempt. */
  const busy = new Set<string>();
  const failures = new Map<string, number>();
  const running = new Set<Promise<void>>();
  /** Events processed since the store was last read, which that read may still have returned. */
  let processed = new Set<string>();
  let reading: Promise<void> | null = null;
  let isRequested = false;

  const wake = () => {
    isRequested = true;
    // Starts later, because it resets `reading` before it ends.
    reading ??= Promise.resolve().then(readWhileRequested);
  };

  const retryLater = (queue: string, error: unknown, event: ReceivedWebhook | null) => {
    onError(error, event);
    const count = (failures.get(queue) ?? 0) + 1;
    failures.set(queue, count);
    const retry = () => {
      busy.delete(queue);
      wake();
    };
    schedule(retry, retryDelayMs(count));
  };

  const readWhileRequested = async () => {
    try {
      while (isRequested) {
        isRequested = false;
        processed = new Set();
        let pending: readonly ReceivedWebhook[];
        try {
          pending = await store.pending();
        } catch (error) {
          retryLater('', error, null);
          return;
        }
        failures.delete('');
        for (const [queue, events] of groupByQueue(pending.filter(({ id }) => !processed.has(id)))) {
          if (running.size >= concurrency) break;
          if (busy.has(queue)) continue;
          busy.add(queue);
          const work = handleInOrder(queue, events).finally(() => {
            running.delete(work);
            wake();
          });
          running.add(work);
        }
      }
    } finally {
      // Not in a `.finally()`: an event added before it runs would wake nothing.
      reading = null;
    }
  };

  const handleInOrder = async (queue: string, events: ReceivedWebhook[]) => {
    for (const event of events.toSorted((a, b) => (positionOf(a)?.sequence ?? 0) - (positionOf(b)?.sequence ?? 0))) {
      try {
        const position = positionOf(event);
        const isStale = position !== null && position.sequence <= (await store.lastSequence(position.subject));
        const handle = handlers[event.type] as ((each: ReceivedWebhook) => void | Promise<void>) | undefined;
        if (!isStale) await handle?.(event);
        await store.markProcessed(event, isStale ? null : position);
      } catch (error) {
        retryLater(queue, error, event);
        return;
      }
      processed.add(event.id);
    }
    failures.delete(queue);
    busy.delete(queue);
  };

  const receive: WebhookReceiver['receive'] = async (request) => {
    try {
      const event = await verifyWebhook(request, options);
      if (Object.hasOwn(handlers, event.type) && (await store.add(event))) wake();
      return { status: 204 };
    } catch (error) {
      if (error instanceof WebhookError && error.code !== 'invalid_key') return { status: 401 };
      onError(error, null);
      return { status: 500 };
    }
  };

  return {
    receive,
    async fetch(request) {
      const body = await readBody(request);
      if (body === null) return new Response(null, { status: 413 });
      const { status } = await receive({ headers: request.headers, body });
      return new Response(null, { status });
    },
    start: wake,
    async idle() {
      const isActive = () => reading !== null || running.size > 0;
      while (isActive()) await Promise.all([reading, ...running]);
    },
  };
}

/** Creates a store in memory, for tests and development: its events are lost when the program ends. */
export function memoryWebhookStore(): WebhookStore {
  const added = new Set<string>();
  const pending = new Map<string, ReceivedWebhook>();
  const sequences = new Map<string, number>();
  return {
    add(event) {
      const isNew = !added.has(event.id);
      if (isNew) pending.set(event.id, event);
      added.add(event.id);
      return Promise.resolve(isNew);
    },
    pending: () => Promise.resolve([...pending.values()]),
    lastSequence: (subject) => Promise.resolve(sequences.get(subject) ?? 0),
    markProcessed(event, position) {
      pending.delete(event.id);
      if (position) sequences.set(position.subject, position.sequence);
      return Promise.resolve();
    },
  };
}

/** Endpoint changes, destination changes and test events are not part of a sequence, so they have no position. */
function positionOf({ type, data }: ReceivedWebhook): WebhookPosition | null {
  const record = type.slice(0, type.lastIndexOf('.'));
  // A dispute shares the sequence of its payment, but its events don't replace those of the payment.
  if ('number' in data) return { subject: `${record} ${data.transaction_id} ${data.number}`, sequence: data.sequence };
  if ('transaction_id' in data) return { subject: `${record} ${data.transaction_id}`, sequence: data.sequence };
  if ('id' in data) return { subject: `${record} ${data.id}`, sequence: data.sequence };
  return null;
}

function groupByQueue(events: readonly ReceivedWebhook[]): Map<string, ReceivedWebhook[]> {
  const groups = new Map<string, ReceivedWebhook[]>();
  for (const event of events) {
    const queue = positionOf(event)?.subject ?? event.id;
    groups.set(queue, [...(groups.get(queue) ?? []), event]);
  }
  return groups;
}

function backoff(failures: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS);
}

function logError(error: unknown, event: ReceivedWebhook | null): void {
  // oxlint-disable-next-line no-console -- the default of `onError`; a library has no other log
  console.error(`Webhook ${event?.id ?? ''} was not processed:`, error);
}

/** Returns null if the body is too large. */
async function readBody({ body }: Request): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Returning ends the iteration, which cancels the stream.
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  const all = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}
