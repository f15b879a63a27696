import { createHash } from 'node:crypto';
import type { Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Announcements } from '../database/announcements.ts';
import type { Job } from '../jobs/runner.ts';
import { describeError, type Log } from '../system/log.ts';
import type { HttpContext } from './context.ts';
import { type EventStream, type EventStreamHandler, type EventStreams, noStream } from './event-stream.ts';

/** Pages whose state is read at once: when thousands have news, requests still find a connection to the database. */
const MOST_LOOKS = 4;

/**
 * What an open page shows. It lives as long as the page's stream: it must hold what it needs to look, and
 * nothing of the request that it was made for.
 */
export interface FollowedPage {
  /** Under which something is announced that may change it. */
  readonly topics: readonly string[];
  /**
   * What is to be shown now; null where that is certainly what it was. `news` are the topics of which something
   * was announced since it was looked at last; none at first, and when it is looked at for another reason.
   */
  look(news: ReadonlySet<string>): Promise<PageLook | null>;
}

export interface PageLook {
  /** As the page gets it. Its time and its token are others in each look, and no news. */
  state: { serverTime: string; clientToken?: string | null };
  /** When what it says is over by time alone; null when it is not. */
  overAt: Instant | null;
  /** Whether nothing can change any more: then the stream ends. */
  isLast: boolean;
}

/** Tells open pages what has become of what they show. */
export interface PageEvents {
  /** Answers with the state of what `find` finds, now and after each change, until nothing can change any more. */
  answer(http: HttpContext, find: () => Promise<FollowedPage>, link?: string): Promise<Response>;
  /** Keeps the streams alive, and tells what time alone has changed. */
  job: Job;
}

/** A page that is told. */
interface Follower {
  readonly stream: EventStream;
  readonly page: FollowedPage;
  /** What it was told last, in short; empty before the first time. */
  told: string;
  overAt: Instant | null;
  isLooking: boolean;
  /** Whether something has happened since the look that is under way began. */
  isDue: boolean;
  /** Of which something was announced since it was looked at last. */
  news: Set<string>;
}

export function createPageEvents(
  { announcements, clock, log }: { announcements: Announcements; clock: Clock; log: Log },
  streams: EventStreams,
): PageEvents {
  const followers = new Set<Follower>();
  /** In the order in which they are due; a page that is due twice is looked after once. */
  const due = new Set<Follower>();
  let looks = 0;
  let onIdle: (() => void)[] = [];

  /** Many changes at the same moment become one look. */
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
      // The page comes again, or asks.
      follower.stream.end();
    }
    looks -= 1;
    follower.isLooking = false;
    if (follower.isDue) due.add(follower);
    goOn();
  };

  /** Sends what was found, if it is news. */
  const tell = (follower: Follower, { state, overAt, isLast }: PageLook) => {
    const { stream } = follower;
    const news = digestOf(state);
    if (news !== follower.told) stream.send('state', JSON.stringify(state));
    follower.told = news;
    // What is past its end and shown all the same waits for something that will be told.
    follower.overAt = overAt !== null && overAt > clock.now() ? overAt : null;
    if (isLast) stream.end();
  };

  /** Stands outside of `answer`: a stream must not keep the whole request for as long as it is open. */
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
        if (!announcements.areComplete)
          throw noStream('Changes cannot be followed just now: the database is not heard.');
        return follow(await find());
      };
      return await streams.answer(http, prepare, link);
    },

    job: {
      name: 'page events',
      everyMs: 500,
      async round() {
        const ended = streams.tend();
        // Pages that would not be told must know that they are to ask.
        if (!announcements.areComplete) streams.endAll();
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

/** What stays the same as long as there is nothing new to show. */
function digestOf(state: PageLook['state']): string {
  const shown = JSON.stringify({ ...state, serverTime: null, clientToken: null });
  return createHash('sha256').update(shown).digest('base64');
}
