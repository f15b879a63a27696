// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openCountryDatabase } from '../../src/http/geo.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { cards, createLink, detailOf, submission, submitCard } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

/** IP addresses with a country in the bundled database. */
const addresses = { thailand: '1.0.128.1', unitedStates: '8.8.8.8', unitedStatesV6: '2001:4860:4860::8888' };

async function restrict(fixture: Fixture, list: string) {
  // The documented format: a JSON array inside a string, with escaped quotes.
  const body = `{"preferences":[{"key":"restricted-country-list","value":${JSON.stringify(list)}}]}`;
  const response = await fixture.request('/v1/merchant/preferences', { body });
  assert.equal(response.status, 200, response.text);
}

describe('the buyer’s country, behind a trusted proxy', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture({ env: { TRUSTED_PROXIES: 'loopback' } });
  });
  after(async () => await fixture.close());

  const open = async (path: string, forwardedFor: string) =>
    await fixture.request(path, { token: null, headers: { 'x-forwarded-for': forwardedFor } });

  for (const list of ['["TH"]', '["VNM","THA"]']) {
    test(`a buyer in a country of ${list} sees a notice and is rejected by the server`, async () => {
      await restrict(fixture, list);
      const { reference, path, clientToken } = await createLink(fixture);
      const page = await open(path, addresses.thailand);
      assert.equal(page.status, 403);
      assert.match(page.text, /not supported/);
      assert.doesNotMatch(page.text, /name="card_number"/);
      const state = await open(`${path}/state`, addresses.thailand);
      assert.equal(state.body.phase, 'restricted');
      assert.equal(state.body.clientToken, null);
      const submit = await fixture.request('/fiat/v1/transaction/submit', {
        token: clientToken,
        body: submission(reference),
        headers: { 'x-forwarded-for': addresses.thailand },
      });
      assert.equal(submit.status, 403);
      assert.equal(submit.body.code, 'country_not_supported');
      assert.equal((await detailOf(fixture, reference)).attempts.length, 0);
      assert.equal((await detailOf(fixture, reference)).buyer_country, 'TH');
    });
  }

  test('the creator of a link sees it like a buyer in its country, cannot pay, and is not counted as a buyer', async () => {
    await restrict(fixture, '["TH"]');
    const { reference, path } = await createLink(fixture);
    const before = await detailOf(fixture, reference);
    const preview = await open(`${path}/preview?locale=es`, addresses.thailand);
    assert.equal(preview.status, 200);
    assert.match(preview.text, /<html lang="es-ES"/);
    assert.match(preview.text, /<body inert>[^]*name="card_number"/);
    assert.doesNotMatch(preview.text, /<script|client_token|<form [^>]*action/);
    const policy = preview.headers.get('content-security-policy') ?? '';
    assert.match(policy, /frame-ancestors 'self';/);
    assert.match(policy, /form-action 'none'/);
    assert.match(policy, /sandbox allow-same-origin$/);
    assert.doesNotMatch(policy, /script-src|connect-src/);
    assert.equal(preview.headers.get('x-frame-options'), null);
    assert.deepEqual(await detailOf(fixture, reference), before);
  });

  test('all other buyers can pay, over IPv4, IPv6 and IPv4-mapped IPv6', async () => {
    await restrict(fixture, '["TH"]');
    for (const address of [addresses.unitedStates, addresses.unitedStatesV6, `::ffff:${addresses.unitedStates}`]) {
      const { reference, path, clientToken } = await createLink(fixture);
      const state = await open(`${path}/state`, address);
      assert.equal(state.body.phase, 'ready');
      assert.equal(state.body.buyerCountry, 'US');
      const paid = await fixture.request('/fiat/v1/transaction/submit', {
        token: clientToken,
        body: submission(reference),
        headers: { 'x-forwarded-for': address },
      });
      assert.equal(paid.body.response_type, 'confirmed');
    }
    const { path } = await createLink(fixture);
    assert.equal((await open(`${path}/state`, `::ffff:${addresses.thailand}`)).body.phase, 'restricted');
  });

  test('header entries before the proxy’s own are not trusted', async () => {
    await restrict(fixture, '["TH"]');
    const { path } = await createLink(fixture);
    const forged = await open(`${path}/state`, `${addresses.unitedStates}, ${addresses.thailand}`);
    assert.equal(forged.body.phase, 'restricted');
    const garbled = await open(`${path}/state`, 'not-an-address');
    assert.equal(garbled.status, 200);
  });

  test('a payment in progress is shown from any country', async () => {
    await restrict(fixture, '["TH"]');
    const { reference, path } = await createLink(fixture);
    await submitCard(fixture, reference, cards.challenge);
    assert.equal((await open(`${path}/state`, addresses.thailand)).body.phase, 'challenge');
    await submitCard(fixture, reference);
  });

  test('the transaction shows the payer’s country, not that of the last viewer', async () => {
    await restrict(fixture, '[]');
    const { reference, path, clientToken } = await createLink(fixture);
    const country = async () => (await detailOf(fixture, reference)).buyer_country;
    assert.equal(await country(), undefined);
    await open(`${path}/state`, addresses.unitedStates);
    await open(`${path}/state`, addresses.thailand);
    assert.equal(await country(), 'US');
    await fixture.request('/fiat/v1/transaction/submit', {
      token: clientToken,
      body: submission(reference),
      headers: { 'x-forwarded-for': addresses.thailand },
    });
    assert.equal(await country(), 'TH');
    await open(`${path}/state`, addresses.unitedStates);
    assert.equal(await country(), 'TH');
  });

  test('entries with a port are parsed, and an invalid entry ends the chain', async () => {
    await restrict(fixture, '["TH"]');
    const { path } = await createLink(fixture);
    for (const chain of ['1.0.128.1:5555', '1.0.128.1, 127.0.0.1:4444', '[2405:9800::1]:443', 'unknown, 1.0.128.1']) {
      assert.equal((await open(`${path}/state`, chain)).body.phase, 'restricted', chain);
    }
    assert.equal((await open(`${path}/state`, '1.0.128.1, unknown, 127.0.0.1')).body.buyerCountry, null);
  });

  test('unknown countries are allowed, unless the merchant refuses them', async () => {
    await restrict(fixture, '["TH"]');
    const { path, reference, clientToken } = await createLink(fixture);
    assert.equal((await open(`${path}/state`, '10.1.2.3')).body.phase, 'ready');
    const rule = async (value: string | null) =>
      await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body: { key: 'unknown-country', value } });
    assert.equal((await rule('perhaps')).status, 422);
    assert.equal((await rule('refuse')).status, 200);
    const page = await open(path, '10.1.2.3');
    assert.equal(page.status, 403);
    assert.match(page.text, /Payments from an unknown country are not supported/);
    const submit = await fixture.request('/fiat/v1/transaction/submit', {
      token: clientToken,
      body: submission(reference),
      headers: { 'x-forwarded-for': '10.1.2.3' },
    });
    assert.deepEqual([submit.status, submit.body.code], [403, 'country_not_supported']);
    assert.equal((await open(`${path}/state`, addresses.unitedStates)).body.phase, 'ready');
    assert.equal((await rule(null)).status, 200);
    assert.equal((await open(`${path}/state`, '10.1.2.3')).body.phase, 'ready');
  });

  test('the transaction shows the detected country and its source', async () => {
    await restrict(fixture, '[]');
    for (const [address, reported] of [
      [addresses.thailand, { buyer_country: 'TH', buyer_country_source: 'address', buyer_network: '1.0.128.0/24' }],
      [
        addresses.unitedStatesV6,
        { buyer_country: 'US', buyer_country_source: 'address', buyer_network: '2001:4860:4860::/48' },
      ],
      // The test itself viewed it first, from this machine.
      ['10.1.2.3', { buyer_country: undefined, buyer_country_source: undefined, buyer_network: '127.0.0.0/24' }],
    ] as const) {
      const { path, reference } = await createLink(fixture);
      await open(path, address);
      const { buyer_country, buyer_country_source, buyer_network } = await detailOf(fixture, reference);
      assert.deepEqual({ buyer_country, buyer_country_source, buyer_network }, reported);
    }
  });

  test('the page shows the detected country, its source, and the country that a method requires', async () => {
    await restrict(fixture, '[]');
    await enableEveryMethod(fixture, fixture.merchant);
    const { path } = await createLink(fixture, { payment_method: 'upi', country: 'IND', currency: 'INR' });
    const abroad = await open(path, addresses.thailand);
    assert.match(abroad.text, /Detected country: Thailand\./);
    assert.match(abroad.text, /This method needs an account in this country: India/);
    const state = (await open(`${path}/state`, addresses.thailand)).body;
    assert.deepEqual([state.isLikelyAbroad, state.methods[0].needsCountry], [true, 'IN']);
    const home = await open(path, '2409:4000::1');
    const [drawn = ''] = home.text.split('<script type="application/json"');
    assert.doesNotMatch(drawn, /Detected country:|This method needs an account|If you use a VPN/);
    const [nowhere = ''] = (await open(path, '10.1.2.3')).text.split('<script type="application/json"');
    assert.doesNotMatch(nowhere, /Detected country:/);
  });
});

describe('the IP address database', () => {
  test('contains the large networks of the buyers’ countries, in IPv4 and IPv6', () => {
    const countryOf = openCountryDatabase(null);
    const known: Record<string, string> = {
      '1.0.128.1': 'TH',
      '2001:44c8::1': 'TH',
      '2001:fb0::1': 'TH',
      '2405:9800::1': 'TH',
      '2001:ee0::1': 'VN',
      '2001:d08::1': 'MY',
      '2001:da8::1': 'CN',
      '2001:200::1': 'JP',
      '2001:e60::1': 'KR',
      '2409:4000::1': 'IN',
      '2404:c0::1': 'ID',
      '2804:14c::1': 'BR',
      '41.58.0.1': 'NG',
      '2001:8003::1': 'AU',
      '8.8.8.8': 'US',
      '::ffff:8.8.8.8': 'US',
    };
    assert.deepEqual(Object.fromEntries(Object.keys(known).map((address) => [address, countryOf(address)])), known);
    for (const nowhere of ['127.0.0.1', '10.0.0.1', '::1', 'unknown', ''])
      assert.equal(countryOf(nowhere), null, nowhere);
  });
});

describe('the buyer’s country, without a trusted proxy', () => {
  test('the header is ignored', async () => {
    const fixture = await openFixture();
    try {
      await restrict(fixture, '["TH"]');
      const { path } = await createLink(fixture);
      const state = await fixture.request(`${path}/state`, {
        token: null,
        headers: { 'x-forwarded-for': addresses.thailand },
      });
      assert.equal(state.body.phase, 'ready');
    } finally {
      await fixture.close();
    }
  });
});

describe('the buyer’s country, behind a CDN with a country header', () => {
  test('the header counts from a trusted proxy; without a valid value, the IP address counts', async () => {
    const fixture = await openFixture({ env: { TRUSTED_PROXIES: 'loopback', COUNTRY_HEADER: 'CF-IPCountry' } });
    try {
      await restrict(fixture, '["TH"]');
      const { path } = await createLink(fixture);
      const sendRequest = async (country: string) =>
        (
          await fixture.request(`${path}/state`, {
            token: null,
            headers: { 'x-forwarded-for': addresses.unitedStates, 'cf-ipcountry': country },
          })
        ).body.buyerCountry;
      assert.equal(await sendRequest('TH'), 'TH');
      assert.equal(await sendRequest('XX'), 'US');
      assert.equal(await sendRequest('T1'), 'US');
    } finally {
      await fixture.close();
    }
  });
});
