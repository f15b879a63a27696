import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface FaultProxy {
  origin: string;
  /** The faults of the next requests, in this order; null: none. */
  next: (string | null)[];
  close(): Promise<void>;
}

/**
 * A proxy whose faults the client chooses with the header `x-fault: NAME:TIMES:ID`. The first TIMES requests with the
 * same ID fail, all others are passed on.
 */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const requests = new Map<string, number>();
  const next: (string | null)[] = [];
  const server = createServer((incoming, outgoing) => {
    const fault = String(incoming.headers['x-fault']);
    const planned = next.shift();
    const [name = '', times = ''] =
      planned === undefined ? fault.split(':') : [planned ?? '', planned ? 'Infinity' : '0'];
    const number = (requests.get(fault) ?? 0) + 1;
    requests.set(fault, number);
    // A proxy that routes OAuth clients by their ID reads it only here.
    const isRouted = incoming.url !== '/oauth/token' || incoming.headers.authorization?.startsWith('Basic ');
    const respond = isRouted && number > Number(times) ? pass : fail.bind(null, name);
    respond(target, incoming, outgoing).catch(() => incoming.socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function fail(name: string, target: string, incoming: IncomingMessage, outgoing: ServerResponse) {
  const respond = (status: number, headers: Record<string, string>, body: string) => {
    outgoing.writeHead(status, headers).end(body);
  };
  switch (name) {
    // The request runs, but its response is lost.
    case 'cut':
      await forward(target, incoming);
      incoming.socket.destroy();
      break;
    // The request runs, but a proxy's error page arrives.
    case 'bad_gateway':
      await forward(target, incoming);
      respond(502, { 'content-type': 'text/html' }, '<h1>Bad Gateway</h1>');
      break;
    case 'busy': {
      const problem = { code: 'rate_limited', detail: 'Too many requests.', limit: 'token', retryable: true };
      respond(429, { 'retry-after': '1' }, JSON.stringify({ ...problem, status: 429, request_id: 'req_1' }));
      break;
    }
    case 'unauthorized':
      respond(401, {}, JSON.stringify({ code: 'unauthorized', detail: 'Revoked.', status: 401, retryable: false }));
      break;
    case 'redirect':
      respond(307, { location: `${target}${incoming.url}` }, '{}');
      break;
    case 'hang':
      break;
    default:
      throw new Error(`There is no fault ${name}`);
  }
}

async function pass(target: string, incoming: IncomingMessage, outgoing: ServerResponse) {
  const response = await forward(target, incoming);
  outgoing.writeHead(response.status, { 'content-type': response.type }).end(response.body);
}

async function forward(target: string, incoming: IncomingMessage) {
  const { authorization = '', 'content-type': type, 'idempotency-key': key } = incoming.headers;
  const body = await text(incoming);
  const response = await fetch(`${target}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers: {
      authorization,
      ...(type !== undefined && { 'content-type': type }),
      ...(typeof key === 'string' && { 'idempotency-key': key }),
    },
    ...(body !== '' && { body }),
  });
  const contentType = response.headers.get('content-type') ?? '';
  return { status: response.status, type: contentType, body: await response.text() };
}
