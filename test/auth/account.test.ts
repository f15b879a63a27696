import { listServiceEntries } from '../../src/audit/audit-log.ts';
import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { DAY, HOUR, MINUTE, SECOND, toMillis } from '../../src/shared/time.ts';
import auditLog from '../../pages/locales/account/en/audit-log.json' with { type: 'json' };
import { auditSubjects } from '../../src/subjects.ts';
import { operations } from '../../src/api/operations.ts';
import { createTestDatabase, onSqlite } from '../support/databases.ts';
import { type Browser, makeUser, openBrowser, PASSWORD, signedIn } from '../support/users.ts';
import { type EventReader, openEvents } from '../support/event-source.ts';
import { readProblem } from '../support/problems.ts';
import { runCommandInProcess } from '../support/command-line.ts';
import { until } from '../support/program.ts';
import { sendRaw } from '../support/raw-http.ts';
import { createLink } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('sign-in to the account area', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  const signIn = async (browser: Browser, email: string, password = PASSWORD) =>
    await browser.request('/account/sign-in/password', { body: { email, password } });
  const me = async (browser: Browser) => await browser.request('/account/session');
  const codeOf = (secret: string, periods = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: toMillis(fixture.clock.now()) + periods * 30_000,
    });

  /** A user with a password and an authenticator. */
  const withSecondFactor = async () => {
    const browser = await signedIn(fixture, 'owner');
    const { body } = await browser.request('/account/second-factor/begin', { body: {} });
    const { body: confirmed } = await browser.request('/account/second-factor/confirm', {
      body: { code: codeOf(body.secret) },
    });
    fixture.clock.advance(MINUTE);
    return { browser, secret: body.secret as string, recoveryCodes: confirmed.recoveryCodes as string[] };
  };

  onSqlite('with a password sets an HttpOnly, SameSite cookie', async () => {
    const { email, id } = await makeUser(fixture, 'owner');
    const browser = openBrowser(fixture);
    assert.equal((await me(browser)).status, 401);
    const { headers } = await signIn(browser, email.toUpperCase());
    assert.match(headers.get('set-cookie') ?? '', /^paylatch-session=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Strict$/);
    const { body } = await me(browser);
    assert.deepEqual(
      [body.person, body.merchants, body.isWeaklyProtected],
      [
        { id, email, name: 'Some owner', isManager: false },
        [{ id: fixture.merchant.id, name: 'Kettle & Co', role: 'owner' }],
        true,
      ],
    );
    const secret = browser.cookie?.split('=')[1] ?? '';
    const rows = await db(fixture.service().database).selectFrom('sessions').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(secret), 'the value of the cookie is stored nowhere else');
    assert.ok(!fixture.log().includes(secret));
    assert.ok(!fixture.log().includes(PASSWORD));
  });

  onSqlite(
    'a wrong password, an unknown email address and an account without a password get the same error',
    async () => {
      const { email } = await makeUser(fixture, 'viewer');
      const responses = [
        await signIn(openBrowser(fixture), email, 'another kettle of fish'),
        await signIn(openBrowser(fixture), 'nobody@shop.example'),
      ];
      const [wrong, unknown] = responses.map((response) => readProblem(response, '/account/sign-in/password'));
      assert.deepEqual([wrong?.code, wrong?.detail], [unknown?.code, unknown?.detail]);
      assert.equal(wrong?.code, 'sign_in_failed');
    },
  );

  test('a session ends by sign-out, after idle time, and after a week', async () => {
    const out = await signedIn(fixture, 'owner');
    const kept = { cookie: out.cookie ?? '' };
    await out.request('/account/sign-out', { body: {} });
    assert.equal(out.cookie, null);
    assert.equal((await out.request('/account/session', { headers: kept })).status, 401);

    const idle = await signedIn(fixture, 'owner');
    fixture.clock.advance(12 * HOUR - MINUTE);
    assert.equal((await me(idle)).status, 200);
    fixture.clock.advance(12 * HOUR);
    assert.equal((await me(idle)).status, 401);

    const busy = await signedIn(fixture, 'owner');
    for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
      fixture.clock.advance(6 * HOUR);
      assert.equal((await me(busy)).status, 200, `after ${hours} hours`);
    }
    fixture.clock.advance(6 * HOUR);
    assert.equal((await me(busy)).status, 401);
    await fixture.advance(31 * DAY);
    const rows = await db(fixture.service().database).selectFrom('sessions').select('id').execute();
    assert.deepEqual(rows, [], 'old entries are deleted');
  });

  onSqlite('a request whose session ends before its last byte arrives changes nothing', async () => {
    const thief = await signedIn(fixture, 'owner');
    const owner = openBrowser(fixture);
    await signIn(owner, thief.email);
    fixture.clock.advance(2 * MINUTE);
    const startedAt = fixture.clock.now();
    const isRead = async () => {
      const sessions = db(fixture.service().database).selectFrom('sessions').select('last_used_at');
      return (await sessions.where('last_used_at', '>', startedAt).execute()).length > 0;
    };
    const body = async function* () {
      yield Buffer.from('{"kind":"review_waiting",');
      await until('the session is read', isRead);
      assert.equal((await owner.request('/account/sessions/end', { body: { id: null } })).status, 200);
      yield Buffer.from('"is_on":false}');
    };
    const headers = { cookie: thief.cookie ?? '', 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const path = '/account/notifications';
    const { status } = await sendRaw(fixture.url, { method: 'POST', path, headers, body: body() });
    assert.equal(status, 401);
    const { body: notifications } = await owner.request('/account/notifications');
    assert.ok(notifications.kinds.length > 0);
    assert.ok(notifications.kinds.every(({ is_on: isOn }: { is_on: boolean }) => isOn));
  });

  onSqlite('changes must come from our own pages', async () => {
    const browser = await signedIn(fixture, 'owner');
    const body = { key: 'brand-name', value: 'Theirs' };
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': '' },
    ]) {
      const response = await browser.request('/v1/merchant/preferences', { method: 'PATCH', body, headers });
      assert.equal(readProblem(response, 'preferences').code, 'cross_site_request');
    }
    const out = await browser.request('/account/sign-out', { body: {}, headers: { 'sec-fetch-site': 'cross-site' } });
    assert.equal(out.status, 403);
    const own = await browser.request('/v1/merchant/preferences', { method: 'PATCH', body });
    assert.equal(own.status, 200);
  });

  test('an authenticator is required once it is set up; each code works once', async () => {
    const { browser, secret } = await withSecondFactor();
    const { email } = (await me(browser)).body.person;
    const again = openBrowser(fixture);
    assert.deepEqual((await signIn(again, email)).body, { next: 'second_factor' });
    assert.equal((await me(again)).status, 401, 'an incomplete sign-in grants no access');
    assert.equal((await again.request('/v1/merchant/preferences')).status, 401);
    const give = async (of: Browser, code: string) =>
      await of.request('/account/sign-in/second-factor', { body: { code } });
    assert.equal(readProblem(await give(again, '000000'), 'second factor').code, 'second_factor_invalid');
    const half = again.cookie;
    const code = codeOf(secret);
    assert.deepEqual((await give(again, `${code.slice(0, 3)} ${code.slice(3)}`)).body, { next: 'done' });
    assert.notEqual(again.cookie, half, 'the cookie changes when the sign-in is complete');
    assert.equal((await me(again)).status, 200);

    const other = openBrowser(fixture);
    await signIn(other, email);
    assert.equal((await give(other, code)).status, 422, 'the same code a second time');
    fixture.clock.advance(30 * SECOND);
    assert.equal((await give(other, codeOf(secret))).status, 200);
  });

  test('a recovery code replaces the authenticator once', async () => {
    const { browser, recoveryCodes } = await withSecondFactor();
    const { email } = (await me(browser)).body.person;
    assert.equal(new Set(recoveryCodes).size, 10);
    const use = async () => {
      const other = openBrowser(fixture);
      await signIn(other, email);
      const code = recoveryCodes[3]?.toUpperCase().replaceAll('-', ' ') ?? '';
      return (await other.request('/account/sign-in/second-factor', { body: { code } })).status;
    };
    assert.equal(await use(), 200);
    assert.equal(await use(), 422);
    const { body } = await browser.request('/account/protection');
    assert.deepEqual([body.recoveryCodesLeft, body.hasSecondFactor], [9, true]);
  });

  test('one of two concurrent sign-ins with the same code succeeds', async () => {
    const { browser, secret } = await withSecondFactor();
    const { email } = (await me(browser)).body.person;
    const two = [openBrowser(fixture), openBrowser(fixture)];
    for (const each of two) await signIn(each, email);
    const code = codeOf(secret);
    const responses = await Promise.all(
      two.map(async (each) => await each.request('/account/sign-in/second-factor', { body: { code } })),
    );
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 422],
    );
  });

  test('sessions are listed and ended', async () => {
    const browser = await signedIn(fixture, 'owner');
    const other = openBrowser(fixture);
    await signIn(other, browser.email);
    const { body } = await browser.request('/account/protection');
    assert.deepEqual(
      body.sessions.map((session: { isCurrent: boolean; method: string }) => [session.isCurrent, session.method]),
      [
        [false, 'password'],
        [true, 'password'],
      ],
    );
    const stranger = await signedIn(fixture, 'owner');
    await stranger.request('/account/sessions/end', { body: { id: body.sessions[0].id } });
    assert.equal((await me(other)).status, 200, 'a user cannot end another’s session');
    await browser.request('/account/sessions/end', { body: { id: body.sessions[0].id } });
    assert.equal((await me(other)).status, 401);
    assert.equal((await me(browser)).status, 200);
  });

  test('a new password ends other sessions; a weak one is rejected', async () => {
    const browser = await signedIn(fixture, 'owner');
    const other = openBrowser(fixture);
    await signIn(other, browser.email);
    const change = async (current: string | null, password: string) =>
      await browser.request('/account/password', { body: { current, password } });
    assert.equal((await change('wrong', 'three teapots on a tray')).status, 401);
    assert.equal((await change(null, 'three teapots on a tray')).status, 401);
    for (const weak of ['aaaaaaaaaaaaaaa', '123456789012', 'paylatch paylatch', browser.email]) {
      const problem = readProblem(await change(PASSWORD, weak), weak);
      assert.equal(problem.errors?.[0]?.code, 'weak_password', weak);
    }
    assert.equal((await change(PASSWORD, 'too short')).status, 422);
    assert.equal((await change(PASSWORD, 'three teapots on a tray')).status, 200);
    assert.equal((await me(other)).status, 401);
    assert.equal((await signIn(openBrowser(fixture), browser.email)).status, 401);
    assert.equal((await signIn(openBrowser(fixture), browser.email, 'three teapots on a tray')).status, 200);
  });

  onSqlite('an unknown passkey is rejected', async () => {
    const browser = openBrowser(fixture);
    const { body } = await browser.request('/account/sign-in/passkey/options', { body: {} });
    assert.equal(body.options.userVerification, 'required');
    const response = { id: 'abc', rawId: 'abc', type: 'public-key', response: {}, clientExtensionResults: {} };
    const result = await browser.request('/account/sign-in/passkey', { body: { response } });
    assert.equal(readProblem(result, 'passkey').code, 'passkey_rejected');
  });

  test('an invitation works once and assigns its role', async () => {
    const owner = await signedIn(fixture, 'owner');
    const { body } = await owner.request('/v1/people/invite', {
      body: { email: 'New.Person@shop.example', role: 'operator' },
    });
    const invitation = new URL(body.link).hash.slice(1);
    assert.equal(body.invitation.email, 'new.person@shop.example');
    const joining = openBrowser(fixture);
    const read = await joining.request('/account/invitation', { body: { invitation } });
    assert.deepEqual(read.body, {
      email: 'new.person@shop.example',
      role: 'operator',
      merchantName: 'Kettle & Co',
      isReset: false,
    });
    const join = async (browser: Browser) =>
      await browser.request('/account/invitation/password', {
        body: { invitation, name: 'Ada Lovelace', password: 'three teapots on a tray' },
      });
    assert.deepEqual((await join(joining)).body, { next: 'done' });
    assert.equal((await me(joining)).body.merchants[0].role, 'operator');
    assert.equal(readProblem(await join(openBrowser(fixture)), 'join').code, 'invitation_invalid');
    const { people } = (await owner.request('/v1/people')).body;
    assert.ok(people.some((each: { name: string; role: string }) => each.name === 'Ada Lovelace'));
  });

  onSqlite('a revoked or week-old invitation is invalid', async () => {
    const owner = await signedIn(fixture, 'owner');
    const make = async (email: string) =>
      (await owner.request('/v1/people/invite', { body: { email, role: 'viewer' } })).body;
    const first = await make('one@shop.example');
    await owner.request('/v1/people/uninvite', { body: { id: first.invitation.id } });
    const second = await make('two@shop.example');
    fixture.clock.advance(7 * DAY);
    for (const { link } of [first, second]) {
      const body = { invitation: new URL(link).hash.slice(1) };
      const response = await openBrowser(fixture).request('/account/invitation', { body });
      assert.equal(response.status, 410);
    }
  });

  test('a user with an account accepts an invitation with it; its link cannot set their password', async () => {
    const other = await fixture.makeMerchant('Other & Co');
    const owner = await signedIn(fixture, 'owner', { merchant: other.id });
    const known = await signedIn(fixture, 'viewer');
    const { body } = await owner.request('/v1/people/invite', { body: { email: known.email, role: 'operator' } });
    const invitation = new URL(body.link).hash.slice(1);
    const taking = await openBrowser(fixture).request('/account/invitation/password', {
      body: { invitation, name: 'Somebody', password: 'three teapots on a tray' },
    });
    assert.equal(readProblem(taking, 'taking').code, 'account_exists');
    const stranger = await signedIn(fixture, 'viewer');
    assert.equal((await stranger.request('/account/invitation/accept', { body: { invitation } })).status, 403);
    assert.equal((await known.request('/account/invitation/accept', { body: { invitation } })).status, 200);
    assert.deepEqual(
      (await me(known)).body.merchants.map(({ role }: { role: string }) => role),
      ['viewer', 'operator'],
    );
  });
});

describe('roles', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  test('a viewer only reads; an operator reviews; an owner changes preferences', async () => {
    const { reference } = await createLink(fixture);
    const body = { transaction_id: reference };
    const viewer = await signedIn(fixture, 'viewer');
    const operator = await signedIn(fixture, 'operator');
    const owner = await signedIn(fixture, 'owner');
    assert.equal((await viewer.request(`/fiat/v1/transaction?transaction_id=${reference}`)).status, 200);
    const refused = readProblem(await viewer.request('/fiat/v1/transaction/cancel', { body }), 'cancel');
    assert.match(refused.detail, /Your role viewer lacks the scope link:write/);
    assert.equal((await operator.request('/fiat/v1/transaction/cancel', { body })).status, 200);
    const set = { method: 'PATCH', body: { key: 'brand-name', value: 'Cups' } };
    assert.equal((await operator.request('/v1/merchant/preferences', set)).status, 403);
    assert.equal((await owner.request('/v1/merchant/preferences', set)).status, 200);
    for (const path of ['/v1/people', '/v1/audit-log']) {
      assert.equal((await operator.request(path)).status, 403);
      assert.equal((await owner.request(path)).status, 200);
    }
    const manager = { method: 'PATCH', body: { key: 'min-confirmation-btc', value: 3 } };
    assert.equal((await owner.request('/v1/merchant/preferences', manager)).body.code, 'manager_only');
  });

  test('a manager has all rights for every merchant, and other users none for other merchants', async () => {
    const other = await fixture.makeMerchant('Other & Co');
    const manager = await signedIn(fixture, 'manager');
    const set = { method: 'PATCH', body: { key: 'min-confirmation-btc', value: 3 } };
    const unnamed = await manager.request('/v1/merchant/preferences', set);
    assert.equal(unnamed.body.code, 'merchant_required');
    for (const merchant of [fixture.merchant.id, other.id])
      assert.equal((await manager.request('/v1/merchant/preferences', { ...set, merchant })).status, 200);
    assert.equal((await manager.request('/v1/merchant/preferences', { merchant: 999 })).status, 404);
    const { body } = await manager.request('/v1/merchants?search=other');
    assert.deepEqual(
      body.merchants.map(({ name }: { name: string }) => name),
      ['Other & Co'],
    );
    const made = await manager.request('/v1/merchants', { body: { name: 'Teapot & Sons' } });
    assert.match(made.body.callback_secret, /^whsec_/);

    const owner = await signedIn(fixture, 'owner');
    assert.equal((await owner.request('/v1/merchant/preferences', { merchant: other.id })).status, 404);
    assert.equal((await owner.request('/v1/merchants')).body.code, 'manager_only');
    assert.equal((await owner.request('/v1/merchants', { body: { name: 'Mine' } })).body.code, 'manager_only');
  });

  test('a merchant’s creation is audited for that merchant only, and a rejected one for no merchant', async () => {
    const owner = await signedIn(fixture, 'owner');
    const manager = await signedIn(fixture, 'manager');
    const { managerToken: token } = fixture.merchant;
    const [byUser, byToken] = [
      await manager.request('/v1/merchants', { body: { name: 'Saucer & Co' } }),
      await fixture.request('/v1/merchants', { body: { name: 'Spoon & Co' }, token }),
    ].map(({ body }) => body.merchant.id);
    await owner.request('/v1/merchants', { body: { name: 'Mine' } });
    const creationsOf = async (merchant: number) => {
      const { entries } = (await manager.request('/v1/audit-log?action=createMerchant', { merchant })).body;
      return entries.map(({ person, actor, subject, outcome }: any) => [person?.email ?? actor, subject, outcome]);
    };
    assert.deepEqual(await creationsOf(fixture.merchant.id), []);
    assert.deepEqual(await creationsOf(byUser), [[manager.email, 'Saucer & Co', 'done']]);
    assert.match(String(await creationsOf(byToken)), /^token \d+,Spoon & Co,done$/);
    const rejected = await listServiceEntries(fixture.service().database, { before: null, limit: 1 });
    assert.deepEqual(
      rejected.map(({ actor, subject, outcome }) => [actor, subject, outcome]),
      [[`person ${owner.id}`, 'Mine', 'manager_only']],
    );
  });

  test('removals and role changes take effect immediately; a merchant keeps an owner', async () => {
    const merchant = (await fixture.makeMerchant('Third & Co')).id;
    const owner = await signedIn(fixture, 'owner', { merchant });
    const other = await signedIn(fixture, 'owner', { merchant });
    const alone = async (path: string, body: object) => await other.request(path, { body });
    assert.equal((await alone('/v1/people/role', { id: owner.id, role: 'viewer' })).status, 200);
    assert.equal((await owner.request('/v1/people')).status, 403);
    for (const [path, body] of [
      ['/v1/people/role', { id: other.id, role: 'viewer' }],
      ['/v1/people/remove', { id: other.id }],
    ] as const)
      assert.equal((await alone(path, body)).body.code, 'last_owner');
    assert.equal((await alone('/v1/people/remove', { id: owner.id })).status, 200);
    assert.equal((await owner.request('/v1/merchant/preferences', { merchant })).status, 404);
    const elsewhere = await signedIn(fixture, 'owner');
    assert.equal((await alone('/v1/people/remove', { id: elsewhere.id })).status, 404);
  });

  test('two owners who remove each other concurrently leave one', async () => {
    const merchant = (await fixture.makeMerchant('Fourth & Co')).id;
    const one = await signedIn(fixture, 'owner', { merchant });
    const two = await signedIn(fixture, 'owner', { merchant });
    await Promise.all([
      one.request('/v1/people/remove', { body: { id: two.id } }),
      two.request('/v1/people/remove', { body: { id: one.id } }),
    ]);
    const rows = await db(fixture.service().database)
      .selectFrom('memberships')
      .select('id')
      .where('merchant_id', '=', merchant)
      .execute();
    assert.equal(rows.length, 1);
  });

  test('the audit log records actor, action, state before and after, time and client', async () => {
    const merchant = (await fixture.makeMerchant('Fifth & Co')).id;
    const owner = await signedIn(fixture, 'owner', { merchant });
    const set = async (value: unknown) =>
      await owner.request('/v1/merchant/preferences', {
        method: 'PATCH',
        body: { key: 'link-lifetime-minutes', value },
        headers: { 'user-agent': 'Teapot 4242424242424242' },
      });
    await set(30);
    await set(60);
    await set('never');
    const [refused, second, first] = (await owner.request('/v1/audit-log')).body.entries;
    assert.deepEqual(
      [first.before, first.after, second.before, second.after],
      [
        { 'link-lifetime-minutes': null },
        { 'link-lifetime-minutes': 30 },
        { 'link-lifetime-minutes': 30 },
        { 'link-lifetime-minutes': 60 },
      ],
    );
    assert.deepEqual(
      [second.action, second.outcome, second.person.email, second.userAgent, second.address],
      ['setPreference', 'done', owner.email, 'Teapot [number]', '127.0.0.1'],
    );
    assert.equal(refused.outcome, 'validation_failed');
    const page = (await owner.request('/v1/audit-log?per_page=2')).body;
    const rest = (await owner.request(`/v1/audit-log?per_page=2&cursor=${page.next_cursor}`)).body;
    assert.equal(rest.entries[0].id, first.id);
    assert.deepEqual((await owner.request(`/v1/audit-log?person=${owner.id + 1}`)).body.entries, []);
    const day = second.at.slice(0, 10);
    for (const [query, found] of [
      ['action=setPreference', [refused.id, second.id, first.id]],
      ['action=join,setPreference&per_page=1', [refused.id]],
      [`since=${day}&till=${day}`, page.entries.length],
      [`since=${encodeURIComponent(second.at)}&action=setPreference`, [refused.id, second.id]],
      [`till=${encodeURIComponent(second.at)}&action=setPreference`, [first.id]],
    ] as const) {
      const { status, body } = await owner.request(`/v1/audit-log?${query}`);
      const ids = body.entries.map(({ id }: { id: number }) => id);
      assert.deepEqual(
        [status, typeof found === 'number' ? ids.length >= found : ids],
        [200, typeof found === 'number' || found],
        query,
      );
    }
    assert.equal((await owner.request('/v1/audit-log?since=yesterday')).status, 422);
  });

  test('a merchant’s audit log contains the sign-ins of its members only', async () => {
    const merchant = (await fixture.makeMerchant('Sixth & Co')).id;
    const owner = await signedIn(fixture, 'owner', { merchant });
    const viewer = await signedIn(fixture, 'viewer', { merchant });
    await signedIn(fixture, 'viewer');
    await openBrowser(fixture).request('/account/sign-in/password', {
      body: { email: viewer.email, password: 'guess' },
    });
    await viewer.request('/account/sign-out', { body: {} });
    await owner.request('/v1/merchant/preferences', { method: 'PATCH', body: { key: 'brand-name', value: 'Cups' } });
    // A read that uses POST.
    await owner.request('/fiat/v1/merchant/payment-methods', { body: { country: 'FRA', currency: 'EUR' } });
    const { entries } = (await owner.request('/v1/audit-log')).body;
    assert.deepEqual(
      entries.map((entry: any) => [entry.person.email, entry.action, entry.outcome]),
      [
        [owner.email, 'setPreference', 'done'],
        [viewer.email, 'sign_out', 'done'],
        [viewer.email, 'sign_in', 'sign_in_failed'],
        [viewer.email, 'sign_in', 'done'],
        [owner.email, 'sign_in', 'done'],
      ],
    );
    const first = (await owner.request('/v1/audit-log?per_page=3')).body;
    const rest = (await owner.request(`/v1/audit-log?per_page=3&cursor=${first.next_cursor}`)).body;
    assert.deepEqual([...first.entries, ...rest.entries], entries);
    const { entries: of } = (await owner.request(`/v1/audit-log?person=${viewer.id}`)).body;
    assert.equal(of.length, 3);
  });

  test('administrative changes by access tokens are audited, payments are not', async () => {
    const merchant = await fixture.makeMerchant('Seventh & Co');
    const { managerToken: token } = merchant;
    const owner = await signedIn(fixture, 'owner', { merchant: merchant.id });
    const [listed] = (await owner.request('/v1/tokens')).body.tokens;
    await createLink(fixture, {}, token);
    const preference = {
      key: 'auto-withdrawal-destination-btc',
      value: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
    };
    await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body: preference, token });
    await fixture.request('/v1/callback/secret', { body: {}, token });
    await fixture.request('/v1/tokens', { body: { name: 'Till', scopes: ['link:write'] }, token });
    await fixture.request('/v1/people/remove', { body: { id: 999_999 }, token });
    const { entries } = (await owner.request('/v1/audit-log?per_page=4')).body;
    assert.deepEqual(
      entries.map((entry: any) => [
        ...[entry.person, entry.actor, entry.token, entry.action, entry.subject, entry.outcome],
      ]),
      [
        ['removePerson', 'person 999999', 'not_found'],
        ['createAccessToken', 'Till', 'done'],
        ['rotateCallbackSecret', null, 'done'],
        ['setPreference', preference.key, 'done'],
      ].map((rest) => [null, `token ${listed.id}`, { id: listed.id, name: listed.name }, ...rest]),
    );
    assert.deepEqual(entries[3].after, { [preference.key]: preference.value });
    assert.equal(entries[3].address, '127.0.0.1');
    const [before] = (await owner.request('/v1/audit-log?per_page=5')).body.entries.slice(4);
    assert.equal(before.action, 'sign_in');
  });

  onSqlite('every changing operation has an audit subject, or no state to record', () => {
    const known = Object.keys(auditSubjects(fixture.service().database, fixture.service().accountStore));
    /** Operations whose request is the whole record. */
    const plain = [
      ...['submitCard', 'redeliverCallback', 'testCallback', 'rotateCallbackSecret'],
      ...['submitWithdrawal', 'revokeInvitation', 'createMerchant'],
    ];
    const changing = operations
      .filter(({ method, scope }) => method !== 'GET' && !scope.endsWith(':read'))
      .map(({ id }) => id);
    assert.deepEqual([...known, ...plain].toSorted(), changing.toSorted());
  });

  test('access tokens work alongside sessions and take precedence', async () => {
    const owner = await signedIn(fixture, 'owner');
    const both = await owner.request('/v1/merchant/preferences', { token: 'pl_test_wrong' });
    assert.equal(both.status, 401);
  });

  test('sign-in attempts are limited per user and per IP address', async () => {
    const limited = await openFixture({ env: { LIMIT_SIGN_IN_PER_HOUR: '3', TRUSTED_PROXIES: 'loopback' } });
    try {
      const { email } = await makeUser(limited, 'owner');
      const tryFrom = async (address: string, as: string, password = 'wrong') =>
        await openBrowser(limited).request('/account/sign-in/password', {
          body: { email: as, password },
          headers: { 'x-forwarded-for': address },
        });
      for (const n of [1, 2, 3]) assert.equal((await tryFrom(`198.51.100.${n}`, email)).status, 401);
      const tooMany = await tryFrom('198.51.100.4', email, PASSWORD);
      assert.deepEqual([tooMany.status, tooMany.body.limit], [429, 'sign_in_user']);
      assert.match(tooMany.headers.get('retry-after') ?? '', /^\d+$/);
      for (const n of [1, 2, 3]) await tryFrom('203.0.113.9', `nobody-${n}@shop.example`);
      assert.equal((await tryFrom('203.0.113.9', 'nobody-4@shop.example')).body.limit, 'sign_in_address');
      // Attempts over the limit write nothing: anyone could fill the audit log.
      const entries = await db(limited.service().database)
        .selectFrom('audit_entries')
        .select('outcome')
        .where('action', '=', 'sign_in')
        .execute();
      assert.deepEqual(
        entries.map(({ outcome }) => outcome),
        Array.from({ length: 6 }, () => 'sign_in_failed'),
      );
      limited.clock.advance(HOUR);
      assert.equal((await tryFrom('198.51.100.4', email, PASSWORD)).status, 200);
    } finally {
      await limited.close();
    }
  });
});

describe('live updates of the account area', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  const follow = async (browser: Browser, merchant: number) =>
    await openEvents(`${fixture.url}/v1/events/stream?merchant=${merchant}`, { cookie: browser.cookie ?? '' });
  const next = async (reader: EventReader) => {
    const { isSignedIn, changes } = JSON.parse((await reader.next('state')).data);
    return [isSignedIn, changes];
  };

  test('report changes of the merchant only', async () => {
    const other = await fixture.makeMerchant('Other & Co');
    const viewer = await signedIn(fixture, 'viewer');
    const reader = await follow(viewer, fixture.merchant.id);
    assert.deepEqual(await next(reader), [true, 0]);
    const body = { transaction_id: (await createLink(fixture)).reference };
    await fixture.request('/fiat/v1/transaction/cancel', { body });
    assert.deepEqual(await next(reader), [true, 1]);
    reader.close();
    assert.equal((await follow(viewer, other.id)).status, 404);
    assert.equal((await follow(openBrowser(fixture), fixture.merchant.id)).status, 401);
  });

  test('end with the session and with the membership', async () => {
    const owner = await signedIn(fixture, 'owner');
    const viewer = await signedIn(fixture, 'viewer');
    for (const end of [
      async () => await viewer.request('/account/sessions/end', { body: { id: null } }),
      async () => await owner.request('/v1/people/remove', { body: { id: viewer.id } }),
    ]) {
      const other = openBrowser(fixture);
      await other.request('/account/sign-in/password', { body: { email: viewer.email, password: PASSWORD } });
      const reader = await follow(other, fixture.merchant.id);
      assert.deepEqual(await next(reader), [true, 0]);
      await end();
      assert.deepEqual(await next(reader), [false, 0]);
      await reader.ended();
    }
  });
});

describe('in production', () => {
  onSqlite('a password alone is not enough', async () => {
    const fixture = await openFixture({
      env: { PAYLATCH_ENV: 'production', PUBLIC_URL: 'https://pay.example', PAYLATCH_SECRET_KEY: 'ab'.repeat(32) },
    });
    try {
      const { email } = await makeUser(fixture, 'owner');
      const browser = openBrowser(fixture);
      const { body, headers } = await browser.request('/account/sign-in/password', {
        body: { email, password: PASSWORD },
      });
      assert.deepEqual(body, { next: 'set_up_second_factor' });
      assert.match(headers.get('set-cookie') ?? '', /^__Host-paylatch-session=.*; Secure$/);
      assert.equal((await browser.request('/account/session')).status, 401);
      assert.equal((await browser.request('/v1/merchant/preferences')).status, 401);
      const { body: begun } = await browser.request('/account/second-factor/begin', { body: {} });
      const code = new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate({
        timestamp: toMillis(fixture.clock.now()),
      });
      const confirmed = await browser.request('/account/second-factor/confirm', { body: { code } });
      assert.equal(confirmed.body.recoveryCodes.length, 10);
      assert.equal((await browser.request('/account/session')).status, 200);
      const rows = await db(fixture.service().database).selectFrom('people').selectAll().execute();
      assert.ok(!JSON.stringify(rows).includes(begun.secret));
    } finally {
      await fixture.close();
    }
  });
});

describe('on the command line', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());
  const signIn = async (browser: Browser) =>
    await browser.request('/account/sign-in/password', { body: { email: 'dev@shop.example', password: 'short' } });

  test('changes by commands are audited with the operating system’s user', async () => {
    const settings = {
      DATABASE_URL: fixture.databaseUrl,
      LOG_LEVEL: 'silent',
      PUBLIC_URL: fixture.url,
      SUDO_USER: 'alice',
    };
    const made = await runCommandInProcess<any>(['merchant', 'create', '--name', 'Eighth & Co'], settings);
    const of = ['--merchant', String(made.merchant_id)];
    const method = ['--method', 'credit_card', '--currency', 'USD', '--fee-percent', '2.9'];
    const email = ['--email', 'eighth@shop.example'];
    for (const args of [
      ['merchant', 'method', ...of, ...method],
      ['token', 'create', ...of, '--name', 'Till', '--scopes', 'link:write'],
      ['webhooks', 'secret', ...of, '--rotate'],
      ['link', 'create', ...of, '--amount', '5', '--reference', 'from-cli'],
      ['user', 'create', ...of, ...email, '--role', 'operator', '--password', 'short'],
      ['user', 'reset', ...email],
      ['user', 'remove', ...of, ...email],
    ])
      await runCommandInProcess(args, settings);
    const client = await runCommandInProcess<any>(['client', 'create', ...of, '--scopes', 'link:write'], settings);
    await runCommandInProcess(['client', 'revoke', ...of, '--id', client.client_id], settings);
    const { tokens } = await runCommandInProcess<any>(['token', 'list', ...of], settings);
    const token = String(tokens[0].id);
    await runCommandInProcess(['token', 'revoke', ...of, '--id', token], settings);
    const owner = await signedIn(fixture, 'owner', { merchant: made.merchant_id });
    const { entries } = (await owner.request('/v1/audit-log?per_page=50')).body;
    const byCommands = entries.filter(({ actor }: any) => actor === 'command line (alice)').toReversed();
    assert.deepEqual(
      byCommands.map((entry: any) => `${entry.action} ${entry.subject} ${entry.outcome}`),
      [
        'createMerchant Eighth & Co',
        'setPaymentMethods credit_card USD',
        `createAccessToken token ${token}`,
        'rotateCallbackSecret Eighth & Co',
        'createTransaction from-cli',
        'addPerson eighth@shop.example',
        'resetPerson eighth@shop.example',
        'removePerson eighth@shop.example',
        `createClient ${client.client_id}`,
        `revokeClient ${client.client_id}`,
        `revokeAccessToken token ${token}`,
      ].map((entry) => `${entry} done`),
    );
    // The filter of the account area finds each of them.
    for (const { action } of byCommands) assert.ok(action in auditLog.actions, action);
    assert.deepEqual(byCommands[2].after, { name: 'Till', role: 'merchant', scopes: 'link:write' });
    assert.equal(byCommands[1].before[0].status, 'disabled');
    assert.equal(byCommands[1].after[0].fee_percent_millionths, 29_000);
  });

  test('users are invited, created with a password in the sandbox, listed and reset', async () => {
    const settings = { DATABASE_URL: fixture.databaseUrl, LOG_LEVEL: 'silent', PUBLIC_URL: fixture.url };
    const of = ['--merchant', String(fixture.merchant.id)];
    const invited = await runCommandInProcess(
      ['user', 'create', ...of, '--email', 'cli@shop.example', '--role', 'owner'],
      settings,
    );
    assert.match(String(invited['invitation']), /\/account\/join#[\w-]{43}$/);
    const at = ['--email', 'dev@shop.example', '--role', 'operator', '--password', 'short'];
    await runCommandInProcess(['user', 'create', ...of, ...at], settings);
    const browser = openBrowser(fixture);
    assert.equal((await signIn(browser)).status, 200);
    const { users } = await runCommandInProcess(['user', 'list', ...of], settings);
    const found = (users as unknown as { email: string; role: string }[]).filter(({ email }) =>
      /^(cli|dev)@/.test(email),
    );
    assert.deepEqual(
      found.map(({ email, role }) => `${email} ${role}`),
      ['dev@shop.example operator', 'cli@shop.example owner'],
    );
    await runCommandInProcess(['user', 'remove', ...of, '--email', 'cli@shop.example'], settings);
    const { users: left } = await runCommandInProcess(['user', 'list', ...of], settings);
    assert.ok(!JSON.stringify(left).includes('cli@shop.example'), 'expired invitations are deleted');
    const { invitation } = await runCommandInProcess(['user', 'reset', '--email', 'dev@shop.example'], settings);
    assert.equal((await browser.request('/account/session')).status, 401);
    assert.equal((await signIn(openBrowser(fixture))).status, 401);
    const back = openBrowser(fixture);
    const joined = await back.request('/account/invitation/password', {
      body: {
        invitation: new URL(String(invitation)).hash.slice(1),
        name: 'Dev',
        password: 'three teapots on a tray',
      },
    });
    assert.equal(joined.status, 200);
    assert.equal((await back.request('/account/session')).body.merchants[0].role, 'operator');
    await runCommandInProcess(['user', 'remove', ...of, '--email', 'dev@shop.example'], settings);
    assert.deepEqual((await back.request('/account/session')).body.merchants, []);
    await assert.rejects(
      runCommandInProcess(['user', 'remove', ...of, '--email', 'dev@shop.example'], settings),
      /No user or invitation has the email address dev@shop.example/,
    );
    const staff = ['--email', 'staff@pay.example'];
    await runCommandInProcess(['user', 'create', ...staff, '--role', 'manager', '--password', 'short'], settings);
    const managers = async () => JSON.stringify((await runCommandInProcess(['user', 'list'], settings)).users);
    assert.match(await managers(), /"staff@pay.example","name":"staff","role":"manager"/);
    await runCommandInProcess(['user', 'remove', ...staff], settings);
    assert.equal(await managers(), '[]');
    const own = await createTestDatabase();
    await assert.rejects(
      runCommandInProcess(
        ['user', 'create', '--email', 'dev@pay.example', '--role', 'manager', '--password', 'short'],
        {
          DATABASE_URL: own.url,
          PAYLATCH_ENV: 'production',
          PUBLIC_URL: 'https://pay.example',
          PAYLATCH_SECRET_KEY: 'ab'.repeat(32),
        },
      ),
      /only in the sandbox/,
    );
    await own.drop();
  });
});
