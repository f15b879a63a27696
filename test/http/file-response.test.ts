// Databases: sqlite
import assert from 'node:assert/strict';
import http, { type IncomingMessage } from 'node:http';
import { describe, test, type TestContext } from 'node:test';
import { z } from 'zod';
import { createHttpApplication } from '../../src/http/application.ts';
import { sendFile } from '../../src/http/file.ts';
import { listen } from '../../src/http/server.ts';
import { createLog } from '../../src/system/log.ts';
import { createMetrics } from '../../src/system/metrics.ts';
import { systemRandom } from '../../src/system/random.ts';
import { until } from '../support/program.ts';

const SIZE = 100_000;
/** More than any system buffers for a client that does not read. */
const PIECES = 2_000;

describe('a streamed file', () => {
  /** A service that streams one huge file and counts the generated chunks. */
  const open = async (context: TestContext, stallLimitMs?: number) => {
    const made = { pieces: 0, isOver: false };
    async function* pieces() {
      try {
        for (; made.pieces < PIECES; made.pieces += 1) yield await Promise.resolve(Buffer.alloc(SIZE, 'x'));
      } finally {
        made.isOver = true;
      }
    }
    const application = createHttpApplication({
      log: createLog('silent'),
      random: systemRandom,
      metrics: createMetrics(),
      clients: () => ({ address: '', country: null, countrySource: null, isForwarder: false }),
      https: false,
    });
    const kind = { mediaType: 'text/csv', parameters: 'charset=utf-8', text: z.string() };
    application.get('/', async (each) => await sendFile(each, kind, { name: 'x.csv', chunks: pieces() }, stallLimitMs));
    const server = await listen({ fetch: application.fetch, port: 0, host: '127.0.0.1' });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      http.get(`http://127.0.0.1:${server.port}/`, { agent: false }, resolve).on('error', reject);
    });
    context.after(async () => {
      response.destroy();
      await server.close();
    });
    return { answer: response, made };
  };

  test('is complete for a client that reads it', async (context) => {
    const { answer, made } = await open(context);
    let size = 0;
    for await (const piece of answer) size += (piece as Buffer).length;
    assert.equal(size, PIECES * SIZE);
    assert.ok(made.isOver);
  });

  test('is not generated further after the client disconnects', async (context) => {
    const { answer, made } = await open(context);
    answer.destroy();
    await until('it has ended', async () => made.isOver);
    assert.ok(made.pieces < PIECES, `${made.pieces} pieces`);
  });

  test('is aborted for a client that reads nothing', async (context) => {
    const { made } = await open(context, 50);
    await until('it has ended', async () => made.isOver);
    assert.ok(made.pieces < PIECES, `${made.pieces} pieces`);
  });
});
