import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';

type Fetch = Parameters<typeof getRequestListener>[0];

export interface HttpServer {
  /** The actual port. */
  port: number;
  /**
   * Stops after the running requests. Until they finish, new connections are served by `fetchWhileClosing`, if
   * set, so that monitors can see that the process is draining.
   */
  close(): Promise<void>;
}

/** Errors of requests that reach no route. */
export type RequestFault = 'malformed_request' | 'headers_too_large' | 'request_timeout' | 'internal_error';

/** The response to a request that reaches no route. */
interface ErrorResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Client timeouts in milliseconds. */
export interface Timeouts {
  /** To send the headers, counted from the connection or the end of the previous request. */
  headersMs: number;
  /** To send the whole request. */
  requestMs: number;
  /** To send another request on the same connection. */
  idleMs: number;
  /** Without a byte in either direction; longer than any pause in a response, and than the heartbeat interval. */
  socketMs: number;
  /** To read the response to a body that was rejected, while a little more of the body is received. */
  lingerMs: number;
  /** Interval for checking `headersMs` and `requestMs`. */
  checkEveryMs: number;
}

const defaultTimeouts: Timeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  // Longer than proxies keep idle connections (mostly 60 s), so that the proxy closes them, never the server during
  // a request.
  idleMs: 75_000,
  socketMs: 120_000,
  lingerMs: 500,
  checkEveryMs: 5_000,
};

/** For the URL and all headers; above it the response is 431. */
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HEADERS = 100;
/** Bytes of a rejected body that are still received. */
const LINGER_BYTES = 256 * 1024;
const LINGER_CHECK_MS = 25;
/** Maximum time that draining waits for running requests. */
const DRAIN_TIMEOUT_MS = 30_000;

const faultStatus: Record<RequestFault, number> = {
  malformed_request: 400,
  headers_too_large: 431,
  request_timeout: 408,
  internal_error: 500,
};

/** Creates the response to a request that reaches no route, and logs internal errors. */
export type ErrorResponder = (fault: RequestFault, error?: unknown) => ErrorResponse;

/**
 * Starts listening; rejects if the port is in use. Malformed or ambiguous HTTP/1.1 gets a response from
 * `respondToFault`, and its connection is closed.
 */
export async function listen(options: {
  fetch: Fetch;
  fetchWhileClosing?: Fetch;
  port: number;
  host: string;
  respondToFault?: ErrorResponder;
  timeouts?: Partial<Timeouts>;
}): Promise<HttpServer> {
  const respondToFault: ErrorResponder =
    options.respondToFault ?? ((fault) => ({ status: faultStatus[fault], headers: {}, body: '' }));
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const { fetch, fetchWhileClosing } = options;
  const running = new Set<ServerResponse>();
  const lateSockets = new WeakSet<Socket>();
  let isDraining = false;
  let isClosing = false;
  const fetchNow: Fetch = (request, env) => {
    const isLate = lateSockets.has((env as { incoming: IncomingMessage }).incoming.socket);
    return isLate && fetchWhileClosing ? fetchWhileClosing(request, env) : fetch(request, env);
  };
  const handleRequest = getRequestListener(fetchNow, {
    // For HTTP/1.0 requests without a host; the value is not used.
    hostname: 'localhost',
    autoCleanupIncoming: false,
    errorHandler: (error) =>
      toResponse(
        error instanceof RequestError ? respondToFault('malformed_request') : respondToFault('internal_error', error),
      ),
  });
  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.idleMs,
      connectionsCheckingInterval: timeouts.checkEveryMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
      // Checked in `detectFault`, so that the error response has our format.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      // The request was already rejected; the rest of it arrived while the client was reading the response.
      if (incoming.socket.writableEnded) {
        incoming.socket.destroy();
        return;
      }
      const fault = detectFault(incoming);
      if (fault) {
        writeErrorResponse(outgoing, respondToFault(fault));
        return;
      }
      if (incoming.headers['content-length'] !== undefined || incoming.headers['transfer-encoding'] !== undefined)
        handleUnreadBody(incoming, outgoing, timeouts);
      void handleRequest(incoming, outgoing);
    },
  );
  server.timeout = timeouts.socketMs;
  server.on('request', (_request, response) => {
    running.add(response);
    if (isDraining) response.shouldKeepAlive = false;
    response.once('close', () => {
      running.delete(response);
      // A keep-alive connection would keep the server open.
      if (isClosing) setImmediate(() => server.closeIdleConnections());
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // The client has disconnected. Proxies close idle connections this way.
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    endWithErrorResponse(socket, respondToFault(faultFromError(error)), timeouts);
  });
  // CONNECT, for proxies.
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    endWithErrorResponse(socket, respondToFault('malformed_request'), timeouts);
  });
  server.on('checkExpectation', (_request: IncomingMessage, outgoing: ServerResponse) => {
    writeErrorResponse(outgoing, respondToFault('malformed_request'));
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
      // Responses now announce `Connection: close`, so that clients send no further request on them.
      isDraining = true;
      for (const response of running) if (!response.headersSent) response.shouldKeepAlive = false;
      let resolveTimeout = () => {};
      const timeout = new Promise<void>((resolve) => {
        resolveTimeout = resolve;
      });
      const force = setTimeout(() => {
        resolveTimeout();
        server.closeAllConnections();
      }, DRAIN_TIMEOUT_MS);
      if (fetchWhileClosing) {
        server.on('connection', (socket: Socket) => lateSockets.add(socket));
        await Promise.race([Promise.all([...running].map(whenClosed)), timeout]);
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

/** Detects requests that the parser accepts, but that are invalid or ambiguous (RFC 9112). */
function detectFault({ httpVersion, rawHeaders, headers, url }: IncomingMessage): RequestFault | null {
  // The parser silently drops any headers beyond the limit.
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
 * Lets a client that is still sending its body read an early response. Node.js would either close the connection at
 * once, so that the client sees a reset instead of the response, or receive the whole body. This receives and
 * discards a little more, and then closes the connection.
 */
function handleUnreadBody(incoming: IncomingMessage, outgoing: ServerResponse, { lingerMs }: Timeouts): void {
  const { socket } = incoming;
  const destroySoon = socket.destroySoon.bind(socket);
  let lingerTimer: NodeJS.Timeout | undefined;
  /** Called when the connection can serve another request, or is closed. */
  const stop = () => {
    clearInterval(lingerTimer);
    socket.off('close', stop);
    socket.off('data', countBytes);
    socket.destroySoon = destroySoon;
  };
  // A client that is still sending its body sends no other request, so the connection is not kept alive.
  const writeHead = outgoing.writeHead.bind(outgoing) as (...args: unknown[]) => ServerResponse;
  outgoing.writeHead = (...args: unknown[]) => {
    if (!incoming.complete) outgoing.shouldKeepAlive = false;
    return writeHead(...args);
  };
  let remainingBytes = LINGER_BYTES;
  /** Pauses a client that keeps sending, so that it has time to read the response. */
  const countBytes = (bytes: Buffer) => {
    remainingBytes -= bytes.length;
    if (remainingBytes < 0) socket.pause();
  };
  const waitForRest = () => {
    if (lingerTimer) return;
    let checksLeft = lingerMs / LINGER_CHECK_MS;
    socket.once('close', stop);
    socket.on('data', countBytes);
    lingerTimer = setInterval(() => {
      checksLeft -= 1;
      if (incoming.complete && !socket.writableEnded) stop();
      else if (incoming.complete || checksLeft < 0) socket.destroy();
    }, LINGER_CHECK_MS);
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

/** Resolves when a response ends or its connection breaks. */
async function whenClosed(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => response.once('close', () => resolve()));
}

function faultFromError({ code }: NodeJS.ErrnoException): RequestFault {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_request';
}

function toResponse({ status, headers, body }: ErrorResponse): Response {
  return new Response(body, { status, headers: { ...headers, Connection: 'close' } });
}

function writeErrorResponse(outgoing: ServerResponse, { status, headers, body }: ErrorResponse): void {
  outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
  outgoing.end(body);
}

/**
 * Writes a response to a connection without a request, unless another response has begun. A client that neither
 * closes nor stops sending is disconnected after `lingerMs`.
 */
function endWithErrorResponse(socket: Socket, { status, headers, body }: ErrorResponse, { lingerMs }: Timeouts): void {
  const { _httpMessage: pendingResponse } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (!socket.writable || pendingResponse?.headersSent) {
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
