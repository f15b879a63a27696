import { expect } from 'chai';
import { render } from 'lit';
import { AuditLogPage } from '../../pages/account/audit-log/audit-log-page.ts';
import { MePage } from '../../pages/account/me/me-page.ts';
import type { Passkeys } from '../../pages/account/passkeys.ts';
import { TeamPage } from '../../pages/account/team/team-page.ts';
import type { AccountSecurity } from '../../src/api/account.ts';
import {
  accountContext,
  accountTexts,
  type FakeResponse,
  type SentRequest,
  accessibilityViolations,
  button,
  innerControl,
  nameOf,
  toggleExpandable,
  hostileTexts,
  problem,
  waitForPage,
  showPage,
  horizontalOverflow,
  textOf,
} from './account-fixtures.ts';

const at = '2026-03-10T11:00:00.000000Z';
const grace = {
  id: 2,
  email: 'grace@kettle.example',
  name: 'Grace Hopper',
  role: 'operator',
  lastSeenAt: null,
  joinedAt: at,
};
const ada = { ...grace, id: 1, email: 'ada@kettle.example', name: 'Ada Lovelace', role: 'owner', lastSeenAt: at };
const invitation = { id: 4, email: 'alan@kettle.example', role: 'viewer', expiresAt: at };
const people = { people: [ada, grace], invitations: [invitation] };

function accountSecurity(change: Partial<AccountSecurity> = {}): AccountSecurity {
  const session = {
    ...({ id: 1, isCurrent: true, method: 'passkey', address: '203.0.113.7', userAgent: 'curl/8' } as const),
    ...{ createdAt: at, lastUsedAt: at, expiresAt: at },
  };
  return {
    passkeys: [{ id: 1, name: 'MacBook', isSynced: true, createdAt: at, lastUsedAt: at }],
    hasPassword: true,
    hasSecondFactor: false,
    recoveryCodesLeft: 0,
    sessions: [session, { ...session, id: 2, isCurrent: false }, { ...session, id: 3, isCurrent: false }],
    ...change,
  };
}

const entry = {
  ...{
    id: 3,
    at,
    person: { id: 1, email: ada.email, name: ada.name },
    token: null,
    action: 'setPreference',
    subject: 'callback-url',
  },
  ...{ before: { value: null }, after: { value: 'https://kettle.example/' }, outcome: 'done' },
  ...{ address: '203.0.113.7', userAgent: 'Mozilla/5.0 (iPhone)' },
};

const rows = (page: Element) => [...page.querySelectorAll('.row')].map(textOf);
async function press(page: Element, name: RegExp) {
  button(page, name).click();
  await waitForPage(page);
}

describe('the states of a list', () => {
  afterEach(() => document.body.replaceChildren());

  it('shows a skeleton of the final size, and announces loading', async () => {
    const { context } = accountContext({ 'GET /v1/people': async () => await new Promise(() => {}) });
    const page = await showPage(new TeamPage(), context);
    expect(page.querySelector('[aria-busy=true]')).to.not.equal(null);
    expect(textOf(page.querySelector('[role=status]'))).to.equal('Loading');
    expect(page.querySelector('.row')?.getBoundingClientRect().height).to.be.at.least(64);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows a problem with its request ID, and retries', async () => {
    const results: Parameters<typeof accountContext>[0] = {
      'GET /v1/people': problem(503, 'unavailable', { request_id: 'req-9' }),
    };
    const { context } = accountContext(results);
    const page = await showPage(new TeamPage(), context);
    expect(textOf(page.querySelector('.state'))).to.contain('req-9');
    expect(await accessibilityViolations()).to.deep.equal([]);
    results['GET /v1/people'] = { body: people };
    await press(page, /^Try again$/);
    expect(rows(page)[1]).to.contain('Grace Hopper');
  });

  it('keeps the rows if a refetch fails', async () => {
    const results: Parameters<typeof accountContext>[0] = {
      'GET /v1/audit-log': { body: { entries: [entry], next_cursor: 'more' } },
    };
    const { context, announced } = accountContext(results);
    const page = await showPage(new AuditLogPage(), context);
    delete results['GET /v1/audit-log'];
    await press(page, /^Show more$/);
    expect(announced).to.deep.equal(['Service unavailable']);
    expect(page.querySelectorAll('.audit-entry')).to.have.length(1);
  });
});

describe('the team', () => {
  afterEach(() => document.body.replaceChildren());

  async function team(role: 'owner' | 'viewer' = 'owner') {
    const setup = accountContext(
      {
        'GET /v1/people': { body: people },
        'POST /v1/people/invite': { body: { invitation, link: 'https://pay.example/account/join#secret' } },
        'POST /v1/people/role': { body: people },
        'POST /v1/people/remove': problem(409, 'last_owner'),
        'POST /v1/people/uninvite': { body: people },
      },
      role,
    );
    return { page: await showPage(new TeamPage(), setup.context), ...setup };
  }
  const changes = (requests: readonly { method: string; path: string; body: unknown }[]) =>
    requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]);

  it('shows users and invitations; users cannot change their own role', async () => {
    const { page } = await team();
    const [first = '', second = '', third = ''] = rows(page);
    expect(first).to.contain('Ada Lovelace You').and.not.contain('Change role');
    expect(second).to.contain('Grace Hopper').and.contain('Never signed in').and.contain('Operator');
    expect(third).to.contain('alan@kettle.example').and.contain('Revoke');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('invites, prompts again for an invalid address, and shows the link once', async () => {
    const { page, requests, prompts, promptAnswers } = await team();
    promptAnswers.push({ email: 'alan', role: 'viewer' }, { email: 'alan@kettle.example', role: 'viewer' });
    await press(page, /^Invite member$/);
    expect(prompts).to.have.length(2);
    const again = document.createElement('div');
    render(prompts[1]?.fields, again);
    expect(again.querySelector('wa-radio-group')?.value).to.equal('viewer');
    expect(changes(requests)).to.deep.equal([['/v1/people/invite', { email: 'alan@kettle.example', role: 'viewer' }]]);
    expect(textOf(page.querySelector('.created-invitation'))).to.contain('https://pay.example/account/join#secret');
    expect(document.activeElement?.id).to.equal('created-invitation');
    expect(await accessibilityViolations()).to.deep.equal([]);
    await press(page, /^Close$/);
    expect(page.querySelector('.created-invitation')).to.equal(null);
  });

  it('changes nothing without confirmation, and announces problems', async () => {
    const { page, requests, prompts, promptAnswers, announced } = await team();
    await press(page, /^Remove: Grace Hopper$/);
    expect(prompts.at(-1)).to.include({ isDestructive: true, heading: 'Remove Grace Hopper from the team?' });
    expect(changes(requests)).to.deep.equal([]);
    promptAnswers.push({});
    await press(page, /^Remove: Grace Hopper$/);
    expect(announced).to.deep.equal([
      'A merchant needs at least one owner. Assign the owner role to another member first.',
    ]);
    promptAnswers.push({ role: 'viewer' });
    await press(page, /^Change role: Grace Hopper$/);
    expect(changes(requests).at(-1)).to.deep.equal(['/v1/people/role', { id: 2, role: 'viewer' }]);
  });

  it('invites the first members of a new merchant', async () => {
    const { context } = accountContext({ 'GET /v1/people': { body: { people: [], invitations: [] } } });
    const page = await showPage(new TeamPage(), context);
    expect(textOf(page.querySelector('account-state'))).to.match(/^No members yet/);
    expect(page.querySelector('.list')).to.equal(null);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows hostile names as text, without overflow', async () => {
    const hostile = hostileTexts.map((name, index) => ({ ...grace, id: index + 10, name, email: `${name}@x.example` }));
    const { context } = accountContext({ 'GET /v1/people': { body: { people: hostile, invitations: [] } } });
    const page = await showPage(new TeamPage(), context);
    for (const [index, row] of rows(page).entries())
      expect(row).to.contain(textOf({ textContent: hostileTexts[index] ?? '' } as Element));
    expect(page.querySelector('img')).to.equal(null);
    expect(horizontalOverflow()).to.be.at.most(0);
    expect(Object.hasOwn(window, 'hostileTextRan')).to.equal(false);
  });
});

describe('the audit log', () => {
  const { href } = location;
  afterEach(() => {
    document.body.replaceChildren();
    history.replaceState(null, '', href);
  });

  async function log(change: Record<string, unknown> = {}) {
    const setup = accountContext({
      'GET /v1/audit-log': ({ query }) => ({
        body:
          query.get('cursor') === null
            ? { entries: [{ ...entry, ...change }], next_cursor: 'next' }
            : { entries: [{ ...entry, id: 2, action: 'somethingNew', subject: null }], next_cursor: null },
      }),
    });
    return { page: await showPage(new AuditLogPage(), setup.context), ...setup };
  }

  it('shows user, action and changes', async () => {
    const { page } = await log();
    expect(textOf(page.querySelector('[slot=summary]'))).to.equal(
      'Setting changed Webhook URL Ada Lovelace Mar 10, 11:00 AM',
    );
    toggleExpandable(page.querySelector('wa-details'));
    expect([...page.querySelectorAll('.differences td')].map(textOf)).to.deep.equal(['–', 'https://kettle.example/']);
    expect(textOf(page.querySelector('.expanded-content'))).to.contain('203.0.113.7 · iPhone');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('loads the next page, and shows unknown actions by their code', async () => {
    const { page, requests } = await log();
    await press(page, /^Show more$/);
    expect(requests.at(-1)?.query.get('cursor')).to.equal('next');
    expect([...page.querySelectorAll('[slot=summary] .row-title')].map(textOf)).to.deep.equal([
      'Setting changed Webhook URL',
      'somethingNew',
    ]);
    expect(button(page, /^Show more$|^Filter by/).textContent).to.not.match(/Show more/);
  });

  it('marks refused actions, and actions of unknown users', async () => {
    const { page } = await log({ outcome: 'last_owner', person: null });
    expect(textOf(page.querySelector('[slot=summary]')))
      .to.contain('Unknown')
      .and.contain('Failed');
    expect(textOf(page.querySelector('.expanded-content'))).to.match(/Reason\s?A merchant needs at least one owner/);
  });

  it('names access tokens and the command line', async () => {
    for (const [actor, words] of [
      ['token 12', 'Access token 12'],
      ['token 13', 'Till 7'],
      ['command line (alice)', 'Command line (alice)'],
      ['command line', 'Command line'],
    ]) {
      const token = actor === 'token 13' ? { id: 13, name: 'Till 7' } : null;
      const { page } = await log({ actor, token, person: null, address: '' });
      expect(textOf(page.querySelector('[slot=summary] .row-text'))).to.equal(words);
      expect(textOf(page.querySelector('.expanded-content'))).to.not.match(/Source/);
      const link = page.querySelector<HTMLAnchorElement>('.expanded-content a');
      expect(link && [link.getAttribute('href'), textOf(link)]).to.deep.equal(
        token === null ? null : ['/account/7/integration', 'Till 7'],
      );
      if (link) expect(link.offsetHeight).to.be.at.least(44);
      document.body.replaceChildren();
    }
  });

  it('names the object, and keeps its ID in the details', async () => {
    for (const [entry, name] of [
      [{ action: 'revokeAccessToken', subject: 'token 12', before: { name: 'Till 7' } }, 'Till 7'],
      [
        { action: 'updateReusableLink', subject: 'reusable link bG5Ra5KExHuj4FGa', after: { title: 'Workshop' } },
        'Workshop',
      ],
      [
        {
          action: 'updateWebhookEndpoint',
          subject: 'webhook endpoint we_1',
          after: { url: 'https://shop.example/hook' },
        },
        'https://shop.example/hook',
      ],
      [
        { action: 'updateAcquirerAccount', subject: 'acquirer account vAwRd4SO8PwK', before: null, after: null },
        'vAwRd4SO8PwK',
      ],
    ] as const) {
      const { page } = await log(entry);
      expect(textOf(page.querySelector('.audit-subject'))).to.equal(name);
      expect(textOf(page.querySelector('.expanded-content'))).to.contain(entry.subject);
      document.body.replaceChildren();
    }
  });

  it('names settings as the settings page does, and keeps their keys in the details', async () => {
    const before = { 'callback-url': null, 'min-amount-btc': null, 'of-a-later-release': null };
    const after = { 'callback-url': 'https://kettle.example/', 'min-amount-btc': '500', 'of-a-later-release': 1 };
    const subject = Object.keys(before).join(', ');
    const { page } = await log({ action: 'setPreferences', subject, before, after });
    const names = ['Webhook URL', `${accountTexts['account.settings.names.min_amount']} (BTC)`, 'of-a-later-release'];
    expect(textOf(page.querySelector('.audit-subject'))).to.equal(names.join(', '));
    expect([...page.querySelectorAll('.differences tbody th')].map(textOf)).to.deep.equal(names);
    expect(textOf(page.querySelector('.fact-list'))).to.contain(subject);
  });

  it('names payment methods, and keeps their codes in the details', async () => {
    const subject = 'qr_code THB, credit_card USD, of_a_later_release EUR, …';
    const { page } = await log({ action: 'setPaymentMethods', subject });
    expect(textOf(page.querySelector('.audit-subject'))).to.equal('QR code THB, Card USD, Of a later release EUR, …');
    expect(textOf(page.querySelector('.fact-list'))).to.contain(subject);
  });

  it('filters by user, action and period, and keeps the filters in the URL', async () => {
    history.replaceState(null, '', `${location.pathname}?action=sign_in&since=2026-03-01&till=2026-03-02`);
    const { page, requests } = await log();
    const sent = (name: string) => requests.at(-1)?.query.get(name);
    const select = async (id: string, value: string) => {
      const field = page.querySelector(`wa-select#${id}`) ?? page;
      Object.assign(field, { value });
      field.dispatchEvent(new Event('change'));
      await waitForPage(page);
    };
    const localDay = (day: number) => new Date(2026, 2, day).toISOString();
    expect([sent('action'), sent('since'), sent('till')]).to.deep.equal(['sign_in', localDay(1), localDay(3)]);
    expect(page.querySelector<HTMLInputElement>('#filter-since')?.value).to.equal('2026-03-01');
    await select('filter-period', '');
    expect([sent('since'), page.querySelector('#filter-since')]).to.deep.equal([null, null]);
    const option = page.querySelector('#filter-action wa-option[value="setPreference"]');
    expect(textOf(option)).to.equal(accountTexts['account.audit_log.actions.setPreference']);
    await select('filter-action', 'setPreference');
    toggleExpandable(page.querySelector('wa-details'));
    await press(page, /^Filter by Ada Lovelace$/);
    expect([sent('action'), sent('person'), location.search]).to.deep.equal([
      ...['setPreference', '1', '?action=setPreference&person=1'],
    ]);
    expect(await accessibilityViolations()).to.deep.equal([]);
    await press(page, /^Actor: Ada Lovelace/);
    expect([sent('person'), location.search]).to.deep.equal([null, '?action=setPreference']);
  });

  it('names the user in the filter of each URL in the history', async () => {
    const entryOf = (id: number, name: string) => ({
      ...entry,
      id,
      person: { id, email: `${id}@kettle.example`, name },
    });
    const entries = [entryOf(1, 'Ada Lovelace'), entryOf(2, 'Bob Beta')];
    const { context } = accountContext({
      'GET /v1/audit-log': ({ query }) => {
        const id = query.get('person');
        return {
          body: { entries: entries.filter((each) => id === null || id === String(each.id)), next_cursor: null },
        };
      },
    });
    history.replaceState(null, '', '/account/7/audit-log?person=1');
    const page = await showPage(new AuditLogPage(), context);
    const chip = () => textOf(page.querySelector('.chips'));
    expect(chip()).to.match(/^Actor: Ada Lovelace/);
    await press(page, /^Actor: Ada Lovelace/);
    for (const details of page.querySelectorAll('wa-details')) toggleExpandable(details);
    await press(page, /^Filter by Bob Beta$/);
    expect(chip()).to.match(/^Actor: Bob Beta/);
    const returned = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    history.go(-2);
    await returned;
    await waitForPage(page);
    expect(chip()).to.match(/^Actor: Ada Lovelace/);
  });

  it('offers to clear filters without a match', async () => {
    history.replaceState(null, '', `${location.pathname}?action=join`);
    const { context, requests } = accountContext({ 'GET /v1/audit-log': { body: { entries: [], next_cursor: null } } });
    const page = await showPage(new AuditLogPage(), context);
    expect(textOf(page.querySelector('account-state'))).to.match(/^No matching entries/);
    await press(page, /^Clear filters$/);
    expect([requests.at(-1)?.query.has('action'), location.search]).to.deep.equal([false, '']);
    expect(textOf(page.querySelector('account-state'))).to.match(/^No entries yet/);
  });

  for (const text of hostileTexts)
    it(`shows hostile values as text: ${text.slice(0, 12)}`, async () => {
      const { page } = await log({
        subject: text,
        after: { value: text, [text]: text },
        person: { id: 1, email: text, name: text },
      });
      toggleExpandable(page.querySelector('wa-details'));
      await waitForPage(page);
      expect(page.querySelector('img')).to.equal(null);
      expect(horizontalOverflow()).to.be.at.most(0);
    });
});

describe('the user’s sign-in', () => {
  afterEach(() => document.body.replaceChildren());

  const response = { id: 'credential', type: 'public-key' } as const;
  const passkeys: Passkeys = {
    isAvailable: () => true,
    supportsAutofill: async () => await Promise.resolve(false),
    get: async () => await Promise.resolve(response),
    create: async () => await Promise.resolve(response),
  };

  async function me(state = accountSecurity(), more: Parameters<typeof accountContext>[0] = {}) {
    const setup = accountContext({ 'GET /account/protection': { body: state }, ...more });
    return { page: await showPage(Object.assign(new MePage(), { passkeys }), setup.context), ...setup };
  }

  it('shows credentials and sessions', async () => {
    const { page } = await me();
    expect(rows(page)[0]).to.contain('MacBook').and.contain('Last used 1 hour ago');
    expect(rows(page)[1]).to.contain('This device').and.not.contain('End session');
    expect(textOf(page.querySelector('a[href="/licenses.txt"]'))).to.equal('Open-source notices');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('ends several sessions, one after another', async () => {
    const { page, requests } = await me(accountSecurity(), {
      'POST /account/sessions/end': { body: accountSecurity() },
    });
    for (const end of page.querySelectorAll('wa-button')) {
      if (!nameOf(end).startsWith('End session:')) continue;
      end.click();
      end.click();
    }
    await waitForPage(page);
    const ended = requests.filter(({ path }) => path === '/account/sessions/end');
    expect(ended.map(({ body }) => body)).to.deep.equal([{ id: 2 }, { id: 3 }]);
  });

  it('adds a named passkey', async () => {
    const { page, promptAnswers, requests, announced } = await me(accountSecurity(), {
      'POST /account/passkeys/options': { body: { options: {} } },
      'POST /account/passkeys/add': { body: accountSecurity({ passkeys: [] }) },
    });
    promptAnswers.push({ name: 'Phone' });
    await press(page, /^Add passkey$/);
    await waitForPage(page);
    expect(requests.at(-1)?.body).to.deep.equal({ name: 'Phone', response });
    expect(announced).to.deep.equal(['Passkey added']);
  });

  it('does not offer to remove the last credential', async () => {
    const { page } = await me(accountSecurity({ hasPassword: false }));
    expect(rows(page)[0]).to.contain('MacBook').and.not.contain('Remove');
  });

  it('changes the password, with errors at the fields', async () => {
    const results: Parameters<typeof accountContext>[0] = { 'POST /account/password': problem(401, 'sign_in_failed') };
    const { page, announced, requests } = await me(accountSecurity(), results);
    await press(page, /^Change password$/);
    await press(page, /^Save$/);
    expect(textOf(page.querySelector('#current-error'))).to.equal('Enter your current password.');
    expect(textOf(page.querySelector('#new-password-error'))).to.match(/at least 12 characters/);
    expect(document.activeElement?.id).to.equal('current');
    expect(await accessibilityViolations()).to.deep.equal([]);
    const fill = (id: string, value: string) => {
      const input = page.querySelector<HTMLInputElement>(`#${id}`);
      if (input) input.value = value;
    };
    fill('current', 'not this');
    fill('new-password', 'four words in a row');
    await press(page, /^Save$/);
    expect(textOf(page.querySelector('#current-error'))).to.equal('Incorrect password. Try again.');
    expect(requests.at(-1)?.body).to.deep.equal({ current: 'not this', password: 'four words in a row' });
    expect(announced).to.deep.equal([]);
  });

  it('ends one session, or all others', async () => {
    const { page, requests } = await me(accountSecurity(), {
      'POST /account/sessions/end': { body: accountSecurity() },
    });
    await press(page, /^End session: Unknown device$/);
    await press(page, /^End all other sessions$/);
    expect(requests.filter(({ method }) => method === 'POST').map(({ body }) => body)).to.deep.equal([
      { id: 2 },
      { id: null },
    ]);
  });

  /** Refuses `path` until a step-up. */
  function guarded(path: string, body: unknown, stepUp: FakeResponse = { body: {} }) {
    let isConfirmed = false;
    const confirm = () => {
      isConfirmed = stepUp.status === undefined;
      return stepUp;
    };
    return {
      [`POST ${path}`]: () => (isConfirmed ? { body } : problem(403, 'step_up_required')),
      'POST /account/step-up/second-factor': confirm,
      'POST /account/step-up/password': confirm,
      'POST /account/step-up/passkey/options': { body: { options: { challenge: 'x' } } },
      'POST /account/step-up/passkey': confirm,
    };
  }
  const dialogOf = (page: Element) => {
    const dialog = page.querySelector<HTMLDialogElement>('step-up-dialog wa-dialog');
    if (!dialog) throw new Error('There is no dialog');
    return dialog;
  };
  const fill = (page: Element, id: string, value: string) => {
    const input = page.querySelector<HTMLInputElement>(`#${id}`);
    if (!input) throw new Error(`There is no field ${id}`);
    input.value = value;
  };
  const paths = (requests: readonly SentRequest[]) =>
    requests.filter(({ method }) => method === 'POST').map(({ path }) => path.replace('/account/', ''));

  it('turns codes off after a step-up with a code', async () => {
    const on = accountSecurity({ hasSecondFactor: true, recoveryCodesLeft: 1, passkeys: [] });
    const { page, promptAnswers, requests, announced } = await me(
      on,
      guarded('/account/second-factor/remove', accountSecurity()),
    );
    expect(textOf(page)).to.contain('1 recovery code left.');
    promptAnswers.push({});
    await press(page, /^Remove$/);
    const dialog = dialogOf(page);
    expect(dialog.open).to.equal(true);
    expect(textOf(dialog.querySelector('h2'))).to.equal('Confirm it’s you');
    expect(document.activeElement?.id).to.equal('step-up-code');
    expect(dialog.querySelector('input')?.getAttribute('autocomplete')).to.equal('one-time-code');
    expect(await accessibilityViolations()).to.deep.equal([]);
    fill(page, 'step-up-code', ' 123 456 ');
    await press(dialog, /^Confirm$/);
    expect(requests.find(({ path }) => path.endsWith('/step-up/second-factor'))?.body).to.deep.equal({
      code: '123 456',
    });
    expect(paths(requests)).to.deep.equal(['second-factor/remove', 'step-up/second-factor', 'second-factor/remove']);
    expect(dialog.open).to.equal(false);
    expect(announced).to.deep.equal(['Authenticator app removed']);
  });

  it('offers a step-up with a passkey or a code', async () => {
    const on = accountSecurity({ hasSecondFactor: true });
    const { page, promptAnswers, requests, announced } = await me(
      on,
      guarded('/account/passkeys/remove', accountSecurity()),
    );
    promptAnswers.push({});
    await press(page, /^Remove: MacBook$/);
    const dialog = dialogOf(page);
    expect(textOf(document.activeElement)).to.equal('Use passkey');
    expect(dialog.querySelector('#step-up-code')).to.not.equal(null);
    expect(await accessibilityViolations()).to.deep.equal([]);
    await press(dialog, /^Use passkey$/);
    expect(requests.find(({ path }) => path.endsWith('/step-up/passkey'))?.body).to.deep.equal({ response });
    expect(announced).to.deep.equal(['Passkey removed']);
  });

  it('asks users with a passkey for the passkey, not the password', async () => {
    const setup = accountContext({
      'GET /account/protection': { body: accountSecurity() },
      ...guarded('/account/passkeys/remove', accountSecurity(), problem(422, 'passkey_rejected')),
    });
    const states = [new DOMException('', 'NotAllowedError'), null];
    const get = async () => {
      const error = states.shift();
      if (error) throw await Promise.resolve(error);
      return response;
    };
    const page = await showPage(Object.assign(new MePage(), { passkeys: { ...passkeys, get } }), setup.context);
    setup.promptAnswers.push({});
    await press(page, /^Remove: MacBook$/);
    const dialog = dialogOf(page);
    expect(dialog.querySelector('input')).to.equal(null);
    await press(dialog, /^Use passkey$/);
    expect(textOf(dialog.querySelector('#step-up-passkey-error'))).to.equal('Passkey not confirmed. Try again.');
    await press(dialog, /^Use passkey$/);
    expect(textOf(dialog.querySelector('#step-up-passkey-error'))).to.match(/^Passkey not accepted/);
    expect(dialog.open).to.equal(true);
    expect(setup.announced).to.deep.equal([]);
  });

  it('shows a wrong password in the dialog, and changes nothing if it is closed', async () => {
    const off = accountSecurity({ passkeys: [] });
    const { page, requests, announced } = await me(
      off,
      guarded('/account/second-factor/begin', {}, problem(401, 'sign_in_failed')),
    );
    await press(page, /^Set up$/);
    const dialog = dialogOf(page);
    const field = dialog.querySelector('input');
    expect([field?.id, field?.getAttribute('autocomplete')]).to.deep.equal(['step-up-password', 'current-password']);
    fill(page, 'step-up-password', ' not this');
    await press(dialog, /^Confirm$/);
    expect(requests.at(-1)?.body).to.deep.equal({ password: ' not this' });
    expect(textOf(dialog.querySelector('#step-up-password-error'))).to.equal('Incorrect password. Try again.');
    expect(field?.getAttribute('aria-describedby')).to.equal('step-up-password-error');
    expect(document.activeElement === field).to.equal(true);
    expect(await accessibilityViolations()).to.deep.equal([]);
    await press(dialog, /^Cancel$/);
    expect(page.querySelectorAll('second-factor-set-up').length).to.equal(0);
    expect(innerControl(button(page, /^Set up$/)).getAttribute('aria-expanded')).to.equal('false');
    expect(paths(requests)).to.deep.equal(['second-factor/begin', 'step-up/password']);
    expect(announced).to.deep.equal([]);
  });

  it('continues to set up codes after a step-up, and shows the recovery codes until they are saved', async () => {
    const { page, requests, prompts, promptAnswers } = await me(accountSecurity({ passkeys: [] }), {
      'POST /account/sessions/end': { body: accountSecurity({ hasSecondFactor: true }) },
      'POST /account/second-factor/begin': { body: { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/x?secret=J' } },
      ...guarded('/account/second-factor/confirm', { recoveryCodes: ['aaaa-bbbb'] }),
    });
    await press(page, /^Set up$/);
    fill(page, 'first-code', '123456');
    await press(page.querySelector('second-factor-set-up') ?? page, /^Confirm$/);
    fill(page, 'step-up-password', 'four words in a row');
    await press(dialogOf(page), /^Confirm$/);
    expect(paths(requests).slice(-2)).to.deep.equal(['step-up/password', 'second-factor/confirm']);
    expect(textOf(page.querySelector('.recovery-codes'))).to.equal('aaaa-bbbb');
    expect(textOf(page)).to.not.contain('Set up');
    await press(page, /^End session: Unknown device$/);
    expect(textOf(page.querySelector('.recovery-codes'))).to.equal('aaaa-bbbb');
    expect(await page.canLeave()).to.equal(false);
    expect(prompts[0]?.heading).to.equal('Save your recovery codes');
    promptAnswers.push({});
    expect(await page.canLeave()).to.equal(true);
    await press(page, /saved/);
    expect(page.querySelector('.recovery-codes')).to.equal(null);
    expect([await page.canLeave(), prompts.length]).to.deep.equal([true, 2]);
  });
});
