import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Service } from '../../src/app.ts';
import { acceptsIdempotencyKey } from '../../src/api/operation.ts';
import { operations } from '../../src/api/operations.ts';
import { Attempts, openUnlimitedFixture } from '../support/attacks.ts';
import { Authenticator } from '../support/authenticator.ts';
import { replaceNames, exampleStages } from '../support/example-stages.ts';
import { invoicesOf } from '../support/invoices.ts';
import { makeProtectedUser, openBrowser, PASSWORD, signedIn } from '../support/users.ts';
import { cards, createLink, creation, detailOf, submitCard } from '../support/requests.ts';
import { countRows, tableNames } from '../support/rows.ts';
import { SERVICE_KEY } from '../support/signing.ts';
import { external, withdrawalsOf } from '../support/withdrawals.ts';
import type { FixtureResponse, Fixture, FixtureOptions } from '../support/fixture.ts';

/** Concurrent requests; every other one goes to a second process on the same database. */
const AT_ONCE = 12;

interface Pair {
  fixture: Fixture;
  /** True if the second process gets every other request; otherwise it gets none. */
  isShared: boolean;
  close(): Promise<void>;
}

/** One URL in front of two processes on one database, used in turn. */
async function openPair(options: FixtureOptions = {}): Promise<Pair> {
  let other: Service | null = null;
  let taken = 0;
  const fixture = await openUnlimitedFixture({
    ...options,
    wrapFetch: (fetch) => (request, env) => {
      taken += 1;
      return other && pair.isShared && taken % 2 === 0 ? other.fetch(request, env) : fetch(request, env);
    },
  });
  const second = await fixture.another();
  other = second;
  const pair: Pair = {
    fixture,
    isShared: true,
    async close() {
      await second.close();
      await fixture.close();
    },
  };
  return pair;
}

const atOnce = async (
  send: (index: number) => Promise<FixtureResponse>,
  count = AT_ONCE,
): Promise<FixtureResponse[]> => {
  const responses = await Promise.all(Array.from({ length: count }, async (_, index) => await send(index)));
  for (const { status, text } of responses) assert.ok(status < 500, text);
  return responses;
};
const taken = (responses: readonly FixtureResponse[]) => responses.filter(({ status }) => status === 200);

describe('the same request many times concurrently', () => {
  let pair: Pair;
  let fixture: Fixture;
  before(async () => {
    pair = await openPair({ host: 'localhost' });
    ({ fixture } = pair);
    await fixture.work();
  });
  after(async () => await pair.close());

  const attempts = new Attempts('requests that race to two processes for one effect');
  /** Counts a race: each of its requests is an attempt at a second effect. */
  const race = (name: string, requests: number, effects: unknown, expected: unknown) =>
    attempts.addUnchanged(requests, effects, expected, name);
  const countOf = async (
    table: 'fiat_transactions' | 'sandbox_charges' | 'refunds' | 'withdrawals' | 'memberships',
  ) => {
    const { [table]: count } = await countRows(fixture.service().database, [table]);
    return Number(count);
  };
  /** The number of rows added to a table. */
  const growthOf = async (table: Parameters<typeof countOf>[0], act: () => Promise<unknown>) => {
    const before = await countOf(table);
    await act();
    return (await countOf(table)) - before;
  };

  test('creates one payment for one transaction_id', async () => {
    const body = creation();
    const grown = await growthOf('fiat_transactions', async () => {
      const responses = await atOnce(async () => await fixture.request('/fiat/v1/transaction', { body }));
      for (const { status, text } of responses) assert.ok(status < 500, text);
    });
    race('create', AT_ONCE, grown, 1);
  });

  test('creates one payment for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'the same' };
    const body = creation();
    const grown = await growthOf(
      'fiat_transactions',
      async () => await atOnce(async () => await fixture.request('/fiat/v1/transaction', { body, headers })),
    );
    race('create under one key', AT_ONCE, grown, 1);
  });

  test('charges one card once, and either pays or cancels', async () => {
    for (const card of [cards.visa, cards.frictionless, cards.challenge]) {
      const { reference, clientToken } = await createLink(fixture);
      const grown = await growthOf(
        'sandbox_charges',
        async () =>
          await atOnce(
            async (index) => await submitCard(fixture, reference, card, index % 3 === 0 ? clientToken : undefined),
          ),
      );
      race(`submit ${card}`, AT_ONCE, grown, 1);
    }
    for (let round = 0; round < 4; round += 1) {
      const { reference } = await createLink(fixture);
      const responses = await atOnce(async (index) =>
        index % 2 === 0
          ? await submitCard(fixture, reference)
          : await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: reference } }),
      );
      const { status, reason } = await detailOf(fixture, reference);
      const isPaid = responses.some(({ body }) => body.response_type === 'confirmed');
      const expected = isPaid
        ? ['transaction_status_confirmed', undefined]
        : ['transaction_status_failed', 'cancelled'];
      race('submit and cancel', AT_ONCE, [status, reason], expected);
    }
  });

  test('captures an authorized card once, or voids it', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { reference } = await createLink(fixture, { amount: 10, capture: 'manual' });
      assert.equal((await submitCard(fixture, reference)).body.response_type, 'authorized');
      const responses = await atOnce(async (index) =>
        index % 2 === 0
          ? await fixture.request('/fiat/v1/transaction/capture', { body: { transaction_id: reference, amount: 4 } })
          : await fixture.request('/fiat/v1/transaction/void', { body: { transaction_id: reference } }),
      );
      race('capture and void', AT_ONCE, taken(responses).length, 1);
      const { status, amount_received } = await detailOf(fixture, reference);
      const [body] = taken(responses).map((response) => response.body);
      const isCaptured = body.authorization.status === 'captured';
      const expected = isCaptured ? ['transaction_status_confirmed', 4] : ['transaction_status_failed', 0];
      race('capture and void', AT_ONCE, [status, amount_received], expected);
    }
  });

  test('refunds at most the paid amount', async () => {
    const { reference } = await createLink(fixture, { amount: 10 });
    assert.equal((await submitCard(fixture, reference)).body.response_type, 'confirmed');
    const body = { transaction_id: reference, amount: 4 };
    const responses = await atOnce(async () => await fixture.request('/fiat/v1/transaction/refund', { body }));
    race('refund of a part', AT_ONCE, taken(responses).length, 2);
    const whole = await createLink(fixture);
    await submitCard(fixture, whole.reference);
    const grown = await growthOf(
      'refunds',
      async () =>
        await atOnce(
          async () =>
            await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: whole.reference } }),
        ),
    );
    race('refund of everything', AT_ONCE, grown, 1);
  });

  test('either approves or rejects', async () => {
    const { create, pay } = invoicesOf(() => fixture);
    for (let round = 0; round < 3; round += 1) {
      const invoice = await create();
      await pay(invoice, 1000n);
      await fixture.work();
      const responses = await atOnce(
        async (index) =>
          await fixture.request(`/v1/transaction/${index % 2 === 0 ? 'approve' : 'reject'}`, {
            body: { id: invoice.id },
          }),
      );
      race('approve and reject', AT_ONCE, taken(responses).length, 1);
    }
  });

  test('withdraws a wallet once', async () => {
    const { create, pay, mine } = invoicesOf(() => fixture);
    const { requestWithdrawal } = withdrawalsOf(() => fixture);
    const paid = await create();
    await pay(paid);
    await mine(2);
    const body = { code: 'btc', walletAddress: paid.walletAddress, source: 'credited', destination: external.bitcoin };
    const grown = await growthOf('withdrawals', async () => await atOnce(async () => await requestWithdrawal(body)));
    race('withdraw', AT_ONCE, grown, 1);
  });

  test('accepts an invitation once', async () => {
    const owner = await signedIn(fixture, 'owner');
    const invite = async (email: string) => {
      const { body } = await owner.request('/v1/people/invite', { body: { email, role: 'viewer' } });
      return { invitation: new URL(body.link).hash.slice(1) };
    };
    const invitation = await invite('racing@shop.example');
    const joins = await atOnce(
      async (index) =>
        await openBrowser(fixture).request('/account/invitation/password', {
          body: { ...invitation, name: `Racer ${index}`, password: 'three teapots on a tray' },
        }),
    );
    race('join by a password', AT_ONCE, taken(joins).length, 1);
    const device = await invite('device@shop.example');
    const ready = await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const browser = openBrowser(fixture);
        const body = { ...device, name: 'Racer' };
        const { body: requested } = await browser.request('/account/invitation/passkey/options', { body });
        return { browser, body: { ...body, response: new Authenticator().make(requested.options, fixture.url) } };
      }),
    );
    const made = await Promise.all(
      ready.map(async ({ browser, body }) => await browser.request('/account/invitation/passkey', { body })),
    );
    race('join by passkeys', AT_ONCE, taken(made).length, 1);
  });

  test('keeps one passkey of a user without a password', async () => {
    const owner = await signedIn(fixture, 'owner');
    const { body } = await owner.request('/v1/people/invite', {
      body: { email: 'two-keys@shop.example', role: 'owner' },
    });
    const joining = { invitation: new URL(body.link).hash.slice(1), name: 'Two Keys' };
    const browser = openBrowser(fixture);
    const send = async (path: string, sent: object) => (await browser.request(`/account/${path}`, { body: sent })).body;
    const makeKey = async (path: string, sent: object) =>
      new Authenticator().make((await send(path, sent)).options, fixture.url);
    await send('invitation/passkey', { ...joining, response: await makeKey('invitation/passkey/options', joining) });
    for (let round = 0; round < 4; round += 1) {
      const { passkeys } = await send('passkeys/add', {
        name: 'Another',
        response: await makeKey('passkeys/options', {}),
      });
      assert.equal(passkeys.length, 2);
      await atOnce(
        async (index) =>
          await browser.request('/account/passkeys/remove', { body: { id: passkeys[Math.floor(index / 2) % 2].id } }),
      );
      const left = await browser.request('/account/protection');
      race('remove both passkeys', AT_ONCE, left.body.passkeys.length, 1);
    }
  });

  test('creates one account for an email address invited by two merchants', async () => {
    const other = await fixture.makeMerchant('TwoMerchants & Co');
    const owners = [await signedIn(fixture, 'owner'), await signedIn(fixture, 'owner', { merchant: other.id })];
    const links: string[] = [];
    for (const owner of owners) {
      const body = { email: 'wanted@shop.example', role: 'viewer' };
      links.push((await owner.request('/v1/people/invite', { body })).body.link);
    }
    const joins = await atOnce(
      async (index) =>
        await openBrowser(fixture).request('/account/invitation/password', {
          body: {
            ...{ invitation: new URL(links[Math.floor(index / 2) % 2] ?? '').hash.slice(1), name: `Racer ${index}` },
            password: 'three teapots on a tray',
          },
        }),
    );
    const refused = joins.filter(({ status }) => status === 409 || status === 410);
    race('join twice', AT_ONCE, [taken(joins).length, refused.length], [1, AT_ONCE - 1]);
  });

  test('signs in once by one code, one recovery code and one passkey response', async () => {
    const { device, code: presentCode, recoveryCodes, email } = await makeProtectedUser(fixture, 'owner');
    const halves = async () =>
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          const browser = openBrowser(fixture);
          const { body } = await browser.request('/account/sign-in/password', { body: { email, password: PASSWORD } });
          assert.equal(body.next, 'second_factor');
          return browser;
        }),
      );
    for (const code of [presentCode(), recoveryCodes[0] ?? '']) {
      const browsers = await halves();
      const responses = await Promise.all(
        browsers.map(async (browser) => await browser.request('/account/sign-in/second-factor', { body: { code } })),
      );
      race('sign in by a code', AT_ONCE, taken(responses).length, 1);
    }
    const { body } = await openBrowser(fixture).request('/account/sign-in/passkey/options', { body: {} });
    const response = device.sign(body.options, fixture.url);
    const responses = await atOnce(
      async () => await openBrowser(fixture).request('/account/sign-in/passkey', { body: { response } }),
    );
    race('sign in by a passkey', AT_ONCE, taken(responses).length, 1);
  });

  test('leaves one owner when all owners remove each other', async () => {
    const merchant = (await fixture.makeMerchant('Racing & Co')).id;
    const owners = await Promise.all(
      Array.from({ length: 4 }, async () => await signedIn(fixture, 'owner', { merchant })),
    );
    await Promise.all(
      owners.flatMap((one) =>
        owners
          .filter(({ id }) => id !== one.id)
          .map(async ({ id }) => await one.request('/v1/people/remove', { body: { id } })),
      ),
    );
    const left = await db(fixture.service().database)
      .selectFrom('memberships')
      .select('role')
      .where('merchant_id', '=', merchant)
      .execute();
    race('owners who remove each other', owners.length * (owners.length - 1), left.length >= 1, true);
  });

  test('counts against rate limits', (context) => attempts.report(context));
});

/** Concurrent requests with one key in every example. */
const COPIES = 4;

describe('every operation that takes an Idempotency-Key', () => {
  let single: Pair;
  let raced: Pair;
  const options: FixtureOptions = {
    post: () => Promise.resolve({ status: 204, retryAfter: null, body: '' }),
    // Emails are only stored: no job of these services runs.
    env: { PAYLATCH_SECRET_KEY: SERVICE_KEY, SMTP_URL: 'smtp://127.0.0.1:9', EMAIL_FROM: 'pay@mail.example' },
    // So that there is a withdrawal to sign.
    simulatedKeys: false,
  };
  before(async () => {
    single = await openPair(options);
    raced = await openPair(options);
  });
  after(async () => {
    await single.close();
    await raced.close();
  });

  test('takes effect once for concurrent requests with one key', async (context) => {
    const attempts = new Attempts('every operation with an Idempotency-Key × copies of its example at once');
    const fixtures = [single.fixture, raced.fixture] as const;
    // Figures of statistics are stored once all transactions on the server have ended, those of other tests included.
    const others = ['idempotency_keys', 'access_tokens', 'audit_entries', 'statistics_quarters', 'statistics_days'];
    const tables = (await tableNames(single.fixture.service().database)).filter((name) => !others.includes(name));
    for (const described of operations) {
      // A stage may change the first process.
      for (const each of [single, raced]) each.isShared = false;
      const names = await Promise.all(fixtures.map(async (each) => (await exampleStages[described.id]?.(each)) ?? {}));
      for (const each of [single, raced]) each.isShared = true;
      for (const [index, { query, body }] of described.examples.entries()) {
        const send = async (fixture: Fixture, of: Record<string, string>, key: string) => {
          const search = new URLSearchParams(replaceNames(query, of) ?? {}).toString();
          return await fixture.request(search === '' ? described.path : `${described.path}?${search}`, {
            ...{ method: described.method, token: fixture.merchant.managerToken },
            ...(body !== undefined && { body: JSON.stringify(replaceNames(body, of)) }),
            ...(acceptsIdempotencyKey(described) && { headers: { 'idempotency-key': key } }),
          });
        };
        const key = `${described.id} ${index}`;
        const [first, second] = names;
        const alone = await send(single.fixture, first ?? {}, key);
        assert.equal(alone.status, 200, `${key}: ${alone.text}`);
        const copies = acceptsIdempotencyKey(described) ? COPIES : 1;
        const responses = await atOnce(async () => await send(raced.fixture, second ?? {}, key), copies);
        const fresh = responses.filter(({ status, headers }) => status === 200 && !headers.has('idempotency-replayed'));
        if (copies === 1) continue;
        const [once, often] = await Promise.all(
          fixtures.map(async (each) => await countRows(each.service().database, tables)),
        );
        attempts.addUnchanged(copies, [fresh.length <= 1, often], [true, once], key);
        for (const { status, text, body: said } of responses)
          assert.ok(status === 200 || said?.code === 'idempotency_key_in_use', `${key}: ${status} ${text}`);
      }
    }
    attempts.report(context);
  });
});
