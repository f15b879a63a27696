// Databases: sqlite
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { listen, type RequestFault } from '../../src/http/server.ts';
import { openWire } from '../support/wire.ts';

test('a keep-alive connection that a proxy resets is not a refused request', async () => {
  const faults: RequestFault[] = [];
  const server = await listen({
    ...{ port: 0, host: '127.0.0.1', fetch: () => new Response('done') },
    respondToFault: (fault) => {
      faults.push(fault);
      return { status: 400, headers: {}, body: 'refused' };
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  const request = 'GET / HTTP/1.1\r\nHost: pay.example\r\n\r\n';
  const kept = await openWire(url);
  kept.write(request);
  await kept.waitFor(/done$/);
  const closed = once(kept.socket, 'close');
  kept.socket.resetAndDestroy();
  await closed;
  // The server has seen the reset by then, and still refuses what is no HTTP.
  const other = await openWire(url);
  other.write('no HTTP\r\n\r\n');
  assert.match((await other.ended()).text, /refused$/);
  assert.deepEqual(faults, ['malformed_request']);
  await server.close();
});
