import { Hono } from 'hono';
import { listen } from '../../src/http/server.ts';

export interface ReceivedWebhook {
  headers: Record<string, string>;
  body: string;
}

/** A merchant's webhook endpoint. */
export interface TestEndpoint {
  url: string;
  received: ReceivedWebhook[];
  /** Returns the response status; 204 by default. */
  respond: (received: ReceivedWebhook) => number | Promise<number>;
  /** The response body; empty by default. */
  body: string;
  /** The response headers; none by default. */
  headers: Record<string, string>;
  close(): Promise<void>;
}

export async function openEndpoint(): Promise<TestEndpoint> {
  const received: ReceivedWebhook[] = [];
  const application = new Hono().post('/callbacks', async (context) => {
    const webhook = { headers: context.req.header(), body: await context.req.text() };
    received.push(webhook);
    const status = await endpoint.respond(webhook);
    if (status === 204) return context.body(null, status, endpoint.headers);
    return context.body(endpoint.body, status as 200, endpoint.headers);
  });
  const server = await listen({ fetch: application.fetch, port: 0, host: '127.0.0.1' });
  const endpoint: TestEndpoint = {
    url: `http://127.0.0.1:${server.port}/callbacks`,
    received,
    respond: () => 204,
    body: '',
    headers: {},
    close: () => server.close(),
  };
  return endpoint;
}
