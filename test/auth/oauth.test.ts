// Databases: sqlite
import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { issueClientToken, revokeOAuthClient } from '../../src/auth/oauth-clients.ts';
import { systemRandom } from '../../src/system/random.ts';
import { defaultScopes } from '../../src/shared/scopes.ts';
import { DAY, HOUR, MINUTE } from '../../src/shared/time.ts';
import { runCommandInProcess } from '../support/command-line.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('client credentials (RFC 6749, section 4.4)', () => {
  let fixture: Fixture;
  let settings: Record<string, string>;
  let of: string[];
  before(async () => {
    fixture = await openFixture();
    settings = { DATABASE_URL: fixture.databaseUrl, LOG_LEVEL: 'silent' };
    of = ['--merchant', String(fixture.merchant.id)];
  });
  after(async () => await fixture.close());

  const makeClient = async (...more: string[]) => {
    const { client_id: id, client_secret: secret } = await runCommandInProcess(
      ['client', 'create', ...of, ...more],
      settings,
    );
    return { id: String(id), secret: String(secret) };
  };
  const sendRequest = async (form: Record<string, string> | string, headers: Record<string, string> = {}) =>
    await fixture.request('/oauth/token', {
      token: null,
      body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  const asking = ({ id, secret }: { id: string; secret: string }, more: Record<string, string> = {}) => ({
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
    ...more,
  });
  const mayRead = async (token: string) => (await fixture.request('/v1/merchant/preferences', { token })).status;

  test('a secret is exchanged for a token that is valid for one hour', async () => {
    const { status, body, headers } = await sendRequest(asking(await makeClient()));
    assert.equal(status, 200);
    assert.deepEqual(
      { ...body, access_token: '' },
      { access_token: '', token_type: 'Bearer', expires_in: 3600, scope: defaultScopes.join(' ') },
    );
    assert.match(body.access_token, /^pl_test_/);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(await mayRead(body.access_token), 200);
    await fixture.advance(HOUR - MINUTE);
    assert.equal(await mayRead(body.access_token), 200);
    await fixture.advance(MINUTE);
    assert.equal(await mayRead(body.access_token), 401);
    await fixture.advance(8 * DAY);
    const rows = await db(fixture.service().database).selectFrom('access_tokens').select('expires_at').execute();
    assert.deepEqual(
      rows.filter(({ expires_at }) => expires_at !== null),
      [],
    );
  });

  test('credentials may be in the header or in the form, but not in both', async () => {
    const client = await makeClient();
    const basic = (id: string, secret: string) => ({
      authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
    });
    const own = basic(client.id, client.secret);
    assert.equal((await sendRequest({ grant_type: 'client_credentials' }, own)).status, 200);
    const twice = await sendRequest(asking(client), own);
    assert.deepEqual([twice.status, twice.body.error], [400, 'invalid_request']);
  });

  test('a token has the scopes of its client, or the requested subset', async () => {
    const client = await makeClient('--scopes', 'preference:read,link:write', '--name', 'Shop');
    const all = await sendRequest(asking(client));
    assert.equal(all.body.scope, 'preference:read link:write');
    const less = await sendRequest(asking(client, { scope: 'link:write' }));
    assert.equal(less.body.scope, 'link:write');
    const refused = await fixture.request('/v1/merchant/preferences', { token: less.body.access_token });
    assert.equal(refused.status, 403);
    assert.match(refused.body.detail, /preference:read/);
    for (const scope of ['transaction:read', 'link:write transaction:read', 'everything', ' ']) {
      const { status, body } = await sendRequest(asking(client, { scope }));
      assert.deepEqual([status, body.error], [400, 'invalid_scope'], scope);
    }
  });

  test('invalid requests get the standard’s errors', async () => {
    const client = await makeClient();
    const wrong: [Record<string, string> | string, number, string][] = [
      [asking({ ...client, secret: 'pl_secret_wrong' }), 401, 'invalid_client'],
      [asking({ ...client, id: 'pl_client_unknown' }), 401, 'invalid_client'],
      [asking({ ...client, secret: '' }), 401, 'invalid_client'],
      [asking(client, { grant_type: 'password' }), 400, 'unsupported_grant_type'],
      [{ grant_type: 'client_credentials', client_id: client.id }, 400, 'invalid_request'],
      [{ client_id: client.id, client_secret: client.secret }, 400, 'invalid_request'],
      [`${new URLSearchParams(asking(client)).toString()}&client_id=again`, 400, 'invalid_request'],
      ['', 400, 'invalid_request'],
    ];
    for (const [form, expected, error] of wrong) {
      const { status, body, headers, text } = await sendRequest(form);
      assert.deepEqual([status, body.error], [expected, error], text);
      if (expected === 401) assert.match(headers.get('www-authenticate') ?? '', /^Basic /);
      assert.ok(!text.includes(client.secret));
    }
    const json = await sendRequest(JSON.stringify(asking(client)), { 'content-type': 'application/json' });
    assert.deepEqual([json.status, json.body.error], [400, 'invalid_request']);
  });

  test('a revoked client gets no token, and its tokens are revoked', async () => {
    const client = await makeClient();
    const { body } = await sendRequest(asking(client));
    const { clients } = await runCommandInProcess<{ clients: Record<string, unknown>[] }>(
      ['client', 'list', ...of],
      settings,
    );
    assert.ok(clients.some(({ client_id: id }) => id === client.id));
    assert.ok(!JSON.stringify(clients).includes(client.secret));
    const other = await fixture.makeMerchant('Other & Co');
    const foreign = ['client', 'revoke', '--merchant', String(other.id), '--id', client.id];
    await assert.rejects(runCommandInProcess(foreign, settings), /no client/);
    await runCommandInProcess(['client', 'revoke', ...of, '--id', client.id], settings);
    assert.equal(await mayRead(body.access_token), 401);
    assert.equal((await sendRequest(asking(client))).status, 401);
    await assert.rejects(runCommandInProcess(['client', 'revoke', ...of, '--id', client.id], settings), /no client/);
  });

  test('a client that is revoked while a token is issued gets none', async () => {
    const { database } = fixture.service();
    const { id, secret } = await makeClient();
    const { merchant, clock } = fixture;
    const revoke = async () =>
      await database.inTransaction(async (unit) => await revokeOAuthClient(unit, merchant.id, id, clock.now()));
    const issued = await issueClientToken(
      {
        ...{ database, clock, random: systemRandom, environment: 'sandbox' },
        // Called after the client was read, before the token is inserted.
        enforceRateLimit: async () => (await revoke(), {}),
      },
      { id, secret, scope: undefined },
    );
    assert.equal(issued, 'invalid_client');
  });

  test('access tokens are listed with their scopes and revoked', async () => {
    const rights = ['--scopes', 'preference:read', '--name', 'Till 7'];
    const { access_token: token } = await runCommandInProcess(['token', 'create', ...of, ...rights], settings);
    assert.equal(await mayRead(String(token)), 200);
    const { tokens } = await runCommandInProcess<{ tokens: Record<string, unknown>[] }>(
      ['token', 'list', ...of],
      settings,
    );
    const { id, name, scopes, last_used_at: usedAt } = tokens[0] ?? {};
    assert.deepEqual([name, scopes], ['Till 7', 'preference:read']);
    assert.ok(usedAt);
    await runCommandInProcess(['token', 'revoke', ...of, '--id', String(id)], settings);
    assert.equal(await mayRead(String(token)), 401);
    await assert.rejects(
      runCommandInProcess(['token', 'revoke', ...of, '--id', String(id)], settings),
      /no valid token/,
    );
    await assert.rejects(
      runCommandInProcess(['token', 'create', ...of, '--scopes', 'all'], settings),
      /Unknown scopes: all/,
    );
  });
});
