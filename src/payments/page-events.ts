import { createHash } from 'node:crypto';
import { mayChange, type PageState } from '../contract/page-state.ts';
import { type Instant, MICROS_PER_MS } from '../contract/time.ts';
import {
  type EventStream,
  type EventStreamHandler,
  type EventStreams,
  noStream,
} from '../platform/http/event-stream.ts';
import type { HttpContext } from '../platform/http/context.ts';
import type { Job } from '../platform/jobs.ts';
import { describeError } from '../platform/log.ts';
import type { PaymentsContext } from './context.ts';
import { describePage } from './page-state.ts';
import { findById, transactionTopic } from './store.ts';
import type { FiatTransaction } from './transaction.ts';

/** Pages whose state is read at once: when thousands have news, requests still find a connection to the database. */
const MOST_LOOKS = 4;

/** Tells open pages of their payment. */
export interface PageEvents {
  /** Answers with the state of what `find` finds, now and after each change, until nothing can change any more. */
  answer(http: HttpContext, find: () => Promise<FiatTransaction>): Promise<Response>;
  /** Keeps the streams alive, and tells what time alone has changed. */
  job: Job;
}

/** A page that is told. */
interface Follower {
  readonly stream: EventStream;
  readonly merchantId: number;
  readonly transactionId: number;
  readonly buyerCountry: string | null;
  /** What it was told last, in short; empty before the first time. */
  told: string;
  /** When what was told is over by time alone; null when it is not. */
  overAt: Instant | null;
  isLooking: boolean;
  /** Whether something has happened since the look that is under way began. */
  isDue: boolean;
}

export function createPageEvents(context: PaymentsContext, streams: EventStreams): PageEvents {
  const { announcements } = context.database;
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
    looks += 1;
    follower.isLooking = true;
    follower.isDue = false;
    try {
      await tell(context, follower);
    } catch (error) {
      context.log.warn({ error: describeError(error) }, 'the state of an open page could not be read');
      // The page comes again, or asks.
      follower.stream.end();
    }
    looks -= 1;
    follower.isLooking = false;
    if (follower.isDue) due.add(follower);
    goOn();
  };

  /** Stands outside of `answer`: a stream must not keep the whole request for as long as it is open. */
  const follow = (merchantId: number, transactionId: number, buyerCountry: string | null): EventStreamHandler => {
    let leave = () => {};
    return {
      opened(stream) {
        const follower: Follower = {
          stream,
          merchantId,
          transactionId,
          buyerCountry,
          told: '',
          overAt: null,
          isLooking: false,
          isDue: false,
        };
        followers.add(follower);
        const topic = transactionTopic(merchantId, transactionId);
        const unsubscribe = announcements.subscribe(topic, () => lookAfter(follower));
        leave = () => {
          unsubscribe();
          followers.delete(follower);
          due.delete(follower);
        };
        lookAfter(follower);
      },
      closed: () => leave(),
    };
  };

  return {
    async answer(http, find) {
      return await streams.answer(http, async () => {
        if (!announcements.areComplete)
          throw noStream('Changes cannot be followed just now: the database is not heard.');
        const { merchantId, id } = await find();
        return follow(merchantId, id, http.get('client').country);
      });
    },

    job: {
      name: 'page events',
      async round() {
        const ended = streams.tend();
        // Pages that would not be told must know that they are to ask.
        if (!announcements.areComplete) streams.endAll();
        const now = context.clock.now();
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

/** Reads the state and sends it, if it is news. It only reads: what changes something here would be heard of here. */
async function tell(context: PaymentsContext, follower: Follower): Promise<void> {
  const { stream, merchantId, transactionId, buyerCountry } = follower;
  const transaction = await findById(context.database, merchantId, transactionId);
  if (!transaction) throw new Error('A transaction is gone');
  const state = await describePage(context, transaction, buyerCountry);
  const news = digestOf(state);
  if (news !== follower.told) stream.send('state', JSON.stringify(state));
  follower.told = news;
  // The end of the payment itself is a change like any other: the expiry job writes it.
  const overAt = state.begun && (Date.parse(state.begun.expiresAt) + 1) * MICROS_PER_MS;
  // What is past its end is shown because money is on its way by it, which will be told.
  follower.overAt = overAt !== null && overAt > context.clock.now() ? overAt : null;
  if (!mayChange(state)) stream.end();
}

/** What stays the same as long as there is nothing new to show: each state has a time and a token of its own. */
function digestOf(state: PageState): string {
  const shown = JSON.stringify({ ...state, serverTime: null, clientToken: null });
  return createHash('sha256').update(shown).digest('base64');
}
