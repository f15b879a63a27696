// Databases: sqlite
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { failureReason } from '../../src/webhooks/deliver.ts';
import { isPublicAddress } from '../../src/http/address.ts';
import { createOutboundPost, createResolver } from '../../src/http/outbound.ts';
import { resolverOf } from '../support/name-resolver.ts';
import { openEndpoint, type TestEndpoint } from '../support/webhook-endpoint.ts';

describe('requests to URLs of merchants', () => {
  let receiver: TestEndpoint;
  before(async () => {
    receiver = await openEndpoint();
  });
  after(async () => await receiver.close());

  test('reach this machine in the sandbox, but no other private address', async () => {
    const post = createOutboundPost({ allowLoopback: true });
    for (const host of ['10.0.0.1', '169.254.169.254', '[fd00::1]', '[::ffff:10.0.0.1]']) {
      await assert.rejects(post(`http://${host}/callbacks`, {}, '{}'), /does not resolve to an address/);
    }
    const { headers: _headers, ...response } = await post(receiver.url, {}, '{}');
    assert.deepEqual(response, { status: 204, retryAfter: null, body: '' });
  });

  test('check the connected address, so DNS rebinding has no effect', async () => {
    const results = [['127.0.0.1'], ['169.254.169.254'], ['10.0.0.1', '127.0.0.1'], ['fd00:ec2::254'], []];
    let requested = 0;
    const post = createOutboundPost({
      allowLoopback: true,
      resolver: resolverOf(() => {
        requested += 1;
        return results[requested - 1] ?? [];
      }),
    });
    const { port } = new URL(receiver.url);
    const send = async (host: string) => (await post(`http://${host}:${port}/callbacks`, {}, '{}')).status;
    // Each name uses a new connection.
    assert.equal(await send('first.example'), 204);
    await assert.rejects(send('second.example'), /fetch failed/);
    assert.equal(await send('third.example'), 204);
    await assert.rejects(send('fourth.example'), /fetch failed/);
    await assert.rejects(send('fifth.example'), /fetch failed/);
    assert.equal(requested, 5);
  });

  test('delay no other name of the process while name servers do not respond', async () => {
    const nameServer = createSocket('udp4').bind(0, '127.0.0.1');
    await once(nameServer, 'listening');
    const asked = new Set<string>();
    const hosts = Array.from({ length: 17 }, (_, index) => `e${index}.example`);
    const areAllAsked = new Promise<void>((resolve) => {
      nameServer.on('message', (query) => {
        asked.add(`${query.toString('latin1', 13, 13 + query.readUInt8(12))}.example`);
        if (asked.size === hosts.length) resolve();
      });
    });
    const resolver = createResolver();
    resolver.setServers([`127.0.0.1:${nameServer.address().port}`]);
    const post = createOutboundPost({ allowLoopback: false, resolver });
    const posts = hosts.map(async (host) => await post(`https://${host}/callbacks`, {}, '{}').catch(failureReason));
    await areAllAsked;
    const first = await Promise.race([...posts, lookup('localhost')]);
    assert.ok(typeof first === 'object' && 'address' in first, `a webhook ended first: ${JSON.stringify(first)}`);
    resolver.cancel();
    assert.deepEqual(
      new Set(await Promise.all(posts)),
      new Set(['The host name does not resolve to an address that webhooks may be sent to']),
    );
    nameServer.close();
  });

  test('return the same error for unknown names and for names of private addresses', async () => {
    const post = createOutboundPost({
      allowLoopback: false,
      resolver: resolverOf((name) => (name === 'none.corp' ? [] : ['10.0.0.1'])),
    });
    const reason = async (host: string) =>
      await post(`https://${host}/callbacks`, {}, '{}').then(
        () => assert.fail(`${host} was connected to`),
        failureReason,
      );
    assert.equal(await reason('none.corp'), await reason('db.corp'));
    assert.equal(await reason('none.corp'), await reason('10.0.0.1'));
    assert.match(
      await reason('db.corp'),
      /^The host name does not resolve to an address that webhooks may be sent to$/,
    );
  });

  test('store no card number of a response, in any spelling', async () => {
    const post = createOutboundPost({ allowLoopback: true });
    const digits = '4539578763621486';
    const each = [...digits];
    const spelled = {
      colons: '4539:5787:6362:1486',
      letters: '4539x5787x6362x1486',
      tags: each.map((digit) => `<b>${digit}</b>`).join(''),
      words: each.join(' and '),
      decimalReferences: each.map((digit) => `&#${digit.charCodeAt(0)};`).join(''),
      hexReferences: each.map((digit) => `&#x${digit.charCodeAt(0).toString(16)};`).join(''),
      fullWidth: each.map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join(''),
      arabic: each.map((digit) => String.fromCodePoint(0x660 + Number(digit))).join(''),
      circled: each.map((digit) => (digit === '0' ? '⓪' : String.fromCodePoint(0x2460 + Number(digit) - 1))).join(''),
      percent: each.map((digit) => `%${digit.charCodeAt(0).toString(16)}`).join(''),
      base64: Buffer.from(digits).toString('base64'),
      base64Spaced: Buffer.from('card: 4539 5787 6362 1486').toString('base64'),
      base64Behind: `x${Buffer.from('4539:5787:6362:1486').toString('base64url')}`,
    };
    receiver.respond = () => 500;
    try {
      for (const [spelling, text] of Object.entries(spelled)) {
        receiver.body = `Not today: ${text}.`;
        const { body } = await post(receiver.url, {}, '{}');
        assert.match(body, /^Not today: /, spelling);
        assert.doesNotMatch(body, /\p{Nd}|[①-⑳⓪]|NDUz|Mzk1/u, `${spelling}: ${body}`);
      }
      receiver.body = 'Order 1001 is unknown (line 42 of /srv/shop/callbacks.php)';
      assert.equal((await post(receiver.url, {}, '{}')).body, receiver.body);
    } finally {
      receiver.respond = () => 204;
    }
  });

  test('store headers of a response without credentials and card numbers, to a limit', async () => {
    const post = createOutboundPost({ allowLoopback: true });
    receiver.headers = {
      cookie: 'session=abc123',
      'a-api-key': 'abc123',
      'a-order': '4539 5787 6362 1486',
      'a-region': 'eu-1',
      date: 'Sat, 21 Nov 2026 09:04:10 GMT',
      expires: '4539 5787 6362 1486',
      location: 'https://login.example/cb?code=abc123',
      link: '</cb?sig=abc123>; rel=next',
      'a-session-id': 'abc123',
      'a-4539-5787-6362-1486': 'name',
      'a-453957876362': '1486',
      'a-long': 'x'.repeat(1000),
      ...Object.fromEntries(Array.from({ length: 50 }, (_, number) => [`x-${number}`, 'y'.repeat(190)])),
    };
    try {
      const { headers = [] } = await post(receiver.url, {}, '{}');
      const values = new Map(headers);
      assert.equal(values.get('a-region'), 'eu-1');
      assert.equal(values.get('a-long'), 'x'.repeat(192));
      assert.equal(values.get('date'), 'Sat, 21 Nov 2026 09:04:10 GMT');
      assert.equal(values.get('location'), 'https://login.example');
      const size = headers.flat().join('').length;
      assert.ok(size > 1800 && size <= 2000, String(size));
      assert.doesNotMatch(JSON.stringify(headers), /abc123|4539|5787/);
    } finally {
      receiver.headers = {};
    }
  });

  test('read no more of a response than is stored, and time out', async () => {
    const post = createOutboundPost({ allowLoopback: true });
    receiver.respond = () => 500;
    receiver.body = 'x'.repeat(20_000_000);
    const { status, body } = await post(receiver.url, {}, '{}');
    assert.deepEqual([status, body], [500, 'x'.repeat(1024)]);
    receiver.respond = () => 204;
  });

  test('do not follow redirects', async () => {
    const elsewhere = await openEndpoint();
    try {
      const post = createOutboundPost({ allowLoopback: true });
      for (const status of [301, 302, 303, 307, 308]) {
        receiver.respond = () => status;
        receiver.headers = { location: elsewhere.url };
        assert.equal((await post(receiver.url, {}, '{}')).status, status);
      }
      assert.deepEqual(elsewhere.received, []);
    } finally {
      receiver.respond = () => 204;
      receiver.headers = {};
      await elsewhere.close();
    }
  });

  test('may go to public addresses', () => {
    for (const address of ['8.8.8.8', '2001:4860:4860::8888', '::ffff:8.8.8.8'])
      assert.ok(isPublicAddress(address), address);
  });

  test('may not go to unallocated IPv6 addresses', () => {
    for (const address of ['1::1', '4000::1', '8000::1', 'e000::1', 'f800::1'])
      assert.ok(!isPublicAddress(address), address);
  });
});
