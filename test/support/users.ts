import { db } from './tables.ts';
import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import type { UserRole } from '../../src/shared/roles.ts';
import { toMillis } from '../../src/shared/time.ts';
import { hashSecret } from '../../src/auth/tokens.ts';
import { generateRecoveryCodes } from '../../src/auth/second-factor.ts';
import { systemRandom } from '../../src/system/random.ts';
import { Authenticator } from './authenticator.ts';
import { assignRole, createUser, updateUser } from '../../src/auth/users.ts';
import type { FixtureResponse, RequestOptions, Fixture } from './fixture.ts';

/** A user's browser: it stores cookies and sends the origin of its requests. */
export interface Browser {
  request(path: string, options?: RequestOptions & { merchant?: number }): Promise<FixtureResponse>;
  cookie: string | null;
}

export const PASSWORD = 'a kettle of fish';

export function openBrowser(fixture: Fixture): Browser {
  const browser: Browser = {
    cookie: null,
    async request(path, { merchant, headers = {}, ...options } = {}) {
      const response = await fixture.request(path, {
        token: null,
        ...options,
        headers: {
          'sec-fetch-site': 'same-origin',
          ...(browser.cookie !== null && { cookie: browser.cookie }),
          ...(merchant !== undefined && { 'paylatch-merchant': String(merchant) }),
          ...headers,
        },
      });
      const set = response.headers.get('set-cookie');
      if (set !== null) browser.cookie = set.includes('Max-Age=0') ? null : (set.split(';')[0] ?? null);
      return response;
    },
  };
  return browser;
}

let made = 0;

/** Creates a user with a password; a member of `merchant` unless they are a manager. */
export async function makeUser(
  fixture: Fixture,
  role: UserRole,
  { merchant = fixture.merchant.id, email = `${role}-${(made += 1)}@shop.example`, name = `Some ${role}` } = {},
): Promise<{ id: number; email: string }> {
  const { database, auth } = fixture.service();
  const passwordHash = await auth.passwords.hash(PASSWORD);
  const now = fixture.clock.now();
  const id = await database.inTransaction(async (unit) => {
    const person = await createUser(unit, { email, name, now });
    await updateUser(unit, person, { passwordHash }, now);
    await assignRole(unit, person, { merchantId: role === 'manager' ? null : merchant, role }, now);
    return person;
  });
  return { id, email };
}

/** The browser of a signed-in user with the role. */
export async function signedIn(
  fixture: Fixture,
  role: UserRole,
  options: Parameters<typeof makeUser>[2] = {},
): Promise<Browser & { id: number; email: string }> {
  const user = await makeUser(fixture, role, options);
  const browser = openBrowser(fixture);
  const { status, body } = await browser.request('/account/sign-in/password', {
    body: { email: user.email, password: PASSWORD },
  });
  assert.deepEqual([status, body], [200, { next: 'done' }]);
  return Object.assign(browser, user);
}

/** A member who signs in with a passkey, or with a password and an authenticator app. Needs a fixture on localhost. */
export interface ProtectedUser {
  id: number;
  email: string;
  device: Authenticator;
  /** The current code of the authenticator app. */
  code(): string;
  recoveryCodes: readonly string[];
  /** A browser in which the member has signed in with the passkey. */
  browser: Browser;
}

export async function makeProtectedUser(
  fixture: Fixture,
  role: Exclude<UserRole, 'manager'>,
  { merchant = fixture.merchant.id } = {},
): Promise<ProtectedUser> {
  const { database, auth } = fixture.service();
  const owner = await signedIn(fixture, 'owner', { merchant });
  const email = `${role}-${(made += 1)}@shop.example`;
  const { body: invited } = await owner.request('/v1/people/invite', { body: { email, role } });
  const joining = { invitation: new URL(invited.link).hash.slice(1), name: `Some ${role}` };
  const browser = openBrowser(fixture);
  const device = new Authenticator();
  const { body: requested } = await browser.request('/account/invitation/passkey/options', { body: joining });
  const response = device.make(requested.options, fixture.url);
  const joined = await browser.request('/account/invitation/passkey', { body: { ...joining, response } });
  assert.deepEqual([joined.status, joined.body], [200, { next: 'done' }]);
  const { body: account } = await browser.request('/account/session');
  const id = Number(account.person.id);
  const { sealed, secret } = auth.secondFactors.create(id, email);
  const passwordHash = await auth.passwords.hash(PASSWORD);
  const recoveryCodes = generateRecoveryCodes(systemRandom);
  await database.inTransaction(async (unit) => {
    await updateUser(unit, id, { passwordHash, secondFactor: sealed }, fixture.clock.now());
    await db(unit)
      .insertInto('recovery_codes')
      .values(recoveryCodes.map((each) => ({ person_id: id, hash: hashSecret(each), used_at: null })))
      .execute();
  });
  const code = () =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: toMillis(fixture.clock.now()) });
  return { id, email, device, code, recoveryCodes, browser };
}
