import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Instant, MINUTE, SECOND } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Metrics } from '../system/metrics.ts';
import { Problem } from '../api/problem-error.ts';
import type { Random } from '../system/random.ts';
import { rateLimitAddress } from './address.ts';
import type { HttpContext } from './context.ts';

/** Many proxies close connections that are silent for 30 or 60 seconds. */
const HEARTBEAT_INTERVAL: Instant = 25 * SECOND;
/** Streams end so that clients reconnect, perhaps to another process, after proxies or releases change. */
const LIFETIME: Instant = 10 * MINUTE;
/** Time for a client to read the rest of an ended stream. */
const CLOSE_GRACE: Instant = 10 * SECOND;
/** A client with this much unread data is disconnected. */
const MAX_UNREAD_BYTES = 64 * 1024;
/** Reconnect delay after a stream ends; spread, so that clients do not all reconnect at once. */
const RETRY_MS = 2_000;
const RETRY_SPREAD_MS = 6_000;
/** `Retry-After` of a rejected stream. */
const RETRY_AFTER_SECONDS = 60;

/**
 * A heartbeat is an event, not a comment: a page cannot see comments, and could not distinguish a broken
 * connection from a payment without changes.
 */
const HEARTBEAT = 'event: beat\ndata:\n\n';

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
  respond(http: HttpContext, prepare: () => Promise<EventStreamHandler>, link?: string): Promise<Response>;
  /** Sends heartbeats and ends old streams; returns how many it ended. Called about every second. */
  maintain(): number;
  /** Ends all open streams; clients reconnect later. */
  endAll(): void;
  /** Ends all open streams and accepts no new ones. */
  close(): void;
}

interface OpenStream extends EventStream {
  outgoing: ServerResponse;
  heartbeatAt: Instant;
  endsAt: Instant;
}

/** Maximum open event streams per process, IP address and link. For IP address and link, 0 means no limit. */
export interface StreamLimits {
  perProcess: number;
  perAddress: number;
  perLink: number;
}

/** All streams of a process. They share one timer: the caller of `maintain`. */
export function createEventStreams(options: {
  clock: Clock;
  random: Random;
  metrics: Metrics;
  limits: StreamLimits;
}): EventStreams {
  const { clock, random, metrics, limits } = options;
  const open = new Set<OpenStream>();
  /** Streams open or in preparation: in total, and by address and link. */
  let slots = 0;
  const slotsByKey = new Map<string, number>();
  let isClosed = false;
  const randomFraction = () => Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32;

  const write = (stream: OpenStream, text: string) => {
    if (stream.outgoing.destroyed) return;
    stream.outgoing.write(text);
    if (stream.outgoing.writableLength > MAX_UNREAD_BYTES) stream.outgoing.destroy();
  };

  /** Reserves a slot in the process and one for each limited key. Returns its release function, or null at a limit. */
  const reserveSlot = (keys: readonly (readonly [name: string, limit: number])[]): (() => void) | null => {
    const limited = keys.filter(([, limit]) => limit > 0);
    if (slots >= limits.perProcess || limited.some(([key, limit]) => (slotsByKey.get(key) ?? 0) >= limit)) return null;
    const adjustSlots = (by: 1 | -1) => {
      slots += by;
      for (const [name] of limited) {
        const count = (slotsByKey.get(name) ?? 0) + by;
        if (count > 0) slotsByKey.set(name, count);
        else slotsByKey.delete(name);
      }
    };
    adjustSlots(1);
    return () => adjustSlots(-1);
  };

  const startStream = (outgoing: ServerResponse, handler: EventStreamHandler, releaseSlot: () => void) => {
    const now = clock.now();
    const stream: OpenStream = {
      outgoing,
      isOpen: true,
      heartbeatAt: now + HEARTBEAT_INTERVAL,
      endsAt: now + LIFETIME * (0.9 + 0.1 * randomFraction()),
      send(event, data) {
        if (stream.isOpen) write(stream, `event: ${event}\ndata: ${data}\n\n`);
      },
      end() {
        if (!stream.isOpen) return;
        Object.assign(stream, { isOpen: false, endsAt: clock.now() + CLOSE_GRACE });
        outgoing.end();
      },
    };
    open.add(stream);
    metrics.openStreams.inc();
    if (outgoing.socket) releaseParser(outgoing.socket);
    // The response keeps its request.
    Object.assign(outgoing.req, { rawHeaders: [], headers: {} });
    // A broken connection also emits `close`, which is handled below.
    outgoing.on('error', () => {});
    outgoing.once('close', () => {
      Object.assign(stream, { isOpen: false });
      open.delete(stream);
      releaseSlot();
      metrics.openStreams.dec();
      handler.closed();
    });
    write(stream, `retry: ${Math.round(RETRY_MS + RETRY_SPREAD_MS * randomFraction())}\n\n`);
    handler.opened(stream);
  };

  return {
    async respond(http, prepare, link) {
      const releaseSlot = isClosed
        ? null
        : reserveSlot([
            [`address ${rateLimitAddress(http.get('client').address)}`, limits.perAddress],
            ...(link === undefined ? [] : [[`link ${link}`, limits.perLink] as const]),
          ]);
      if (!releaseSlot)
        throw streamUnavailable('The limit of open live-update streams is reached. Poll the status instead.');
      let handler: EventStreamHandler;
      try {
        handler = await prepare();
      } catch (error) {
        releaseSlot();
        throw error;
      }
      if (http.req.method === 'HEAD') releaseSlot();
      else
        http.set('streamTo', (outgoing) => {
          // The client may have disconnected, or the process begun draining, during the preparation.
          if (!outgoing.destroyed && !isClosed) return startStream(outgoing, handler, releaseSlot);
          releaseSlot();
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

    maintain() {
      const now = clock.now();
      let ended = 0;
      for (const stream of open) {
        if (stream.endsAt <= now) {
          // A destroyed connection closes one turn later; until then it must not be counted again.
          if (stream.outgoing.destroyed) continue;
          ended += 1;
          if (stream.isOpen) stream.end();
          else stream.outgoing.destroy();
        } else if (stream.isOpen && stream.heartbeatAt <= now) {
          stream.heartbeatAt = now + HEARTBEAT_INTERVAL;
          write(stream, HEARTBEAT);
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

/** A connection with Node.js's parser of requests, an internal that the types omit. */
type ParsedSocket = Socket & { parser?: { unconsume?(): void; remove?(): void; close?(): void } | null };

/**
 * Releases the parser of a connection, which takes more memory than the rest of an open stream: no request follows a
 * stream. Node.js does the same for upgraded connections, but has no method for others. If a version has another parser,
 * nothing is released.
 */
function releaseParser(socket: ParsedSocket): void {
  const { parser } = socket;
  if (!parser?.unconsume || !parser.remove || !parser.close) return;
  socket.parser = null;
  parser.unconsume();
  parser.remove();
  // The parser may be calling this function.
  setImmediate(() => parser.close?.());
}

/** Rejects a stream; the page then polls. */
export function streamUnavailable(detail: string): Problem {
  return new Problem('unavailable', detail, { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } });
}
