import { createHash } from 'node:crypto';
import type { Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Announcements } from '../database/announcements.ts';
import type { Job } from '../jobs/runner.ts';
import { describeError, type Log } from '../system/log.ts';
import type { HttpContext } from './context.ts';
import { type EventStream, type EventStreamHandler, type EventStreams, noStream } from './event-stream.ts';

/** Leaves database connections for requests when thousands of pages change at once. */
const MOST_LOOKS = 4;

/**
 * The source of an open page's state. It lives as long as the page's stream, so it must not keep the request
 * in memory.
 */
export interface FollowedPage {
  /** Topics whose announcements may change the page. */
  readonly topics: readonly string[];
  /**
   * Reads the current state; null if it cannot have changed. `changedTopics` are the topics announced since the
   * last read. It is empty on the first read, and on reads for other reasons.
   */
  look(news: ReadonlySet<string>): Promise<PageLook | null>;
}

export interface PageLook {
  /** The state sent to the page. Its time and token differ in each read and do not count as changes. */
  state: { serverTime: string; clientToken?: string | null };
  /** Time at which the state changes without an event; null if it does not. */
  overAt: Instant | null;
  /** True if the state can no longer change: the stream then ends. */
  isLast: boolean;
}

/** Sends open pages their state after each change. */
export interface PageEvents {
  /** Responds with a stream of the page's state, now and after each change, until it is final. */
  answer(http: HttpContext, find: () => Promise<FollowedPage>, link?: string): Promise<Response>;
  /** Sends heartbeats, and states that changed by time alone. */
  job: Job;
}

/** A page with an open stream. */
interface Follower {
  readonly stream: EventStream;
  readonly page: FollowedPage;
  /** Digest of the last state sent; empty before the first. */
  told: string;
  overAt: Instant | null;
  isLooking: boolean;
  /** True if something changed since the current read began. */
  isDue: boolean;
  /** Topics announced since the last read. */
  news: Set<string>;
}

export function createPageEvents(
  { announcements, clock, log }: { announcements: Announcements; clock: Clock; log: Log },
  streams: EventStreams,
): PageEvents {
  const followers = new Set<Follower>();
  /** In insertion order; a page is queued at most once. */
  const due = new Set<Follower>();
  let looks = 0;
  let onIdle: (() => void)[] = [];

  /** Coalesces simultaneous changes into one read. */
  const lookAfter = (follower: Follower) => {
    if (follower.isLooking) follower.isDue = true;
    else due.add(follower);
    goOn();
  };

  const goOn = () => {
    for (const follower of due) {
      if (looks >= MOST_LOOKS) return;
      due.delete(follower);
      if (follower.stream.isOpen) void look(follower);
    }
    if (looks > 0) return;
    for (const tell of onIdle) tell();
    onIdle = [];
  };

  const look = async (follower: Follower) => {
    const { news } = follower;
    looks += 1;
    Object.assign(follower, { isLooking: true, isDue: false, news: new Set() });
    try {
      const found = await follower.page.look(news);
      if (found) tell(follower, found);
    } catch (error) {
      log.warn({ error: describeError(error) }, 'the state of an open page could not be read');
      // The page reconnects, or polls.
      follower.stream.end();
    }
    looks -= 1;
    follower.isLooking = false;
    if (follower.isDue) due.add(follower);
    goOn();
  };

  /** Sends the state if it changed. */
  const tell = (follower: Follower, { state, overAt, isLast }: PageLook) => {
    const { stream } = follower;
    const news = digestOf(state);
    if (news !== follower.told) stream.send('state', JSON.stringify(state));
    follower.told = news;
    // A state past its expiry changes only by an event, which will be announced.
    follower.overAt = overAt !== null && overAt > clock.now() ? overAt : null;
    if (isLast) stream.end();
  };

  /** Outside of `respond`, so that its closures do not keep the request in memory while the stream is open. */
  const follow = (page: FollowedPage): EventStreamHandler => {
    let leave = () => {};
    return {
      opened(stream) {
        const follower: Follower = {
          ...{ stream, page, told: '', overAt: null, isLooking: false, isDue: false },
          news: new Set(),
        };
        followers.add(follower);
        const subscriptions = page.topics.map((topic) =>
          announcements.subscribe(topic, () => {
            follower.news.add(topic);
            lookAfter(follower);
          }),
        );
        leave = () => {
          for (const unsubscribe of subscriptions) unsubscribe();
          followers.delete(follower);
          due.delete(follower);
        };
        lookAfter(follower);
      },
      closed: () => leave(),
    };
  };

  return {
    async answer(http, find, link) {
      const prepare = async () => {
        if (!announcements.isConnected)
          throw noStream('Live updates are unavailable: the database connection for notifications is down. Poll the status instead.');
        return follow(await find());
      };
      return await streams.answer(http, prepare, link);
    },

    job: {
      name: 'page events',
      intervalMs: 500,
      async round() {
        const ended = streams.tend();
        // Pages that would miss changes must fall back to polling.
        if (!announcements.isConnected) streams.endAll();
        const now = clock.now();
        const over = [...followers].filter(({ overAt }) => overAt !== null && overAt <= now);
        for (const follower of over) {
          follower.overAt = null;
          lookAfter(follower);
        }
        return ended + over.length;
      },
      async finished() {
        if (looks > 0) await new Promise<void>((resolve) => onIdle.push(resolve));
      },
    },
  };
}

/** A digest of the parts of the state that count as changes. */
function digestOf(state: PageLook['state']): string {
  const shown = JSON.stringify({ ...state, serverTime: null, clientToken: null });
  return createHash('sha256').update(shown).digest('base64');
}
