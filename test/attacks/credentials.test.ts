import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allScopes, type TokenScope, tokenScopes, defaultScopes } from '../../src/shared/scopes.ts';
import { accountCalls } from '../../src/api/account.ts';
import { MERCHANT_HEADER } from '../../src/shared/account-calls.ts';
import type { Operation } from '../../src/api/operation.ts';
import { operations } from '../../src/api/operations.ts';
import { type UserRole, scopesOfRole } from '../../src/shared/roles.ts';
import { HOUR, MINUTE } from '../../src/shared/time.ts';
import { createOAuthClient } from '../../src/auth/oauth-clients.ts';
import { createToken, hashSecret, generateToken } from '../../src/auth/tokens.ts';
import { systemRandom } from '../../src/system/random.ts';
import { Attempts, callOperation, openUnlimitedFixture, stateOfMerchant, storedState } from '../support/attacks.ts';
import { addressedCalls, ownCalls, type CallInput } from '../support/operation-calls.ts';
import { openBrowser, PASSWORD, signedIn } from '../support/users.ts';
import { createLink, creation } from '../support/requests.ts';
import { openTwoMerchants, type TwoMerchants } from '../support/two-merchants.ts';
import type { FixtureResponse, Fixture } from '../support/fixture.ts';

/** The rights of a valid credential; together with an operation's declaration they determine the expected errors. */
interface Grant {
  scopes: ReadonlySet<string>;
  isManager: boolean;
  /** True if its requests come from our own pages; null for access tokens. */
  isOwnPage: boolean | null;
}

interface Credential {
  name: string;
  headers: Record<string, string>;
  /** Null for invalid credentials. */
  grant: Grant | null;
}

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };
const UNKNOWN_ID = 'unknown-id';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const roles: readonly UserRole[] = ['viewer', 'operator', 'owner'];

/** The error for a credential by the operation's declaration; null if the declaration allows the call. */
function refusalOf({ scope, managerOnly, method }: Operation, { grant }: Credential): [number, string] | null {
  if (grant === null) return [401, 'unauthorized'];
  if (grant.isOwnPage === false && method !== 'GET') return [403, 'cross_site_request'];
  if (!grant.scopes.has(scope)) return [403, 'forbidden'];
  return managerOnly && !grant.isManager ? [403, 'manager_only'] : null;
}

/** A call that succeeds for an authorized caller. */
function callFor({ id }: Operation, reference: string): CallInput {
  const sent = addressedCalls[id]?.(reference) ?? ownCalls[id]?.();
  assert.ok(sent, `${id} is not covered: add it to test/support/operation-calls.ts`);
  return sent;
}

describe('every operation with every credential', () => {
  let fixture: Fixture;
  let merchants: TwoMerchants;
  /** Credentials of the merchant whose objects are addressed, and invalid ones. */
  let own: Credential[];
  /** Valid credentials of another merchant. */
  let foreign: Credential[];
  let sessions: Record<'half' | 'setUp' | 'ended' | 'idle' | 'removed', string>;

  const tokenFor = async (merchantId: number, role: 'merchant' | 'manager', scopes: readonly TokenScope[]) =>
    await fixture.service().database.inTransaction(
      async (unit) =>
        await createToken(unit, {
          ...{ environment: 'sandbox', random: systemRandom, clock: fixture.clock },
          ...{ merchantId, role, scopes },
        }),
    );
  const tokenCredential = async (
    name: string,
    merchantId: number,
    role: 'merchant' | 'manager',
    scopes: readonly TokenScope[],
  ): Promise<Credential> => ({
    name,
    headers: bearer(await tokenFor(merchantId, role, scopes)),
    grant: { scopes: allScopes(scopes), isManager: role === 'manager', isOwnPage: null },
  });
  const sessionCredential = async (name: string, role: UserRole, merchant: number): Promise<Credential> => {
    const { cookie } = await signedIn(fixture, role, { merchant });
    return {
      name,
      headers: { ...SAME_ORIGIN, cookie: cookie ?? '' },
      grant: { scopes: allScopes(scopesOfRole[role]), isManager: role === 'manager', isOwnPage: true },
    };
  };
  const bySecret = (cookie: string) => hashSecret(cookie.slice(cookie.indexOf('=') + 1));

  before(async () => {
    fixture = await openUnlimitedFixture();
    merchants = await openTwoMerchants(fixture);
    const { merchant } = fixture;
    const { database } = fixture.service();
    const { id: otherId } = merchants.other;
    const { clientToken: oldPageToken } = await createLink(fixture);
    const client = await database.inTransaction(
      async (unit) =>
        await createOAuthClient(unit, {
          ...{ merchantId: merchant.id, name: 'Till', role: 'manager', scopes: tokenScopes },
          ...{ random: systemRandom, now: fixture.clock.now() },
        }),
    );
    const grantToClient = async (more: Record<string, string> = {}) => {
      const form = { grant_type: 'client_credentials', client_id: client.clientId, client_secret: client.clientSecret };
      const { status, body, text } = await fixture.request('/oauth/token', {
        token: null,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...form, ...more }).toString(),
      });
      assert.equal(status, 200, text);
      return String(body.access_token);
    };
    const expiredClientToken = await grantToClient();
    fixture.clock.advance(HOUR + MINUTE);
    const { clientToken: pageToken } = await createLink(fixture);

    const revoked = await tokenFor(merchant.id, 'manager', tokenScopes);
    await db(database)
      .updateTable('access_tokens')
      .set({ revoked_at: fixture.clock.now() })
      .where('hash', '=', hashSecret(revoked))
      .execute();
    const misplaced = await database.inTransaction(
      async (unit) =>
        await createToken(unit, {
          ...{ environment: 'production', random: systemRandom, clock: fixture.clock },
          ...{ merchantId: merchant.id, role: 'manager', scopes: tokenScopes },
        }),
    );

    const owner = await sessionCredential('owner', 'owner', merchant.id);
    const cookieOf = async () => (await signedIn(fixture, 'owner')).cookie ?? '';
    const setSession = async (cookie: string, values: { step?: 'set_up_second_factor'; last_used_at?: number }) =>
      await db(database).updateTable('sessions').set(values).where('hash', '=', bySecret(cookie)).execute();
    sessions = { half: '', setUp: await cookieOf(), ended: '', idle: await cookieOf(), removed: await cookieOf() };
    const enrolled = await signedIn(fixture, 'owner');
    await enrolled.request('/account/second-factor/begin', { body: {} });
    await db(database)
      .updateTable('people')
      .set((row) => ({ second_factor: row.ref('new_second_factor') }))
      .where('id', '=', enrolled.id)
      .execute();
    const half = openBrowser(fixture);
    const { body: step } = await half.request('/account/sign-in/password', {
      body: { email: enrolled.email, password: PASSWORD },
    });
    assert.equal(step.next, 'second_factor');
    sessions.half = half.cookie ?? '';
    await setSession(sessions.setUp, { step: 'set_up_second_factor' });
    await setSession(sessions.idle, { last_used_at: fixture.clock.now() - 12 * HOUR });
    const leaving = await signedIn(fixture, 'owner');
    sessions.ended = leaving.cookie ?? '';
    await leaving.request('/account/sign-out', { body: {} });
    await db(database)
      .deleteFrom('memberships')
      .where('person_id', 'in', (query) =>
        query.selectFrom('sessions').select('person_id').where('hash', '=', bySecret(sessions.removed)),
      )
      .execute();

    const none = (name: string, headers: Record<string, string>): Credential => ({ name, headers, grant: null });
    const cookie = (value: string) => ({ ...SAME_ORIGIN, cookie: value });
    const good = merchant.managerToken;
    const ownerCookie = owner.headers.cookie ?? '';
    own = [
      none('no credential', {}),
      none('garbage', bearer('garbage')),
      none('a token that was never issued', bearer(generateToken('sandbox', systemRandom))),
      none('a token of the other environment', bearer(misplaced)),
      none('a revoked token', bearer(revoked)),
      none("a client's token after its hour", bearer(expiredClientToken)),
      none("a client's secret", bearer(client.clientSecret)),
      none("a client's secret as Basic", {
        authorization: `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`,
      }),
      none('a token as Basic', { authorization: `Basic ${Buffer.from(`${good}:`).toString('base64')}` }),
      none('the hash of a token', bearer(hashSecret(good))),
      none('a page token', bearer(pageToken)),
      none('an expired page token', bearer(oldPageToken)),
      none('the webhook secret', bearer(merchant.callbackSecret)),
      none('a token in a cookie', cookie(`paylatch-session=${good}`)),
      none('garbage in a cookie', cookie(`paylatch-session=${'A'.repeat(43)}`)),
      none("a session's cookie under another name", cookie(ownerCookie.replace('paylatch', '__Host-paylatch'))),
      none("a session's secret as a token", bearer(ownerCookie.slice(ownerCookie.indexOf('=') + 1))),
      none('a session that waits for its second factor', cookie(sessions.half)),
      none('a session that must set up a second factor', cookie(sessions.setUp)),
      none('a session that has ended', cookie(sessions.ended)),
      none('an idle session', cookie(sessions.idle)),
      none('a session with a bad token', { ...owner.headers, ...bearer('garbage') }),
      none('a session with a revoked token', { ...owner.headers, ...bearer(revoked) }),
      { name: 'an owner', headers: { cookie: ownerCookie }, grant: { ...grantOf(owner), isOwnPage: false } },
      {
        name: 'an owner on a page of another site',
        headers: { cookie: ownerCookie, 'sec-fetch-site': 'cross-site' },
        grant: { ...grantOf(owner), isOwnPage: false },
      },
      owner,
      await sessionCredential('operator', 'operator', merchant.id),
      await sessionCredential('viewer', 'viewer', merchant.id),
      await tokenCredential('usual scopes', merchant.id, 'merchant', defaultScopes),
      await tokenCredential('every scope', merchant.id, 'merchant', tokenScopes),
      {
        name: "a client's token with one scope",
        headers: bearer(await grantToClient({ scope: 'transaction:read' })),
        grant: { scopes: new Set(['transaction:read']), isManager: true, isOwnPage: null },
      },
      ...(await Promise.all(
        tokenScopes.flatMap((scope) => [
          tokenCredential(
            `every scope but ${scope}`,
            merchant.id,
            'manager',
            tokenScopes.filter((held) => !allScopes([held]).has(scope)),
          ),
          tokenCredential(`only ${scope}`, merchant.id, 'merchant', [scope]),
        ]),
      )),
    ];
    foreign = [
      ...(await Promise.all(
        roles.map(async (role) => await sessionCredential(`${role} of another merchant`, role, otherId)),
      )),
      await tokenCredential('usual scopes of another merchant', otherId, 'merchant', defaultScopes),
      await tokenCredential('every scope of another merchant', otherId, 'merchant', tokenScopes),
      await tokenCredential('a manager token of another merchant', otherId, 'manager', tokenScopes),
      ...(await Promise.all(
        tokenScopes.map(
          async (scope) => await tokenCredential(`only ${scope} of another merchant`, otherId, 'merchant', [scope]),
        ),
      )),
    ];
    const everything = foreign.find(({ name }) => name === 'every scope of another merchant');
    assert.ok(everything);
    foreign.push({
      ...everything,
      name: "another merchant's token with an owner's session",
      headers: { ...owner.headers, ...everything.headers },
    });
  });
  after(async () => await fixture.close());

  const send = async (
    described: Operation,
    sent: CallInput,
    { headers }: Credential,
    more: Record<string, string> = {},
  ) => await callOperation(fixture, described, sent, { token: null, headers: { ...headers, ...more } });
  const label = (described: Operation, { name }: Credential, { status, text }: FixtureResponse) =>
    `${described.id} with ${name}: ${status} ${text.slice(0, 200)}`;

  test('is rejected by its declaration without changes', async (context) => {
    const attempts = new Attempts('every operation × every credential that lacks the permission');
    const { database } = fixture.service();
    const before = await storedState(database);
    for (const described of operations) {
      for (const credential of own) {
        const refusal = refusalOf(described, credential);
        if (!refusal) continue;
        const response = await send(described, callFor(described, UNKNOWN_ID), credential);
        const isRefused = response.status === refusal[0] && response.body?.code === refusal[1];
        attempts.add(isRefused, () => label(described, credential, response));
      }
      const gone = await send(described, callFor(described, UNKNOWN_ID), {
        ...{ name: 'removed', grant: null },
        headers: { ...SAME_ORIGIN, cookie: sessions.removed },
      });
      attempts.add(
        [400, 404].includes(gone.status),
        () => `${described.id} with a removed member's session: ${gone.text}`,
      );
    }
    attempts.addUnchanged(0, await storedState(database), before, 'refused calls changed something');
    attempts.report(context);
  });

  test('of another merchant reaches no object of this one', async (context) => {
    const attempts = new Attempts("every operation × every credential of another merchant, on this merchant's objects");
    const { database } = fixture.service();
    const { theirs, theirCallbacks } = merchants;
    const before = await stateOfMerchant(database, fixture.merchant.id);
    const said = ({ status, body }: FixtureResponse) => JSON.stringify({ status, ...body, request_id: '' });
    const references = [...theirs, ...theirCallbacks];
    const secrets = [...references, 'Secret brand'].filter((each) => !/^\d+$/.test(each));
    const named = { [MERCHANT_HEADER]: String(fixture.merchant.id) };
    for (const described of operations) {
      const isAddressed = addressedCalls[described.id] !== undefined;
      for (const [index, credential] of foreign.entries()) {
        const refusal = refusalOf(described, credential);
        // Every object for credentials with many scopes, one object for each single scope.
        const isNarrow = credential.name.startsWith('only ');
        const few = isNarrow ? references.slice(index % references.length).slice(0, 1) : references;
        const unknownObject = await send(described, callFor(described, UNKNOWN_ID), credential);
        for (const reference of isAddressed && !refusal ? few : few.slice(0, 1)) {
          const response = await send(described, callFor(described, reference), credential);
          const isRefused = refusal
            ? response.status === refusal[0] && response.body?.code === refusal[1]
            : isAddressed
              ? [403, 404].includes(response.status) && said(response) === said(unknownObject)
              : [200, 403].includes(response.status) && !secrets.some((secret) => response.text.includes(secret));
          attempts.add(isRefused, () => label(described, credential, response));
        }
        // A session of another merchant that requests this one.
        if (credential.grant?.isOwnPage === true) {
          const response = await send(described, callFor(described, theirs[0] ?? ''), credential, named);
          attempts.add(response.status === 404, () => `as this merchant: ${label(described, credential, response)}`);
        }
      }
    }
    attempts.addUnchanged(
      0,
      await stateOfMerchant(database, fixture.merchant.id),
      before,
      "this merchant's rows changed",
    );
    attempts.report(context);
  });

  test('of another merchant creates its own object under a reference used by this merchant', async () => {
    const [reference = ''] = merchants.theirs;
    const body = creation({ transaction_id: reference, country: 'FRA', currency: 'EUR' });
    const created = await fixture.request('/fiat/v1/transaction', { token: merchants.other.token, body });
    assert.equal(created.status, 200, created.text);
    const currencyOf = async (token: string) =>
      (await fixture.request(`/fiat/v1/transaction?transaction_id=${reference}`, { token })).body.currency;
    assert.equal(await currencyOf(merchants.other.token), 'EUR');
    assert.equal(await currencyOf(fixture.merchant.token), 'USD');
  });

  test('is accepted with the required rights, so that every rejection above has the expected reason', async () => {
    const right = await tokenCredential('every right', fixture.merchant.id, 'manager', tokenScopes);
    for (const described of operations) {
      const response = await send(described, callFor(described, UNKNOWN_ID), right);
      assert.equal(response.status, addressedCalls[described.id] ? 404 : 200, label(described, right, response));
    }
  });

  test('returns no secret', () => {
    const secret = operations.filter(({ isSecret }) => isSecret === true);
    assert.ok(secret.length > 0);
    for (const { id, scope } of secret) assert.ok(!defaultScopes.includes(scope), id);
  });

  /** Calls of the account area that need no session; all others, including new ones, must. */
  const withoutSession: readonly string[] = [
    ...['passwordSignIn', 'passkeySignInOptions', 'passkeySignIn', 'signOut'],
    ...['readInvitation', 'joinWithPassword', 'joinWithPasskeyOptions', 'joinWithPasskey'],
  ];
  /** Calls of the account area that are allowed during an incomplete sign-in. */
  const duringSignIn: readonly string[] = ['secondFactorSignIn', 'beginSecondFactor', 'confirmSecondFactor'];

  test('is rejected in the account area without its own session', async (context) => {
    const attempts = new Attempts('every call of the account area × every non-session credential');
    const { database } = fixture.service();
    const before = await storedState(database);
    const isHalf = ({ headers }: Credential) => headers.cookie === sessions.half || headers.cookie === sessions.setUp;
    for (const [name, { method, path }] of Object.entries(accountCalls)) {
      if (withoutSession.includes(name)) continue;
      for (const credential of [...own, ...foreign]) {
        // Here a session is valid for any merchant, with any other headers.
        if (credential.headers.cookie !== undefined && credential.grant !== null) continue;
        if (credential.name.startsWith('a session with a')) continue;
        if (isHalf(credential) && duringSignIn.includes(name)) continue;
        const response = await fixture.request(path, {
          ...{ method, token: null },
          headers: { ...SAME_ORIGIN, ...credential.headers },
          ...(method === 'POST' && { body: {} }),
        });
        attempts.add(
          response.status === 401,
          () => `${name} with ${credential.name}: ${response.status} ${response.text}`,
        );
      }
    }
    attempts.addUnchanged(0, await storedState(database), before, 'refused calls changed something');
    attempts.report(context);
  });
});

function grantOf({ grant }: Credential): Grant {
  assert.ok(grant);
  return grant;
}
