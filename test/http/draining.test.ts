// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listen } from '../../src/http/server.ts';
import { openWire, readResponses } from '../support/wire.ts';

test('a draining server closes the connection after each response', async () => {
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let goOn = () => {};
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const server = await listen({
    ...{ port: 0, host: '127.0.0.1' },
    async fetch({ url }) {
      if (new URL(url).pathname === '/slow') {
        begun();
        await mayGoOn;
      }
      return new Response('done');
    },
    fetchWhileClosing: () => new Response('ending'),
  });
  const url = `http://127.0.0.1:${server.port}`;
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: pay.example\r\n\r\n`;
  const kept = await openWire(url);
  kept.write(get('/'));
  await kept.waitFor(/done$/);
  const slow = await openWire(url);
  slow.write(get('/slow'));
  await hasBegun;

  const closed = server.close();
  kept.write(get('/'));
  const connections = async (wire: typeof kept) =>
    readResponses((await wire.ended()).text).map(({ headers, text }) => [headers.get('connection'), text]);
  assert.deepEqual(await connections(kept), [
    ['keep-alive', 'done'],
    ['close', 'done'],
  ]);
  goOn();
  assert.deepEqual(await connections(slow), [['close', 'done']]);
  await closed;
});
