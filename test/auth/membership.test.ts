import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TokenScope } from '../../src/shared/scopes.ts';
import { scopesOfRole } from '../../src/shared/roles.ts';
import { createInvitation } from '../../src/auth/invitations.ts';
import { resetAccount } from '../../src/auth/reset-account.ts';
import { systemRandom } from '../../src/system/random.ts';
import { type Browser, makeUser, openBrowser, PASSWORD, signedIn } from '../support/users.ts';
import { readProblem } from '../support/problems.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const NEW_PASSWORD = 'three teapots on a tray';

describe('membership', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  const invitationTo = async (by: Browser, email: string, role = 'viewer') => {
    const { status, body, text } = await by.request('/v1/people/invite', { body: { email, role } });
    assert.equal(status, 200, text);
    return new URL(body.link).hash.slice(1);
  };
  const join = async (invitation: string, name = 'Somebody') =>
    await openBrowser(fixture).request('/account/invitation/password', {
      body: { invitation, name, password: NEW_PASSWORD },
    });
  const read = async (invitation: string) =>
    (await openBrowser(fixture).request('/account/invitation', { body: { invitation } })).body;
  const reset = async (email: string) => {
    const { clock } = fixture;
    const { database } = fixture.service();
    return (
      await database.inTransaction(async (unit) => await resetAccount(unit, { email, clock, random: systemRandom }))
    ).secret;
  };
  const signIn = async (email: string, password: string) =>
    (await openBrowser(fixture).request('/account/sign-in/password', { body: { email, password } })).status;

  test('only the reset link restores access to an account, even a manager’s', async () => {
    const other = await fixture.makeMerchant('Other & Co');
    const attacker = await signedIn(fixture, 'owner', { merchant: other.id });
    for (const role of ['manager', 'owner'] as const) {
      const { email } = await makeUser(fixture, role);
      const before = await invitationTo(attacker, email);
      const previous = await read(before);
      const secret = await reset(email);
      assert.equal((await read(before)).code, 'invitation_invalid', 'the reset ends other invitations');
      const after = await invitationTo(attacker, email);
      assert.deepEqual(await read(after), previous, 'the reset is not visible');
      assert.equal(readProblem(await join(after), role).code, 'account_exists');
      assert.deepEqual((await read(secret)).isReset, true, 'the next invitation does not end the reset');
      assert.deepEqual((await join(secret)).body, { next: 'done' });
      assert.equal(await signIn(email, PASSWORD), 401);
      assert.equal(await signIn(email, NEW_PASSWORD), 200);
      assert.equal(readProblem(await join(secret), role).code, 'invitation_invalid');
    }
  });

  test('an invitation’s response does not reveal whether an account exists', async () => {
    const owner = await signedIn(fixture, 'owner');
    const { email } = await makeUser(fixture, 'viewer');
    const known = await read(await invitationTo(owner, email));
    const unknown = await read(await invitationTo(owner, 'nobody@elsewhere.example'));
    assert.deepEqual({ ...known, email: '' }, { ...unknown, email: '' });
  });

  test('the merchant can neither see nor revoke a reset link', async () => {
    const owner = await signedIn(fixture, 'owner');
    const { email } = await makeUser(fixture, 'viewer');
    const secret = await reset(email);
    const { invitations } = (await owner.request('/v1/people')).body;
    assert.ok(!invitations.some((each: { email: string }) => each.email === email));
    const { id } = await db(fixture.service().database)
      .selectFrom('invitations')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    assert.equal((await owner.request('/v1/people/uninvite', { body: { id } })).status, 404);
    assert.equal((await join(secret)).status, 200);
  });

  test('a user removed in the meantime regains the account without a role', async () => {
    const owner = await signedIn(fixture, 'owner');
    const { id, email } = await makeUser(fixture, 'operator');
    const secret = await reset(email);
    await owner.request('/v1/people/remove', { body: { id } });
    const browser = openBrowser(fixture);
    await browser.request('/account/invitation/password', {
      body: { invitation: secret, name: 'Somebody', password: NEW_PASSWORD },
    });
    assert.deepEqual((await browser.request('/account/session')).body.merchants, []);
    await assert.rejects(reset(email), /is not a member of any merchant/);
    await assert.rejects(reset('nobody@elsewhere.example'), /No user has the email address/);
  });

  test('the last owner keeps the role, whatever invitation they accept', async () => {
    const merchant = (await fixture.makeMerchant('Lonely & Co')).id;
    const owner = await signedIn(fixture, 'owner', { merchant });
    const invitation = await invitationTo(owner, owner.email, 'viewer');
    const accept = async () => await owner.request('/account/invitation/accept', { body: { invitation } });
    assert.equal(readProblem(await accept(), 'accept').code, 'last_owner');
    assert.equal((await owner.request('/account/session')).body.merchants[0].role, 'owner');
    await makeUser(fixture, 'owner', { merchant });
    assert.equal((await accept()).status, 200, 'the invitation is still open');
    assert.equal((await owner.request('/account/session')).body.merchants[0].role, 'viewer');
  });

  test('a merchant without an owner can add and remove members', async () => {
    const merchant = (await fixture.makeMerchant('Ownerless & Co')).id;
    const { database } = fixture.service();
    const { clock } = fixture;
    const { secret } = await database.inTransaction(
      async (unit) =>
        await createInvitation(unit, {
          ...{ merchantId: merchant, email: 'first@shop.example', role: 'viewer' as const },
          ...{ invitedBy: 'the command line', clock, random: systemRandom },
        }),
    );
    assert.equal((await join(secret)).status, 200);
    const { id } = await makeUser(fixture, 'operator', { merchant });
    const manager = await signedIn(fixture, 'manager');
    assert.equal((await manager.request('/v1/people/remove', { merchant, body: { id } })).status, 200);
  });

  test('a member cannot assign a role with scopes that they lack', async () => {
    const owner = await signedIn(fixture, 'owner');
    const { id } = await makeUser(fixture, 'viewer');
    const tokenOf = async (...scopes: TokenScope[]) =>
      String((await owner.request('/v1/tokens', { body: { name: 'T', scopes } })).body.access_token);
    const team = await tokenOf('team:manage');
    const invited = async (token: string, role: string) =>
      await fixture.request('/v1/people/invite', { token, body: { email: 'new@shop.example', role } });
    for (const role of ['viewer', 'operator', 'owner'])
      assert.match(
        readProblem(await invited(team, role), role).detail,
        new RegExp(`The role ${role} includes the scope`),
      );
    const made = await fixture.request('/v1/people/role', { token: team, body: { id, role: 'owner' } });
    assert.equal(readProblem(made, 'role').code, 'forbidden');
    const limited = await tokenOf('team:manage', 'transaction:read', 'preference:read', 'callback:read');
    assert.equal((await invited(limited, 'viewer')).status, 200);
    assert.equal((await invited(limited, 'operator')).status, 403);
  });

  test('removing a member revokes their access tokens, and tokens created with those', async () => {
    const other = await fixture.makeMerchant('Elsewhere & Co');
    const owner = await signedIn(fixture, 'owner');
    const leaving = await signedIn(fixture, 'owner');
    const scopes = ['transaction:read', 'token:manage', 'team:manage'];
    const make = async (by: { browser: Browser } | { token: string }, merchant?: number) => {
      const body = { name: 'Script', scopes };
      const { status, body: made } =
        'browser' in by
          ? await by.browser.request('/v1/tokens', { body, ...(merchant !== undefined && { merchant }) })
          : await fixture.request('/v1/tokens', { token: by.token, body });
      assert.equal(status, 200);
      return made as { access_token: string; created_by: string; created_by_name: string };
    };
    const first = await make({ browser: leaving });
    assert.deepEqual([first.created_by, first.created_by_name], [`person ${leaving.id}`, 'Some owner']);
    const second = await make({ token: first.access_token });
    assert.equal(second.created_by, `person ${leaving.id}`);
    const stays = await make({ browser: owner });
    const { clock } = fixture;
    const { database } = fixture.service();
    await database.inTransaction(
      async (unit) =>
        await db(unit)
          .insertInto('memberships')
          .values({ merchant_id: other.id, person_id: leaving.id, role: 'owner', created_at: clock.now() })
          .execute(),
    );
    const elsewhere = await make({ browser: leaving }, other.id);
    assert.equal((await owner.request('/v1/people/remove', { body: { id: leaving.id } })).status, 200);
    const works = async (token: string) => (await fixture.request('/v1/transactions', { token })).status;
    assert.deepEqual([await works(first.access_token), await works(second.access_token)], [401, 401]);
    assert.deepEqual([await works(stays.access_token), await works(elsewhere.access_token)], [200, 200]);
  });

  test('losing the owner role revokes the tokens and invitations that the user created', async () => {
    const owner = await signedIn(fixture, 'owner');
    for (const leave of ['/v1/people/role', '/v1/people/remove'] as const) {
      const leaving = await signedIn(fixture, 'owner');
      const make = async (...scopes: TokenScope[]) =>
        String((await leaving.request('/v1/tokens', { body: { name: 'T', scopes } })).body.access_token);
      const [narrow, wide] = [await make('transaction:read'), await make(...scopesOfRole.owner)];
      const back = await invitationTo(leaving, leaving.email, 'owner');
      const { body: byToken } = await fixture.request('/v1/people/invite', {
        ...{ token: wide, body: { email: `accomplice-${leaving.id}@shop.example`, role: 'owner' } },
      });
      const accomplice = new URL(byToken.link).hash.slice(1);
      const isRole = leave === '/v1/people/role';
      const body = { id: leaving.id, ...(isRole && { role: 'viewer' }) };
      assert.equal((await owner.request(leave, { body })).status, 200);
      const works = async (token: string) => (await fixture.request('/v1/transactions', { token })).status;
      assert.deepEqual([await works(narrow), await works(wide)], [isRole ? 200 : 401, 401], leave);
      const accepted = await leaving.request('/account/invitation/accept', { body: { invitation: back } });
      assert.equal(readProblem(accepted, leave).code, 'invitation_invalid');
      assert.equal(readProblem(await join(accomplice), leave).code, 'invitation_invalid');
    }
  });

  test('the audit log shows users of several merchants only since they joined, without their IP address', async () => {
    const other = await fixture.makeMerchant('Shared & Co');
    const shared = await signedIn(fixture, 'viewer');
    const owner = await signedIn(fixture, 'owner', { merchant: other.id });
    fixture.clock.advance(1000);
    const invitation = await invitationTo(owner, shared.email, 'viewer');
    assert.equal((await shared.request('/account/invitation/accept', { body: { invitation } })).status, 200);
    fixture.clock.advance(1000);
    await shared.request('/account/name', { merchant: other.id, body: { name: 'New name' } });
    const { entries } = (await owner.request(`/v1/audit-log?person=${shared.id}`)).body;
    assert.deepEqual(
      entries.map(({ action, address, userAgent }: Record<string, string>) => [action, address, userAgent]),
      [
        ['rename', '', ''],
        ['join', entries[1].address, entries[1].userAgent],
      ],
    );
    const own = (await owner.request(`/v1/audit-log?person=${owner.id}`)).body.entries;
    assert.ok(own.length > 0);
    assert.ok(own.every(({ address }: { address: string }) => address !== ''));
  });

  test('invitations of managers and of merchants do not revoke each other', async () => {
    const { clock } = fixture;
    const { database } = fixture.service();
    const email = 'both@pay.example';
    const owner = await signedIn(fixture, 'owner');
    const ofService = await database.inTransaction(
      async (unit) =>
        await createInvitation(unit, {
          ...{ merchantId: null, email, role: 'manager' as const, invitedBy: 'the command line' },
          ...{ clock, random: systemRandom },
        }),
    );
    const ofMerchant = await invitationTo(owner, email);
    assert.equal((await read(ofService.secret)).role, 'manager');
    assert.equal((await read(ofMerchant)).role, 'viewer');
  });
});
