import { expect } from 'chai';
import { JoinPage } from '../../pages/account/join/join-page.ts';
import type { Passkeys } from '../../pages/account/passkeys.ts';
import { SignInPage } from '../../pages/account/sign-in/sign-in-page.ts';
import {
  accountContext,
  type FakeResponse,
  accessibilityViolations,
  button,
  hostileTexts,
  problem,
  waitForPage,
  showPage,
  horizontalOverflow,
  textOf,
} from './account-fixtures.ts';

const passkeyResponse = { id: 'credential', type: 'public-key' } as const;
const options: FakeResponse = { body: { options: { challenge: 'x' } } };

function fakePasskeys(change: Partial<Passkeys> = {}): Passkeys {
  return {
    isAvailable: () => true,
    supportsAutofill: async () => await Promise.resolve(false),
    get: async () => await Promise.resolve(passkeyResponse),
    create: async () => await Promise.resolve(passkeyResponse),
    ...change,
  };
}

async function signIn(results: Parameters<typeof accountContext>[0], passkeys = fakePasskeys()) {
  const setup = accountContext(results);
  const page = await showPage(Object.assign(new SignInPage(), { passkeys }), setup.context);
  const fill = (id: string, value: string) => {
    const input = page.querySelector<HTMLInputElement>(`#${id}`);
    if (!input) throw new Error(`There is no field ${id}`);
    input.value = value;
  };
  const press = async (name: RegExp) => {
    button(page, name).click();
    await waitForPage(page);
  };
  return { page, fill, press, ...setup };
}

const fieldErrorOf = (page: Element, id: string) => {
  const input = page.querySelector(`#${id}`);
  expect(input?.getAttribute('aria-describedby') ?? '').to.contain(`${id}-error`);
  return textOf(page.querySelector(`#${id}-error`));
};

describe('the sign-in page', () => {
  afterEach(() => document.body.replaceChildren());

  it('has fields for password managers and passkeys', async () => {
    const { page } = await signIn({});
    const email = page.querySelector('input[type=email]');
    expect(email?.getAttribute('autocomplete')).to.equal('username webauthn');
    expect(page.querySelector('input[type=password]')?.getAttribute('autocomplete')).to.equal('current-password');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('signs in with a passkey, without typing', async () => {
    const { press, requests, navigations } = await signIn({
      'POST /account/sign-in/passkey/options': options,
      'POST /account/sign-in/passkey': { body: { next: 'done' } },
    });
    await press(/^Sign in with a passkey$/);
    expect(requests.at(-1)?.body).to.deep.equal({ response: passkeyResponse });
    expect(navigations).to.deep.equal(['(account changed)']);
  });

  it('offers passkeys in the field if supported, and is silent if none is selected', async () => {
    const filledIn: unknown[] = [];
    const passkeys = fakePasskeys({
      supportsAutofill: async () => await Promise.resolve(true),
      get: async (_options, isFilledIn) => {
        filledIn.push(isFilledIn);
        throw await Promise.resolve(new DOMException('', 'NotAllowedError'));
      },
    });
    const { page } = await signIn({ 'POST /account/sign-in/passkey/options': options }, passkeys);
    await waitForPage(page);
    expect(filledIn).to.deep.equal([true]);
    expect(page.querySelector('.field-error')).to.equal(null);
  });

  it('does not interrupt the button’s passkey request when autofill loads late', async () => {
    const offered = Promise.withResolvers<FakeResponse>();
    const chosen = Promise.withResolvers<typeof passkeyResponse>();
    const filledIn: unknown[] = [];
    let isFirst = true;
    const { page, press, navigations } = await signIn(
      {
        'POST /account/sign-in/passkey/options': async () => {
          const result = isFirst ? offered.promise : Promise.resolve(options);
          isFirst = false;
          return await result;
        },
        'POST /account/sign-in/passkey': { body: { next: 'done' } },
      },
      fakePasskeys({
        supportsAutofill: async () => await Promise.resolve(true),
        get: async (_options, isFilledIn) => {
          filledIn.push(isFilledIn);
          return await chosen.promise;
        },
      }),
    );
    await press(/^Sign in with a passkey$/);
    offered.resolve(options);
    await waitForPage(page);
    expect(filledIn).to.deep.equal([undefined]);
    chosen.resolve(passkeyResponse);
    await waitForPage(page);
    expect(navigations).to.deep.equal(['(account changed)']);
  });

  it('requests a passkey again that was selected in the field after the request expired', async () => {
    const { now } = Date;
    const selected = Promise.withResolvers<typeof passkeyResponse>();
    const isAutofill: unknown[] = [];
    const { page, requests, navigations } = await signIn(
      {
        'POST /account/sign-in/passkey/options': options,
        'POST /account/sign-in/passkey': { body: { next: 'done' } },
      },
      fakePasskeys({
        supportsAutofill: async () => await Promise.resolve(true),
        get: async (_options, isFilledIn) => {
          isAutofill.push(isFilledIn);
          return isFilledIn ? await selected.promise : { ...passkeyResponse, id: 'second' };
        },
      }),
    );
    try {
      Date.now = () => now() + 5 * 60_000;
      selected.resolve(passkeyResponse);
      await waitForPage(page);
    } finally {
      Date.now = now;
    }
    expect(isAutofill).to.deep.equal([true, undefined]);
    const sent = requests.filter(({ path }) => path === '/account/sign-in/passkey');
    expect(sent.map(({ body }) => body)).to.deep.equal([{ response: { ...passkeyResponse, id: 'second' } }]);
    expect(navigations).to.deep.equal(['(account changed)']);
  });

  it('explains an unused or unknown passkey', async () => {
    const cancelled = await signIn(
      { 'POST /account/sign-in/passkey/options': options },
      fakePasskeys({
        get: async () => {
          throw await Promise.resolve(new DOMException('', 'NotAllowedError'));
        },
      }),
    );
    await cancelled.press(/passkey$/);
    expect(textOf(cancelled.page.querySelector('#passkey-error'))).to.match(/^Passkey not confirmed/);
    document.body.replaceChildren();
    const unknown = await signIn({
      'POST /account/sign-in/passkey/options': options,
      'POST /account/sign-in/passkey': problem(422, 'passkey_rejected'),
    });
    await unknown.press(/passkey$/);
    expect(textOf(unknown.page.querySelector('#passkey-error'))).to.match(/^Passkey not recognized/);
  });

  it('shows missing input at the field, focuses it, and sends nothing', async () => {
    const { page, press, requests } = await signIn({});
    await press(/with a password$/);
    expect(fieldErrorOf(page, 'email')).to.match(/^Enter an email address/);
    expect(fieldErrorOf(page, 'password')).to.match(/^Enter your password/);
    expect(document.activeElement?.id).to.equal('email');
    expect(requests).to.deep.equal([]);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('continues from password to code, and signs in', async () => {
    const { page, fill, press, requests, navigations } = await signIn({
      'POST /account/sign-in/password': { body: { next: 'second_factor' } },
      'POST /account/sign-in/second-factor': { body: { next: 'done' } },
    });
    fill('email', ' ada@kettle.example ');
    fill('password', ' a password of words ');
    await press(/with a password$/);
    expect(requests.at(-1)?.body).to.deep.equal({ email: 'ada@kettle.example', password: ' a password of words ' });
    const code = page.querySelector('#code');
    expect(document.activeElement?.id).to.equal('code');
    expect(code?.getAttribute('autocomplete')).to.equal('one-time-code');
    expect(code?.getAttribute('inputmode')).to.equal('numeric');
    fill('code', '123 456');
    await press(/^Continue$/);
    expect(navigations).to.deep.equal(['(account changed)']);
  });

  it('shows a wrong password or code at the field, and keeps the input', async () => {
    const { page, fill, press, answers } = await signInWithRejections();
    fill('email', 'ada@kettle.example');
    fill('password', 'not this one');
    await press(/with a password$/);
    expect(fieldErrorOf(page, 'password')).to.match(/^Incorrect email or password/);
    expect(page.querySelector<HTMLInputElement>('#email')?.value).to.equal('ada@kettle.example');
    answers['POST /account/sign-in/password'] = { body: { next: 'second_factor' } };
    await press(/with a password$/);
    fill('code', '000000');
    await press(/^Continue$/);
    expect(fieldErrorOf(page, 'code')).to.match(/^Incorrect or expired code/);
  });

  async function signInWithRejections() {
    const results: Record<string, FakeResponse> = {
      'POST /account/sign-in/password': problem(401, 'sign_in_failed'),
      'POST /account/sign-in/second-factor': problem(422, 'second_factor_invalid'),
    };
    return { ...(await signIn(results)), answers: results };
  }

  it('returns to the first step when the time for the code is over', async () => {
    const { page, fill, press } = await signIn({
      'POST /account/sign-in/password': { body: { next: 'second_factor' } },
      'POST /account/sign-in/second-factor': problem(401, 'unauthorized'),
    });
    fill('email', 'ada@kettle.example');
    fill('password', 'x');
    await press(/with a password$/);
    fill('code', '123456');
    await press(/^Continue$/);
    expect(textOf(page.querySelector('h1'))).to.equal('Sign in');
    expect(textOf(page.querySelector('#form-error'))).to.match(/^You’ve been signed out/);
    expect(page.contains(document.activeElement)).to.equal(true);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows when to retry after too many attempts, and an unavailable service', async () => {
    const { page, fill, press } = await signIn({
      'POST /account/sign-in/password': { ...problem(429, 'rate_limited'), headers: { 'Retry-After': '170' } },
    });
    fill('email', 'ada@kettle.example');
    fill('password', 'x');
    await press(/with a password$/);
    expect(textOf(page.querySelector('#form-error'))).to.match(/Wait 3 minutes/);
    document.body.replaceChildren();
    const unavailable = await signIn({});
    unavailable.fill('email', 'ada@kettle.example');
    unavailable.fill('password', 'x');
    await unavailable.press(/with a password$/);
    expect(textOf(unavailable.page.querySelector('#form-error'))).to.match(/^Service unavailable/);
  });

  it('continues from password to passkey for users with one', async () => {
    const { page, fill, press, navigations } = await signIn({
      'POST /account/sign-in/password': { body: { next: 'passkey' } },
      'POST /account/sign-in/passkey/options': options,
      'POST /account/sign-in/passkey': { body: { next: 'done' } },
    });
    fill('email', 'ada@kettle.example');
    fill('password', 'x');
    await press(/with a password$/);
    expect(textOf(page.querySelector('h1'))).to.equal('Use your passkey');
    expect(textOf(document.activeElement)).to.equal('Sign in with a passkey');
    expect(page.querySelector('input')).to.equal(null);
    expect(await accessibilityViolations()).to.deep.equal([]);
    await press(/passkey$/);
    expect(navigations).to.deep.equal(['(account changed)']);
  });

  it('sets up required codes first, and shows the recovery codes once', async () => {
    const { page, fill, press, navigations } = await signIn({
      'POST /account/sign-in/password': { body: { next: 'set_up_second_factor' } },
      'POST /account/second-factor/begin': { body: { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/x?secret=J' } },
      'POST /account/second-factor/confirm': { body: { recoveryCodes: ['aaaa-bbbb', 'cccc-dddd'] } },
    });
    fill('email', 'ada@kettle.example');
    fill('password', 'x');
    await press(/with a password$/);
    expect(textOf(page.querySelector('.secret code'))).to.equal('JBSW Y3DP EHPK 3PXP');
    expect(await accessibilityViolations()).to.deep.equal([]);
    await press(/^Start over$/);
    expect(textOf(page.querySelector('h1'))).to.equal('Sign in');
    fill('email', 'ada@kettle.example');
    fill('password', 'x');
    await press(/with a password$/);
    fill('first-code', '123456');
    await press(/^Confirm$/);
    expect(textOf(page), 'not while the codes are shown').to.not.contain('Start over');
    expect([...page.querySelectorAll('.recovery-codes li')].map(textOf)).to.deep.equal(['aaaa-bbbb', 'cccc-dddd']);
    expect(navigations).to.deep.equal([]);
    await press(/^I’ve saved them$/);
    expect(navigations).to.deep.equal(['(account changed)']);
  });
});

describe('the invitation page', () => {
  afterEach(() => document.body.replaceChildren());

  async function join(results: Parameters<typeof accountContext>[0], passkeys = fakePasskeys(), invitation = 'secret') {
    const setup = accountContext(results);
    const page = await showPage(Object.assign(new JoinPage(), { passkeys, invitation }), setup.context);
    return { page, ...setup };
  }
  const invited = (change: Record<string, unknown> = {}): FakeResponse => ({
    body: { email: 'grace@kettle.example', role: 'operator', merchantName: 'Kettle & Co', isReset: false, ...change },
  });

  it('shows merchant, role and address, and accepts a name and a passkey', async () => {
    const { page, requests, navigations } = await join({
      'POST /account/invitation': invited(),
      'POST /account/invitation/passkey/options': options,
      'POST /account/invitation/passkey': { body: { next: 'done' } },
    });
    expect(textOf(page.querySelector('h1'))).to.equal('Join Kettle & Co');
    expect(textOf(page)).to.contain('grace@kettle.example');
    expect(await accessibilityViolations()).to.deep.equal([]);
    const name = page.querySelector<HTMLInputElement>('#name');
    if (name) name.value = 'Grace Hopper';
    button(page, /^Join with a passkey$/).click();
    await waitForPage(page);
    expect(requests.at(-1)?.body).to.deep.equal({
      ...{ invitation: 'secret', name: 'Grace Hopper', response: passkeyResponse },
    });
    expect(requests.every(({ path, query }) => !`${path}${query}`.includes('secret'))).to.equal(true);
    expect(navigations).to.deep.equal(['(account changed)']);
  });

  it('accepts a password of sufficient length instead', async () => {
    const { page, requests } = await join(
      { 'POST /account/invitation': invited(), 'POST /account/invitation/password': { body: { next: 'done' } } },
      fakePasskeys({ isAvailable: () => false }),
    );
    const set = (id: string, value: string) => {
      const input = page.querySelector<HTMLInputElement>(`#${id}`);
      if (input) input.value = value;
    };
    set('name', 'Grace');
    set('password', 'too short');
    button(page, /^Join with a password$/).click();
    await waitForPage(page);
    expect(fieldErrorOf(page, 'password')).to.match(/at least 12 characters/);
    expect(page.querySelector('#password')?.getAttribute('autocomplete')).to.equal('new-password');
    set('password', 'four words in a row');
    button(page, /^Join with a password$/).click();
    await waitForPage(page);
    expect(requests.at(-1)?.body).to.deep.equal({
      invitation: 'secret',
      name: 'Grace',
      password: 'four words in a row',
    });
  });

  it('explains an expired invitation, and the next step', async () => {
    const { page } = await join({ 'POST /account/invitation': problem(410, 'invitation_invalid') });
    expect(textOf(page.querySelector('.state-heading'))).to.equal('This invitation is no longer valid');
    expect(page.querySelector('.state wa-button')?.getAttribute('href')).to.equal('/account/sign-in');
    document.body.replaceChildren();
    const withoutInvitation = await join({}, fakePasskeys(), '');
    expect(textOf(withoutInvitation.page.querySelector('.state-heading'))).to.equal(
      'This invitation is no longer valid',
    );
    expect(withoutInvitation.requests).to.deep.equal([]);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows the invitation of another link that is opened in the same tab', async () => {
    const names: Record<string, string> = { secret: 'Kettle & Co', other: 'Tea House' };
    const { page, requests } = await join({
      'POST /account/invitation': ({ body }) =>
        invited({ merchantName: names[(body as { invitation: string }).invitation] }),
    });
    const opened = async (hash: string) => {
      const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
      location.hash = hash;
      await changed;
      await waitForPage(page);
    };
    const { href } = location;
    await opened('content');
    expect(textOf(page.querySelector('h1'))).to.equal('Join Kettle & Co');
    await opened('other');
    history.replaceState(null, '', href);
    expect(textOf(page.querySelector('h1'))).to.equal('Join Tea House');
    expect(requests.map(({ body }) => body)).to.deep.equal([{ invitation: 'secret' }, { invitation: 'other' }]);
  });

  it('redirects users with an account to sign-in, without the secret in a URL', async () => {
    const { page, navigations } = await join({
      'POST /account/invitation': invited(),
      'POST /account/invitation/accept': problem(401, 'unauthorized'),
    });
    button(page, /^Use an existing account$/).click();
    await waitForPage(page);
    expect(navigations).to.deep.equal(['/account/sign-in?next=/account/join']);
    expect(sessionStorage.getItem('paylatch-invitation')).to.equal('secret');
    sessionStorage.clear();
  });

  it('reports an address that already has an account', async () => {
    const { page } = await join({
      'POST /account/invitation': invited(),
      'POST /account/invitation/passkey/options': problem(409, 'account_exists'),
    });
    const name = page.querySelector<HTMLInputElement>('#name');
    if (name) name.value = 'Grace Hopper';
    button(page, /^Join with a passkey$/).click();
    await waitForPage(page);
    expect(textOf(page.querySelector('#form-error'))).to.match(
      /Account already exists\. Sign in, then open the invitation again/,
    );
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('restores access to a reset account, without an invitation to accept', async () => {
    const { page, requests } = await join({
      'POST /account/invitation': invited({ isReset: true }),
      'POST /account/invitation/passkey/options': options,
      'POST /account/invitation/passkey': { body: { next: 'done' } },
    });
    expect(textOf(page.querySelector('h1'))).to.equal('Restore your access');
    expect([...page.querySelectorAll('wa-button')].map(textOf)).to.deep.equal([
      'Create passkey',
      'Use a password instead',
    ]);
    const name = page.querySelector<HTMLInputElement>('#name');
    if (name) name.value = 'Grace Hopper';
    button(page, /^Create passkey$/).click();
    await waitForPage(page);
    expect(requests.at(-1)?.path).to.equal('/account/invitation/passkey');
  });

  for (const text of hostileTexts)
    it(`shows a merchant’s name as text: ${text.slice(0, 12)}`, async () => {
      const { page } = await join({ 'POST /account/invitation': invited({ merchantName: text }) });
      expect(textOf(page.querySelector('h1'))).to.contain(text.replaceAll(/\s+/g, ' '));
      expect(page.querySelector('img')).to.equal(null);
      expect(horizontalOverflow()).to.be.at.most(0);
    });
});
