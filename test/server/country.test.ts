import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openCountryDatabase } from '../../src/platform/geo.ts';
import { cards, createLink, detailOf, submission, submitCard } from '../support/requests.ts';
import { openWorld, type World } from '../support/world.ts';

/** Addresses whose country the shipped database knows. */
const addresses = { thailand: '1.0.128.1', unitedStates: '8.8.8.8', unitedStatesV6: '2001:4860:4860::8888' };

async function restrict(world: World, list: string) {
  // The published form: a JSON array inside a string, every quote escaped.
  const body = `{"preferences":[{"key":"restricted-country-list","value":${JSON.stringify(list)}}]}`;
  const answer = await world.request('/v1/merchant/preferences', { body });
  assert.equal(answer.status, 200, answer.text);
}

describe('the buyer’s country, behind a trusted proxy', () => {
  let world: World;
  before(async () => {
    world = await openWorld({ env: { TRUSTED_PROXIES: 'loopback' } });
  });
  after(async () => await world.close());

  const open = async (path: string, forwardedFor: string) =>
    await world.request(path, { token: null, headers: { 'x-forwarded-for': forwardedFor } });

  for (const list of ['["TH"]', '["VNM","THA"]']) {
    test(`a buyer in a country of ${list} is told so by the page, and refused by the server`, async () => {
      await restrict(world, list);
      const { reference, path, clientToken } = await createLink(world);
      const page = await open(path, addresses.thailand);
      assert.equal(page.status, 403);
      assert.match(page.text, /not supported/);
      assert.doesNotMatch(page.text, /name="card_number"/);
      const state = await open(`${path}/state`, addresses.thailand);
      assert.equal(state.body.phase, 'restricted');
      assert.equal(state.body.clientToken, null);
      const submit = await world.request('/fiat/v1/transaction/submit', {
        token: clientToken,
        body: submission(reference),
        headers: { 'x-forwarded-for': addresses.thailand },
      });
      assert.equal(submit.status, 403);
      assert.equal(submit.body.code, 'country_not_supported');
      assert.equal((await detailOf(world, reference)).attempts.length, 0);
      assert.equal((await detailOf(world, reference)).buyer_country, 'TH');
    });
  }

  test('everyone else pays, over IPv4, IPv6, and IPv4 inside IPv6', async () => {
    await restrict(world, '["TH"]');
    for (const address of [addresses.unitedStates, addresses.unitedStatesV6, `::ffff:${addresses.unitedStates}`]) {
      const { reference, path, clientToken } = await createLink(world);
      const state = await open(`${path}/state`, address);
      assert.equal(state.body.phase, 'ready');
      assert.equal(state.body.buyerCountry, 'US');
      const paid = await world.request('/fiat/v1/transaction/submit', {
        token: clientToken,
        body: submission(reference),
        headers: { 'x-forwarded-for': address },
      });
      assert.equal(paid.body.response_type, 'confirmed');
    }
    const { path } = await createLink(world);
    assert.equal((await open(`${path}/state`, `::ffff:${addresses.thailand}`)).body.phase, 'restricted');
  });

  test('what a buyer writes into the header before the proxy’s own entry is not believed', async () => {
    await restrict(world, '["TH"]');
    const { path } = await createLink(world);
    const forged = await open(`${path}/state`, `${addresses.unitedStates}, ${addresses.thailand}`);
    assert.equal(forged.body.phase, 'restricted');
    const garbled = await open(`${path}/state`, 'not-an-address');
    assert.equal(garbled.status, 200);
  });

  test('what is under way is shown as it is, wherever the page is opened from', async () => {
    await restrict(world, '["TH"]');
    const { reference, path } = await createLink(world);
    await submitCard(world, reference, cards.challenge);
    assert.equal((await open(`${path}/state`, addresses.thailand)).body.phase, 'challenge');
    await submitCard(world, reference);
  });

  test('the detail tells where the payer was, not who looked last', async () => {
    await restrict(world, '[]');
    const { reference, path, clientToken } = await createLink(world);
    const country = async () => (await detailOf(world, reference)).buyer_country;
    assert.equal(await country(), undefined);
    await open(`${path}/state`, addresses.unitedStates);
    await open(`${path}/state`, addresses.thailand);
    assert.equal(await country(), 'US');
    await world.request('/fiat/v1/transaction/submit', {
      token: clientToken,
      body: submission(reference),
      headers: { 'x-forwarded-for': addresses.thailand },
    });
    assert.equal(await country(), 'TH');
    await open(`${path}/state`, addresses.unitedStates);
    assert.equal(await country(), 'TH');
  });

  test('entries with a port, and chains that end in something else, are read as far as they go', async () => {
    await restrict(world, '["TH"]');
    const { path } = await createLink(world);
    for (const chain of ['1.0.128.1:5555', '1.0.128.1, 127.0.0.1:4444', '[2405:9800::1]:443', 'unknown, 1.0.128.1']) {
      assert.equal((await open(`${path}/state`, chain)).body.phase, 'restricted', chain);
    }
    assert.equal((await open(`${path}/state`, '1.0.128.1, unknown, 127.0.0.1')).body.buyerCountry, null);
  });

  test('a country that nobody knows is let in', async () => {
    await restrict(world, '["TH"]');
    const { path } = await createLink(world);
    assert.equal((await open(`${path}/state`, '10.1.2.3')).body.phase, 'ready');
  });
});

describe('the database of addresses', () => {
  test('knows the large networks of the countries that buyers come from, in IPv4 and IPv6', () => {
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
  test('the header is worth nothing', async () => {
    const world = await openWorld();
    try {
      await restrict(world, '["TH"]');
      const { path } = await createLink(world);
      const state = await world.request(`${path}/state`, {
        token: null,
        headers: { 'x-forwarded-for': addresses.thailand },
      });
      assert.equal(state.body.phase, 'ready');
    } finally {
      await world.close();
    }
  });
});

describe('the buyer’s country, behind a CDN that says it', () => {
  test('its header counts from a trusted proxy, and the address when it says nothing useful', async () => {
    const world = await openWorld({ env: { TRUSTED_PROXIES: 'loopback', COUNTRY_HEADER: 'CF-IPCountry' } });
    try {
      await restrict(world, '["TH"]');
      const { path } = await createLink(world);
      const ask = async (country: string) =>
        (
          await world.request(`${path}/state`, {
            token: null,
            headers: { 'x-forwarded-for': addresses.unitedStates, 'cf-ipcountry': country },
          })
        ).body.buyerCountry;
      assert.equal(await ask('TH'), 'TH');
      assert.equal(await ask('XX'), 'US');
      assert.equal(await ask('T1'), 'US');
    } finally {
      await world.close();
    }
  });
});
