// Databases: sqlite
import { once } from 'node:events';
import net from 'node:net';
import { scopesOfRole } from '../../src/shared/roles.ts';
import { SECOND } from '../../src/shared/time.ts';
import { until } from '../support/program.ts';
import { openBrowser } from '../support/users.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type TokenScope, tokenScopes } from '../../src/shared/scopes.ts';
import { createTokenResponse, tokensResponse } from '../../src/api/token.ts';
import { DAY } from '../../src/shared/time.ts';
import { createToken } from '../../src/auth/tokens.ts';
import { systemRandom } from '../../src/system/random.ts';
import { creation } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('access tokens by the API', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await openFixture();
  });
  afterEach(async () => await fixture.close());

  /** A token created on the command line. */
  const hold = async (...scopes: TokenScope[]) => {
    const { database } = fixture.service();
    const options = { environment: 'sandbox', random: systemRandom, clock: fixture.clock } as const;
    return await database.inTransaction(
      async (unit) => await createToken(unit, { ...options, merchantId: fixture.merchant.id, scopes }),
    );
  };
  const make = async (token: string, body: Record<string, unknown>) =>
    await fixture.request('/v1/tokens', { token, body: { name: 'Till 7', ...body } });
  const list = async (token: string, query = '') => {
    const { status, body, text } = await fixture.request(`/v1/tokens${query}`, { token });
    assert.equal(status, 200, text);
    return tokensResponse.parse(body);
  };
  const revoke = async (token: string, id: number) =>
    await fixture.request('/v1/token/revoke', { token, body: { id } });

  test('are created with scopes of the caller, shown once, and work', async () => {
    const holder = await hold('token:manage', 'link:write');
    const { status, body, text } = await make(holder, { scopes: ['link:write', 'link:write'] });
    assert.equal(status, 200, text);
    const made = createTokenResponse.parse(body);
    assert.deepEqual(
      [made.name, made.role, made.scopes, made.expires_at],
      ['Till 7', 'merchant', ['link:write'], null],
    );
    assert.equal(
      (await fixture.request('/fiat/v1/transaction', { token: made.access_token, body: creation() })).status,
      200,
    );
    const [newest] = (await list(holder)).tokens;
    const { access_token: token, last_used_at: _, ...reported } = made;
    assert.deepEqual({ ...newest, last_used_at: null }, { ...reported, last_used_at: null });
    assert.notEqual(newest?.last_used_at, null);
    assert.ok(!JSON.stringify(await list(holder)).includes(token));
  });

  test('never have scopes that the caller lacks, or the manager role', async () => {
    const holder = await hold('token:manage', 'callback:manage');
    for (const scope of tokenScopes) {
      const { status, body } = await make(holder, { scopes: ['token:manage', scope] });
      // A token with more scopes can create one with fewer.
      if (['token:manage', 'callback:manage', 'callback:read', 'callback:send'].includes(scope)) {
        assert.equal(status, 200, scope);
        continue;
      }
      assert.deepEqual([status, body.code], [403, 'forbidden'], scope);
      assert.match(body.detail, new RegExp(`\\b${scope}\\.$`));
    }
    const { body } = await make(fixture.merchant.managerToken, { scopes: ['preference:write'] });
    const setting = { method: 'PATCH', body: { key: 'min-confirmation-btc', value: 1 }, token: body.access_token };
    assert.equal((await fixture.request('/v1/merchant/preferences', setting)).body.code, 'manager_only');
  });

  test('can be managed only with the scope token:manage', async () => {
    const holder = await hold(...tokenScopes.filter((scope) => scope !== 'token:manage'));
    for (const { status, body } of [
      await make(holder, { scopes: ['link:write'] }),
      await fixture.request('/v1/tokens', { token: holder }),
      await revoke(holder, 1),
    ]) {
      assert.equal(status, 403);
      assert.match(body.detail, /token:manage/);
    }
  });

  test('expire at their time and are no longer listed', async () => {
    const holder = await hold('token:manage');
    const { body } = await make(holder, { scopes: ['token:manage'], expires_at: '2026-11-22T09:00:00Z' });
    assert.equal(body.expires_at, '2026-11-22T09:00:00.000000Z');
    assert.equal((await list(body.access_token)).tokens[0]?.id, body.id);
    fixture.clock.advance(DAY);
    assert.equal((await fixture.request('/v1/tokens', { token: body.access_token })).status, 401);
    assert.ok((await list(holder)).tokens.every(({ id }) => id !== body.id));
  });

  test('end with their parent token, when it expires or is revoked', async () => {
    const holder = await hold('token:manage', 'transaction:read');
    const scopes = ['token:manage', 'transaction:read'];
    const { body: parent } = await make(holder, { scopes, expires_at: '2026-11-22T09:00:00Z' });
    const { body: child } = await make(parent.access_token, { scopes });
    assert.equal(child.expires_at, parent.expires_at);
    const { body: later } = await make(parent.access_token, { scopes, expires_at: '2027-01-01T00:00:00Z' });
    assert.equal(later.expires_at, parent.expires_at);
    const { body: grandchild } = await make(child.access_token, { scopes });
    assert.equal((await revoke(holder, parent.id)).status, 200);
    for (const { access_token: token } of [parent, child, later, grandchild])
      assert.equal((await fixture.request('/v1/tokens', { token })).status, 401);
    assert.equal((await fixture.request('/v1/tokens', { token: holder })).status, 200);
  });

  test('are revoked immediately, including the caller’s own, but never another merchant’s', async () => {
    const holder = await hold('token:manage');
    const { body } = await make(holder, { scopes: ['token:manage'] });
    const other = await fixture.makeMerchant('Other & Co');
    const theirs = (await list(other.managerToken)).tokens.map(({ id }) => id);
    assert.equal(theirs.length, 2);
    for (const id of [...theirs, 999_999_999]) {
      const response = await revoke(holder, id);
      assert.deepEqual([response.status, response.body.code], [404, 'not_found']);
    }
    assert.equal((await list(other.managerToken)).tokens.length, 2);
    assert.equal((await revoke(holder, body.id)).body.id, body.id);
    assert.equal((await fixture.request('/v1/tokens', { token: body.access_token })).status, 401);
    assert.equal((await revoke(holder, body.id)).status, 404);
    const [own] = (await list(holder)).tokens;
    assert.equal((await revoke(holder, own?.id ?? 0)).status, 200);
    assert.equal((await fixture.request('/v1/tokens', { token: holder })).status, 401);
  });

  test('are listed newest first, page by page', async () => {
    const holder = await hold('token:manage');
    for (const name of ['a', 'b', 'c']) await make(holder, { name, scopes: ['token:manage'] });
    const first = await list(holder, '?per_page=2');
    const second = await list(holder, `?per_page=2&cursor=${first.next_cursor}`);
    const third = await list(holder, `?per_page=2&cursor=${second.next_cursor}`);
    const names = [first, second, third].map(({ tokens }) => tokens.map(({ name }) => name || '-').join(''));
    assert.deepEqual([...names, third.next_cursor], ['cb', 'a-', '--', null]);
  });

  test('are not created from invalid input', async () => {
    const holder = await hold('token:manage');
    for (const [fields, pointer, code] of [
      [{ scopes: [] }, '/scopes', 'too_short'],
      [{ scopes: ['everything'] }, '/scopes/0', 'invalid_value'],
      [{ scopes: ['token:manage'], name: ' ' }, '/name', 'required'],
      [{ scopes: ['token:manage'], name: 'x'.repeat(61) }, '/name', 'too_long'],
      [{ scopes: ['token:manage'], expires_at: 'soon' }, '/expires_at', 'invalid_time'],
      [{ scopes: ['token:manage'], expires_at: '2026-11-21' }, '/expires_at', 'in_the_past'],
      [{ scopes: ['token:manage'], role: 'manager' }, '/role', 'unknown_field'],
    ] as const) {
      const { status, body, text } = await make(holder, fields);
      assert.equal(status, 422, text);
      assert.equal(body.errors[0].pointer, pointer, text);
      assert.equal(body.errors[0].code, code, text);
    }
  });

  test('create nothing once they are revoked, even if the request began before', async () => {
    for (const isLate of [false, true]) {
      const owner = await hold('token:manage', 'transaction:read', 'team:manage');
      const { body: child } = await make(owner, { scopes: ['token:manage', 'transaction:read'] });
      const body = JSON.stringify({ name: 'Later', scopes: ['transaction:read'] });
      const socket = net.connect(Number(new URL(fixture.url).port), '127.0.0.1');
      await once(socket, 'connect');
      const head = [
        ...['POST /v1/tokens HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${child.access_token}`],
        ...['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close'],
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`);
      const isUsed = async () =>
        (await list(owner)).tokens.some(({ id, last_used_at: at }) => id === child.id && at !== null);
      await until('the token is used', isUsed);
      assert.equal((await revoke(owner, child.id)).status, 200);
      if (isLate) fixture.clock.advance(2 * SECOND);
      socket.write(body.slice(10));
      let response = '';
      for await (const chunk of socket) response += String(chunk);
      assert.match(response, /^HTTP\/1\.1 401 /);
      assert.ok((await list(owner)).tokens.every(({ name }) => name !== 'Later'));
    }
  });

  test('end the invitations that were sent with them', async () => {
    const owner = await hold(...scopesOfRole.owner);
    const invite = async () => {
      const body = { email: `member-${fixture.clock.now()}@shop.example`, role: 'owner' };
      const { body: invited } = await fixture.request('/v1/people/invite', { token: owner, body });
      return new URL(invited.link).hash.slice(1);
    };
    const invitation = await invite();
    const read = async () => await openBrowser(fixture).request('/account/invitation', { body: { invitation } });
    assert.equal((await read()).status, 200);
    const [{ id } = { id: 0 }] = (await list(owner)).tokens;
    assert.equal((await revoke(owner, id)).status, 200);
    assert.equal((await read()).body.code, 'invitation_invalid');
  });
});
