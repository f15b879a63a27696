// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { combineQuotes, JUMP_HOLD, type RateLimits } from '../../src/rates/combine.ts';
import type { SourceQuote } from '../../src/rates/port.ts';
import { HOUR, type Instant, MINUTE, SECOND } from '../../src/shared/time.ts';

const now: Instant = 100 * HOUR;
const limits: RateLimits = { maxAge: 10 * MINUTE, minSources: 2, maxDeviationPercent: 2, maxJumpPercent: 10 };
const first = { last: null, jump: null, now };

function quotesOf(...rates: readonly string[]): SourceQuote[] {
  return rates.map((rate, index) => ({ pair: 'BTC/USD', rate, source: `source-${index}`, at: now - SECOND }));
}

const reasonOf = (...parameters: Parameters<typeof combineQuotes>) => {
  const combined = combineQuotes(...parameters);
  return combined.kind === 'rate' ? combined.rate : combined.reason;
};

describe('the combined rate of a pair', () => {
  test('is the median, exactly; of an even number the mean of both in the middle', () => {
    assert.equal(reasonOf(quotesOf('100.1', '100.3', '100.2'), first, limits), '100.2');
    assert.equal(reasonOf(quotesOf('100.1', '100.2'), first, limits), '100.15');
    assert.equal(reasonOf(quotesOf('0.1', '0.100000000001'), first, limits), '0.1');
    assert.equal(reasonOf(quotesOf('98000.000000000001', '98000.000000000001'), first, limits), '98000.000000000001');
  });

  test('has the time of its oldest quote, and every quote that it combines', () => {
    const quotes = quotesOf('100', '101', '100.5');
    const combined = combineQuotes(
      quotes.map((quote, index) => ({ ...quote, at: now - index * MINUTE })),
      first,
      limits,
    );
    assert.ok(combined.kind === 'rate');
    assert.equal(combined.at, now - 2 * MINUTE);
    assert.deepEqual(
      combined.quotes.map(({ source }) => source),
      ['source-0', 'source-2', 'source-1'],
    );
  });

  test('excludes outliers, old quotes and quotes from the future', () => {
    const outlier = combineQuotes(quotesOf('100', '100.2', '150'), first, limits);
    assert.ok(outlier.kind === 'rate');
    assert.deepEqual([outlier.rate, outlier.quotes.length], ['100.1', 2]);
    const [one, other, third] = quotesOf('100', '100.2', '101.9');
    assert.ok(one && other && third);
    const old = { ...third, at: now - limits.maxAge - 1 };
    assert.equal(reasonOf([one, other, old], first, limits), '100.1');
    const ahead = combineQuotes([one, other, { ...third, at: now + HOUR }], first, limits);
    assert.ok(ahead.kind === 'rate' && ahead.quotes.every(({ at }) => at <= now));
  });

  test('is unavailable with too few sources, or if they disagree', () => {
    assert.equal(reasonOf([], first, limits), 'too_few_sources');
    assert.equal(reasonOf(quotesOf('100'), first, limits), 'too_few_sources');
    assert.equal(reasonOf(quotesOf('100', '103'), first, limits), 'sources_disagree');
    // Two against two.
    assert.equal(reasonOf(quotesOf('100', '100', '106', '106'), first, limits), 'sources_disagree');
    assert.equal(reasonOf(quotesOf('100', '106', '112'), first, limits), 'sources_disagree');
  });

  test('is unavailable after a jump, until the sources have agreed on it for a while', () => {
    const last = { rate: '100', at: now - MINUTE };
    assert.equal(reasonOf(quotesOf('109', '110'), { ...first, last }, limits), '109.5');
    const jumped = quotesOf('111', '111', '111');
    assert.equal(reasonOf(jumped, { ...first, last }, limits), 'jump');
    assert.equal(reasonOf(quotesOf('89', '89'), { ...first, last }, limits), 'jump');
    const longLimits = { ...limits, maxAge: HOUR };
    const jump = (rate: string, since: Instant) => ({ now, last, jump: { rate, since } });
    assert.equal(reasonOf(jumped, jump('111', now - JUMP_HOLD + 1), longLimits), 'jump');
    assert.equal(reasonOf(jumped, jump('111', now - JUMP_HOLD), longLimits), '111');
    // Another jump has a waiting period of its own.
    assert.equal(reasonOf(quotesOf('1110', '1110'), jump('111', now - JUMP_HOLD), longLimits), 'jump');
    assert.equal(reasonOf(jumped, jump('150', now - JUMP_HOLD), longLimits), 'jump');
    // An old rate, such as from before a long outage, is not compared.
    assert.equal(reasonOf(jumped, { ...first, last: { rate: '100', at: now - limits.maxAge - 1 } }, limits), '111');
  });

  test('lies between agreeing quotes, whatever a minority of sources reports', () => {
    const rate = fc.integer({ min: 99_000, max: 100_000 }).map((value) => (value / 1000).toString());
    const any = fc.integer({ min: 1, max: 10_000_000 }).map((value) => (value / 1000).toString());
    fc.assert(
      fc.property(
        fc
          .array(rate, { minLength: 3, maxLength: 6 })
          .chain((honest) => fc.tuple(fc.constant(honest), fc.array(any, { maxLength: honest.length - 2 }))),
        ([honest, faulty]) => {
          const combined = combineQuotes(quotesOf(...honest, ...faulty), first, limits);
          assert.ok(combined.kind === 'rate');
          const used = honest.map(Number);
          // A faulty quote within the limit of the honest ones may move the median no further than the limit.
          assert.ok(
            Number(combined.rate) >= Math.min(...used) * 0.98 && Number(combined.rate) <= Math.max(...used) * 1.02,
          );
        },
      ),
    );
  });

  test('does not depend on the order of sources', () => {
    const rates = fc.array(fc.integer({ min: 95_000, max: 105_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(rates, (values) => {
        const quotes = quotesOf(...values.map(String));
        assert.deepEqual(combineQuotes(quotes, first, limits), combineQuotes(quotes.toReversed(), first, limits));
      }),
    );
  });
});
