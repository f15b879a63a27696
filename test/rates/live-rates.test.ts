import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { ConfigError } from '../../src/system/settings.ts';
import { readConfig } from '../../src/config.ts';
import { ratesHealth } from '../../src/rates/check.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';
import { RecordedRates } from '../support/recorded-rates.ts';
import { addCardAccount } from '../support/acquirer-accounts.ts';
import { ScriptedAcquirer } from '../support/scripted-acquirer.ts';
import { creation } from '../support/requests.ts';
import { openFixture, type Fixture, type FixtureOptions } from '../support/fixture.ts';
import { onSqlite } from '../support/databases.ts';

const production = {
  PAYLATCH_ENV: 'production',
  PUBLIC_URL: 'https://pay.example',
  PAYLATCH_SECRET_KEY: 'ab'.repeat(32),
};

describe('exchange rates in production', () => {
  let fixture: Fixture;
  let recorded: RecordedRates;
  const open = async (options: FixtureOptions = {}) => {
    recorded = new RecordedRates();
    fixture = await openFixture({ fetchRates: recorded.fetchText, ...options, env: { ...production, ...options.env } });
  };
  afterEach(async () => await fixture.close());

  const list = async (currency?: string) => {
    const { status, body } = await fixture.request(`/v1/rates${currency ? `?currency=${currency}` : ''}`);
    assert.equal(status, 200);
    assert.ok(body.rates.length > 0);
    return body.rates as any[];
  };
  const rateOf = async (code: string, currency?: string) =>
    (await list(currency)).find((each: any) => each.code === code);
  const logged = (message: string) =>
    fixture
      .log()
      .split('\n')
      .filter((line) => line.includes(message))
      .map((line) => JSON.parse(line));
  const seconds = async (count: number) => await fixture.advance(count * SECOND);

  onSqlite('are the median of several sources, each with its time', async () => {
    await open();
    const btc = await rateOf('btc');
    assert.equal(btc.rate, '97952.5');
    assert.deepEqual(
      btc.quotes.map(({ source, pair }: any) => [source, pair]).toSorted(),
      ['bitfinex', 'bitstamp', 'coinbase', 'kraken'].map((source) => [source, 'BTC/USD']),
    );
    assert.equal(btc.at, '2026-11-21T08:59:57.000000Z');
    assert.equal((await rateOf('usdt')).rate, '0.999845');
    assert.equal((await rateOf('btc', 'EUR')).quotes[0].pair, 'BTC/EUR');
    const inBaht = await rateOf('btc', 'THB');
    assert.deepEqual(new Set(inBaht.quotes.map(({ pair }: any) => pair)), new Set(['BTC/USD', 'THB/USD']));
    assert.equal(inBaht.at, '2026-11-20T00:00:00.000000Z');
    assert.ok((await list('NGN')).every(({ unavailable }: any) => unavailable === null));
  });

  onSqlite('are fetched at the intervals of the sources', async () => {
    await open();
    const count = (host: string) => recorded.requests.filter((url) => url.includes(host)).length;
    const before = [count('api.kraken.com'), count('ecb.europa.eu')];
    for (let minute = 0; minute < 5; minute += 1) await seconds(61);
    assert.deepEqual([count('api.kraken.com'), count('ecb.europa.eu')], [(before[0] ?? 0) + 5, before[1]]);
    await fixture.advance(HOUR);
    assert.equal(count('ecb.europa.eu'), (before[1] ?? 0) + 1);
  });

  onSqlite('exclude a failing source, and are logged when they become unavailable and available again', async () => {
    await open();
    recorded.fail('kraken');
    await seconds(61);
    assert.equal((await rateOf('btc')).quotes.length, 4);
    await fixture.advance(10 * MINUTE);
    // The stale quotes of Kraken and Bitstamp, whose recorded time does not move, no longer count.
    assert.deepEqual((await rateOf('btc')).quotes.map(({ source }: any) => source).toSorted(), [
      'bitfinex',
      'coinbase',
    ]);
    recorded.fail();
    await fixture.advance(11 * MINUTE);
    const btc = await rateOf('btc');
    assert.deepEqual([btc.rate, btc.at], [null, null]);
    assert.match(btc.unavailable, /^The exchange rate BTC\/USD is unavailable\. Too few sources/);
    await fixture.advance(30 * MINUTE);
    recorded.recover();
    await fixture.advance(16 * MINUTE);
    assert.equal((await rateOf('btc')).rate, '97955');
    const lines = (message: string) => logged(message).filter(({ pair }: any) => pair === 'BTC/USD');
    assert.equal(lines('exchange rate unavailable').length, 1);
    assert.equal(lines('exchange rate available again').length, 1);
    const failures = logged('rate source failed').map(({ source }: any) => source);
    assert.deepEqual(failures.filter((source: string) => source === 'kraken').length, 1);
    const { text } = await fixture.request('/metrics', { token: null });
    assert.match(text, /paylatch_rate_unavailable\{base="BTC",quote="USD"\} 0/);
    assert.match(text, /paylatch_rate_source_errors_total\{source="kraken"\} [2-9]/);
    assert.match(text, /paylatch_rate_timestamp_seconds\{base="BTC",quote="USD"\} 17\d{8}/);
  });

  onSqlite('are unavailable past their age even if no process refreshes them', async () => {
    await open();
    fixture.clock.advance(11 * MINUTE);
    const btc = await rateOf('btc');
    assert.match(btc.unavailable, /too old/);
    assert.equal((await rateOf('EUR')).unavailable, null);
    const { read } = fixture.service().rates;
    const health = ratesHealth(read);
    assert.equal(health.status, 'unavailable');
    assert.ok(health.unavailable.length > 0);
    assert.ok(health.unavailable.every(({ reason }) => reason === 'too_old'));
  });

  onSqlite('are unavailable while the sources disagree, and after a jump', async () => {
    await open();
    for (const name of ['coinbase', 'kraken'])
      recorded.change(name, (body) => body.replaceAll(/979\d\d/g, '99999').replaceAll('84931', '94931'));
    await seconds(61);
    assert.match((await rateOf('btc')).unavailable, /The sources differ by more than 2%: .*bitstamp 97941/);
    assert.equal((await rateOf('eth')).unavailable, null);
    for (const name of ['coinbase', 'kraken', 'bitstamp', 'bitfinex'])
      recorded.change(name, (body) => body.replaceAll(/979\d\d|99999/g, '80000'));
    await seconds(61);
    assert.match((await rateOf('btc')).unavailable, /moved by more than 10%: from 97952\.5 /);
    for (let minute = 0; minute < 12; minute += 1) await seconds(61);
    assert.equal(Math.round(Number((await rateOf('btc')).rate) / 10), 8000);
  });

  onSqlite('another jump has a waiting period of its own', async () => {
    await open({ env: { RATES_COIN_MAX_AGE_MINUTES: '60' } });
    const report = async (rate: string, minutes: number) => {
      for (const name of ['coinbase', 'kraken', 'bitstamp', 'bitfinex'])
        recorded.change(name, (body) => body.replaceAll(/979\d\d|80000/g, rate));
      for (let minute = 0; minute < minutes; minute += 1) await seconds(61);
      return await rateOf('btc');
    };
    assert.match((await report('80000', 14)).unavailable, /to 80000/);
    assert.match((await report('60000', 14)).unavailable, /to 60000/);
    assert.equal(Math.round(Number((await report('60000', 3)).rate)), 60_000);
  });

  test('survive a restart, and are read by other processes', async () => {
    await open();
    const before = await list();
    recorded.fail();
    await fixture.restart();
    assert.deepEqual(await list(), before);
    const other = await fixture.another();
    try {
      assert.equal(other.rates.coins.rate('btc', 'USD').rate, '97952.5');
      recorded.recover();
      for (const name of ['coinbase', 'kraken', 'bitstamp', 'bitfinex'])
        recorded.change(name, (body) => body.replaceAll(/979\d\d/g, '98500'));
      await fixture.advance(2 * MINUTE);
      for (const job of other.rates.jobs) await job.runOnce();
      const requests = recorded.requests.length;
      for (const job of other.rates.jobs) await job.runOnce();
      assert.equal(recorded.requests.length, requests);
      assert.equal(other.rates.coins.rate('btc', 'USD').rate, fixture.service().rates.coins.rate('btc', 'USD').rate);
      assert.equal(Math.round(Number(other.rates.coins.rate('btc', 'USD').rate)), 98_500);
    } finally {
      await other.close();
    }
  });

  test('of a fiat transaction have source and time; the last good one is used past its age', async () => {
    await open();
    const create = async (reference: string, currency: string) => {
      const { status, body } = await fixture.request('/fiat/v1/transaction', {
        body: { ...creation(), transaction_id: reference, currency, country: 'FRA' },
      });
      if (status !== 200) return body;
      return (await fixture.request(`/fiat/v1/transaction?transaction_id=${reference}`)).body;
    };
    addCardAccount(fixture.service(), new ScriptedAcquirer());
    const detail = await create('rates-1', 'EUR');
    assert.deepEqual([detail.rate_source, detail.rate_at], ['coinbase-fiat, ecb, nbp', '2026-11-20T00:00:00.000000Z']);
    assert.ok(Math.abs(detail.rate - 1.153) < 0.002);
    recorded.fail();
    await fixture.advance(20 * DAY);
    assert.notEqual((await rateOf('EUR')).unavailable, null);
    assert.equal((await create('rates-2', 'EUR')).rate_at, detail.rate_at);
    const inDollars = await create('rates-3', 'USD');
    assert.deepEqual([inDollars.rate, inDollars.rate_source, inDollars.rate_at], [1, undefined, undefined]);
  });

  onSqlite('that no source has ever returned are a problem with the reason', async () => {
    const failing = new RecordedRates();
    failing.fail();
    await open({ fetchRates: failing.fetchText });
    assert.ok((await list()).every(({ rate, unavailable }: any) => rate === null && unavailable !== null));
    assert.throws(() => fixture.service().rates.coins.rate('btc', 'USD'), { code: 'rate_unavailable', status: 503 });
    assert.throws(() => fixture.service().rates.currencies.rate('EUR', 'USD'), { code: 'rate_unavailable' });
    assert.equal(fixture.service().rates.currencies.rate('USD', 'USD').rate, '1');
  });
});

onSqlite('the sandbox has fixed rates, named as such, and fetches none', async () => {
  const recorded = new RecordedRates();
  const fixture = await openFixture({ fetchRates: recorded.fetchText });
  const { body } = await fixture.request('/v1/rates?currency=EUR');
  assert.ok(body.rates.length > 0);
  for (const { quotes, at } of body.rates) {
    assert.equal(at, '2026-11-02T00:00:00.000000Z');
    assert.ok(quotes.length > 0);
    for (const { source } of quotes) assert.equal(source, 'sandbox-table');
  }
  await fixture.advance(HOUR);
  assert.equal(recorded.requests.length, 0);
  await fixture.close();
});

onSqlite('production does not start crypto payments without enough live sources', () => {
  const chain = {
    CHAIN_BTC_URL: 'http://user:password@127.0.0.1:8332',
    CHAIN_BTC_ACCOUNT_KEY:
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  };
  const read = (env: Record<string, string>) => () => readConfig({ ...production, ...env });
  const isConfigError = (pattern: RegExp) => (error: unknown) => {
    assert.ok(error instanceof ConfigError);
    assert.match(error.message, pattern);
    return true;
  };
  assert.doesNotThrow(read(chain));
  assert.doesNotThrow(read({ RATES_SOURCES: 'ecb,nbp' }));
  assert.throws(
    read({ ...chain, RATES_SOURCES: 'ecb,kraken' }),
    isConfigError(/^RATES_SOURCES must include at least 2 of coinbase, kraken, bitstamp, bitfinex/),
  );
  assert.throws(read({ RATES_SOURCES: 'kraken,mtgox' }), isConfigError(/^RATES_SOURCES=kraken,mtgox is invalid/));
  assert.throws(read({ RATES_COIN_MAX_JUMP_PERCENT: '0' }), isConfigError(/greater than 0/));
});
