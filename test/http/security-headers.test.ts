// Databases: sqlite
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { packageRoot } from '../../src/system/root.ts';
import { invoicesOf } from '../support/invoices.ts';
import { cards, createLink, creation, submission, submitCard } from '../support/requests.ts';
import { ScriptedAcquirer } from '../support/scripted-acquirer.ts';
import { exchange, readResponses } from '../support/wire.ts';
import { openProductionFixture, openFixture, type Fixture } from '../support/fixture.ts';

interface Seen {
  method: string;
  path: string;
  status: number;
  headers: Headers;
}

/** Cacheable responses: released files, texts, keys. Everything else belongs to one payment or merchant. */
const kept =
  /^\/(?:assets|sandbox\/assets|widget|texts|methods|brands)\/|^\/(?:icon\.svg|licenses\.txt|openapi\.json|reference|\.well-known\/)/;
/** Responses for pages of other origins. */
const shared = /^\/(?:(?:widget|p|e|logos|\.well-known)\/|openapi\.json)/;

/** Required headers of every response. */
function assertSafe({ method, path, status, headers }: Seen, https: boolean): void {
  const label = `${method} ${path} ${status}`;
  const has = (name: string, expected: RegExp) =>
    assert.match(headers.get(name) ?? '(none)', expected, `${label}: ${name}`);
  const lacks = (name: string) => assert.equal(headers.get(name), null, `${label}: ${name}`);
  has('x-content-type-options', /^nosniff$/);
  has('referrer-policy', /^no-referrer$/);
  has('cross-origin-opener-policy', /^same-origin$/);
  has('cross-origin-resource-policy', shared.test(path) ? /^(same|cross)-origin$/ : /^same-origin$/);
  has('permissions-policy', /camera=\(\).*geolocation=\(\).*microphone=\(\)/);
  has('request-id', /^req_[\w-]{16}$/);
  has('content-security-policy', /^default-src 'none'/);
  if (https) has('strict-transport-security', /^max-age=63072000; includeSubDomains$/);
  else lacks('strict-transport-security');
  for (const name of ['server', 'x-powered-by', 'via', 'set-cookie', 'access-control-allow-credentials']) lacks(name);
  if (!shared.test(path)) lacks('access-control-allow-origin');
  if (status < 300 && kept.test(path)) has('cache-control', /^(public, max-age=\d+|no-store)/);
  else has('cache-control', /(^|, )no-store\b/);

  const policy = headers.get('content-security-policy') ?? '';
  assert.doesNotMatch(policy, /unsafe-|strict-dynamic|blob:|\*\./, `${label}: ${policy}`);
  const runs = /(?:^|; )script-src ([^;]+)/.exec(policy)?.[1] ?? "'none'";
  assert.match(runs, /^'(?:self|none)'$/, `${label}: ${policy}`);
  assert.match(/(?:^|; )connect-src ([^;]+)/.exec(policy)?.[1] ?? "'none'", /^'(?:self|none)'$/, `${label}: ${policy}`);
  assert.match(policy, /(^|; )base-uri 'none'/, label);
  assert.match(policy, /(^|; )form-action /, label);
  const isRedirect = status >= 300 && status < 400;
  const framing = /(?:^|; )frame-ancestors ([^;]+)/.exec(policy)?.[1];
  if (isRedirect) assert.equal(framing, undefined, label);
  else assert.ok(framing, `${label} may be framed by any site`);
  if (framing === "'none'") has('x-frame-options', /^DENY$/);
  else lacks('x-frame-options');
  if ((headers.get('content-type') ?? '').startsWith('text/html')) {
    has('content-type', /^text\/html; charset=utf-8$/i);
    assert.match(policy, /(^|; )require-trusted-types-for 'script'/, label);
    assert.match(policy, /(^|; )trusted-types /, label);
  }
}

interface Ask {
  headers?: Record<string, string>;
  body?: string;
}

describe('security headers', () => {
  for (const environment of ['sandbox', 'production'] as const) {
    describe(`are set on every response in ${environment}`, () => {
      let fixture: Fixture;
      const https = environment === 'production';
      const seen: Seen[] = [];
      let link: Awaited<ReturnType<typeof createLink>>;
      let issuer = '/sandbox/issuer/none';
      let invoiceId = 'none';

      before(async () => {
        fixture = https
          ? await openProductionFixture(new ScriptedAcquirer(), { LIMIT_PAGE_PER_MINUTE: '0' })
          : await openFixture();
        link = await createLink(fixture);
        if (!https) {
          const challenged = await createLink(fixture);
          issuer = new URL((await submitCard(fixture, challenged.reference, cards.challenge)).body.redirect_url)
            .pathname;
          await fixture.work();
          invoiceId = (await invoicesOf(() => fixture).create()).id;
        }
      });
      after(async () => await fixture.close());

      /** Sends a request and checks the response's headers; streams are not read to an end. */
      const sendRequest = async (method: string, path: string, init: Ask = {}): Promise<Seen> => {
        const ends = new AbortController();
        // Compression would take a fifth of the time; `compression.test.ts` tests it.
        const headers = { 'accept-encoding': 'identity', ...init.headers };
        const { signal } = ends;
        const response = await fetch(fixture.url + path, { method, redirect: 'manual', signal, ...init, headers });
        const { status, headers: received } = response;
        if ((received.get('content-type') ?? '').startsWith('text/event-stream')) ends.abort();
        else await response.arrayBuffer();
        const result = { method, path, status, headers: received };
        assertSafe(result, https);
        seen.push(result);
        return result;
      };
      const statuses = () => new Set(seen.map(({ status }) => status));

      /** A URL that a route serves. */
      const addressOf = (route: string): string => {
        const built = JSON.parse(readFileSync(join(packageRoot(), 'dist', 'inventory.json'), 'utf8')) as {
          files: { path: string | null }[];
        };
        const fileIn = (folder: string) => built.files.find(({ path }) => path?.startsWith(folder))?.path ?? '';
        const addresses: Record<string, string> = {
          '/texts/:page{card|link|methods|invoice}/:locale': '/texts/card/de',
          '/texts/account/:bundle/:locale': '/texts/account/shell/de',
          '/account/:page{sign-in|join|me|merchants}': '/account/me',
          '/reference/:page{[\\w-]+}': '/reference/none',
          '/account/:merchant{[1-9][0-9]*}/*': '/account/1/overview',
          '/widget/:version/:name': '/widget/v1/pay-form.js',
          '/assets/*': fileIn('/assets/'),
          '/sandbox/assets/*': fileIn('/sandbox/assets/'),
          '/sandbox/issuer/:pageId': issuer,
          '/sandbox/simulator/:pageId': '/sandbox/simulator/none',
          '/methods/:file': '/methods/pix.svg',
          '/brands/*': '/brands/visa.svg',
          '/methods/initials/:file': '/methods/initials/UPI.svg',
          '/methods/initials/:second/:file': '/methods/initials/2/UPI.svg',
        };
        return (
          addresses[route] ?? route.replace(':linkId', link.path.slice('/p/'.length)).replace(':publicId', invoiceId)
        );
      };

      test('on every route, with and without access, as a page and as data', async () => {
        const { routes } = fixture.service();
        assert.ok(routes.length > 40);
        const bodies = ['{}', '{', 'do=card&client_token=none'];
        const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain'];
        for (const { method, path: route } of routes) {
          const path = addressOf(route);
          for (const accept of ['text/html', 'application/json']) {
            for (const authorization of [
              null,
              `Bearer ${fixture.merchant.managerToken}`,
              `Bearer ${link.clientToken}`,
            ]) {
              const headers: Record<string, string> = { accept, ...(authorization && { authorization }) };
              if (method === 'GET') {
                await sendRequest('GET', path, { headers });
                await sendRequest('HEAD', path, { headers });
                continue;
              }
              for (const [index, body] of bodies.entries())
                await sendRequest(method, path, { headers: { ...headers, 'content-type': types[index] ?? '' }, body });
            }
          }
          assert.ok(
            fixture.log().includes(`"method":"${method}","route":${JSON.stringify(route)}`),
            `${method} ${path} did not reach ${route}`,
          );
        }
        for (const status of [200, 400, 401, 404, 415, 422])
          assert.ok(statuses().has(status), `no response has status ${status}`);
      });

      test('on embedded pages and their error pages', async () => {
        const { body } = await fixture.request('/fiat/v1/transaction', {
          body: creation({ transaction_type: 'custom_form' }),
        });
        const form = new URL(body.embed_url).pathname;
        for (const path of [
          `${form}?origin=https://shop.example`,
          `${link.path}?origin=https://shop.example`,
          '/e/none?origin=https://shop.example',
        ])
          for (const dest of ['iframe', 'document'])
            await sendRequest('GET', path, { headers: { accept: 'text/html', 'sec-fetch-dest': dest } });
      });

      test('on errors: unknown URL or method, body too large, too many requests', async () => {
        for (const accept of ['text/html', 'application/json']) {
          for (const path of [
            '/nothing',
            '/p/none',
            '/assets/none.js',
            '/assets/../../package.json',
            '/%ff',
            '/widget/9/x.js',
          ])
            assert.equal((await sendRequest('GET', path, { headers: { accept } })).status, 404);
          for (const method of ['DELETE', 'OPTIONS', 'PUT'])
            assert.equal((await sendRequest(method, link.path, { headers: { accept } })).status, 405);
        }
        const large = await sendRequest('POST', '/fiat/v1/transaction', {
          headers: { authorization: `Bearer ${fixture.merchant.token}`, 'content-type': 'application/json' },
          body: JSON.stringify('x'.repeat(70_000)),
        });
        assert.equal(large.status, 413);
        const forbidden = await sendRequest('PATCH', '/v1/merchant/preferences', {
          headers: { authorization: `Bearer ${fixture.merchant.token}`, 'content-type': 'application/json' },
          body: '{"key":"min-confirmation-btc","value":"3"}',
        });
        assert.equal(forbidden.status, 403);
        const { enforceRateLimit } = fixture.service().payments;
        await Promise.all(
          Array.from({ length: 1000 }, async () => await enforceRateLimit('submit_card', cards.amex).catch(() => null)),
        );
        const limited = await sendRequest('POST', '/fiat/v1/transaction/submit', {
          headers: { authorization: `Bearer ${fixture.merchant.token}`, 'content-type': 'application/json' },
          body: JSON.stringify(submission(link.reference, cards.amex)),
        });
        assert.equal(limited.status, 429);
      });

      test('on redirects', async () => {
        const renewed = await createLink(fixture);
        await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: renewed.reference } });
        for (const method of ['GET', 'POST'])
          assert.equal((await sendRequest(method, `${renewed.path}/return`)).status, 303);
        assert.equal((await sendRequest('GET', renewed.path)).status, 410);
      });

      test('on requests that reach no route: malformed, too large, too slow', async () => {
        for (const text of [
          'GET /healthz HTTP/1.1\r\n\r\n',
          'nonsense\r\n\r\n',
          'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',
          `GET / HTTP/1.1\r\nHost: a\r\nA: ${'b'.repeat(17_000)}\r\n\r\n`,
          'GET / HTTP/1.1\r\nHost: a@b/c\r\n\r\n',
        ]) {
          const responses = readResponses(await exchange(fixture.url, text));
          assert.equal(responses.length, 1, text);
          for (const { status, headers } of responses)
            assertSafe({ method: text.slice(0, 8), path: '/', status, headers }, https);
        }
        const { status, headers } = fixture.service().respondToFault('request_timeout');
        assertSafe({ method: 'GET', path: '/', status, headers: new Headers(headers) }, https);
      });

      test('on server errors: 500 and 503', async () => {
        const { payments, readiness } = fixture.service();
        const { enforceRateLimit } = payments;
        payments.enforceRateLimit = () => Promise.reject(new Error('planted'));
        const failed = await sendRequest('POST', '/fiat/v1/transaction/submit', {
          headers: { authorization: `Bearer ${fixture.merchant.token}`, 'content-type': 'application/json' },
          body: JSON.stringify(submission(link.reference)),
        });
        payments.enforceRateLimit = enforceRateLimit;
        assert.equal(failed.status, 500);
        readiness.phase = 'draining';
        assert.equal((await sendRequest('GET', '/readyz')).status, 503);
        readiness.phase = 'ready';
      });
    });
  }
});
