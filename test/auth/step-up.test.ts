import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { accountCalls } from '../../src/api/account.ts';
import type { AccountCallName } from '../../src/shared/account-calls.ts';
import { HOUR, MINUTE, SECOND, toMillis } from '../../src/shared/time.ts';
import { Authenticator } from '../support/authenticator.ts';
import {
  type Browser,
  makeProtectedUser,
  makeUser,
  openBrowser,
  PASSWORD,
  type ProtectedUser,
  signedIn,
} from '../support/users.ts';
import { readProblem } from '../support/problems.ts';
import type { FixtureResponse, Fixture } from '../support/fixture.ts';
import { openFixture } from '../support/fixture.ts';
import { onSqlite } from '../support/databases.ts';

const NEW_PASSWORD = 'three teapots on a tray';

const post = async (browser: Browser, path: string, body: object = {}): Promise<FixtureResponse> =>
  await browser.request(`/account/${path}`, { body });
const isRefused = ({ status, body }: FixtureResponse) => status === 403 && body.code === 'step_up_required';
const codeFor = ({ clock }: Fixture, secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: toMillis(clock.now()) });
const byPassword = async (fixture: Fixture, email: string) => {
  const browser = openBrowser(fixture);
  const { body } = await post(browser, 'sign-in/password', { email, password: PASSWORD });
  return { browser, next: body.next as string };
};

/** Every change of credentials, with a body that is valid except for the code and the passkey response. */
const changes: readonly [path: string, body: object][] = [
  ['passkeys/options', {}],
  ['passkeys/add', { name: 'Theirs', response: { id: 'x', type: 'public-key' } }],
  ['passkeys/remove', { id: 999_999 }],
  ['password', { current: PASSWORD, password: NEW_PASSWORD }],
  ['second-factor/begin', {}],
  ['second-factor/confirm', { code: '000000' }],
  ['second-factor/remove', {}],
];
/** All other changing calls of the account area. */
const others: readonly AccountCallName[] = [
  ...(['passwordSignIn', 'secondFactorSignIn', 'passkeySignInOptions', 'passkeySignIn', 'signOut'] as const),
  ...(['passwordStepUp', 'secondFactorStepUp', 'passkeyStepUpOptions', 'passkeyStepUp'] as const),
  ...(['readInvitation', 'acceptInvitation', 'joinWithPassword', 'joinWithPasskeyOptions'] as const),
  ...(['joinWithPasskey', 'rename', 'endSessions', 'setNotification'] as const),
];
const refusedOf = async (browser: Browser) => {
  const refused: string[] = [];
  for (const [path, body] of changes) if (isRefused(await post(browser, path, body))) refused.push(path);
  return refused;
};
const allPaths = changes.map(([path]) => path);

describe('changes of credentials', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture({ host: 'localhost', env: { LIMIT_SIGN_IN_PER_HOUR: '1000' } });
  });
  after(async () => await fixture.close());

  const sign = async (browser: Browser, device: Authenticator) => {
    const { body } = await post(browser, 'step-up/passkey/options');
    return device.sign(body.options, fixture.url);
  };

  onSqlite('are all listed here', () => {
    const known = new Set([...allPaths, ...others.map((name) => accountCalls[name].path.replace('/account/', ''))]);
    const unknown = Object.values(accountCalls).filter(
      ({ method, path }) => method !== 'GET' && !known.has(path.replace('/account/', '')),
    );
    assert.deepEqual(unknown, []);
  });

  onSqlite('are rejected five minutes after the sign-in', async () => {
    const { browser } = await makeProtectedUser(fixture, 'owner');
    fixture.clock.advance(5 * MINUTE - SECOND);
    assert.equal((await post(browser, 'passkeys/options')).status, 200);
    fixture.clock.advance(SECOND);
    assert.deepEqual(await refusedOf(browser), allPaths);
  });

  test('are allowed for five minutes after a code, a recovery code or a passkey', async () => {
    const { browser, device, code, recoveryCodes } = await makeProtectedUser(fixture, 'owner');
    const proofs: readonly (() => Promise<FixtureResponse>)[] = [
      async () => await post(browser, 'step-up/second-factor', { code: code() }),
      async () => await post(browser, 'step-up/second-factor', { code: recoveryCodes[0] }),
      async () => await post(browser, 'step-up/passkey', { response: await sign(browser, device) }),
    ];
    for (const prove of proofs) {
      fixture.clock.advance(5 * MINUTE);
      assert.ok(isRefused(await post(browser, 'second-factor/begin')));
      const proved = await prove();
      assert.deepEqual([proved.status, proved.body], [200, {}]);
      fixture.clock.advance(5 * MINUTE - SECOND);
      assert.equal((await post(browser, 'second-factor/begin')).status, 200);
    }
    await post(browser, 'step-up/second-factor', { code: code() });
    const { body } = await post(browser, 'second-factor/remove');
    assert.deepEqual([body.hasSecondFactor, body.recoveryCodesLeft], [false, 0]);
  });

  onSqlite('are not confirmed by wrong, used, foreign or insufficient credentials', async () => {
    const { browser, device, code, recoveryCodes, email } = await makeProtectedUser(fixture, 'owner');
    const other = await makeProtectedUser(fixture, 'owner');
    fixture.clock.advance(5 * MINUTE);
    const spent = code();
    const elsewhere = await byPassword(fixture, email);
    assert.equal(elsewhere.next, 'second_factor');
    await post(elsewhere.browser, 'sign-in/second-factor', { code: spent });
    await post(elsewhere.browser, 'step-up/second-factor', { code: recoveryCodes[1] });
    for (const wrong of ['000000', spent, recoveryCodes[1], other.recoveryCodes[0]])
      assert.equal((await post(browser, 'step-up/second-factor', { code: wrong })).body.code, 'second_factor_invalid');
    assert.ok(
      isRefused(await post(browser, 'step-up/password', { password: PASSWORD })),
      'a password does not replace the second factor',
    );

    const responseOf = async (response: object) => (await post(browser, 'step-up/passkey', { response })).body.code;
    assert.equal(await responseOf(await sign(browser, other.device)), 'passkey_rejected');
    assert.equal(await responseOf(await sign(elsewhere.browser, device)), 'passkey_rejected', 'of another session');
    const { body: signIn } = await post(browser, 'sign-in/passkey/options');
    assert.equal(await responseOf(device.sign(signIn.options, fixture.url)), 'passkey_rejected', 'for signing in');
    const stepUp = await sign(browser, device);
    const misused = await post(openBrowser(fixture), 'sign-in/passkey', { response: stepUp });
    assert.equal(misused.body.code, 'passkey_rejected', 'for stepping up');
    assert.deepEqual(await refusedOf(browser), allPaths);
    const { body } = await browser.request('/account/protection');
    assert.deepEqual([body.hasSecondFactor, body.recoveryCodesLeft, body.passkeys.length], [true, 9, 1]);
  });

  onSqlite('of a user with only a password are confirmed by the password', async () => {
    const browser = await signedIn(fixture, 'owner');
    assert.equal((await post(browser, 'passkeys/options')).status, 200, 'recently signed in');
    fixture.clock.advance(5 * MINUTE);
    assert.deepEqual(
      await refusedOf(browser),
      allPaths.filter((path) => path !== 'password'),
      'a new password asks for the current one',
    );
    const wrong = await post(browser, 'step-up/password', { password: 'a kettle of tea' });
    assert.equal(readProblem(wrong, 'step-up').code, 'sign_in_failed');
    assert.ok(isRefused(await post(browser, 'second-factor/begin')));
    assert.equal((await post(browser, 'step-up/password', { password: NEW_PASSWORD })).status, 200);
    assert.equal((await post(browser, 'second-factor/begin')).status, 200);
  });

  test('require the passkey of a user who signed in with a password', async () => {
    const { email, device } = await makeProtectedUser(fixture, 'owner');
    await db(fixture.service().database)
      .updateTable('people')
      .set({ second_factor: null })
      .where('email', '=', email)
      .execute();
    const { browser, next } = await byPassword(fixture, email);
    assert.equal(next, 'done');
    assert.deepEqual(await refusedOf(browser), allPaths);
    const { body } = await post(browser, 'step-up/passkey/options');
    assert.deepEqual(
      body.options.allowCredentials.map(({ id }: { id: string }) => id),
      [device.id],
    );
    const response = device.sign(body.options, fixture.url);
    assert.equal((await post(browser, 'step-up/passkey', { response })).status, 200);
    assert.equal((await post(browser, 'second-factor/begin')).status, 200);
  });

  test('end every other session when a second factor is set up', async () => {
    const browser = await signedIn(fixture, 'owner');
    const { browser: other } = await byPassword(fixture, browser.email);
    const { body } = await post(browser, 'second-factor/begin');
    const confirmed = await post(browser, 'second-factor/confirm', { code: codeFor(fixture, body.secret) });
    assert.equal(confirmed.body.recoveryCodes.length, 10);
    assert.equal((await other.request('/account/session')).status, 401);
    assert.equal((await browser.request('/account/session')).status, 200);
  });

  test('and their confirmations are audited, including rejections', async () => {
    const { browser, device } = await makeProtectedUser(fixture, 'owner');
    await post(browser, 'step-up/second-factor', { code: '000000' });
    await post(browser, 'step-up/password', { password: PASSWORD });
    await post(browser, 'step-up/passkey', { response: await sign(browser, new Authenticator()) });
    await post(browser, 'step-up/passkey', { response: await sign(browser, device) });
    await post(browser, 'password', { current: 'a kettle of tea', password: NEW_PASSWORD });
    const { entries } = (await browser.request('/v1/audit-log?per_page=5')).body;
    assert.deepEqual(
      entries.map((entry: any) => [entry.action, entry.subject, entry.outcome]),
      [
        ['set_password', null, 'sign_in_failed'],
        ['step_up', 'passkey', 'done'],
        ['step_up', 'passkey', 'passkey_rejected'],
        ['step_up', 'password', 'step_up_required'],
        ['step_up', 'second factor', 'second_factor_invalid'],
      ],
    );
  });
});

describe('confirmation attempts and passkey sign-ins', () => {
  test('of colleagues who share an IP address do not prevent each other', async () => {
    const fixture = await openFixture({ host: 'localhost', env: { LIMIT_SIGN_IN_PER_HOUR: '20' } });
    try {
      const colleagues: ProtectedUser[] = [];
      for (let colleague = 0; colleague < 10; colleague += 1) {
        colleagues.push(await makeProtectedUser(fixture, 'viewer'));
        fixture.clock.advance(HOUR);
      }
      for (const { device, code, email } of colleagues) {
        const browser = openBrowser(fixture);
        const send = async (path: string, body: object = {}) => {
          const response = await browser.request(`/account/${path}`, { body });
          assert.equal(response.status, 200, response.text);
          return response.body;
        };
        await send('sign-in/passkey/options');
        const { options } = await send('sign-in/passkey/options');
        await send('sign-in/passkey', { response: device.sign(options, fixture.url) });
        const stepUp = await send('step-up/passkey/options');
        await send('step-up/passkey', { response: device.sign(stepUp.options, fixture.url) });
        await send('sign-in/password', { email, password: PASSWORD });
        await send('sign-in/second-factor', { code: code() });
      }
    } finally {
      await fixture.close();
    }
  });

  test('have the rate limits of sign-ins', async () => {
    const fixture = await openFixture({
      ...{ host: 'localhost', env: { LIMIT_SIGN_IN_PER_HOUR: '4', TRUSTED_PROXIES: 'loopback' } },
    });
    try {
      let address = 0;
      const from = (path: string, browser: Browser, body: object, at?: string) =>
        browser.request(`/account/${path}`, {
          body,
          headers: { 'x-forwarded-for': at ?? `198.51.100.${(address += 1)}` },
        });
      const person = await signedIn(fixture, 'owner');
      const wrong: readonly [string, object][] = [
        ['step-up/second-factor', { code: '000000' }],
        ['step-up/password', { password: 'wrong' }],
        ['password', { current: 'wrong', password: NEW_PASSWORD }],
        ['second-factor/confirm', { code: '000000' }],
      ];
      for (const [path, body] of wrong) await from(path, person, body);
      for (const [path, body] of wrong) assert.equal((await from(path, person, body)).body.limit, 'sign_in_user', path);

      const response = { id: 'abc', type: 'public-key' };
      // Wrong codes do not prevent a passkey.
      for (let attempt = 0; attempt < 4; attempt += 1)
        assert.notEqual((await from('step-up/passkey', person, { response })).status, 429);
      assert.equal((await from('step-up/passkey', person, { response })).body.limit, 'sign_in_user');
      for (let attempt = 0; attempt < 4; attempt += 1)
        assert.equal((await from('sign-in/passkey', openBrowser(fixture), { response }, '203.0.113.1')).status, 422);
      assert.equal(
        (await from('sign-in/passkey', openBrowser(fixture), { response }, '203.0.113.1')).body.limit,
        'sign_in_address',
      );
      fixture.clock.advance(HOUR);
      assert.equal((await from('step-up/password', person, { password: PASSWORD })).status, 200);
    } finally {
      await fixture.close();
    }
  });

  test('are not prevented by others who enter wrong passwords', async () => {
    const fixture = await openFixture({
      ...{ host: 'localhost', env: { LIMIT_SIGN_IN_PER_HOUR: '4', TRUSTED_PROXIES: 'loopback' } },
    });
    try {
      const { browser, email, code, recoveryCodes } = await makeProtectedUser(fixture, 'owner');
      const signingIn = await byPassword(fixture, email);
      for (const [n, expected] of [undefined, undefined, undefined, 'sign_in_user'].entries()) {
        const { body } = await openBrowser(fixture).request('/account/sign-in/password', {
          body: { email, password: 'wrong' },
          headers: { 'x-forwarded-for': `198.51.100.${n}` },
        });
        assert.equal(body.limit, expected);
      }
      const statusOf = async (path: string, by: Browser, body: object) =>
        (await by.request(`/account/${path}`, { body, headers: { 'x-forwarded-for': '203.0.113.9' } })).status;
      assert.equal(await statusOf('sign-in/second-factor', signingIn.browser, { code: code() }), 200);
      assert.equal(await statusOf('step-up/second-factor', browser, { code: recoveryCodes[0] }), 200);
      assert.equal(await statusOf('password', browser, { current: PASSWORD, password: NEW_PASSWORD }), 200);
    } finally {
      await fixture.close();
    }
  });
});

describe('in production', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture({
      env: {
        ...{ PAYLATCH_ENV: 'production', PUBLIC_URL: 'https://pay.example', PAYLATCH_SECRET_KEY: 'ab'.repeat(32) },
        LIMIT_SIGN_IN_PER_HOUR: '1000',
      },
    });
  });
  after(async () => await fixture.close());

  const enroll = async (browser: Browser) => {
    const begun = await post(browser, 'second-factor/begin');
    if (begun.status !== 200) return begun;
    return await post(browser, 'second-factor/confirm', { code: codeFor(fixture, begun.body.secret) });
  };

  onSqlite('a sign-in from before a second factor was set up cannot replace it', async () => {
    const { id, email } = await makeUser(fixture, 'owner');
    const { browser: early, next } = await byPassword(fixture, email);
    assert.equal(next, 'set_up_second_factor');
    const { browser: alsoEarly } = await byPassword(fixture, email);
    const { body: begun } = await post(alsoEarly, 'second-factor/begin');
    const { browser } = await byPassword(fixture, email);
    assert.equal((await enroll(browser)).status, 200);
    assert.equal((await enroll(early)).status, 401);
    const late = await post(alsoEarly, 'second-factor/confirm', { code: codeFor(fixture, begun.secret) });
    assert.equal(late.status, 401);
    // Not even by a valid session.
    const { database } = fixture.service();
    await db(database)
      .updateTable('sessions')
      .set({ ended_at: null })
      .where('person_id', '=', id)
      .where('step', '=', 'set_up_second_factor')
      .execute();
    assert.equal((await enroll(early)).status, 401);
    assert.equal((await browser.request('/account/session')).status, 200);
  });

  test('one of two concurrent setups succeeds', async () => {
    const { email } = await makeUser(fixture, 'owner');
    const two = [(await byPassword(fixture, email)).browser, (await byPassword(fixture, email)).browser];
    const [first] = two;
    assert.ok(first);
    const { body } = await post(first, 'second-factor/begin');
    const code = codeFor(fixture, body.secret);
    const responses = await Promise.all(
      two.map(async (browser) => await post(browser, 'second-factor/confirm', { code })),
    );
    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
  });

  test('a password sign-in of a user with a passkey is completed by the passkey', async () => {
    const { email } = await makeUser(fixture, 'owner');
    const { browser } = await byPassword(fixture, email);
    const { browser: early } = await byPassword(fixture, email);
    await enroll(browser);
    const device = new Authenticator();
    const { body: requested } = await post(browser, 'passkeys/options');
    const response = device.make(requested.options, 'https://pay.example');
    assert.equal((await post(browser, 'passkeys/add', { name: 'Laptop', response })).status, 200);
    assert.equal((await post(browser, 'second-factor/remove')).status, 200);

    assert.equal((await enroll(early)).status, 401);
    const later = await byPassword(fixture, email);
    assert.deepEqual([later.next, later.browser.cookie], ['passkey', null]);
    assert.equal((await enroll(later.browser)).status, 401);
    const { body: signIn } = await post(later.browser, 'sign-in/passkey/options');
    const signed = device.sign(signIn.options, 'https://pay.example');
    assert.deepEqual((await post(later.browser, 'sign-in/passkey', { response: signed })).body, { next: 'done' });
    assert.equal((await enroll(later.browser)).status, 200);
  });
});
