import type { ServerResponse } from 'node:http';
import { type Instant, MINUTE, SECOND } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Metrics } from '../system/metrics.ts';
import { Problem } from '../api/problem-error.ts';
import type { Random } from '../system/random.ts';
import { limitedAddress } from './address.ts';
import type { HttpContext } from './context.ts';

/** Often enough for proxies that end what is silent, of which many wait half a minute or a minute. */
const BEAT_EVERY: Instant = 25 * SECOND;
/** Proxies, balancers and releases move on: a client comes again, and may find another process. */
const LIFETIME: Instant = 10 * MINUTE;
/** How long a client has to take the last of a stream. */
const FAREWELL: Instant = 10 * SECOND;
/** A client that has so much still to read does not follow any more. */
const MOST_UNREAD_BYTES = 64 * 1024;
/** When a client comes again after a stream has ended; spread, so that not all come at once. */
const RETRY_MS = 2_000;
const RETRY_SPREAD_MS = 6_000;
/** When one that found no room may try again. */
const NO_ROOM_RETRY_SECONDS = 60;

/**
 * A heartbeat is an event, not a comment: a page cannot see a comment, and could not tell a
 * connection that died without a word from a payment to which nothing happens.
 */
const BEAT = 'event: beat\ndata:\n\n';

/** Events on their way to one client (WHATWG HTML, section 9.2). */
export interface EventStream {
  readonly isOpen: boolean;
  send(event: string, data: string): void;
  /** Ends it after what was sent. */
  end(): void;
}

/** What is done with a stream once it is open. */
export interface EventStreamHandler {
  opened(stream: EventStream): void;
  closed(): void;
}

export interface EventStreams {
  /** Answers with a stream, if there is room, also of its address and link; `prepare` may refuse it before anything is sent. */
  answer(http: HttpContext, prepare: () => Promise<EventStreamHandler>, link?: string): Promise<Response>;
  /** Sends heartbeats, ends what is old; answers how many it ended. To be called every second or so. */
  tend(): number;
  /** Ends all that are open; clients come again later. */
  endAll(): void;
  /** The same, for good. */
  close(): void;
}

interface OpenStream extends EventStream {
  outgoing: ServerResponse;
  beatAt: Instant;
  endsAt: Instant;
}

/** Maximum numbers of open streams: of the process, of one address and of one link; 0 is no limit of the latter two. */
export interface StreamLimits {
  open: number;
  ofAddress: number;
  ofLink: number;
}

/** All streams of a process: they share one timer, which whoever calls `tend` has. */
export function createEventStreams(options: {
  clock: Clock;
  random: Random;
  metrics: Metrics;
  most: StreamLimits;
}): EventStreams {
  const { clock, random, metrics, most } = options;
  const open = new Set<OpenStream>();
  /** Streams that are open or being prepared: all, and those of each address and link. */
  let places = 0;
  const placesOf = new Map<string, number>();
  let isClosed = false;
  const chance = () => Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32;

  const write = (stream: OpenStream, text: string) => {
    if (stream.outgoing.destroyed) return;
    stream.outgoing.write(text);
    if (stream.outgoing.writableLength > MOST_UNREAD_BYTES) stream.outgoing.destroy();
  };

  /** Takes a place in the process, and one of each name that has a limit; null when there is none. */
  const takePlace = (names: readonly (readonly [name: string, limit: number])[]): (() => void) | null => {
    const limited = names.filter(([, limit]) => limit > 0);
    if (places >= most.open || limited.some(([name, limit]) => (placesOf.get(name) ?? 0) >= limit)) return null;
    const count = (by: 1 | -1) => {
      places += by;
      for (const [name] of limited) {
        const taken = (placesOf.get(name) ?? 0) + by;
        if (taken > 0) placesOf.set(name, taken);
        else placesOf.delete(name);
      }
    };
    count(1);
    return () => count(-1);
  };

  const begin = (outgoing: ServerResponse, handler: EventStreamHandler, leavePlace: () => void) => {
    const now = clock.now();
    const stream: OpenStream = {
      outgoing,
      isOpen: true,
      beatAt: now + BEAT_EVERY,
      endsAt: now + LIFETIME * (0.9 + 0.1 * chance()),
      send(event, data) {
        if (stream.isOpen) write(stream, `event: ${event}\ndata: ${data}\n\n`);
      },
      end() {
        if (!stream.isOpen) return;
        Object.assign(stream, { isOpen: false, endsAt: clock.now() + FAREWELL });
        outgoing.end();
      },
    };
    open.add(stream);
    metrics.openStreams.inc();
    // A connection that breaks closes as well: there is nothing more to do about it.
    outgoing.on('error', () => {});
    outgoing.once('close', () => {
      Object.assign(stream, { isOpen: false });
      open.delete(stream);
      leavePlace();
      metrics.openStreams.dec();
      handler.closed();
    });
    write(stream, `retry: ${Math.round(RETRY_MS + RETRY_SPREAD_MS * chance())}\n\n`);
    handler.opened(stream);
  };

  return {
    async answer(http, prepare, link) {
      const leavePlace = isClosed
        ? null
        : takePlace([
            [`address ${limitedAddress(http.get('client').address)}`, most.ofAddress],
            ...(link === undefined ? [] : [[`link ${link}`, most.ofLink] as const]),
          ]);
      if (!leavePlace) throw noStream('No live status can be followed just now.');
      let handler: EventStreamHandler;
      try {
        handler = await prepare();
      } catch (error) {
        leavePlace();
        throw error;
      }
      if (http.req.method === 'HEAD') leavePlace();
      else
        http.set('takeOver', (outgoing) => {
          // It may have gone, and the process may have begun to end, while the stream was prepared.
          if (!outgoing.destroyed && !isClosed) return begin(outgoing, handler, leavePlace);
          leavePlace();
          outgoing.destroy();
        });
      return http.body(null, 200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
        // The connection ends with its stream: a drain waits for no idle one.
        Connection: 'close',
      });
    },

    tend() {
      const now = clock.now();
      let ended = 0;
      for (const stream of open) {
        if (stream.endsAt <= now) {
          // Gone only when the connection says so, which takes a turn: counted again until then, it would have none.
          if (stream.outgoing.destroyed) continue;
          ended += 1;
          if (stream.isOpen) stream.end();
          else stream.outgoing.destroy();
        } else if (stream.isOpen && stream.beatAt <= now) {
          stream.beatAt = now + BEAT_EVERY;
          write(stream, BEAT);
        }
      }
      return ended;
    },

    endAll() {
      for (const stream of open) stream.end();
    },

    close() {
      isClosed = true;
      for (const stream of open) stream.end();
    },
  };
}

/** The refusal of a stream: whoever wanted it asks from time to time instead. */
export function noStream(detail: string): Problem {
  return new Problem('unavailable', detail, { headers: { 'Retry-After': String(NO_ROOM_RETRY_SECONDS) } });
}
