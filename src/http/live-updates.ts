import { createHash } from 'node:crypto';
import type { Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Announcements } from '../database/announcements.ts';
import type { Job } from '../jobs/runner.ts';
import { describeError, type Log } from '../system/log.ts';
import type { HttpContext } from './context.ts';
import { type EventStream, type EventStreamHandler, type EventStreams, streamUnavailable } from './event-stream.ts';

/** Announced when a merchant moves to another cell. The state of its pages cannot be read then, so they reconnect. */
export function movedTopic(merchantId: number): string {
  return `merchant ${merchantId} moved`;
}

/** Leaves database connections for requests when thousands of pages change at once. */
const MAX_CONCURRENT_READS = 4;

/**
 * The source of an open page's state. It lives as long as the page's stream, so it must not keep the request
 * in memory.
 */
export interface LivePage {
  /** Topics whose announcements may change the page. */
  readonly topics: readonly string[];
  /**
   * Reads the current state; null if it cannot have changed. `changedTopics` are the topics announced since the
   * last read. It is empty on the first read, and on reads for other reasons.
   */
  readState(changedTopics: ReadonlySet<string>): Promise<PageSnapshot | null>;
}

export interface PageSnapshot {
  /** The state sent to the page. Its time and token differ in each read and do not count as changes. */
  state: { serverTime: string; clientToken?: string | null };
  /** Time at which the state changes without an event; null if it does not. */
  expiresAt: Instant | null;
  /** True if the state can no longer change: the stream then ends. */
  isFinal: boolean;
}

/** Sends open pages their state after each change. */
export interface LiveUpdates {
  /** Responds with a stream of the page's state, now and after each change, until it is final. */
  respond(http: HttpContext, find: () => Promise<LivePage>, link?: string): Promise<Response>;
  /** Sends heartbeats, and states that changed only because time passed. */
  job: Job;
}

/** A page with an open stream. */
interface Subscriber {
  readonly stream: EventStream;
  readonly page: LivePage;
  /** Digest of the last state sent; empty before the first. */
  lastDigest: string;
  expiresAt: Instant | null;
  isReading: boolean;
  /** True if something changed since the current read began. */
  isStale: boolean;
  /** Topics announced since the last read. */
  changedTopics: Set<string>;
}

export function createLiveUpdates(
  { announcements, clock, log }: { announcements: Announcements; clock: Clock; log: Log },
  streams: EventStreams,
): LiveUpdates {
  const subscribers = new Set<Subscriber>();
  /** In insertion order; a page is queued at most once. */
  const queue = new Set<Subscriber>();
  let activeReads = 0;
  let onIdle: (() => void)[] = [];

  /** Coalesces simultaneous changes into one read. */
  const scheduleRead = (subscriber: Subscriber) => {
    if (subscriber.isReading) subscriber.isStale = true;
    else queue.add(subscriber);
    processQueue();
  };

  const processQueue = () => {
    for (const subscriber of queue) {
      if (activeReads >= MAX_CONCURRENT_READS) return;
      queue.delete(subscriber);
      if (subscriber.stream.isOpen) void readAndSend(subscriber);
    }
    if (activeReads > 0) return;
    for (const resolve of onIdle) resolve();
    onIdle = [];
  };

  const readAndSend = async (subscriber: Subscriber) => {
    const { changedTopics } = subscriber;
    activeReads += 1;
    Object.assign(subscriber, { isReading: true, isStale: false, changedTopics: new Set() });
    try {
      const snapshot = await subscriber.page.readState(changedTopics);
      if (snapshot) sendIfChanged(subscriber, snapshot);
    } catch (error) {
      log.warn({ error: describeError(error) }, 'the state of an open page could not be read');
      // The page reconnects, or polls.
      subscriber.stream.end();
    }
    activeReads -= 1;
    subscriber.isReading = false;
    if (subscriber.isStale) queue.add(subscriber);
    processQueue();
  };

  /** Sends the state if it changed. */
  const sendIfChanged = (subscriber: Subscriber, { state, expiresAt, isFinal }: PageSnapshot) => {
    const { stream } = subscriber;
    const digest = digestOf(state);
    if (digest !== subscriber.lastDigest) stream.send('state', JSON.stringify(state));
    subscriber.lastDigest = digest;
    // A state past its expiry changes only with an event, which will be announced.
    subscriber.expiresAt = expiresAt !== null && expiresAt > clock.now() ? expiresAt : null;
    if (isFinal) stream.end();
  };

  /** Outside of `respond`, so that its closures do not keep the request in memory while the stream is open. */
  const createHandler = (page: LivePage): EventStreamHandler => {
    let unsubscribe = () => {};
    return {
      opened(stream) {
        const subscriber: Subscriber = {
          ...{ stream, page, lastDigest: '', expiresAt: null, isReading: false, isStale: false },
          changedTopics: new Set(),
        };
        subscribers.add(subscriber);
        const subscriptions = page.topics.map((topic) =>
          announcements.subscribe(topic, () => {
            subscriber.changedTopics.add(topic);
            scheduleRead(subscriber);
          }),
        );
        unsubscribe = () => {
          for (const endSubscription of subscriptions) endSubscription();
          subscribers.delete(subscriber);
          queue.delete(subscriber);
        };
        scheduleRead(subscriber);
      },
      closed: () => unsubscribe(),
    };
  };

  return {
    async respond(http, find, link) {
      const prepare = async () => {
        if (!announcements.isConnected)
          throw streamUnavailable(
            'Live updates are unavailable: the database connection for notifications is down. Poll the status instead.',
          );
        return createHandler(await find());
      };
      return await streams.respond(http, prepare, link);
    },

    job: {
      name: 'page events',
      intervalMs: 500,
      async runOnce() {
        const ended = streams.maintain();
        // Pages that would miss changes must fall back to polling.
        if (!announcements.isConnected) streams.endAll();
        const now = clock.now();
        const expired = [...subscribers].filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now);
        for (const subscriber of expired) {
          subscriber.expiresAt = null;
          scheduleRead(subscriber);
        }
        return ended + expired.length;
      },
      async finished() {
        if (activeReads > 0) await new Promise<void>((resolve) => onIdle.push(resolve));
      },
    },
  };
}

/** A digest of the parts of the state that count as changes. */
function digestOf(state: PageSnapshot['state']): string {
  const shown = JSON.stringify({ ...state, serverTime: null, clientToken: null });
  return createHash('sha256').update(shown).digest('base64');
}
