// Databases: sqlite
import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { allScopes, tokenScopes } from '../../src/shared/scopes.ts';
import { MINUTE, SECOND } from '../../src/shared/time.ts';
import { createToken, generateToken } from '../../src/auth/tokens.ts';
import { systemRandom } from '../../src/system/random.ts';
import { readProblem } from '../support/problems.ts';
import { cards, createLink, creation, detailOf, submission, submitCard } from '../support/requests.ts';
import { dumpRows } from '../support/rows.ts';
import { openFixture, type RequestOptions, type TestMerchant, type Fixture } from '../support/fixture.ts';

describe('tokens', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  /** Every route that needs a token, with a valid request. */
  const calls = (reference: string): [string, RequestOptions][] => [
    ['/fiat/v1/transaction', { body: creation() }],
    ['/fiat/v1/transaction/submit', { body: submission(reference) }],
    ['/fiat/v1/transaction/cancel', { body: { transaction_id: reference } }],
    ['/fiat/v1/transaction/accept', { body: { transaction_id: reference } }],
    ['/fiat/v1/merchant/payment-methods', { body: { country: 'USA', currency: 'USD' } }],
    [`/fiat/v1/transaction?transaction_id=${reference}`, {}],
    ['/fiat/v1/transactions', {}],
    ['/v1/merchant/preferences', {}],
    ['/v1/merchant/preferences', { method: 'PATCH', body: { key: 'auto-withdrawal', value: true } }],
    ['/v1/merchant/preferences', { body: { preferences: [{ key: 'auto-withdrawal', value: true }] } }],
    ['/v1/merchant/preference', { body: { preferences: [{ key: 'auto-withdrawal', value: true }] } }],
  ];
  const contents = async () => {
    // Rejected preference changes are audited too.
    const { access_tokens: _uses, audit_entries: _refusals, ...dump } = await dumpRows(fixture.service().database);
    return dump;
  };

  test('without a valid token every call gets the same error, whether its object exists or not', async () => {
    const { reference, path } = await createLink(fixture);
    const good = fixture.merchant.token;
    const body = good.slice(0, good.lastIndexOf('_'));
    const revoked = await withToken({});
    await db(fixture.service().database)
      .updateTable('access_tokens')
      .set({ revoked_at: fixture.clock.now() })
      .where('hash', '=', sha256(revoked))
      .execute();
    const altered = `${body.slice(0, -1)}${body.endsWith('A') ? 'B' : 'A'}`;
    const headers: Record<string, Record<string, string>> = {
      missing: {},
      empty: { authorization: '' },
      'without a credential': { authorization: 'Bearer' },
      'of another scheme': { authorization: `Basic ${Buffer.from(`${good}:`).toString('base64')}` },
      'without a scheme': { authorization: good },
      'two of them': { authorization: `Bearer ${good} ${good}` },
      'with a comma': { authorization: `Bearer ${good},` },
      'in quotes': { authorization: `Bearer "${good}"` },
      garbled: { authorization: 'Bearer \u00ff\u00fe' },
      'far too long': { authorization: `Bearer pl_test_${'x'.repeat(8000)}` },
      'never made': { authorization: `Bearer ${generateToken('sandbox', systemRandom)}` },
      'of the other environment': { authorization: `Bearer ${generateToken('production', systemRandom)}` },
      'renamed to the other environment': { authorization: `Bearer ${good.replace('pl_test_', 'pl_live_')}` },
      'with a wrong checksum': { authorization: `Bearer ${body}_00000000` },
      'without its checksum': { authorization: `Bearer ${body}` },
      'cut short': { authorization: `Bearer ${good.slice(0, -1)}` },
      'in capitals': { authorization: `Bearer ${good.toUpperCase()}` },
      'altered, with the right checksum': { authorization: `Bearer ${altered}_${checksum(altered)}` },
      'its own hash': { authorization: `Bearer ${sha256(good)}` },
      revoked: { authorization: `Bearer ${revoked}` },
      'a page token with a wrong signature': { authorization: 'Bearer pl_page_1.1.zzzzzzzzzz.AAAAAAAAAAAAAAAA' },
      'a page token of nothing': { authorization: 'Bearer pl_page_' },
      'a page token without a signature': { authorization: 'Bearer pl_page_1.1.zzzzzzzzzz.' },
    };
    const before = await contents();
    for (const [kind, header] of Object.entries(headers)) {
      const existing = calls(reference);
      const unknown = calls('there-is-none');
      for (const [index, [address, request]] of existing.entries()) {
        const response = await fixture.request(address, { ...request, token: null, headers: header });
        const problem = readProblem(response, `${kind} at ${address}`);
        assert.equal(response.status, 401, `${kind} at ${address}`);
        assert.equal(problem.code, 'unauthorized');
        assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer\b/);
        assert.ok(!response.text.includes(good) && !response.text.includes(reference));
        const [otherAddress, otherRequest] = unknown[index] ?? ['', {}];
        const other = await fixture.request(otherAddress, { ...otherRequest, token: null, headers: header });
        assert.deepEqual(withoutId(other.body), withoutId(response.body), `${kind} at ${address} reveals what exists`);
      }
      const abandon = await fixture.request(`${path}/abandon`, { body: {}, token: null, headers: header });
      assert.equal(abandon.status, 401, `${kind} at abandon`);
    }
    const mistaken = await fixture.request('/fiat/v1/transaction', { body: { nonsense: true }, token: null });
    assert.equal(mistaken.status, 401, 'the token is checked before the body');
    assert.deepEqual(await contents(), before);
  });

  test('are accepted with any case of the scheme, and with spaces', async () => {
    for (const authorization of [`bearer ${fixture.merchant.token}`, `BEARER   ${fixture.merchant.token}  `]) {
      assert.equal(
        (await fixture.request('/fiat/v1/transactions', { token: null, headers: { authorization } })).status,
        200,
      );
    }
  });

  test('that lack a scope are rejected with its name', async () => {
    const { reference } = await createLink(fixture);
    const needed = [
      'link:write',
      'card:submit',
      'link:write',
      'approval:write',
      'transaction:read',
      'transaction:read',
      'transaction:read',
    ];
    needed.push('preference:read', 'preference:write', 'preference:write', 'preference:write');
    for (const [index, [address, request]] of calls(reference).entries()) {
      const lacking = await withToken({
        scopes: tokenScopes.filter((scope) => !allScopes([scope]).has(needed[index] ?? '')),
      });
      const response = await fixture.request(address, { ...request, token: lacking });
      const problem = readProblem(response, address);
      assert.equal(problem.code, 'forbidden');
      assert.match(problem.detail, new RegExp(needed[index] ?? 'nothing'));
    }
    assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_pending');
  });

  test("of a merchant cannot set manager-only keys, alone or in a list; a manager's can", async () => {
    const before = await contents();
    for (const key of [
      'min-confirmation-btc',
      'min-amount-eth',
      'processing-fee-usdt',
      'payment-tolerance-percent-usdc',
    ]) {
      for (const value of ['6', null, 'nonsense']) {
        const one = await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body: { key, value } });
        assert.equal(readProblem(one, key).code, 'manager_only');
        assert.equal(one.status, 403);
        const preferences = [
          { key: 'auto-withdrawal', value: true },
          { key, value },
        ];
        const list = await fixture.request('/v1/merchant/preferences', { body: { preferences } });
        assert.equal(readProblem(list, key).code, 'manager_only');
      }
    }
    assert.deepEqual(await contents(), before);
    const body = { key: 'min-confirmation-btc', value: '6' };
    const byManager = await fixture.request('/v1/merchant/preferences', {
      method: 'PATCH',
      body,
      token: fixture.merchant.managerToken,
    });
    assert.equal(byManager.body.value, 6);
  });

  describe('of another merchant', () => {
    let other: TestMerchant;
    before(async () => {
      other = await fixture.makeMerchant('Somebody else');
    });

    test('find nothing: detail, cancel, accept, submit and list respond as for unknown objects', async () => {
      const { reference } = await createLink(fixture);
      await submitCard(fixture, reference, cards.challenge);
      const before = await contents();
      for (const token of [other.token, other.managerToken]) {
        for (const [address, request] of calls(reference).slice(1, 4).concat(calls(reference).slice(5, 6))) {
          const [missing = '', missingRequest = {}] =
            calls('there-is-none').find(([, { body }]) => body === undefined && request.body === undefined) ?? [];
          const response = await fixture.request(address, { ...request, token });
          assert.equal(readProblem(response, address).status, 404);
          const none = await fixture.request(request.body === undefined ? missing : address, {
            ...(request.body === undefined
              ? missingRequest
              : { body: { ...request.body, transaction_id: 'there-is-none' } }),
            token,
          });
          assert.deepEqual(withoutId(response.body), withoutId(none.body));
        }
        const list = await fixture.request('/fiat/v1/transactions', { token });
        assert.deepEqual(list.body.transactions, []);
        assert.equal(list.body.pagination.total, 0);
        assert.deepEqual((await fixture.request('/v1/merchant/preferences', { token })).body.merchantPreferences, []);
      }
      assert.deepEqual(await contents(), before);
    });

    test('may use the same transaction_id for their own transaction', async () => {
      const { reference, link } = await createLink(fixture);
      const response = await fixture.request('/fiat/v1/transaction', {
        body: creation({ transaction_id: reference }),
        token: other.token,
      });
      assert.equal(response.status, 200);
      assert.notEqual(response.body.value.link, link);
      await submitCard(fixture, reference, cards.visa, other.token);
      assert.equal((await detailOf(fixture, reference)).status, 'transaction_status_pending');
    });
  });

  describe('of a page', () => {
    test('submit their own transaction and give no other access', async () => {
      const { reference, path, clientToken } = await createLink(fixture);
      const neighbor = await createLink(fixture);
      const before = await contents();
      for (const [address, request] of calls(reference)) {
        if (address.endsWith('/submit')) continue;
        const response = await fixture.request(address, { ...request, token: clientToken });
        assert.equal(readProblem(response, address).status, 401);
        assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer\b/);
      }
      const abandon = await fixture.request(`${neighbor.path}/abandon`, { body: {}, token: clientToken });
      assert.equal(abandon.status, 401);
      assert.equal((await submitCard(fixture, neighbor.reference, cards.visa, clientToken)).status, 401);
      assert.deepEqual(await contents(), before);
      assert.equal(
        (await fixture.request(`${path}/abandon`, { body: {}, token: clientToken })).body.code,
        'challenge_not_open',
      );
      assert.equal((await submitCard(fixture, reference, cards.visa, clientToken)).body.response_type, 'confirmed');
    });

    test('do not reveal other transactions of the merchant', async () => {
      const { clientToken } = await createLink(fixture);
      const neighbor = await createLink(fixture);
      const there = await submitCard(fixture, neighbor.reference, cards.visa, clientToken);
      const notThere = await submitCard(fixture, 'there-is-none', cards.visa, clientToken);
      assert.equal(notThere.status, there.status);
      assert.deepEqual(withoutId(notThere.body), withoutId(there.body));
    });

    test("never pay another merchant's transaction of the same transaction_id", async () => {
      const other = await fixture.makeMerchant('The one next door');
      const { reference, clientToken } = await createLink(fixture);
      await fixture.request('/fiat/v1/transaction', {
        body: creation({ transaction_id: reference }),
        token: other.token,
      });
      assert.equal((await submitCard(fixture, reference, cards.visa, clientToken)).status, 200);
      const detail = await fixture.request(`/fiat/v1/transaction?transaction_id=${reference}`, { token: other.token });
      assert.equal(detail.body.status, 'transaction_status_pending');
    });

    test('cannot be altered to another transaction or a later expiry', async () => {
      const { reference, clientToken } = await createLink(fixture);
      const end = clientToken.lastIndexOf('.');
      for (let at = 'pl_page_'.length; at < clientToken.length; at += 1) {
        if (at === end) continue;
        const letter = clientToken[at] === 'a' ? 'b' : 'a';
        const altered = clientToken.slice(0, at) + letter + clientToken.slice(at + 1);
        const { status } = await submitCard(fixture, reference, cards.visa, altered);
        assert.equal(status, 401, `the character at ${at}`);
      }
    });

    test('expire after half an hour; the page gets a new one', async () => {
      const { reference, path, clientToken } = await createLink(fixture);
      fixture.clock.advance(30 * MINUTE - SECOND);
      assert.equal((await submitCard(fixture, reference, cards.declined, clientToken)).body.response_type, 'declined');
      fixture.clock.advance(SECOND);
      assert.equal((await submitCard(fixture, reference, cards.visa, clientToken)).status, 401);
      assert.equal((await fixture.request(`${path}/abandon`, { body: {}, token: clientToken })).status, 401);
      const { body } = await fixture.request(`${path}/state`, { token: null });
      assert.notEqual(body.clientToken, clientToken);
      assert.equal(
        (await submitCard(fixture, reference, cards.visa, body.clientToken)).body.response_type,
        'confirmed',
      );
      assert.equal((await fixture.request(`${path}/state`, { token: null })).body.clientToken, null);
    });
  });

  test('of merchants appear in no page, state or log, and are stored only as SHA-256', async () => {
    const { reference, path, clientToken } = await createLink(fixture);
    const pages: string[] = [];
    const readList = async () => {
      for (const view of [path, `${path}/state`])
        pages.push((await fixture.request(view, { headers: { accept: 'text/html' } })).text);
    };
    await readList();
    const { body } = await submitCard(fixture, reference, cards.challenge, clientToken);
    await readList();
    pages.push((await fixture.request(new URL(body.redirect_url).pathname)).text);
    await submitCard(fixture, (await createLink(fixture)).reference);
    const rows = await dumpRows(fixture.service().database);
    const log = fixture.log();
    for (const token of [fixture.merchant.token, fixture.merchant.managerToken]) {
      const secret = token.slice('pl_test_'.length, -9);
      assert.ok(pages.every((page) => page.length > 100 && !page.includes(secret)));
      assert.ok(!JSON.stringify(rows).includes(secret));
      assert.ok(log.length > 100 && !log.includes(secret));
      assert.ok(rows.access_tokens?.some((row) => row.includes(`"${sha256(token)}"`)));
      assert.ok(!pages.join().includes(sha256(token)) && !log.includes(sha256(token)));
    }
    assert.ok(pages[0]?.includes('pl_page_'), 'the page has its own token');
    assert.ok(!JSON.stringify(rows).includes(clientToken) && !log.includes(clientToken));
    const secret = fixture.merchant.callbackSecret;
    assert.ok(pages.every((page) => !page.includes(secret)) && !log.includes(secret));
  });

  test('are logged by their id in each request line, like pages', async () => {
    const { reference, clientToken } = await createLink(fixture);
    await submitCard(fixture, reference, cards.visa, clientToken);
    await fixture.request('/fiat/v1/transactions', { token: 'pl_test_nobody' });
    const lines = fixture
      .log()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const ofRoute = (route: string) => lines.findLast((line) => line.route === route);
    const made = ofRoute('/fiat/v1/transaction');
    const submitted = ofRoute('/fiat/v1/transaction/submit');
    const refused = lines.at(-1);
    const [token] = await numbersOf(fixture);
    assert.deepEqual([made?.merchant, made?.caller], [fixture.merchant.id, `token ${token}`]);
    assert.equal(submitted?.merchant, fixture.merchant.id);
    assert.match(String(submitted?.caller), /^page \d+$/);
    assert.deepEqual([refused?.status, refused?.merchant], [401, undefined]);
  });

  test('of the sandbox do not work in production, and vice versa', async (context) => {
    const production = await openFixture({
      env: { PAYLATCH_ENV: 'production', PUBLIC_URL: 'https://pay.example', PAYLATCH_SECRET_KEY: 'ab'.repeat(32) },
    });
    context.after(async () => await production.close());
    const { database } = production.service();
    // In the same database, under a sandbox name.
    const misplaced = await database.inTransaction(
      async (unit) =>
        await createToken(unit, {
          environment: 'sandbox',
          random: systemRandom,
          clock: production.clock,
          merchantId: production.merchant.id,
        }),
    );
    const { token: live } = production.merchant;
    assert.match(live, /^pl_live_[\w-]{43}_[0-9a-f]{8}$/);
    assert.match(fixture.merchant.token, /^pl_test_[\w-]{43}_[0-9a-f]{8}$/);
    assert.equal((await production.request('/fiat/v1/transactions', { token: live })).status, 200);
    assert.equal((await production.request('/fiat/v1/transactions', { token: misplaced })).status, 401);
    assert.equal((await production.request('/fiat/v1/transactions', { token: fixture.merchant.token })).status, 401);
    assert.equal((await fixture.request('/fiat/v1/transactions', { token: live })).status, 401);
  });

  async function withToken(options: { scopes?: (typeof tokenScopes)[number][] }): Promise<string> {
    const { id: merchantId } = fixture.merchant;
    const fixed = { environment: 'sandbox', random: systemRandom, clock: fixture.clock, merchantId } as const;
    return await fixture
      .service()
      .database.inTransaction(async (unit) => await createToken(unit, { ...fixed, ...options }));
  }
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

function withoutId(body: Record<string, unknown>): Record<string, unknown> {
  return { ...body, request_id: null };
}

/** The id of the merchant's own token. */
async function numbersOf({ service, merchant }: Fixture): Promise<number[]> {
  const rows = await db(service().database)
    .selectFrom('access_tokens')
    .select('id')
    .where('hash', '=', sha256(merchant.token))
    .execute();
  return rows.map(({ id }) => id);
}
