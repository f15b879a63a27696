import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, PaylatchError } from '../../client/index.ts';
import { cards, creation, submission } from './requests.ts';

/** Facts that responses have acknowledged. They must stay true. */
interface AcknowledgedFacts {
  created: Map<string, { link: string }>;
  confirmed: Set<string>;
  declined: Set<string>;
  /** Refunds of one unit of the currency, by transaction. */
  refunded: Set<string>;
  /** Deposit addresses of crypto invoices, by `txId`. */
  invoices: Map<string, string>;
}

/** Requests, and those without success by their error. */
interface LoadFigures {
  requests: number;
  errors: Map<string, number>;
}

const TIMEOUT_MS = 5000;
/** A request is repeated for this time. */
const RETRY_PERIOD_MS = 180_000;
const RETRY_MS = 250;
/** Between two payments of a client, which otherwise take all the time of the processes under test. */
const THINKING_MS = 100;
const REFUND_EVERY = 8;
const INVOICE_EVERY = 5;
const LIST_EVERY = 3;
const FEED_INTERVAL_MS = 1000;

/**
 * Pays until it is stopped: creates links, submits cards, refunds and lists some, and creates crypto invoices. Every
 * change has an idempotency key, and is repeated until its outcome is known. Another client pulls the event log.
 */
export function startLoad(options: {
  baseUrl: string;
  token: string;
  workers: number;
  run: string;
  /** False to create no crypto invoices. */
  hasInvoices?: boolean;
}) {
  const client = createClient({ ...options, timeoutMs: TIMEOUT_MS, maxRetries: 0 });
  const facts: AcknowledgedFacts = {
    ...{ created: new Map(), confirmed: new Set(), declined: new Set() },
    ...{ refunded: new Set(), invoices: new Map() },
  };
  const figures: LoadFigures = { requests: 0, errors: new Map() };
  const violations: string[] = [];
  /** Times of acknowledged writes. */
  const writes: number[] = [];
  const pulled: string[] = [];
  let cursor: string | undefined;
  let count = 0;
  const phase = { isPaying: true, isPulling: true, isAbandoned: false };

  /** Sends a request until it has a final response; null if it was refused. */
  const persist = async <Result>(name: string, send: () => Promise<Result>): Promise<Result | null> => {
    const startedMs = performance.now();
    for (;;) {
      figures.requests += 1;
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof PaylatchError)) throw error;
        const { code, status, retryable, retryAfterMs, message } = error;
        const key = status === null ? code : `${status} ${code}`;
        figures.errors.set(key, (figures.errors.get(key) ?? 0) + 1);
        // A client repeats it, but the service should have known the cause.
        if (status === 500) violations.push(`${name} returned 500: ${message}`);
        if (phase.isAbandoned) return null;
        if (!retryable) {
          violations.push(`${name} was refused: ${key} ${message}`);
          return null;
        }
        if (performance.now() - startedMs > RETRY_PERIOD_MS) {
          violations.push(`${name} did not succeed within ${RETRY_PERIOD_MS / 1000} s: ${key}`);
          return null;
        }
        await pause(Math.min(retryAfterMs ?? RETRY_MS, 1000));
      }
    }
  };
  const write = async <Result>(name: string, send: (idempotencyKey: string) => Promise<Result>) => {
    const key = randomUUID();
    const result = await persist(name, () => send(key));
    if (result !== null) writes.push(performance.now());
    return result;
  };

  /** Lists read from replicas contain every acknowledged write. */
  const checkList = async (reference: string) => {
    const list = await persist(`list of ${reference}`, () => client.listTransactions({ search: reference }));
    if (!list) return;
    const listed = list.transactions.find(({ transaction_id: id }) => id === reference);
    const isConfirmed = listed?.status === 'transaction_status_confirmed';
    if (!listed || isConfirmed !== facts.confirmed.has(reference))
      violations.push(`the list has an earlier state of ${reference}: ${listed?.status ?? 'missing'}`);
  };

  const pay = async () => {
    count += 1;
    const number = count;
    const body = creation({ transaction_id: `${options.run}-${number}`, amount: (1000 + (number % 5000)) / 100 });
    const reference = body.transaction_id;
    const created = await write(`creation of ${reference}`, (idempotencyKey) =>
      client.createTransaction(body as Parameters<typeof client.createTransaction>[0], { idempotencyKey }),
    );
    if (!created || !('value' in created)) return;
    facts.created.set(reference, { link: created.value.link });
    const card = number % 4 === 0 ? cards.declined : cards.visa;
    const submitted = await write(`submission for ${reference}`, (idempotencyKey) =>
      client.submitCard(submission(reference, card) as Parameters<typeof client.submitCard>[0], { idempotencyKey }),
    );
    if (submitted?.response_type === 'confirmed') facts.confirmed.add(reference);
    if (submitted?.response_type === 'declined') facts.declined.add(reference);
    const isFinal = facts.confirmed.has(reference) || facts.declined.has(reference);
    if (isFinal && number % LIST_EVERY === 0) await checkList(reference);
    if (number % REFUND_EVERY === 1 && facts.confirmed.has(reference)) {
      const refunded = await write(`refund of ${reference}`, (idempotencyKey) =>
        client.refundTransaction({ transaction_id: reference, amount: 1 }, { idempotencyKey }),
      );
      if (refunded) facts.refunded.add(reference);
    }
    if (options.hasInvoices !== false && number % INVOICE_EVERY === 0) {
      const txId = `${options.run}-invoice-${number}`;
      const invoice = await write(`invoice ${txId}`, (idempotencyKey) =>
        client.createInvoice({ txId, code: 'btc', amount: '150000', type: 'revolver' }, { idempotencyKey }),
      );
      if (invoice) facts.invoices.set(txId, invoice.walletAddress);
    }
  };
  const work = async () => {
    while (phase.isPaying) {
      await pay();
      await pause(THINKING_MS);
    }
  };

  const pullOnce = async (): Promise<boolean> => {
    const from = { limit: 100, ...(cursor !== undefined && { after: cursor }) };
    const page = await persist('the event log', () => client.listEvents(from));
    if (!page) return false;
    pulled.push(...page.events.map((event) => event.id));
    cursor = page.next ?? cursor;
    return page.has_more;
  };
  const pull = async () => {
    while (phase.isPulling) if (!(await pullOnce())) await pause(FEED_INTERVAL_MS);
  };

  const paying = Promise.all(Array.from({ length: options.workers }, work));
  const pulling = pull();
  return {
    ...{ client, facts, figures, violations, writes, pulled },
    /** Stops, once all requests have their final responses. */
    async stop() {
      phase.isPaying = false;
      await paying;
    },
    /** Stops without waiting for final responses, in case the service no longer responds. */
    async abandon() {
      Object.assign(phase, { isPaying: false, isPulling: false, isAbandoned: true });
      await Promise.all([paying, pulling]);
    },
    /** Pulls the rest of the event log. */
    async finishPulling() {
      phase.isPulling = false;
      await pulling;
      while (await pullOnce());
    },
  };
}

export type Load = ReturnType<typeof startLoad>;
