import type { ServerResponse } from 'node:http';
import { type Instant, MINUTE, SECOND } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Config } from '../system/config.ts';
import type { Metrics } from '../system/metrics.ts';
import { Problem } from '../api/problem-error.ts';
import type { Random } from '../system/random.ts';
import { limitedAddress } from './address.ts';
import type { HttpContext } from './context.ts';

/** Many proxies close connections that are silent for 30 or 60 seconds. */
const BEAT_EVERY: Instant = 25 * SECOND;
/** Streams end so that clients reconnect, perhaps to another process, after proxies or releases change. */
const LIFETIME: Instant = 10 * MINUTE;
/** Time for a client to read the rest of an ended stream. */
const FAREWELL: Instant = 10 * SECOND;
/** A client with this much unread data is disconnected. */
const MOST_UNREAD_BYTES = 64 * 1024;
/** Reconnect delay after a stream ends; spread, so that clients do not all reconnect at once. */
const RETRY_MS = 2_000;
const RETRY_SPREAD_MS = 6_000;
/** `Retry-After` of a rejected stream. */
const NO_ROOM_RETRY_SECONDS = 60;

/**
 * A heartbeat is an event, not a comment: a page cannot see comments, and could not distinguish a broken
 * connection from a payment without changes.
 */
const BEAT = 'event: beat\ndata:\n\n';

/** An open stream of server-sent events to one client (WHATWG HTML, section 9.2). */
export interface EventStream {
  readonly isOpen: boolean;
  send(event: string, data: string): void;
  /** Ends the stream after the events already sent. */
  end(): void;
}

export interface EventStreamHandler {
  opened(stream: EventStream): void;
  closed(): void;
}

export interface EventStreams {
  /**
   * Responds with a stream, within the limits of open streams: in total, per address and per link. `prepare` may
   * reject the request before anything is sent.
   */
  answer(http: HttpContext, prepare: () => Promise<EventStreamHandler>, link?: string): Promise<Response>;
  /** Sends heartbeats and ends old streams; returns how many it ended. Called about every second. */
  tend(): number;
  /** Ends all open streams; clients reconnect later. */
  endAll(): void;
  /** Ends all open streams and accepts no new ones. */
  close(): void;
}

interface OpenStream extends EventStream {
  outgoing: ServerResponse;
  beatAt: Instant;
  endsAt: Instant;
}

/** All streams of a process. They share one timer: the caller of `maintain`. */
export function createEventStreams(options: {
  clock: Clock;
  random: Random;
  metrics: Metrics;
  most: Config['mostStreams'];
}): EventStreams {
  const { clock, random, metrics, most } = options;
  const open = new Set<OpenStream>();
  /** Streams open or in preparation: in total, and by address and link. */
  let places = 0;
  const placesOf = new Map<string, number>();
  let isClosed = false;
  const chance = () => Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32;

  const write = (stream: OpenStream, text: string) => {
    if (stream.outgoing.destroyed) return;
    stream.outgoing.write(text);
    if (stream.outgoing.writableLength > MOST_UNREAD_BYTES) stream.outgoing.destroy();
  };

  /** Reserves a slot in the process and one for each limited key. Returns its release function, or null at a limit. */
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
    // A broken connection also emits `close`, which is handled below.
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
      if (!leavePlace) throw noStream('The limit of open live-update streams is reached. Poll the status instead.');
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
          // The client may have disconnected, or the process begun draining, during the preparation.
          if (!outgoing.destroyed && !isClosed) return begin(outgoing, handler, leavePlace);
          leavePlace();
          outgoing.destroy();
        });
      return http.body(null, 200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
        // The connection closes with its stream, so that draining does not wait for idle connections.
        Connection: 'close',
      });
    },

    tend() {
      const now = clock.now();
      let ended = 0;
      for (const stream of open) {
        if (stream.endsAt <= now) {
          // A destroyed connection closes one turn later; until then it must not be counted again.
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

/** Rejects a stream; the page then polls. */
export function noStream(detail: string): Problem {
  return new Problem('unavailable', detail, { headers: { 'Retry-After': String(NO_ROOM_RETRY_SECONDS) } });
}
