import { db } from '../support/tables.ts';
import type { Quota } from '../../src/shared/limits.ts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { defaultScopes } from '../../src/shared/scopes.ts';
import { createOAuthClient } from '../../src/auth/oauth-clients.ts';
import { systemRandom } from '../../src/system/random.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';
import {
  createMemoryLimiter,
  createRateLimitCleanup,
  createSharedLimiter,
  type RateLimiter,
  type RateLimitResult,
} from '../../src/http/rate-limiter.ts';
import { SimulatedClock } from '../support/clock.ts';
import { onSqlite } from '../support/databases.ts';
import { readProblem } from '../support/problems.ts';
import { cards, createLink, creation, submission, submitCard } from '../support/requests.ts';
import { type FixtureResponse, openFixture, type Fixture } from '../support/fixture.ts';
import { signedIn } from '../support/users.ts';

/** The header with which a proxy passes the buyer's IP address. */
const from = (address: string) => ({ 'x-forwarded-for': address });

function retryAfter({ headers }: FixtureResponse): number {
  const seconds = Number(headers.get('retry-after'));
  assert.ok(seconds > 0, 'there is no Retry-After');
  return seconds;
}

describe('rate limits', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture({
      env: {
        TRUSTED_PROXIES: 'loopback',
        LIMIT_TOKEN_PER_SECOND: '5',
        LIMIT_OAUTH_PER_MINUTE: '3',
        LIMIT_PAGE_PER_MINUTE: '4',
        LIMIT_SUBMIT_PER_HOUR: '3',
        LIMIT_CARD_PER_HOUR: '4',
      },
    });
  });
  after(async () => await fixture.close());
  // The full quota is available again.
  beforeEach(async () => await fixture.advance(HOUR));

  const limited = (response: FixtureResponse, limit: string) => {
    const problem = readProblem(response, limit);
    assert.deepEqual(
      [response.status, problem.code, problem.limit, problem.retryable],
      [429, 'rate_limited', limit, true],
    );
    assert.match(response.headers.get('ratelimit') ?? '', new RegExp(`^"${limit}";r=0;t=\\d+$`));
    return retryAfter(response);
  };
  /** Pays a new link on its page, from an IP address, with a card. */
  const payFrom = async (address: string, card: string) => {
    // Created by a new merchant each time, whose token has its own limit.
    const merchant = await fixture.makeMerchant('Kettle & Co');
    const created = await fixture.request('/fiat/v1/transaction', {
      token: merchant.token,
      body: creation({ transaction_id: 'one' }),
    });
    const path = new URL(created.body.value.link).pathname;
    const { body } = await fixture.request(`${path}/state`, { token: null });
    const year = String(new Date(fixture.clock.now() / 1000).getUTCFullYear() + 2);
    return await fixture.request('/fiat/v1/transaction/submit', {
      token: body.clientToken,
      headers: from(address),
      body: submission('one', card, { card_expiry_year: year }),
    });
  };

  test('a token may burst to twice its rate, and then continue at its rate', async () => {
    const { token } = await fixture.makeMerchant('Busy & Co');
    const sendRequest = async () => await fixture.request('/v1/merchant/preferences', { token });
    const first = await sendRequest();
    assert.equal(first.headers.get('ratelimit-policy'), '"token";q=10;w=2');
    assert.equal(first.headers.get('ratelimit'), '"token";r=9;t=1');
    for (let index = 1; index < 10; index += 1) assert.equal((await sendRequest()).status, 200);
    assert.equal(limited(await sendRequest(), 'token'), 1);
    await fixture.advance(SECOND);
    for (let index = 0; index < 5; index += 1) assert.equal((await sendRequest()).status, 200);
    limited(await sendRequest(), 'token');
    // Other tokens, of the same merchant or another, are not affected.
    assert.equal((await fixture.request('/v1/merchant/preferences')).status, 200);
  });

  test('requests that lack a scope count', async () => {
    const { token } = await fixture.makeMerchant('Curious & Co');
    const viewer = await signedIn(fixture, 'viewer');
    await fixture.advance(HOUR);
    for (const send of [
      async () => await fixture.request('/v1/people', { token }),
      async () => await viewer.request('/v1/people'),
    ]) {
      for (let index = 0; index < 10; index += 1) assert.equal((await send()).status, 403);
      limited(await send(), 'token');
    }
  });

  onSqlite('page views per IP address are limited, also in a frame', async () => {
    const { path } = await createLink(fixture);
    const open = async (address: string, headers: Record<string, string> = {}) =>
      await fixture.request(path, { token: null, headers: { ...from(address), ...headers } });
    for (let index = 0; index < 4; index += 1) assert.equal((await open('198.51.100.1')).status, 200);
    const refused = await open('198.51.100.1');
    assert.equal(limited(refused, 'page'), 15);
    const { text } = await open('198.51.100.1', { accept: 'text/html' });
    assert.match(text, /data-mark="clock"/);
    assert.match(text, /Too many pages were opened/);
    assert.match(text, /<a class="[^"]+" href="">Reload<\/a>/);
    assert.equal((await open('198.51.100.2')).status, 200);
    // Requests by an open page do not count as page views.
    const state = await fixture.request(`${path}/state`, { token: null, headers: from('198.51.100.1') });
    assert.equal(state.status, 200);
    await fixture.advance(MINUTE);
    assert.equal((await open('198.51.100.1')).status, 200);
  });

  onSqlite('count a /64 of IPv6 as one address', async () => {
    const { path } = await createLink(fixture);
    const open = async (address: string) => await fixture.request(path, { token: null, headers: from(address) });
    for (let index = 0; index < 4; index += 1) assert.equal((await open(`2001:db8:1:1::${index}`)).status, 200);
    limited(await open('2001:db8:1:1:ffff::5'), 'page');
    assert.equal((await open('2001:db8:1:2::1')).status, 200);
  });

  onSqlite('previews and returns count as page views; requests by open pages have a tenfold limit', async () => {
    const { path } = await createLink(fixture);
    const from4 = async (suffix: string) =>
      await fixture.request(path + suffix, { token: null, headers: from('198.51.100.4') });
    const statuses = [];
    for (const suffix of ['', '/preview', '/return', '/preview']) statuses.push((await from4(suffix)).status);
    assert.deepEqual(statuses, [200, 200, 303, 200]);
    for (const suffix of ['', '/preview', '/return']) limited(await from4(suffix), 'page');
    for (let index = 0; index < 40; index += 1) assert.equal((await from4('/state')).status, 200);
    for (const suffix of ['/state', '/events']) limited(await from4(suffix), 'page_state');
    // A page that polls every two seconds stays within the limit.
    for (let index = 0; index < 30; index += 1) {
      await fixture.advance(2 * SECOND);
      assert.equal((await from4('/state')).status, 200);
    }
  });

  test('tokens of one OAuth client share a limit, and token requests are limited per client and per IP address', async () => {
    const { database } = fixture.service();
    const client = await database.inTransaction(
      async (unit) =>
        await createOAuthClient(unit, {
          ...{ merchantId: fixture.merchant.id, name: '', role: 'merchant', scopes: defaultScopes },
          ...{ random: systemRandom, now: fixture.clock.now() },
        }),
    );
    const obtain = async (address: string, secret = client.clientSecret) =>
      await fixture.request('/oauth/token', {
        token: null,
        body: new URLSearchParams({
          ...{ grant_type: 'client_credentials', client_id: client.clientId, client_secret: secret },
        }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...from(address) },
      });
    // Requests without the secret do not count against the client.
    for (let index = 0; index < 3; index += 1) assert.equal((await obtain('198.51.100.60', 'wrong')).status, 401);
    limited(await obtain('198.51.100.60', 'wrong'), 'oauth_address');
    const tokens: string[] = [];
    for (let index = 0; index < 3; index += 1)
      tokens.push((await obtain(`198.51.100.${61 + index}`)).body.access_token);
    limited(await obtain('198.51.100.64'), 'oauth_client');
    const sendRequest = async (index: number) =>
      await fixture.request('/v1/merchant/preferences', { token: tokens[index % 3] ?? '' });
    for (let index = 0; index < 10; index += 1) assert.equal((await sendRequest(index)).status, 200);
    for (let index = 0; index < 3; index += 1) limited(await sendRequest(index), 'token');
  });

  test('many cards from one IP address, each on its own link, are blocked without a charge', async () => {
    const numbers = [cards.declined, cards.insufficientFunds, cards.expired, cards.visa];
    for (const number of numbers.slice(0, 3)) assert.equal((await payFrom('198.51.100.7', number)).status, 200);
    const refused = await payFrom('198.51.100.7', cards.visa);
    assert.equal(limited(refused, 'submit_address'), 20 * 60);
    assert.equal((await payFrom('198.51.100.8', cards.visa)).body.response_type, 'confirmed');
    await fixture.advance(20 * MINUTE);
    assert.equal((await payFrom('198.51.100.7', cards.visa)).status, 200);
  });

  onSqlite('a page without JavaScript shows the limit and keeps the input', async () => {
    const address = from('198.51.100.40');
    let result: FixtureResponse | null = null;
    for (let index = 0; index < 4; index += 1) {
      const { path, reference } = await createLink(fixture);
      const { body } = await fixture.request(`${path}/state`, { token: null });
      const card = submission(reference, cards.declined);
      const form = { ...card, card_expiry: '04 / 40', do: 'card', client_token: body.clientToken };
      result = await fixture.request(path, {
        token: null,
        headers: { ...address, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      });
    }
    assert.equal(result?.status, 422);
    assert.match(result?.text ?? '', /Too many attempts\. You weren&#39;t charged\./);
    assert.match(result?.text ?? '', /value="Lovelace"/);
  });

  onSqlite('one card on many links is blocked from any IP address, even in the merchant’s own form', async () => {
    for (let index = 0; index < 4; index += 1)
      assert.equal((await payFrom(`198.51.100.${20 + index}`, cards.mastercard)).status, 200);
    limited(await payFrom('198.51.100.30', cards.mastercard), 'submit_card');
    const { reference } = await createLink(fixture);
    limited(await submitCard(fixture, reference, cards.mastercard), 'submit_card');
    const detail = (await fixture.request(`/fiat/v1/transaction?transaction_id=${reference}`)).body;
    assert.deepEqual([detail.status, detail.attempts], ['transaction_status_pending', []]);
    const metrics = (await fixture.request('/metrics', { token: null })).text;
    assert.match(metrics, /paylatch_rate_limited_total\{limit="submit_card"\} 2/);
  });

  onSqlite('stored counters reveal neither cards nor IP addresses', async () => {
    await payFrom('198.51.100.99', cards.amex);
    const rows = await db(fixture.service().database).selectFrom('rate_limits').selectAll().execute();
    assert.ok(rows.length > 0);
    for (const { name } of rows) assert.match(name, /^[\w-]{43}$/);
  });
});

describe('a rate limiter', () => {
  const quota: Quota = { amount: 5, window: 10 * SECOND };

  const pick = ({ isAllowed, remaining }: RateLimitResult) => ({ isAllowed, remaining });
  const holds = async (make: (clock: SimulatedClock) => { limiter: RateLimiter; fresh: () => string }) => {
    const clock = new SimulatedClock();
    const { limiter, fresh } = make(clock);
    const atOnce = fresh();
    for (let left = quota.amount - 1; left >= 0; left -= 1)
      assert.deepEqual(pick(await limiter.consume(atOnce)), { isAllowed: true, remaining: left });
    assert.deepEqual(pick(await limiter.consume(atOnce)), { isAllowed: false, remaining: 0 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(6 * SECOND), { minLength: 1, maxLength: 40 }), async (pauses) => {
        const name = fresh();
        const taken: number[] = [];
        for (const pause of pauses) {
          clock.advance(pause);
          const now = clock.now();
          const { isAllowed, remaining, resetAfter } = await limiter.consume(name);
          if (isAllowed) taken.push(now);
          assert.ok(remaining >= 0 && remaining < quota.amount);
          // The whole quota at once, and then only what is replenished.
          const since = (span: number) => taken.filter((at) => at > now - span).length;
          for (const span of [quota.window / 5, quota.window, 3 * quota.window])
            assert.ok(since(span) <= quota.amount + Math.ceil((span * quota.amount) / quota.window), String(span));
          if (isAllowed) continue;
          assert.ok(resetAfter > 0 && resetAfter <= quota.window / quota.amount);
          clock.advance(resetAfter);
          assert.ok((await limiter.consume(name)).isAllowed, 'allowed after the announced time');
          taken.push(clock.now());
        }
      }),
      { numRuns: 60 },
    );
  };

  onSqlite('in memory enforces its quota and returns the time until the next request', async () => {
    let count = 0;
    await holds((clock) => ({ limiter: createMemoryLimiter(quota, clock), fresh: () => String((count += 1)) }));
  });

  test('in the database does the same, and serializes concurrent requests', async () => {
    const fixture = await openFixture();
    try {
      let count = 0;
      const { database } = fixture.service();
      await holds((clock) => ({
        limiter: createSharedLimiter(quota, clock, database),
        fresh: () => `n${(count += 1)}`,
      }));
      const clock = new SimulatedClock();
      const inOneProcess = createSharedLimiter(quota, clock, database);
      const inAnother = createSharedLimiter(quota, clock, database);
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 ? inOneProcess : inAnother).consume('together')),
      );
      assert.equal(results.filter((result) => result.isAllowed).length, 5);

      // Counted with a clock that was ahead. Up to an hour is the skew of another process's clock.
      for (const [ahead, isAllowed] of [
        [HOUR, false],
        [HOUR + SECOND, true],
        [30 * DAY, true],
      ] as const) {
        const name = `ahead by ${ahead}`;
        const at = new SimulatedClock();
        const limiter = createSharedLimiter(quota, at, database);
        at.advance(ahead);
        for (let index = 0; index < quota.amount; index += 1) await limiter.consume(name);
        at.advance(-ahead);
        assert.equal((await limiter.peek(name)).isAllowed, isAllowed, name);
        assert.equal((await limiter.consume(name)).isAllowed, isAllowed, name);
        assert.equal((await limiter.consume(name)).remaining, isAllowed ? quota.amount - 2 : 0, name);
      }
      await db(database)
        .insertInto('rate_limits')
        .values({ name: 'far', reached_at: clock.now() + 2 * DAY })
        .execute();
      await createRateLimitCleanup(database, clock).runOnce();
      const kept = await db(database).selectFrom('rate_limits').select('name').execute();
      const names = kept.map(({ name }) => name);
      assert.ok(names.includes('together') && !names.includes('far'), names.join());
    } finally {
      await fixture.close();
    }
  });
});
