import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';

type Fetch = Parameters<typeof getRequestListener>[0];

export interface HttpServer {
  /** The port that it really listens on. */
  port: number;
  /**
   * Lets running requests finish, and takes no new ones after that. Until they have, who connects is answered
   * by `fetchWhileClosing`, if there is one: a monitor is to hear that the process ends, rather than nothing.
   */
  close(): Promise<void>;
}

/** Why a request comes to no route: it cannot be read, holds too much before its body, does not come to an end, or the application itself failed. */
export type Fault = 'malformed_request' | 'headers_too_large' | 'request_timeout' | 'internal_error';

/** The whole answer to a request that comes to no route. */
export interface Refusal {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** How long a client may take, in milliseconds. */
export interface Patience {
  /** To send its headers, counted from the connection or the end of the request before. */
  headersMs: number;
  /** To send its whole request. */
  requestMs: number;
  /** Until it sends another request on the same connection. */
  idleMs: number;
  /** Without a byte in either direction; longer than any answer or heartbeat keeps silent. */
  silentMs: number;
  /** To take the answer to a body that is not wanted, while a little more of it is taken in. */
  lingerMs: number;
  /** How often the first two are looked at. */
  checkEveryMs: number;
}

const usualPatience: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  // Longer than proxies keep a connection that they do not use (mostly 60 s): who ends it first never ends it
  // under a request.
  idleMs: 75_000,
  silentMs: 120_000,
  lingerMs: 500,
  checkEveryMs: 5_000,
};

/** Of everything before the body, with the address; more is answered 431. */
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HEADERS = 100;
/** How much is still taken in of a body that is not wanted. */
const LINGER_BYTES = 256 * 1024;
const LINGER_LOOK_MS = 25;
/** How long a drain waits for requests that do not end. */
const DRAIN_TIMEOUT_MS = 30_000;

const faultStatus: Record<Fault, number> = {
  malformed_request: 400,
  headers_too_large: 431,
  request_timeout: 408,
  internal_error: 500,
};

/** Says what a request is answered that comes to no route; hears the error where it is our own. */
export type Refuse = (fault: Fault, error?: unknown) => Refusal;

/**
 * Listens; rejects when the port is taken. What is no HTTP/1.1 that can be read in one way only is
 * answered by `refuse`, and its connection ends.
 */
export async function listen(options: {
  fetch: Fetch;
  fetchWhileClosing?: Fetch;
  port: number;
  host: string;
  refuse?: Refuse;
  patience?: Partial<Patience>;
}): Promise<HttpServer> {
  const refuse: Refuse = options.refuse ?? ((fault) => ({ status: faultStatus[fault], headers: {}, body: '' }));
  const patience = { ...usualPatience, ...options.patience };
  // The name is for requests that need not have one (HTTP/1.0); nothing is made of it.
  const { fetch, fetchWhileClosing } = options;
  const running = new Set<ServerResponse>();
  const late = new WeakSet<Socket>();
  let isDraining = false;
  let isClosing = false;
  const fetchNow: Fetch = (request, env) => {
    const isLate = late.has((env as { incoming: IncomingMessage }).incoming.socket);
    return isLate && fetchWhileClosing ? fetchWhileClosing(request, env) : fetch(request, env);
  };
  const answer = getRequestListener(fetchNow, {
    hostname: 'localhost',
    autoCleanupIncoming: false,
    errorHandler: (error) =>
      responseOf(error instanceof RequestError ? refuse('malformed_request') : refuse('internal_error', error)),
  });
  const server = createServer(
    {
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      keepAliveTimeout: patience.idleMs,
      connectionsCheckingInterval: patience.checkEveryMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
      // Looked at below, for an answer that is like the others.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      // Refused already: the rest of it came while the client was given time to read that.
      if (incoming.socket.writableEnded) {
        incoming.socket.destroy();
        return;
      }
      const fault = faultOf(incoming);
      if (fault) {
        writeRefusal(outgoing, refuse(fault));
        return;
      }
      if (incoming.headers['content-length'] !== undefined || incoming.headers['transfer-encoding'] !== undefined)
        endWithoutBody(incoming, outgoing, patience);
      void answer(incoming, outgoing);
    },
  );
  server.timeout = patience.silentMs;
  server.on('request', (_request, response) => {
    running.add(response);
    if (isDraining) response.shouldKeepAlive = false;
    response.once('close', () => {
      running.delete(response);
      // Its connection would be kept for another request, and the server open with it.
      if (isClosing) setImmediate(() => server.closeIdleConnections());
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    endWithRefusal(socket, refuse(faultOfError(error)), patience);
  });
  // CONNECT, for proxies.
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    endWithRefusal(socket, refuse('malformed_request'), patience);
  });
  server.on('checkExpectation', (_request: IncomingMessage, outgoing: ServerResponse) => {
    writeRefusal(outgoing, refuse('malformed_request'));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host || undefined, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      // Said with each answer from now on, so that nobody sends another request on a connection that ends.
      isDraining = true;
      for (const response of running) if (!response.headersSent) response.shouldKeepAlive = false;
      let giveUp = () => {};
      const tooLate = new Promise<void>((resolve) => {
        giveUp = resolve;
      });
      const force = setTimeout(() => {
        giveUp();
        server.closeAllConnections();
      }, DRAIN_TIMEOUT_MS);
      if (fetchWhileClosing) {
        server.on('connection', (socket: Socket) => late.add(socket));
        await Promise.race([Promise.all([...running].map(whenClosed)), tooLate]);
      }
      isClosing = true;
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
      clearTimeout(force);
    },
  };
}

/** What the parser lets through, and what is yet no request, or one that two programs may read in two ways (RFC 9112). */
function faultOf({ httpVersion, rawHeaders, headers, url }: IncomingMessage): Fault | null {
  // The parser counts further headers out without a word.
  if (rawHeaders.length > 2 * MAX_HEADERS) return 'headers_too_large';
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'malformed_request';
  const hosts = rawHeaders.filter(
    (_value, index) => rawHeaders[index - 1]?.toLowerCase() === 'host' && index % 2 === 1,
  );
  if (hosts.length > 1 || hosts.includes('') || (hosts.length === 0 && httpVersion === '1.1'))
    return 'malformed_request';
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) return 'malformed_request';
  return url?.startsWith('/') || /^https?:\/\//i.test(url ?? '') ? null : 'malformed_request';
}

/**
 * Sees to it that an answer which comes before the whole body has its reader. The runtime would end a
 * connection at once, and who still sends be told that it broke, and not why; or it would take the rest
 * in for as long as it comes. Here a little more is taken in and thrown away, and then the connection ends.
 */
function endWithoutBody(incoming: IncomingMessage, outgoing: ServerResponse, { lingerMs }: Patience): void {
  const { socket } = incoming;
  const destroySoon = socket.destroySoon.bind(socket);
  let watch: NodeJS.Timeout | undefined;
  /** The connection may serve another request, or is gone. */
  const stop = () => {
    clearInterval(watch);
    socket.off('close', stop);
    socket.off('data', count);
    socket.destroySoon = destroySoon;
  };
  // A client that still sends its body sends no other request before the end of it, and by then the connection has ended.
  const writeHead = outgoing.writeHead.bind(outgoing) as (...args: unknown[]) => ServerResponse;
  outgoing.writeHead = (...args: unknown[]) => {
    if (!incoming.complete) outgoing.shouldKeepAlive = false;
    return writeHead(...args);
  };
  let left = LINGER_BYTES;
  /** Who sends on is made to wait, so that it has the time to read its answer. */
  const count = (bytes: Buffer) => {
    left -= bytes.length;
    if (left < 0) socket.pause();
  };
  const waitForRest = () => {
    if (watch) return;
    let looks = lingerMs / LINGER_LOOK_MS;
    socket.once('close', stop);
    socket.on('data', count);
    watch = setInterval(() => {
      looks -= 1;
      if (incoming.complete && !socket.writableEnded) stop();
      else if (incoming.complete || looks < 0) socket.destroy();
    }, LINGER_LOOK_MS);
  };
  socket.destroySoon = () => {
    if (incoming.complete) {
      destroySoon();
      return;
    }
    socket.end();
    waitForRest();
  };
  outgoing.once('finish', () => {
    if (incoming.complete) stop();
    else waitForRest();
  });
}

/** Also of one that breaks, which is no trouble of whoever waits. */
async function whenClosed(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => response.once('close', () => resolve()));
}

function faultOfError({ code }: NodeJS.ErrnoException): Fault {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_request';
}

function responseOf({ status, headers, body }: Refusal): Response {
  return new Response(body, { status, headers: { ...headers, Connection: 'close' } });
}

function writeRefusal(outgoing: ServerResponse, { status, headers, body }: Refusal): void {
  outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
  outgoing.end(body);
}

/**
 * Writes the answer by hand where there is no request, only a connection; none within another answer. A client
 * that neither closes nor stops sending loses its connection after `lingerMs`.
 */
function endWithRefusal(socket: Socket, { status, headers, body }: Refusal, { lingerMs }: Patience): void {
  const { _httpMessage: begun } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (!socket.writable || begun?.headersSent) {
    socket.destroy();
    return;
  }
  const all = {
    ...headers,
    Date: new Date().toUTCString(),
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  const destroy = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(destroy));
}
