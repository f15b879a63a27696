// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readProblem } from '../support/problems.ts';
import { type RawResponse, type RawRequest, sendRaw } from '../support/raw-http.ts';
import { cards, createLink, creation, submission } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

/** Headers by which a request can claim another origin or destination. */
const claims = {
  host: 'evil.example',
  forwarded: 'for=198.51.100.1;host=evil.example;proto=https;by=203.0.113.1',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'https',
  'x-forwarded-port': '4443',
  'x-forwarded-server': 'evil.example',
  'x-original-url': '/metrics',
  'x-rewrite-url': '/metrics',
  'x-http-method-override': 'DELETE',
};

for (const [who, proxies] of [
  ['anybody', ''],
  ['a trusted proxy', 'loopback'],
] as const) {
  describe(`the destination claimed by ${who}`, () => {
    let fixture: Fixture;
    before(async () => {
      fixture = await openFixture({ env: { TRUSTED_PROXIES: proxies } });
    });
    after(async () => await fixture.close());

    /** No response may contain or depend on the claimed values. */
    const sendRequest = async (request: RawRequest): Promise<RawResponse> => {
      const response = await sendRaw(fixture.url, { ...request, headers: { ...claims, ...request.headers } });
      const all = `${[...response.headers].join('\n')}\n${response.text}`;
      assert.doesNotMatch(all, /evil\.example|4443/, `${request.path}: ${all.slice(0, 500)}`);
      return response;
    };
    const post = (path: string, body: object, token: string): RawRequest => ({
      method: 'POST',
      path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

    test('appears in no link, redirect, page or response', async () => {
      const { token } = fixture.merchant;
      const made = creation();
      const created = await sendRequest(post('/fiat/v1/transaction', made, token));
      const { link } = (JSON.parse(created.text) as { value: { link: string } }).value;
      assert.ok(link.startsWith(`${fixture.url}/p/`), link);
      const { pathname } = new URL(link);
      const embedded = await sendRequest(
        post('/fiat/v1/transaction', creation({ transaction_type: 'custom_form' }), token),
      );
      const { embed_url: embedUrl } = JSON.parse(embedded.text) as { embed_url: string };
      assert.ok(embedUrl.startsWith(`${fixture.url}/e/`));
      for (const path of [
        pathname,
        `${pathname}/state`,
        new URL(embedUrl).pathname,
        '/healthz',
        '/openapi.json',
        '/nothing',
        '/widget/v1/integrity.json',
      ])
        for (const accept of ['text/html', 'application/json']) await sendRequest({ path, headers: { accept } });
      const list = await sendRequest({
        path: '/fiat/v1/transactions?per_page=1',
        headers: { authorization: `Bearer ${token}` },
      });
      assert.match(list.headers.get('link') ?? '', new RegExp(`^<${fixture.url}/`));
      const challenged = await sendRequest(
        post('/fiat/v1/transaction/submit', submission(made.transaction_id, cards.challenge), token),
      );
      const { redirect_url: bank } = JSON.parse(challenged.text) as { redirect_url: string };
      assert.ok(bank.startsWith(`${fixture.url}/sandbox/issuer/`));
      await sendRequest({ path: new URL(bank).pathname });
      const decided = await sendRequest({
        method: 'POST',
        path: new URL(bank).pathname,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'decision=approve',
      });
      assert.equal(decided.headers.get('location'), `${fixture.url}${pathname}/return`);
      const back = await sendRequest({ path: `${pathname}/return` });
      assert.equal(back.headers.get('location'), 'https://shop.example/paid');
    });
  });
}

describe('a spoofed client address', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture({
      env: { LIMIT_SUBMIT_PER_HOUR: '2', LIMIT_PAGE_PER_MINUTE: '3', COUNTRY_HEADER: 'CF-IPCountry' },
    });
  });
  after(async () => await fixture.close());

  const claimed = (index: number) => ({
    'x-forwarded-for': `198.51.100.${index}`,
    forwarded: `for=198.51.100.${index}`,
    'x-real-ip': `198.51.100.${index}`,
    'true-client-ip': `198.51.100.${index}`,
    'cf-connecting-ip': `198.51.100.${index}`,
    'cf-ipcountry': 'TH',
  });

  test('bypasses no limit and changes no country', async () => {
    for (let index = 1; index <= 3; index += 1) {
      const { clientToken, reference, path } = await createLink(fixture);
      const response = await fixture.request('/fiat/v1/transaction/submit', {
        token: clientToken,
        headers: claimed(index),
        body: submission(reference, cards.declined),
      });
      if (index < 3) assert.equal(response.status, 200);
      else assert.equal(readProblem(response, 'limited').limit, 'submit_address');
      const page = await fixture.request(path, { token: null, headers: claimed(index) });
      assert.equal(page.status, 200);
      const state = await fixture.request(`${path}/state`, { token: null, headers: claimed(index) });
      assert.notEqual(state.body.buyerCountry, 'TH');
    }
    const { path } = await createLink(fixture);
    const fourth = await fixture.request(path, { token: null, headers: claimed(9) });
    assert.equal(readProblem(fourth, 'limited').limit, 'page');
  });
});

describe('a proxy that is not trusted', () => {
  const forwarded = (value: string) => ({ token: null, headers: { 'x-forwarded-for': value } });

  test('is reported to its own requests, and logged once', async () => {
    const fixture = await openFixture({ env: { TRUSTED_PROXIES: '10.0.0.1' } });
    try {
      assert.deepEqual((await fixture.request('/healthz', { token: null })).body, { status: 'alive' });
      const logged = () => fixture.log().match(/forwarded by a proxy that is not in TRUSTED_PROXIES/g)?.length ?? 0;
      assert.equal(logged(), 0);
      for (const headers of [{ 'x-forwarded-for': '198.51.100.1' }, { forwarded: 'for=198.51.100.1' }])
        assert.deepEqual((await fixture.request('/healthz', { token: null, headers })).body, {
          status: 'alive',
          proxy: 'untrusted',
        });
      assert.equal(logged(), 1);
      assert.match(fixture.log(), /"address":"127\.0\.0\.1".*forwarded by a proxy/);
    } finally {
      await fixture.close();
    }
  });

  test('is reported in front of a trusted one, but not logged', async () => {
    const fixture = await openFixture({ env: { TRUSTED_PROXIES: 'loopback' } });
    try {
      const { body } = await fixture.request('/healthz', forwarded('198.51.100.1'));
      assert.deepEqual(body, { status: 'alive' });
      const chained = await fixture.request('/healthz', forwarded('198.51.100.1, 203.0.113.1'));
      assert.deepEqual(chained.body, { status: 'alive', proxy: 'untrusted' });
      // Or a buyer that sends the header itself.
      assert.doesNotMatch(fixture.log(), /TRUSTED_PROXIES/);
    } finally {
      await fixture.close();
    }
  });
});
