import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { documentedStatuses } from '../support/problems.ts';
import { Attempts, openUnlimitedFixture, storedState } from '../support/attacks.ts';
import { invalidUtf8, jsonWithoutObject, malformedJson, otherTypes } from '../support/hostile.ts';
import { signedIn } from '../support/users.ts';
import { sendRaw } from '../support/raw-http.ts';
import { createLink } from '../support/requests.ts';
import { exchange } from '../support/wire.ts';
import type { Fixture } from '../support/fixture.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const large = 'x'.repeat(60_000);
const small = '{"a":1}';

/** Malformed bodies by content type. */
const malformedBodies: readonly [string, string, Buffer][] = [
  ...[
    ...malformedJson(small),
    ...jsonWithoutObject(small),
    '0',
    '',
    '{"a":1e400}',
    '\ufeff{"a":1}',
    '{"a":1,"a":2}',
    '{"__proto__":{"isManager":true,"scopes":["withdrawal:write"]}}',
    '{"constructor":{"prototype":{"isManager":true}}}',
    '{"\\u0000":"\\u0000"}',
    '{"id":"\\ud800","name":"\\udfff"}',
    `{"${large}":1}`,
    `{"id":"${large}"}`,
    `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
    `${'{"a":'.repeat(12_000)}1`,
    JSON.stringify(Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`key-${index}`, index]))),
  ].map((text): [string, string, Buffer] => [`JSON ${text.slice(0, 40)}`, JSON_TYPE, Buffer.from(text)]),
  ['invalid UTF-8', JSON_TYPE, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ...invalidUtf8.map((bytes): [string, string, Buffer] => [`bytes ${bytes.toString('hex')}`, JSON_TYPE, bytes]),
  ['JSON in UTF-16', `${JSON_TYPE}; charset=utf-16`, Buffer.from(small, 'utf16le')],
  ...otherTypes.map((type): [string, string, Buffer] => [`JSON as ${type}`, type, Buffer.from(small)]),
  ['a form', FORM_TYPE, Buffer.from('do=card&__proto__[isManager]=1&a[]=1&a[]=2&%00=%ff&%')],
  ['a form of many fields', FORM_TYPE, Buffer.from('a=1&'.repeat(15_000))],
  [
    'a form with a file',
    'multipart/form-data; boundary=x',
    Buffer.from('--x\r\nContent-Disposition: form-data\r\n\r\n'),
  ],
  ['compressed bytes', JSON_TYPE, Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0])],
];

/** Path traversal, and ways around a router. */
const traversals: readonly string[] = [
  ...['../../../../package.json', '..%2f..%2f..%2f..%2fpackage.json', '%2e%2e/%2e%2e/%2e%2e/package.json'],
  ...['..%5c..%5c..%5cpackage.json', '....//....//package.json', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', '/etc/passwd'],
  ...[
    '%252e%252e%252fpackage.json',
    '..%c0%af..%c0%afetc/passwd',
    '..;/..;/package.json',
    '%00',
    'x%00.js',
    '.env',
    '.git/config',
  ],
];

/** Headers that redirect some proxies or frameworks to another URL. */
const rerouting: readonly Record<string, string>[] = [
  { 'x-original-url': '/healthz' },
  { 'x-rewrite-url': '/healthz' },
  { 'x-forwarded-prefix': '/healthz' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'javascript', forwarded: 'host=evil.example' },
  { 'x-http-method-override': 'DELETE' },
];

describe('every route of the service', () => {
  let fixture: Fixture;
  let link: string;
  let cookie: string;
  before(async () => {
    fixture = await openUnlimitedFixture();
    link = (await createLink(fixture)).path.slice('/p/'.length);
    cookie = (await signedIn(fixture, 'owner')).cookie ?? '';
  });
  after(async () => await fixture.close());

  /** Every route once, also those with several handlers. */
  const routes = () => [
    ...new Map(fixture.service().routes.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values(),
  ];
  const fill = (path: string, value: string) =>
    path.replace(':linkId', link).replaceAll(/:\w+(?:\{[^}]*\})?|\*/g, value);
  const doors = () => routes().filter(({ method }) => method !== 'GET');

  test('rejects malformed bodies without changes', async (context) => {
    const attempts = new Attempts('every address that takes a body × odd bodies');
    const before = await storedState(fixture.service().database);
    for (const { method, path } of doors()) {
      const own: Record<string, string> = path.startsWith('/account/')
        ? { cookie, 'sec-fetch-site': 'same-origin' }
        : { authorization: `Bearer ${fixture.merchant.managerToken}` };
      for (const [name, type, body] of malformedBodies) {
        const encoding = name === 'compressed bytes' ? { 'content-encoding': 'gzip' } : {};
        const response = await sendRaw(fixture.url, {
          ...{ method, path: fill(path, 'none'), body },
          headers: { ...own, ...encoding, 'content-type': type, 'content-length': body.byteLength, accept: JSON_TYPE },
        });
        // A page without JavaScript gets a page as the response to any body.
        const isRefused =
          documentedStatuses.includes(response.status) || (/^\/(p|sandbox)\//.test(path) && response.status < 400);
        attempts.add(isRefused, () => `${method} ${path}, ${name}: ${response.status} ${response.text.slice(0, 200)}`);
      }
    }
    attempts.addUnchanged(0, await storedState(fixture.service().database), before, 'something changed');
    attempts.report(context);
  });

  test('exposes no files or other routes under any spelling', async (context) => {
    const attempts = new Attempts('every address with a variable part × ways out of it');
    const open = routes().filter(({ method, path }) => method === 'GET' && /[:*]/.test(path));
    assert.ok(open.length > 10);
    for (const { path } of [...open, { path: '/*' }]) {
      for (const traversal of traversals) {
        const address = path.replaceAll(/:\w+(?:\{[^}]*\})?|\*/g, traversal);
        const response = await sendRaw(fixture.url, { path: address });
        const isHidden = !/root:|"devDependencies"|\[core\]|DATABASE_URL=/.test(response.text) && response.status < 500;
        // The account area serves one page at all its URLs.
        const isKnown = response.status === 200 && !path.startsWith('/account/');
        attempts.add(isHidden && !isKnown, () => `${address}: ${response.status} ${response.text.slice(0, 100)}`);
      }
    }
    attempts.report(context);
  });

  test('ignores headers that override the URL', async (context) => {
    const attempts = new Attempts('every address × headers that lead elsewhere');
    for (const { method, path } of routes()) {
      const address = fill(path.replace(':linkId', 'none'), 'none');
      const plain = await sendRaw(fixture.url, { method, path: address });
      for (const headers of rerouting) {
        const response = await sendRaw(fixture.url, { method, path: address, headers });
        const isSame = response.status === plain.status && !response.text.includes('evil.example');
        attempts.add(isSame, () => `${method} ${address}: ${response.status}, not ${plain.status}`);
      }
    }
    attempts.report(context);
  });

  test('reads a body to its end, so that it cannot contain a second request', async (context) => {
    const attempts = new Attempts('every address that takes a body × requests hidden in the body');
    const hidden = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
    const last = 'GET /nothing-here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    for (const { method, path } of doors()) {
      const head = `${method} ${fill(path, 'none')} HTTP/1.1\r\nHost: x\r\nContent-Type: ${JSON_TYPE}\r\n`;
      for (const body of [
        `Content-Length: ${hidden.length}\r\n\r\n${hidden}`,
        `Transfer-Encoding: chunked\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
      ]) {
        const came = await exchange(fixture.url, head + body + last);
        const results = came.split(/HTTP\/1\.1 \d{3} /).length - 1;
        const isRead = !came.includes('"alive"') && results >= 1 && results <= 2;
        attempts.add(isRead, () => `${method} ${path}: ${came.slice(0, 300)}`);
      }
    }
    attempts.report(context);
  });
});
