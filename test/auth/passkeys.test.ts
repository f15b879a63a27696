import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { accountCalls } from '../../src/api/account.ts';
import { MINUTE } from '../../src/shared/time.ts';
import { Authenticator } from '../support/authenticator.ts';
import { type Browser, openBrowser, signedIn } from '../support/users.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { onSqlite } from '../support/databases.ts';

describe('passkeys', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture({ host: 'localhost' });
  });
  after(async () => await fixture.close());

  const sendRequest = async (browser: Browser, path: string, body: object = {}) => {
    const response = await browser.request(`/account/${path}`, { body });
    assert.equal(response.status, 200, response.text);
    return response.body.options;
  };
  const send = async (browser: Browser, path: string, body: object) =>
    await browser.request(`/account/${path}`, { body });

  /** A signed-in user with a passkey and a password. */
  const withPasskey = async () => {
    const browser = await signedIn(fixture, 'owner');
    const device = new Authenticator();
    const response = device.make(await sendRequest(browser, 'passkeys/options'), fixture.url);
    const added = await send(browser, 'passkeys/add', { name: 'Laptop', response });
    assert.equal(added.status, 200, added.text);
    return { browser, device, response, accountSecurity: added.body };
  };

  test('an invited user joins and signs in with a passkey', async () => {
    const owner = await signedIn(fixture, 'owner');
    const { body } = await owner.request('/v1/people/invite', { body: { email: 'ada@shop.example', role: 'viewer' } });
    const joining = { invitation: new URL(body.link).hash.slice(1), name: 'Ada Lovelace' };
    const browser = openBrowser(fixture);
    const device = new Authenticator();
    const requested = await sendRequest(browser, 'invitation/passkey/options', joining);
    assert.deepEqual(
      [
        requested.authenticatorSelection.residentKey,
        requested.authenticatorSelection.userVerification,
        requested.attestation,
      ],
      ['required', 'required', 'none'],
    );
    const response = device.make(requested, fixture.url);
    assert.deepEqual((await send(browser, 'invitation/passkey', { ...joining, response })).body, { next: 'done' });
    const back = openBrowser(fixture);
    const signed = device.sign(await sendRequest(back, 'sign-in/passkey/options'), fixture.url);
    assert.deepEqual((await send(back, 'sign-in/passkey', { response: signed })).body, { next: 'done' });
    assert.equal((await back.request('/account/session')).body.person.name, 'Ada Lovelace');
  });

  test('a response works once, for its purpose, before it expires, and from our own pages', async () => {
    const { browser, device, response } = await withPasskey();
    const refused = async (path: string, body: object) => {
      const result = await send(openBrowser(fixture), path, body);
      assert.equal(result.body.code, 'passkey_rejected', result.text);
    };
    const signIn = async () => await sendRequest(openBrowser(fixture), 'sign-in/passkey/options');

    const once = device.sign(await signIn(), fixture.url);
    assert.equal((await send(openBrowser(fixture), 'sign-in/passkey', { response: once })).status, 200);
    await refused('sign-in/passkey', { response: once });
    await refused('sign-in/passkey', { response: device.sign(await signIn(), 'https://paylatch.example') });
    await refused('sign-in/passkey', {
      response: device.sign({ ...(await signIn()), rpId: 'evil.example' }, fixture.url),
    });
    const forAdding = await sendRequest(browser, 'passkeys/options');
    await refused('sign-in/passkey', {
      response: device.sign({ challenge: forAdding.challenge, rpId: 'localhost' }, fixture.url),
    });
    const late = await signIn();
    fixture.clock.advance(5 * MINUTE);
    await refused('sign-in/passkey', { response: device.sign(late, fixture.url) });
    await refused('sign-in/passkey', { response: new Authenticator().sign(await signIn(), fixture.url) });
    const confirmed = device.sign(await sendRequest(browser, 'step-up/passkey/options'), fixture.url);
    assert.equal((await send(browser, 'step-up/passkey', { response: confirmed })).status, 200);
    assert.equal((await send(browser, 'passkeys/add', { name: 'Again', response })).body.code, 'passkey_rejected');
  });

  test('a passkey belongs to one user', async () => {
    const { device } = await withPasskey();
    const other = await signedIn(fixture, 'owner');
    const response = device.make(await sendRequest(other, 'passkeys/options'), fixture.url);
    assert.equal((await send(other, 'passkeys/add', { name: 'Mine', response })).body.code, 'passkey_rejected');
  });

  test('a removed passkey no longer works; the last credential cannot be removed', async () => {
    const { browser, device, accountSecurity } = await withPasskey();
    const stranger = await signedIn(fixture, 'owner');
    const remove = async (by: Browser) => await send(by, 'passkeys/remove', { id: accountSecurity.passkeys[0].id });
    assert.equal((await remove(stranger)).status, 404);
    assert.deepEqual((await remove(browser)).body.passkeys, []);
    const signed = device.sign(await sendRequest(openBrowser(fixture), 'sign-in/passkey/options'), fixture.url);
    assert.equal((await send(openBrowser(fixture), 'sign-in/passkey', { response: signed })).status, 422);

    const { body } = await browser.request('/v1/people/invite', { body: { email: 'eve@shop.example', role: 'owner' } });
    const joining = { invitation: new URL(body.link).hash.slice(1), name: 'Eve' };
    const only = openBrowser(fixture);
    const made = new Authenticator().make(await sendRequest(only, 'invitation/passkey/options', joining), fixture.url);
    await send(only, 'invitation/passkey', { ...joining, response: made });
    const [passkey] = (await only.request('/account/protection')).body.passkeys;
    assert.equal((await send(only, 'passkeys/remove', { id: passkey.id })).body.code, 'last_credential');
  });

  onSqlite('any input gets a problem response', async () => {
    const { browser, device } = await withPasskey();
    const response = device.sign(await sendRequest(openBrowser(fixture), 'sign-in/passkey/options'), fixture.url);
    const odd = fc.oneof(
      fc.constant(response),
      fc.record({ id: fc.constant(device.id), type: fc.constant('public-key') }),
      fc.json(),
    );
    const changed = fc
      .tuple(
        odd,
        fc.dictionary(fc.constantFrom('id', 'rawId', 'response', 'type', 'clientExtensionResults'), fc.jsonValue()),
      )
      .map(([base, change]) => (typeof base === 'object' ? { ...base, ...change } : base));
    const field: Record<string, fc.Arbitrary<unknown>> = {
      ...{ response: changed, id: fc.option(fc.nat()), current: fc.option(fc.string()) },
      email: fc.constantFrom(browser.email, 'nobody@shop.example', 'x'),
    };
    const sent = Object.values(accountCalls)
      .flatMap((call) => ('body' in call ? [call] : []))
      .filter(({ path }) => !path.endsWith('/sign-out') && !path.endsWith('/end'))
      .map(({ path, body }) => {
        const named = Object.keys(body.shape).map((name) => [name, field[name] ?? fc.string({ maxLength: 40 })]);
        return fc.record({ path: fc.constant(path), body: fc.record(Object.fromEntries(named)) });
      });
    await fc.assert(
      fc.asyncProperty(fc.oneof(...sent), async ({ path, body }) => {
        const { status, text } = await browser.request(path, { body });
        assert.ok(status < 500, `${path} ${JSON.stringify(body)}: ${text}`);
      }),
      { numRuns: 300 },
    );
  });

  onSqlite('a passkey needs neither a second factor nor a password', async () => {
    const { browser } = await withPasskey();
    const { body } = await browser.request('/account/session');
    assert.equal(body.isWeaklyProtected, false);
  });
});
