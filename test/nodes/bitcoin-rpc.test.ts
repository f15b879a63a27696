import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { z } from 'zod';
import { createRpc, type Rpc } from '../../src/chains/bitcoin/rpc.ts';
import { ChainError } from '../../src/chains/port.ts';
import { type FaultyServer, openFaultyServer } from '../support/node-proxy.ts';
import { freePort } from '../support/ports.ts';

const USER = 'operator';
const PASSWORD = 'pass/word@ä';
const secret = Buffer.from(`${USER}:${PASSWORD}`).toString('base64');

const count = { method: 'getblockcount', params: [] };

describe('JSON-RPC client of a Bitcoin node', () => {
  let server: FaultyServer;
  let rpc: Rpc;
  const addressOf = (port: number, path = '') =>
    `http://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${path}`;
  const respondWith =
    (status: number, body: string | object) =>
    (_body: string, response: ServerResponse): void => {
      response.statusCode = status;
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };

  before(async () => {
    server = await openFaultyServer();
    rpc = createRpc({ url: addressOf(server.port), maxBytes: 10_000 });
  });
  beforeEach(() => {
    server.answer = (_body, response) => response.end();
  });
  after(async () => {
    await rpc.close();
    await server.close();
  });

  /** Rejects with a node error that matches and contains no secrets. */
  async function rejectsWith(promise: Promise<unknown>, pattern: RegExp): Promise<void> {
    await assert.rejects(promise, (error) => {
      assert.ok(error instanceof ChainError);
      assert.equal(error.kind, 'down');
      assert.match(error.message, pattern);
      const everything = inspect(error, { depth: 9, showHidden: true });
      for (const part of [PASSWORD, encodeURIComponent(PASSWORD), secret]) assert.ok(!everything.includes(part));
      return true;
    });
  }

  test('sends user and password of the URL, and parses responses of both versions', async () => {
    const seen: { authorization: string | undefined; body: unknown }[] = [];
    server.answer = (body, response) => {
      const { authorization } = response.req.headers;
      seen.push({ authorization, body: JSON.parse(body) });
      response.end(
        JSON.stringify(seen.length === 1 ? { result: 7, error: null, id: 0 } : { jsonrpc: '2.0', result: 7, id: 0 }),
      );
    };
    assert.equal(await rpc.call(count, z.int()), 7);
    assert.deepEqual(await rpc.request(count, z.int()), { ok: true, value: 7 });
    const body = { jsonrpc: '2.0', id: 0, method: 'getblockcount', params: [] };
    assert.deepEqual(seen, [
      { authorization: `Basic ${secret}`, body },
      { authorization: `Basic ${secret}`, body },
    ]);
  });

  test('sends no credentials if the URL has none, and uses its path', async () => {
    const bare = createRpc({ url: `${server.url}wallet/a?b=c` });
    try {
      server.answer = (_body, response) => {
        const { url, headers } = response.req;
        response.end(JSON.stringify({ id: 0, result: [url, headers.authorization ?? null] }));
      };
      assert.deepEqual(await bare.call(count, z.unknown()), ['/wallet/a?b=c', null]);
    } finally {
      await bare.close();
    }
  });

  test('distinguishes errors with a meaning from failures', async () => {
    // Bitcoin Core sends errors with status 500 in version 1.0, with 200 in 2.0.
    for (const status of [200, 404, 500]) {
      server.answer = respondWith(status, {
        result: null,
        error: { code: -8, message: 'Block height out of range' },
        id: 0,
      });
      assert.deepEqual(await rpc.request(count, z.int()), {
        ok: false,
        code: -8,
        message: 'Block height out of range',
      });
      await rejectsWith(rpc.call(count, z.int()), /rejected getblockcount: Block height out of range \(code -8\)$/);
    }
    for (const [error, pattern] of [
      [{ code: -28, message: 'Loading block index…' }, /is starting: Loading block index…$/],
      [{ code: -32601, message: 'Method not found' }, /rejected getblockcount: Method not found/],
      [{ code: -32603, message: 'Internal error' }, /rejected getblockcount: Internal error/],
    ] as const) {
      server.answer = respondWith(500, { result: null, error, id: 0 });
      await rejectsWith(rpc.request(count, z.int()), pattern);
    }
  });

  test('reports the failure of a response', async () => {
    for (const [status, body, pattern] of [
      [401, '', /rejected the user and password of its URL$/],
      [403, '', /rejects calls from this host \(rpcallowip\)$/],
      [503, 'Work queue depth exceeded', /responded with status 503 and no JSON$/],
      [200, '<html>Welcome</html>', /responded with status 200 and no JSON$/],
      [200, '{"result":1,"error":nul', /no JSON$/],
      [200, '[]', /did not respond to getblockcount with JSON-RPC$/],
      [200, '7', /did not respond to getblockcount with JSON-RPC$/],
      [200, '{"error":"no","id":0}', /did not respond to getblockcount with JSON-RPC$/],
      [200, { result: 'x', error: null, id: 0 }, /returned an unexpected result for getblockcount: .*expected number/],
      [200, { id: 0 }, /unexpected result/],
    ] as const) {
      server.answer = respondWith(status, body);
      await rejectsWith(rpc.request(count, z.int()), pattern);
    }
    server.answer = respondWith(200, { id: 0, result: { list: ['a', 1, 2] } });
    await rejectsWith(
      rpc.request(count, z.object({ list: z.array(z.string()) })),
      /unexpected result for getblockcount at list\.1: /,
    );
  });

  test('aborts a response that is too long, never ends or never starts', async () => {
    server.answer = (_body, response) => {
      const more = () => response.write('x'.repeat(5000), () => response.destroyed || setImmediate(more));
      more();
    };
    await rejectsWith(rpc.request(count, z.int()), /sent more than 10000 bytes$/);
    const hasty = createRpc({ url: addressOf(server.port), timeoutMs: 50 });
    try {
      server.answer = () => {};
      await rejectsWith(hasty.request(count, z.int()), /did not respond within 50 ms$/);
      server.answer = (_body, response) => response.write('{');
      await rejectsWith(hasty.request(count, z.int()), /did not respond within 50 ms$/);
      // Single bytes do not extend the timeout.
      server.answer = (_body, response) => {
        const trickle = setInterval(() => response.write(' '), 5);
        response.on('close', () => clearInterval(trickle));
      };
      await rejectsWith(hasty.request(count, z.int()), /did not respond within 50 ms$/);
    } finally {
      await hasty.close();
    }
  });

  test('reports refused and broken connections', async () => {
    const port = await freePort();
    const lonely = createRpc({ url: addressOf(port) });
    try {
      await rejectsWith(
        lonely.request(count, z.int()),
        new RegExp(`^The node at 127\\.0\\.0\\.1:${port} cannot be reached \\(ECONNREFUSED\\)$`),
      );
    } finally {
      await lonely.close();
    }
    await rejectsWith(lonely.request(count, z.int()), /cannot be reached \(UND_ERR/);
    server.answer = (_body, response) => response.destroy();
    await rejectsWith(rpc.request(count, z.int()), /cannot be reached \(UND_ERR_SOCKET\)$/);
    server.answer = (_body, response) => response.write('{"re', () => response.destroy());
    await rejectsWith(rpc.request(count, z.int()), /cannot be reached/);
    server.answer = respondWith(200, { id: 0, result: 7 });
    assert.equal(await rpc.call(count, z.int()), 7);
  });

  test('uses a few connections, and reports each new one', async () => {
    let connections = 0;
    const fresh = createRpc({
      url: addressOf(server.port),
      onConnect: () => {
        connections += 1;
      },
    });
    try {
      server.answer = respondWith(200, { id: 0, result: 7 });
      await fresh.call(count, z.int());
      assert.equal(connections, 1);
      await Promise.all(Array.from({ length: 20 }, () => fresh.call(count, z.int())));
      assert.equal(connections, 4);
    } finally {
      await fresh.close();
    }
  });

  test('sends many calls in one request, and accepts the responses in any order', async () => {
    const calls = ['a', 'b', 'c'].map((method) => ({ method, params: [] }));
    server.answer = (body, response) => {
      const requested = JSON.parse(body) as { id: number; method: string }[];
      const results = requested.map(({ id, method }) =>
        method === 'b' ? { id, error: { code: -5, message: 'no' } } : { id, result: method },
      );
      response.end(JSON.stringify(results.reverse()));
    };
    assert.deepEqual(await rpc.requestBatch(calls, z.string()), [
      { ok: true, value: 'a' },
      { ok: false, code: -5, message: 'no' },
      { ok: true, value: 'c' },
    ]);
    assert.deepEqual(await rpc.requestBatch([], z.string()), []);
    server.answer = respondWith(200, [
      { id: 0, result: 'a' },
      { id: 0, result: 'b' },
      { id: 2, result: 'c' },
    ]);
    await rejectsWith(rpc.requestBatch(calls, z.string()), /did not respond to b in a batch$/);
    server.answer = respondWith(200, { id: null, error: { code: -32700, message: 'Parse error' } });
    await rejectsWith(rpc.requestBatch(calls, z.string()), /did not respond to a batch with JSON-RPC$/);
  });

  test('rejects an invalid URL without repeating it', () => {
    for (const url of [
      `http//${USER}:${PASSWORD}@host`,
      `ftp://${USER}:${encodeURIComponent(PASSWORD)}@host/`,
      `http://${USER}:%ff%${encodeURIComponent(PASSWORD)}@host/`,
      '',
    ]) {
      assert.throws(
        () => createRpc({ url }),
        (error) => {
          assert.ok(error instanceof ChainError);
          const everything = inspect(error, { depth: 9, showHidden: true });
          return !everything.includes(PASSWORD) && !everything.includes(encodeURIComponent(PASSWORD));
        },
      );
    }
  });
});
