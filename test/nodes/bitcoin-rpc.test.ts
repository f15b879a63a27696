import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { z } from 'zod';
import { createRpc, type Rpc } from '../../src/chains/bitcoin/rpc.ts';
import { ChainError } from '../../src/chains/port.ts';
import { type OddServer, openOddServer } from '../support/node-between.ts';
import { freePort } from '../support/ports.ts';

const USER = 'operator';
const PASSWORD = 'pass/word@ä';
const secret = Buffer.from(`${USER}:${PASSWORD}`).toString('base64');

const count = { method: 'getblockcount', params: [] };

describe('JSON-RPC with a node', () => {
  let server: OddServer;
  let rpc: Rpc;
  const addressOf = (port: number, path = '') =>
    `http://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${path}`;
  const answerWith =
    (status: number, body: string | object) =>
    (_body: string, response: ServerResponse): void => {
      response.statusCode = status;
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };

  before(async () => {
    server = await openOddServer();
    rpc = createRpc({ url: addressOf(server.port), maxBytes: 10_000 });
  });
  beforeEach(() => {
    server.answer = (_body, response) => response.end();
  });
  after(async () => {
    await rpc.close();
    await server.close();
  });

  /** Rejects as trouble with the node, in words that hold no secret anywhere, and which match. */
  async function rejectsWith(promise: Promise<unknown>, words: RegExp): Promise<void> {
    await assert.rejects(promise, (error) => {
      assert.ok(error instanceof ChainError);
      assert.equal(error.kind, 'down');
      assert.match(error.message, words);
      const everything = inspect(error, { depth: 9, showHidden: true });
      for (const part of [PASSWORD, encodeURIComponent(PASSWORD), secret]) assert.ok(!everything.includes(part));
      return true;
    });
  }

  test('sends user and password of the address, and reads answers of both versions', async () => {
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

  test('sends none where the address has none, and goes to its path', async () => {
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

  test('tells a refusal from trouble', async () => {
    // Bitcoin Core refuses with status 500 in version 1.0, with 200 in 2.0.
    for (const status of [200, 404, 500]) {
      server.answer = answerWith(status, {
        result: null,
        error: { code: -8, message: 'Block height out of range' },
        id: 0,
      });
      assert.deepEqual(await rpc.request(count, z.int()), {
        ok: false,
        code: -8,
        message: 'Block height out of range',
      });
      await rejectsWith(rpc.call(count, z.int()), /refused getblockcount: Block height out of range \(code -8\)$/);
    }
    for (const [error, words] of [
      [{ code: -28, message: 'Loading block index…' }, /is starting: Loading block index…$/],
      [{ code: -32601, message: 'Method not found' }, /refused getblockcount: Method not found/],
      [{ code: -32603, message: 'Internal error' }, /refused getblockcount: Internal error/],
    ] as const) {
      server.answer = answerWith(500, { result: null, error, id: 0 });
      await rejectsWith(rpc.request(count, z.int()), words);
    }
  });

  test('says what is wrong with an answer', async () => {
    for (const [status, body, words] of [
      [401, '', /does not take the user and password of its address$/],
      [403, '', /does not take calls from here \(rpcallowip\)$/],
      [503, 'Work queue depth exceeded', /answered with status 503 and no JSON$/],
      [200, '<html>Welcome</html>', /answered with status 200 and no JSON$/],
      [200, '{"result":1,"error":nul', /no JSON$/],
      [200, '[]', /no JSON-RPC$/],
      [200, '7', /no JSON-RPC$/],
      [200, '{"error":"no","id":0}', /no JSON-RPC$/],
      [
        200,
        { result: 'x', error: null, id: 0 },
        /answered getblockcount in another form than expected: .*expected number/,
      ],
      [200, { id: 0 }, /another form than expected/],
    ] as const) {
      server.answer = answerWith(status, body);
      await rejectsWith(rpc.request(count, z.int()), words);
    }
    server.answer = answerWith(200, { id: 0, result: { list: ['a', 1, 2] } });
    await rejectsWith(rpc.request(count, z.object({ list: z.array(z.string()) })), /than expected at list\.1: /);
  });

  test('gives up on an answer that is too long, never ends or never comes', async () => {
    server.answer = (_body, response) => {
      const more = () => response.write('x'.repeat(5000), () => response.destroyed || setImmediate(more));
      more();
    };
    await rejectsWith(rpc.request(count, z.int()), /answered more than 10000 bytes$/);
    const hasty = createRpc({ url: addressOf(server.port), timeoutMs: 50 });
    try {
      server.answer = () => {};
      await rejectsWith(hasty.request(count, z.int()), /did not answer in 50 ms$/);
      server.answer = (_body, response) => response.write('{');
      await rejectsWith(hasty.request(count, z.int()), /did not answer in 50 ms$/);
      // A byte now and then is no answer either.
      server.answer = (_body, response) => {
        const trickle = setInterval(() => response.write(' '), 5);
        response.on('close', () => clearInterval(trickle));
      };
      await rejectsWith(hasty.request(count, z.int()), /did not answer in 50 ms$/);
    } finally {
      await hasty.close();
    }
  });

  test('says that nobody is there, or that the line broke', async () => {
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
    server.answer = answerWith(200, { id: 0, result: 7 });
    assert.equal(await rpc.call(count, z.int()), 7);
  });

  test('keeps to a few connections, and tells of each new one', async () => {
    let connections = 0;
    const fresh = createRpc({
      url: addressOf(server.port),
      onConnect: () => {
        connections += 1;
      },
    });
    try {
      server.answer = answerWith(200, { id: 0, result: 7 });
      await fresh.call(count, z.int());
      assert.equal(connections, 1);
      await Promise.all(Array.from({ length: 20 }, () => fresh.call(count, z.int())));
      assert.equal(connections, 4);
    } finally {
      await fresh.close();
    }
  });

  test('makes many calls in one request, whose answers may come in any order', async () => {
    const calls = ['a', 'b', 'c'].map((method) => ({ method, params: [] }));
    server.answer = (body, response) => {
      const asked = JSON.parse(body) as { id: number; method: string }[];
      const answers = asked.map(({ id, method }) =>
        method === 'b' ? { id, error: { code: -5, message: 'no' } } : { id, result: method },
      );
      response.end(JSON.stringify(answers.reverse()));
    };
    assert.deepEqual(await rpc.requestBatch(calls, z.string()), [
      { ok: true, value: 'a' },
      { ok: false, code: -5, message: 'no' },
      { ok: true, value: 'c' },
    ]);
    assert.deepEqual(await rpc.requestBatch([], z.string()), []);
    server.answer = answerWith(200, [
      { id: 0, result: 'a' },
      { id: 0, result: 'b' },
      { id: 2, result: 'c' },
    ]);
    await rejectsWith(rpc.requestBatch(calls, z.string()), /left b unanswered among many calls$/);
    server.answer = answerWith(200, { id: null, error: { code: -32700, message: 'Parse error' } });
    await rejectsWith(rpc.requestBatch(calls, z.string()), /answered many calls with no JSON-RPC$/);
  });

  test('refuses an address that is none, and repeats nothing of it', () => {
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
