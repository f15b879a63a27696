import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { accountCalls } from '../../src/api/account.ts';
import { operations } from '../../src/api/operations.ts';
import { Attempts, openUnlimitedFixture, storedState } from '../support/attacks.ts';
import { addressedCalls, ownCalls } from '../support/operation-calls.ts';
import { signedIn } from '../support/users.ts';
import type { Fixture } from '../support/fixture.ts';

const JSON_TYPE = 'application/json';

/** Headers of cross-site requests. `own` is the origin of the service. */
const crossSite = (own: string): Record<string, Record<string, string>> => {
  const { host, port } = new URL(own);
  return {
    'cross-site': { 'sec-fetch-site': 'cross-site', 'content-type': JSON_TYPE },
    'same-site, from a neighboring domain': { 'sec-fetch-site': 'same-site', 'content-type': JSON_TYPE },
    'none, as if typed by the user': { 'sec-fetch-site': 'none', 'content-type': JSON_TYPE },
    'an empty Sec-Fetch-Site': { 'sec-fetch-site': '', 'content-type': JSON_TYPE },
    'two values of Sec-Fetch-Site': { 'sec-fetch-site': 'same-origin, cross-site', 'content-type': JSON_TYPE },
    'cross-site with our Origin': { 'sec-fetch-site': 'cross-site', origin: own, 'content-type': JSON_TYPE },
    'an old browser without Origin': { 'content-type': JSON_TYPE },
    'an old browser, Origin null': { origin: 'null', 'content-type': JSON_TYPE },
    'an old browser, an empty Origin': { origin: '', 'content-type': JSON_TYPE },
    'an old browser, another Origin': { origin: 'https://evil.example', 'content-type': JSON_TYPE },
    'an old browser, our name as a subdomain': { origin: `http://${host}.evil.example`, 'content-type': JSON_TYPE },
    'an old browser, our name as a user': { origin: `http://${host}@evil.example`, 'content-type': JSON_TYPE },
    'an old browser, another port': { origin: `http://127.0.0.1:${Number(port) - 1}`, 'content-type': JSON_TYPE },
    'an old browser, only a Referer': { referer: `${own}/account`, 'content-type': JSON_TYPE },
    'a form': { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' },
    'a form of an old browser': { origin: 'null', 'content-type': 'application/x-www-form-urlencoded' },
    'a form with a file': { 'sec-fetch-site': 'cross-site', 'content-type': 'multipart/form-data; boundary=x' },
    'a form of text': { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
    'a request without a type': { 'sec-fetch-site': 'cross-site' },
    'a request that names another host': {
      ...{ 'sec-fetch-site': 'cross-site', 'content-type': JSON_TYPE },
      ...{ 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' },
    },
  };
};

/** Method overrides, beyond the methods of a form. */
const overrides: readonly Record<string, string>[] = ['PATCH', 'POST', 'DELETE'].flatMap((method) => [
  { 'x-http-method-override': method },
  { 'x-http-method': method },
  { 'x-method-override': method },
]);

describe('cross-site requests with the cookie of an owner', () => {
  let fixture: Fixture;
  let cookie: string;
  before(async () => {
    fixture = await openUnlimitedFixture();
    cookie = (await signedIn(fixture, 'owner')).cookie ?? '';
  });
  after(async () => await fixture.close());

  /** Every cookie-authenticated change, with a valid body. */
  const doors = (): { name: string; method: string; path: string; body: string }[] => [
    ...operations
      .filter(({ method }) => method !== 'GET')
      .map(({ id, method, path }) => ({
        ...{ name: id, method, path },
        body: JSON.stringify((addressedCalls[id]?.('nobody-has-this') ?? ownCalls[id]?.())?.body ?? {}),
      })),
    ...Object.entries(accountCalls)
      .filter(([, { method }]) => method !== 'GET')
      .map(([name, { method, path }]) => ({ name, method, path, body: '{}' })),
  ];
  const state = async () => await storedState(fixture.service().database);

  test('are rejected before they are read, without changes', async (context) => {
    const attempts = new Attempts('every call that changes something × every cross-site header form');
    const before = await state();
    for (const { name, method, path, body } of doors()) {
      for (const [form, headers] of Object.entries(crossSite(fixture.url))) {
        // A body of bytes: `fetch` sets a content type for text.
        const response = await fetch(fixture.url + path, {
          ...{ method, redirect: 'manual', headers: { ...headers, cookie } },
          body: new TextEncoder().encode(body),
        });
        const text = await response.text();
        const isRefused = response.status === 403 && text.includes('"cross_site_request"');
        attempts.add(isRefused, () => `${name}, ${form}: ${response.status} ${text.slice(0, 200)}`);
      }
    }
    attempts.addUnchanged(0, await state(), before, 'something changed');
    attempts.report(context);
  });

  test('cannot override the method: GET only reads', async (context) => {
    const attempts = new Attempts('every address × every way to override the method of a GET');
    const before = await state();
    const paths = new Set(doors().map(({ path }) => path));
    for (const path of paths) {
      for (const headers of overrides) {
        for (const search of ['', '?_method=POST']) {
          const response = await fixture.request(path + search, {
            ...{ token: null, method: 'GET' },
            headers: { ...headers, cookie, 'sec-fetch-site': 'cross-site' },
          });
          attempts.add(response.status < 500 && response.status !== 204, () => `${path}: ${response.status}`);
        }
      }
    }
    attempts.addUnchanged(paths.size, await state(), before, 'something changed');
    attempts.report(context);
  });

  test('get no CORS permission', async (context) => {
    const attempts = new Attempts('every operation × preflights and reads of another origin');
    for (const { id, method, path } of operations) {
      for (const origin of ['https://evil.example', 'null']) {
        const ask = {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'paylatch-merchant',
        };
        for (const requested of ['OPTIONS', 'GET']) {
          const response = await fixture.request(path, { token: null, method: requested, headers: { ...ask, cookie } });
          const leave = [...response.headers.keys()].filter((name) => name.startsWith('access-control-allow-'));
          attempts.add(leave.length === 0, () => `${id}: ${requested} from ${origin}: ${leave.join()}`);
        }
      }
    }
    attempts.report(context);
  });

  test('are accepted from our own pages', async () => {
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: fixture.url }]) {
      const response = await fixture.request('/account/name', {
        ...{ token: null, body: { name: 'Ada' } },
        headers: { ...headers, cookie },
      });
      assert.equal(response.status, 200, response.text);
    }
  });
});
