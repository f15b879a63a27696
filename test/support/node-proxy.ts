import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

/** A node's response. */
export interface WireResponse {
  id: number;
  result?: any;
  error?: { code: number; message: string } | null;
}

/** A proxy between an adapter and its node. Forwards and counts calls, and changes responses on request. */
export interface NodeProxy {
  url: string;
  /** Methods called, in order. */
  methods: string[];
  /** Changes a response; returns it unchanged by default. */
  edit: (call: Call, result: WireResponse) => WireResponse | Promise<WireResponse>;
  /** Responds instead of the node; null forwards to the node. */
  instead: ((response: ServerResponse) => void) | null;
  /** The node behind the proxy. Another one with the same user and password may replace it. */
  nodeUrl: string;
  /** Closes every connection, like a node that restarts. */
  disconnect(): void;
  close(): Promise<void>;
}

export async function openNodeProxy(nodeUrl: string): Promise<NodeProxy> {
  const { username, password } = new URL(nodeUrl);
  const server = await listen(async (request, response) => {
    const body = await textOf(request);
    if (between.instead) return between.instead(response);
    const result = await fetch(new URL(between.nodeUrl).origin, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: request.headers.authorization ?? '',
      },
      body,
    });
    const calls = JSON.parse(body) as Call | Call[];
    const results = (await result.json()) as WireResponse | WireResponse[];
    const edited: WireResponse[] = [];
    for (const [index, call] of [calls].flat().entries()) {
      between.methods.push(call.method);
      const original = [results].flat()[index];
      if (original) edited.push(await between.edit(call, original));
    }
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(Array.isArray(calls) ? edited : edited[0]));
  });
  const between: NodeProxy = {
    url: `http://${username}:${password}@127.0.0.1:${portOf(server)}/`,
    methods: [],
    edit: (_call, result) => result,
    instead: null,
    nodeUrl,
    disconnect: () => server.closeAllConnections(),
    close: async () => await end(server),
  };
  return between;
}

/** Starts a server with any response, unlike a healthy node. */
export interface FaultyServer {
  url: string;
  port: number;
  answer: (body: string, response: ServerResponse) => void;
  close(): Promise<void>;
}

export async function openFaultyServer(): Promise<FaultyServer> {
  const server = await listen(async (request, response) => odd.answer(await textOf(request), response));
  const port = portOf(server);
  const odd: FaultyServer = {
    url: `http://127.0.0.1:${port}/`,
    port,
    answer: (_body, response) => response.end(),
    close: async () => await end(server),
  };
  return odd;
}

async function listen(respond: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<Server> {
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function end(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
