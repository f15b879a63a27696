// Databases: sqlite
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { createFetchText } from '../../src/rates/fetch-text.ts';
import { coinPairs, fiatPairs, isCoinPair, isExpected } from '../../src/rates/pairs.ts';
import type { Quote } from '../../src/rates/port.ts';
import { rateSources } from '../../src/rates/sources/registry.ts';
import { formatInstant, MICROS_PER_MS } from '../../src/shared/time.ts';
import { RecordedRates } from '../support/recorded-rates.ts';

const now = Date.parse('2026-11-21T09:00:00Z') * MICROS_PER_MS;
const fetchQuotes = async (name: string, recorded = new RecordedRates()): Promise<Quote[]> => {
  const source = rateSources.find((each) => each.name === name);
  assert.ok(source);
  return await source.fetchQuotes(recorded.fetchText, now);
};
const quoteOf = (quotes: readonly Quote[], pair: string) => {
  const quote = quotes.find((each) => each.pair === pair);
  return quote && [quote.rate, formatInstant(quote.at).slice(0, 19)];
};

describe('recorded responses of rate sources', () => {
  for (const source of rateSources)
    test(`${source.name} is parsed`, async () => {
      const quotes = await fetchQuotes(source.name);
      assert.ok(quotes.length >= 5);
      assert.equal(new Set(quotes.map(({ pair }) => pair)).size, quotes.length);
      for (const { pair, rate, at } of quotes) {
        assert.equal(isCoinPair(pair), source.kind === 'coins');
        assert.match(rate, /^\d+(\.\d{1,12})?$/);
        assert.ok(Number(rate) > 0 && at <= now);
      }
    });

  test('every coin has three sources, and every currency of the method catalog two', async () => {
    const all = (await Promise.all(rateSources.map(async ({ name }) => await fetchQuotes(name)))).flat();
    const count = (pair: string) => all.filter((quote) => quote.pair === pair).length;
    for (const pair of coinPairs) assert.ok(count(pair) >= 3 || pair === 'USDC/USD', pair);
    assert.equal(count('USDC/USD'), 3);
    for (const pair of fiatPairs.filter((each) => isExpected(each, null))) assert.ok(count(pair) >= 2, pair);
  });

  test('coins use the mid price of bid and ask', async () => {
    assert.deepEqual(quoteOf(await fetchQuotes('coinbase'), 'BTC/USD'), ['97950', '2026-11-21T09:00:00']);
    assert.deepEqual(quoteOf(await fetchQuotes('bitstamp'), 'BTC/USD')?.[1], '2026-11-21T08:59:57');
    // A stablecoin is not worth a dollar by definition.
    assert.equal(quoteOf(await fetchQuotes('kraken'), 'USDT/USD')?.[0], '0.99987');
  });

  test('currencies are converted to dollars by rates of the same day', async () => {
    const ecb = await fetchQuotes('ecb');
    assert.deepEqual(quoteOf(ecb, 'EUR/USD'), ['1.1529', '2026-11-20T00:00:00']);
    const weekly = await fetchQuotes('nbp-weekly');
    assert.equal(quoteOf(weekly, 'KES/USD')?.[1], '2026-11-18T00:00:00');
    assert.ok(Math.abs(Number(quoteOf(weekly, 'VND/USD')?.[0]) / 0.000038 - 1) < 0.01);
  });

  test('a currency with a fixed rate follows the other one, if the source omits it', async () => {
    const nbp = await fetchQuotes('nbp');
    assert.equal(quoteOf(nbp, 'BMD/USD')?.[0], '1');
    assert.equal(quoteOf(nbp, 'KYD/USD')?.[0], '1.2');
    assert.equal(quoteOf(nbp, 'BTN/USD')?.[0], quoteOf(nbp, 'INR/USD')?.[0]);
    assert.equal(quoteOf(nbp, 'AED/USD'), undefined);
  });

  test('one market that fails does not end the others', async () => {
    const recorded = new RecordedRates();
    const { fetchText } = recorded;
    const source = rateSources.find(({ name }) => name === 'coinbase');
    const quotes = await source?.fetchQuotes(async (url) => {
      if (url.includes('LTC-EUR')) throw new Error('status 404');
      return await fetchText(url);
    }, now);
    assert.equal(quotes?.length, (await fetchQuotes('coinbase')).length - 1);
    recorded.fail('coinbase');
    await assert.rejects(fetchQuotes('coinbase', recorded), /503/);
  });

  test('responses of another form are refused', async () => {
    const changes = [
      ['coinbase', (body: string) => body.replaceAll('"bid":"', '"bid":"-')],
      ['kraken', (body: string) => body.replace('"error":[]', '"error":["EService:Unavailable"]')],
      ['bitstamp', () => '{"status":"error"}'],
      ['bitfinex', () => '["error",10020,"symbol: invalid"]'],
      ['ecb', () => '<html>Maintenance</html>'],
      ['nbp', (body: string) => body.replaceAll('"USD"', '"XXX"')],
      ['nbp-weekly', (body: string) => body.replace(/2026-11-18/g, 'yesterday')],
      ['coinbase-fiat', (body: string) => body.replace('"currency":"USD"', '"currency":"EUR"')],
    ] as const;
    for (const [name, edit] of changes) {
      const recorded = new RecordedRates();
      recorded.change(name, edit);
      await assert.rejects(fetchQuotes(name, recorded), name);
    }
  });
});

test('requests to sources follow no redirect, and end at a size and a failure status', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/redirect') response.writeHead(302, { location: '/good' }).end();
    else if (request.url === '/large') response.end('x'.repeat(2 * 1024 * 1024));
    else if (request.url === '/down') response.writeHead(503).end();
    else response.end('good');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const fetchText = createFetchText();
  const at = async (path: string) => await fetchText(`http://127.0.0.1:${port}${path}`);
  assert.equal(await at('/good'), 'good');
  await assert.rejects(at('/redirect'));
  await assert.rejects(at('/large'), /exceeds 1048576 bytes/);
  await assert.rejects(at('/down'), /returned status 503/);
  await new Promise((resolve) => server.close(resolve));
});
