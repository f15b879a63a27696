import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received JSON-RPC call. */
export interface RpcCall {
  id: number;
  method: string;
  params: unknown[];
}

/** The calls of one request: one, or a batch. */
interface RpcRequest {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  calls: RpcCall[];
}

/** Starts a server in place of a node. `answer` writes the response. */
export interface NodeServer {
  url: string;
  requests: RpcRequest[];
  answer: (request: RpcRequest, response: ServerResponse) => unknown;
  close(): Promise<void>;
}

export async function openNodeServer(result: NodeServer['answer']): Promise<NodeServer> {
  const requests: RpcRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const calls = [JSON.parse(text) as RpcCall | RpcCall[]].flat();
      const request = { path: incoming.url ?? '', headers: incoming.headers, text, calls };
      requests.push(request);
      void Promise.resolve(opened.answer(request, response)).catch((error: unknown) =>
        response.destroy(error as Error),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const opened: NodeServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: result,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return opened;
}

/** Responds to each call with `resultOf`, or with a JSON-RPC error. */
export function respondEach(
  resultOf: (call: RpcCall) => { result: unknown } | { error: { code: number; message: string } },
): NodeServer['answer'] {
  return ({ text, calls }, response) => {
    const replies = calls.map((call) => ({ jsonrpc: '2.0', id: call.id, ...resultOf(call) }));
    response.end(JSON.stringify(text.startsWith('[') ? replies : replies[0]));
  };
}

/** Starts a proxy before a real node. `before` receives each call before it is forwarded, and may change the chain. */
export async function openRelay(
  target: string,
  before: (methods: readonly string[]) => Promise<void>,
): Promise<NodeServer> {
  return await openNodeServer(async ({ text, calls }, response) => {
    await before(calls.map(({ method }) => method));
    const result = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    });
    response.end(await result.text());
  });
}
