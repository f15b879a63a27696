import { Hono } from 'hono';
import { listen } from '../../src/http/server.ts';

export interface Received {
  headers: Record<string, string>;
  body: string;
}

/** A merchant's server that takes callbacks; `answer` says how, 204 unless told otherwise. */
export interface Receiver {
  url: string;
  received: Received[];
  answer: (received: Received) => number | Promise<number>;
  /** What it says besides; nothing unless told otherwise. */
  words: string;
  /** Headers of its answers; none unless given. */
  headers: Record<string, string>;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const application = new Hono().post('/callbacks', async (context) => {
    const item = { headers: context.req.header(), body: await context.req.text() };
    received.push(item);
    const status = await receiver.answer(item);
    if (status === 204) return context.body(null, status, receiver.headers);
    return context.body(receiver.words, status as 200, receiver.headers);
  });
  const server = await listen({ fetch: application.fetch, port: 0, host: '127.0.0.1' });
  const receiver: Receiver = {
    url: `http://127.0.0.1:${server.port}/callbacks`,
    received,
    answer: () => 204,
    words: '',
    headers: {},
    close: () => server.close(),
  };
  return receiver;
}
