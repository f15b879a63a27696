import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { preferenceKeys } from '../../src/merchants/preferences/keys.ts';
import { isPublicAddress } from '../../src/http/address.ts';
import { createOutboundPost } from '../../src/http/outbound.ts';
import { Attempts, openUnlimitedFixture } from '../support/attacks.ts';
import { resolverOf } from '../support/name-resolver.ts';
import { openEndpoint, type TestEndpoint } from '../support/webhook-endpoint.ts';
import { creation } from '../support/requests.ts';
import type { Fixture } from '../support/fixture.ts';

/** IPv4 addresses that are reachable only from this machine or its network. */
const inside: readonly string[] = [
  ...['127.0.0.1', '127.8.9.10', '0.0.0.0', '10.0.0.5', '172.16.3.4', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '192.0.0.192', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
];
/** The same for IPv6. */
const insideV6: readonly string[] = [
  ...['::1', '::', 'fe80::1', 'fec0::1', 'fd00:ec2::254', 'fc00::1', 'ff02::1', '2001:db8::1', '100::1', '4000::1'],
];

/** Spellings of an IPv4 address that a URL parser, a resolver or a gateway may accept. */
function spellingsOf(address: string): string[] {
  const parts = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = parts;
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number) => value.toString(16);
  const pair = (high: number, low: number) => hex(high * 256 + low);
  const octal = (value: number) => `0${value.toString(8)}`;
  const wide = (text: string) =>
    [...text].map((each) => String.fromCodePoint((each.codePointAt(0) ?? 0) + 0xfee0)).join('');
  const escaped = [...address].map((each) => `%${hex(each.codePointAt(0) ?? 0)}`).join('');
  const [high, low] = [pair(a, b), pair(c, d)];
  return [
    ...[address, `${address}.`, String(number), `0x${hex(number)}`, `0${number.toString(8)}`],
    ...[parts.map(octal).join('.'), parts.map((part) => `0x${hex(part)}`).join('.'), `${a}.${(b * 256 + c) * 256 + d}`],
    ...[
      `${a}.${b}.${c * 256 + d}`,
      `${octal(a)}.0x${hex(b)}.${c}.${d}`,
      parts.map((part) => `000${part.toString(8)}`).join('.'),
    ],
    ...[wide(address), address.replaceAll('.', '。'), address.replaceAll('.', '．'), address.replaceAll('.', '｡')],
    ...[address.replaceAll('1', '①').replaceAll('2', '②'), escaped, `${address}%2e`],
    // Mapped, compatible, translated, NAT64 (both prefixes), 6to4, Teredo, ISATAP.
    ...[`[::ffff:${address}]`, `[::ffff:${high}:${low}]`, `[0:0:0:0:0:FFFF:${high}:${low}]`, `[::${address}]`],
    ...[`[::ffff:0:${address}]`, `[64:ff9b::${address}]`, `[64:ff9b:1::${address}]`, `[2002:${high}:${low}::1]`],
    ...[`[2001:0:${high}:${low}::1]`, `[fe80::5efe:${address}]`],
  ];
}

const hosts: readonly string[] = [
  ...inside.flatMap(spellingsOf),
  ...insideV6.map((address) => `[${address}]`),
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'shop.localhost',
    'localhost.localdomain',
    'db.internal',
    'printer.local',
  ],
  ...['router.lan', 'nas.home.arpa', 'intranet', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'loc\u00adalhost'],
];
/** URLs in which a careless parser would find another host. */
const disguised = ['127.0.0.1', '[::1]', 'localhost'].flatMap((host) => [
  ...[`https://${host}:8443/callbacks`, `HTTPS://${host}`, `https://shop.example@${host}/`],
  ...[`https://shop.example:pass@${host}/`, `https:\\\\${host}\\callbacks`, `https:///${host}/`],
  ...[`https://${host}#@shop.example/`, `https://${host}?@shop.example/`, `https://${host}\\@shop.example/`],
  ...[`https://${host}%2f@shop.example/`, `ht\ttps://${host}/`, `//${host}/`, `file://${host}/`, `gopher://${host}/`],
]);

/** Records the addresses that this process connects to. */
function watchConnections(): { attempted: string[]; stop: () => void } {
  const attempted: string[] = [];
  const watch = (message: unknown) => {
    const { socket } = message as { socket: unknown };
    assert.ok(socket instanceof Socket);
    socket.on('connectionAttempt', (address: string, port: number) => attempted.push(`${address} ${port}`));
  };
  diagnostics.subscribe('net.client.socket', watch);
  return { attempted, stop: () => void diagnostics.unsubscribe('net.client.socket', watch) };
}

describe('URLs of private addresses', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openUnlimitedFixture({
      env: { PAYLATCH_ENV: 'production', PUBLIC_URL: 'https://pay.example', PAYLATCH_SECRET_KEY: 'ab'.repeat(32) },
    });
  });
  after(async () => await fixture.close());

  test('are rejected by every preference that the service connects to', async (context) => {
    const attempts = new Attempts('every spelling of an inside address, as every setting that is an address');
    const set = async (key: string, value: string) =>
      await fixture.request('/v1/merchant/preferences', {
        ...{ method: 'PATCH', token: fixture.merchant.managerToken, body: { key, value } },
      });
    const keys = [...preferenceKeys].filter(([, { type }]) => type === 'url').map(([key]) => key);
    assert.ok(keys.includes('callback-url'), keys.join());
    for (const key of keys) assert.equal((await set(key, 'https://shop.example/callbacks')).status, 200, key);
    const { attempted, stop } = watchConnections();
    const api = new URL(fixture.url).port;
    const insideUrls = [...hosts.map((host) => `https://${host}/callbacks`), ...disguised];
    for (const key of keys) {
      for (const url of insideUrls) {
        const response = await set(key, url);
        attempts.add(response.status !== 200, () => `${key} = ${url}: ${response.status} ${response.text}`);
      }
    }
    const callEndpoints = async (path: string, body: object, method = 'POST') =>
      await fixture.request(path, { method, token: fixture.merchant.managerToken, body });
    const { body: endpoint } = await callEndpoints('/v1/webhook-endpoints', { url: 'https://shop.example/books' });
    for (const url of insideUrls) {
      const added = await callEndpoints('/v1/webhook-endpoints', { url });
      attempts.add(added.status === 422, () => `endpoint ${url}: ${added.status} ${added.text}`);
      const moved = await callEndpoints('/v1/webhook-endpoint', { id: endpoint.id, url }, 'PATCH');
      attempts.add(moved.status === 422, () => `endpoint moved to ${url}: ${moved.status} ${moved.text}`);
    }
    stop();
    attempts.addUnchanged(
      0,
      attempted.filter((each) => !each.endsWith(` ${api}`)),
      [],
      'something was connected to',
    );
    attempts.report(context);
  });

  test('are not connected to, even if a host name changes its address', async (context) => {
    const attempts = new Attempts('every inside address behind a name, and as it is spelled');
    let next: string[] = [];
    const post = createOutboundPost({ allowLoopback: false, resolver: resolverOf(() => next) });
    const { attempted, stop } = watchConnections();
    const send = async (url: string) =>
      await post(url, {}, '{}').then(
        ({ status }) => String(status),
        () => 'refused',
      );
    const literal = (host: string) => {
      const url = `https://${host}/callbacks`;
      return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') : null;
    };
    const numeric = hosts.map(literal).filter((host) => host !== null && /^[\d.]+$|:/.test(host)) as string[];
    let names = 0;
    for (const address of new Set(numeric)) {
      // A new name each time: connections are kept alive by name.
      names += 1;
      next = [address];
      const outcome = await send(`https://name-${names}.example/callbacks`);
      attempts.add(outcome === 'refused', () => `a name that resolves to ${address}: ${outcome}`);
    }
    next = ['127.0.0.1'];
    for (const host of hosts) {
      const outcome = await send(`https://${host}/callbacks`);
      attempts.add(outcome === 'refused', () => `${host}: ${outcome}`);
    }
    stop();
    attempts.addUnchanged(0, attempted, [], 'something was connected to');
    attempts.report(context);
  });
});

describe('a redirecting endpoint', () => {
  let fixture: Fixture;
  let receiver: TestEndpoint;
  before(async () => {
    receiver = await openEndpoint();
    fixture = await openUnlimitedFixture();
  });
  after(async () => {
    await fixture.close();
    await receiver.close();
  });

  test('is not followed, to any target', async (context) => {
    const attempts = new Attempts('every redirect × addresses inside and outside');
    const body = { key: 'callback-url', value: receiver.url };
    assert.equal((await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body })).status, 200);
    const { attempted, stop } = watchConnections();
    for (const status of [300, 301, 302, 303, 307, 308]) {
      for (const location of [
        receiver.url,
        'http://169.254.169.254/',
        'https://8.8.8.8/',
        '//10.0.0.1/',
        'file:///etc/passwd',
      ]) {
        receiver.received.length = 0;
        receiver.respond = () => status;
        receiver.headers = { location };
        const response = await fixture.request('/v1/callback/test', { body: {} });
        const isKept = receiver.received.length === 1 && response.body.delivered === false;
        attempts.add(isKept, () => `${status} to ${location}: ${response.text}, ${receiver.received.length} requests`);
      }
    }
    receiver.received.length = 0;
    await fixture.request('/fiat/v1/transaction', { body: creation() });
    stop();
    const ports = new Set([receiver.url, fixture.url].map((url) => new URL(url).port));
    const elsewhere = attempted.filter((each) => !ports.has(each.split(' ')[1] ?? '') || isPublicAddress(each));
    attempts.addUnchanged(0, elsewhere, [], 'something else was connected to');
    attempts.report(context);
  });
});
