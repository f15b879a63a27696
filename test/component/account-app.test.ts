import { expect } from 'chai';
import { render } from 'lit';
import { AccountApp } from '../../pages/account/account-app.ts';
import { LiveUpdates, type LiveUpdate } from '../../pages/account/live.ts';
import { routes } from '../../pages/account/routes.ts';
import { passwordOnlyNotice } from '../../pages/account/shell/password-only-notice.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import type { Account } from '../../src/api/account.ts';
import {
  accountOf,
  accountTexts,
  accountI18n,
  type FakeResponse,
  accessibilityViolations,
  button,
  hostileTexts,
  innerControl,
  keydown,
  problem,
  waitForPage,
  horizontalOverflow,
  fakeService,
  textOf,
  loadStyles,
} from './account-fixtures.ts';

const home = location.href;
const people: FakeResponse = { body: { people: [], invitations: [] } };

async function open(
  address: string,
  account: Partial<Account> | null = {},
  results: Record<string, FakeResponse> = {},
) {
  history.replaceState(null, '', address);
  const service = fakeService({
    'GET /account/session': account === null ? problem(401, 'unauthorized') : { body: accountOf(account) },
    'GET /v1/people': people,
    'GET /v1/audit-log': { body: { entries: [], next_cursor: null } },
    'GET /v1/transactions': { body: { transactions: [{}, {}], next_cursor: null } },
    'GET /fiat/v1/transactions': { body: { transactions: [], pagination: { next_cursor: null } } },
    ...results,
  });
  const app = new AccountApp();
  app.api = service.api;
  app.live = new LiveUpdates({
    openStream: () => Object.assign(new EventTarget(), { close: () => {} }) as unknown as EventSource,
    schedule: () => () => {},
    page: { addEventListener: () => {}, visibilityState: 'visible' },
  });
  const listeners: ((update: LiveUpdate) => void)[] = [];
  app.live.subscribe = (listener) => {
    listeners.push(listener);
    return () => {};
  };
  Object.assign(app, { languages: ['en', 'es'], language: 'en', i18n: accountI18n });
  await loadStyles();
  document.body.append(app);
  await waitForPage(app);
  const go = async (act: () => void) => {
    act();
    await waitForPage(app);
    await waitForPage(app);
  };
  const link = (name: string) => {
    const found = [...app.querySelectorAll<HTMLAnchorElement>('.bottom a, .sheet a')].find((each) =>
      textOf(each).startsWith(name),
    );
    if (!found) throw new Error(`There is no link ${name}`);
    return found;
  };
  const links = () => [...app.querySelectorAll('.side a')].map((each) => textOf(each).split(' ')[0]);
  const press = async (key: string, more: KeyboardEventInit = {}) =>
    await go(() => void app.dispatchEvent(keydown(key, more)));
  const sendUpdate = async (update: LiveUpdate) =>
    await go(() => {
      for (const listener of listeners) listener(update);
    });
  return { app, go, link, links, press, sendUpdate, ...service };
}

const currentPath = () => location.pathname + location.search;
const heading = () => textOf(document.querySelector('main h1'));

describe('the frame of the account area', () => {
  afterEach(() => {
    document.body.replaceChildren();
    localStorage.clear();
    history.replaceState(null, '', home);
  });

  it('redirects to sign-in without a session, and remembers the requested page', async () => {
    const { app } = await open('/account/7/team?x=1', null);
    expect(currentPath()).to.equal(`/account/sign-in?${new URLSearchParams({ next: '/account/7/team?x=1' })}`);
    expect(heading()).to.equal('Sign in');
    expect(app.querySelector('nav')).to.equal(null);
  });

  for (const [next, expected] of [
    ['/account/7/team', '/account/7/team'],
    ['//evil.example/account', '/account/7/overview'],
    ['https://evil.example', '/account/7/overview'],
    ['/accounts', '/account/7/overview'],
  ] as const)
    it(`continues after sign-in, only within the account area: ${next}`, async () => {
      const { app, go, responses } = await open(`/account/sign-in?${new URLSearchParams({ next })}`, null);
      responses['GET /account/session'] = { body: accountOf() };
      responses['POST /account/sign-in/password'] = { body: { next: 'done' } };
      for (const [id, value] of Object.entries({ email: 'ada@kettle.example', password: 'x' })) {
        const input = app.querySelector<HTMLInputElement>(`#${id}`);
        if (input) input.value = value;
      }
      await go(() => button(app, /with a password$/).click());
      await waitForPage(app);
      expect(currentPath()).to.equal(expected);
    });

  it('saves the scroll position once when scrolling ends, and before a click', async () => {
    const { app } = await open('/account/7/team');
    app.style.cssText = 'display: block; min-block-size: 20000px';
    let saves = 0;
    const { replaceState } = history;
    const savedPosition = () => (history.state as { scroll?: number } | null)?.scroll;
    // Never resolves if the position is not saved; then the test fails by its time limit.
    const saved = new Promise<void>((resolve) => {
      history.replaceState = (...args) => {
        saves += 1;
        replaceState.apply(history, args);
        if (savedPosition() === 2000) resolve();
      };
    });
    try {
      // Without frames between them, each of which may take longer than the delay of a save.
      for (let count = 1; count <= 20; count++) {
        scrollTo(0, count * 100);
        dispatchEvent(new Event('scroll'));
      }
      await saved;
      expect(saves).to.be.below(20);
      scrollTo(0, 3000);
      await new Promise((resolve) => addEventListener('scroll', resolve, { once: true }));
      app.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
      expect(savedPosition()).to.equal(3000);
    } finally {
      history.replaceState = replaceState;
      scrollTo(0, 0);
    }
  });

  it('starts with the last merchant, or else the first', async () => {
    const merchants = [
      { id: 7, name: 'Kettle & Co', role: 'owner' as const },
      { id: 8, name: 'Teapot & Sons', role: 'viewer' as const },
    ];
    await open('/account', { merchants });
    expect(currentPath()).to.equal('/account/7/overview');
    document.body.replaceChildren();
    await open('/account/8/overview', { merchants });
    document.body.replaceChildren();
    await open('/account', { merchants });
    expect(currentPath()).to.equal('/account/8/overview');
  });

  it('shows the review count and the sandbox badge, and is accessible', async () => {
    const { app, link, requests } = await open('/account/7/team');
    expect(textOf(link('Review queue'))).to.equal('Review queue 2 2 to review');
    expect(textOf(app.querySelector('.sandbox'))).to.equal('Sandbox');
    expect(requests.find(({ path }) => path === '/v1/people')?.headers.get('Paylatch-Merchant')).to.equal('7');
    expect(document.title).to.equal('Team – Kettle & Co – Paylatch');
    expect(await accessibilityViolations()).to.deep.equal([]);
    expect(horizontalOverflow()).to.be.at.most(0);
  });

  it('navigates by links: focuses the heading, sets the title and current link; and back', async () => {
    const { app, go, link } = await open('/account/7/team');
    await go(() => link('Audit log').click());
    expect(currentPath()).to.equal('/account/7/audit-log');
    expect(heading()).to.equal('Audit log');
    expect(document.activeElement?.tagName).to.equal('H1');
    expect(document.title).to.match(/^Audit log/);
    expect(link('Audit log').getAttribute('aria-current')).to.equal('page');
    const navigated = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    history.back();
    await navigated;
    await waitForPage(app);
    await waitForPage(app);
    expect(heading()).to.equal('Team');
  });

  it('lets the open page read its query again when a link changes it', async () => {
    const { go, link, requests } = await open('/account/7/audit-log?person=3');
    const membersRead = () =>
      requests.filter(({ path }) => path === '/v1/audit-log').map(({ query }) => query.get('person'));
    expect(membersRead()).to.deep.equal(['3']);
    await go(() => link('Audit log').click());
    expect(currentPath()).to.equal('/account/7/audit-log');
    expect(membersRead()).to.deep.equal(['3', null]);
  });

  const { load } = routes.audit_log;
  afterEach(() => Object.assign(routes.audit_log, { load }));

  it('opens the page of a link that is clicked twice', async () => {
    const { go, link } = await open('/account/7/team');
    const arrived = Promise.withResolvers<unknown>();
    Object.assign(routes.audit_log, { load: async () => await arrived.promise });
    await go(() => link('Audit log').click());
    await go(() => link('Audit log').click());
    await go(() => arrived.resolve(load()));
    expect(heading()).to.equal('Audit log');
  });

  describe('with two merchants', () => {
    const merchants = [
      { id: 7, name: 'Kettle & Co', role: 'owner' as const },
      { id: 8, name: 'Teapot & Sons', role: 'owner' as const },
    ];
    const clickLinkTo = (address: string) => {
      history.pushState(null, '', address);
      dispatchEvent(new PopStateEvent('popstate'));
    };

    it('sends requests for the merchant of the page, even while another merchant’s page loads', async () => {
      const { app, go, requests } = await open(
        '/account/7/team',
        { merchants },
        { 'GET /v1/people': problem(503, 'x') },
      );
      const arrived = Promise.withResolvers<unknown>();
      Object.assign(routes.audit_log, { load: async () => await arrived.promise });
      await go(() => clickLinkTo('/account/8/audit-log'));
      await go(() => Object.assign(app, { i18n: new I18n(accountTexts, 'en-US') }));
      await go(() => button(app, /^Try again$/).click());
      const headerOf = (path: string) =>
        requests.findLast((each) => each.path === path)?.headers.get('Paylatch-Merchant');
      expect(headerOf('/v1/people')).to.equal('7');
      await go(() => arrived.resolve(load()));
      expect(headerOf('/v1/audit-log')).to.equal('8');
    });

    it('closes a prompt with the page that opened it', async () => {
      const { app, go, requests } = await open(
        '/account/7/team',
        { merchants },
        {
          'GET /v1/transactions': { body: { transactions: [], next_cursor: null } },
        },
      );
      await go(() => button(app, /^Invite member/).click());
      expect(app.querySelector<HTMLDialogElement>('prompt-dialog wa-dialog')?.open).to.equal(true);
      await go(() => clickLinkTo('/account/8/team'));
      expect(textOf(app.querySelector('prompt-dialog wa-dialog'))).to.equal('');
      expect(app.querySelector<HTMLDialogElement>('prompt-dialog wa-dialog')?.open).to.equal(false);
      expect(requests.some(({ method }) => method === 'POST')).to.equal(false);
    });
  });

  it('closes a prompt when the user goes back, also to an earlier state of the same page', async () => {
    const { app, go } = await open('/account/7/team');
    // As the list of transactions does for its filters.
    history.pushState(null, '', '/account/7/team?state=2');
    await go(() => button(app, /^Invite member/).click());
    expect(app.querySelector<HTMLDialogElement>('prompt-dialog wa-dialog')?.open).to.equal(true);
    const navigated = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    history.back();
    await navigated;
    await waitForPage(app);
    expect(app.querySelector<HTMLDialogElement>('prompt-dialog wa-dialog')?.open).to.equal(false);
    expect(heading()).to.equal('Team');
  });

  it('shows the pages of a role, and explains that another page is not permitted', async () => {
    const { app, links } = await open('/account/7/team', { merchants: [{ id: 7, name: 'K', role: 'viewer' }] });
    expect(links()).to.deep.equal([
      ...['Overview', 'Transactions', 'Reusable', 'Crypto'],
      ...['Branding', 'Settings', 'Emails', 'Integration', 'Webhooks'],
    ]);
    expect(textOf(app.querySelector('.state'))).to.contain('Your role doesn’t have access to this page');
    expect(textOf(app.querySelector('.state'))).to.contain('Your role is Viewer.');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  for (const [address, words] of [
    ['/account/9/team', 'You don’t have access to this merchant'],
    ['/account/7/nothing', 'Page not found'],
    ['/account/merchants', 'This page is for managers'],
  ] as const)
    it(`explains why ${address} is not available`, async () => {
      const { app } = await open(address);
      expect(textOf(app.querySelector('.state-heading'))).to.equal(words);
    });

  it('explains that the user has no merchant', async () => {
    const { app } = await open('/account', { merchants: [] });
    expect(textOf(app.querySelector('.state-heading'))).to.equal('You’re not on a team');
  });

  it('keeps the page when the session has ended, and offers to sign in again', async () => {
    const { app, sendUpdate, go } = await open('/account/7/team');
    await sendUpdate({ type: 'signed_out' });
    expect(textOf(app.querySelector('[role=alert]'))).to.contain('You’ve been signed out');
    expect(heading()).to.equal('Team');
    expect(await accessibilityViolations()).to.deep.equal([]);
    expect(app['apis'].has(7), 'kept answers').to.equal(true);
    await go(() => button(app, /^Sign in again$/).click());
    expect(currentPath()).to.equal('/account/sign-in?next=%2Faccount%2F7%2Fteam');
    expect(app['apis'].has(7), 'none for another user').to.equal(false);
  });

  it('reports an unavailable service, and retries', async () => {
    const { app, go, responses } = await open(
      '/account/7/team',
      {},
      { 'GET /account/session': problem(503, 'unavailable') },
    );
    expect(textOf(app.querySelector('.state-heading'))).to.equal('Service unavailable');
    responses['GET /account/session'] = { body: accountOf() };
    await go(() => button(app, /^Try again$/).click());
    expect(heading()).to.equal('Team');
  });

  it('keeps the page and the navigation when a change finds that the session has ended', async () => {
    const body = { passkeys: [], hasPassword: true, hasSecondFactor: false, recoveryCodesLeft: 0, sessions: [] };
    const ended = problem(401, 'unauthorized');
    const { app, go, responses } = await open(
      '/account/me',
      {},
      { 'GET /account/protection': { body }, 'POST /account/passkeys/options': ended },
    );
    responses['GET /account/session'] = ended;
    await go(() => button(app, /^Add passkey$/).click());
    await go(() => button(app.querySelector('prompt-dialog') ?? app, /^Continue$/).click());
    expect(textOf(app.querySelector('[role=alert]'))).to.contain('You’ve been signed out');
    expect(app.querySelector('nav')).to.not.equal(null);
    await go(() => button(app, /^Sign in again$/).click());
    expect(currentPath()).to.equal('/account/sign-in?next=%2Faccount%2Fme');
  });

  it('continues after sign-in when a retry reads the account, or shows sign-in again', async () => {
    const { app, go, responses } = await open('/account/sign-in?next=/account/7/team', null);
    responses['POST /account/sign-in/password'] = { body: { next: 'done' } };
    const signIn = async () => {
      responses['GET /account/session'] = problem(503, 'unavailable');
      for (const [id, value] of Object.entries({ email: 'ada@kettle.example', password: 'x' }))
        Object.assign(app.querySelector(`#${id}`) ?? {}, { value });
      await go(() => button(app, /with a password$/).click());
      expect(textOf(app.querySelector('.state-heading'))).to.equal('Service unavailable');
    };
    await signIn();
    responses['GET /account/session'] = problem(401, 'unauthorized');
    await go(() => button(app, /^Try again$/).click());
    expect(heading()).to.equal('Sign in');
    await signIn();
    responses['GET /account/session'] = { body: accountOf() };
    await go(() => button(app, /^Try again$/).click());
    await waitForPage(app);
    expect(currentPath()).to.equal('/account/7/team');
    expect(heading()).to.equal('Team');
  });

  it('searches the shown merchant in the palette, and switches merchants with it', async () => {
    const merchants = [7, 9].map((id) => ({ id, name: `Shop ${id}`, role: 'owner' as const }));
    const { app, go, press, requests } = await open(
      '/account/7/team',
      { merchants },
      {
        'GET /v1/transactions': { body: { transactions: [], next_cursor: null } },
      },
    );
    const palette = app.querySelector('command-palette');
    await press('k', { ctrlKey: true });
    requests.length = 0;
    await palette?.searchCommands('order', false);
    expect(requests.map(({ headers }) => headers.get('paylatch-merchant'))).to.deep.equal(['7', '7']);
    await go(() => palette?.close());
    await go(() => app.querySelector<HTMLElement>('.side-merchant')?.click());
    expect([...(palette?.querySelectorAll('[role=option]') ?? [])].map(textOf)).to.deep.equal(['Shop 9']);
    await go(() => palette?.close());
  });

  it('opens the palette by keyboard, and navigates by single letters unless they are turned off', async () => {
    const { app, press, go } = await open('/account/7/team');
    await press('k', { ctrlKey: true });
    expect(app.querySelector('command-palette')?.isOpen).to.equal(true);
    await press('g');
    await press('a');
    expect(currentPath(), 'not while a dialog is open').to.equal('/account/7/team');
    await go(() => app.querySelector('command-palette')?.close());
    await press('g');
    await press('a');
    expect(currentPath()).to.equal('/account/7/audit-log');
    await press('?');
    const keys = app.querySelector<HTMLDialogElement>('wa-dialog.shortcuts');
    expect(keys?.open).to.equal(true);
    expect(await accessibilityViolations()).to.deep.equal([]);
    await go(() => (innerControl(keys?.querySelector('wa-checkbox') ?? null) as HTMLElement).click());
    await go(() => button(keys ?? app, /^Close$/).click());
    await press('g');
    await press('p');
    expect(currentPath()).to.equal('/account/7/audit-log');
  });

  it('reports the selected language, and changes texts in place', async () => {
    const { app } = await open('/account/7/team');
    const chosen: unknown[] = [];
    app.addEventListener('language-select', (event) => chosen.push((event as CustomEvent).detail));
    const select = app.querySelector('wa-select');
    if (!select) throw new Error('There is no language select');
    select.value = 'es';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    expect(chosen).to.deep.equal(['es']);
  });

  it('signs out with one click, and forgets the user', async () => {
    const { app, go, responses } = await open('/account/7/team', {}, { 'POST /account/sign-out': { body: {} } });
    responses['GET /account/session'] = problem(401, 'unauthorized');
    await go(() => button(app.querySelector('.sheet') ?? app, /^Sign out$/).click());
    await waitForPage(app);
    expect(currentPath()).to.equal('/account/sign-in');
    expect(textOf(app)).to.not.contain('Ada Lovelace');
  });

  for (const name of hostileTexts)
    it(`shows a merchant’s name as text, without overflow: ${name.slice(0, 12)}`, async () => {
      const person = { id: 1, email: `${name}@x.example`, name, isManager: false };
      const { app } = await open('/account/7/team', { person, merchants: [{ id: 7, name, role: 'owner' }] });
      expect(app.querySelector('img')).to.equal(null);
      expect(textOf(app.querySelector('.merchant-name'))).to.equal(textOf({ textContent: name } as Element));
      expect(horizontalOverflow()).to.be.at.most(0);
    });

  const pending = {
    code: 'btc',
    destination: 'bc1qelsewhere',
    previousDestination: 'bc1qours',
    effectiveAt: '2999-01-02T10:00:00Z',
    requestedBy: 'person 3',
    requestedByName: 'Grace Hopper',
    createdAt: '2999-01-01T10:00:00Z',
  };
  const withdrawals = (pendingDestinations: object[]): FakeResponse => ({
    body: { withdrawals: [], pendingDestinations, next_cursor: null },
  });
  const banner = () => document.querySelector('wa-callout[variant=warning]');

  it('shows a pending withdrawal address on every page until it is canceled', async () => {
    const { app, go, link, requests, responses } = await open(
      '/account/7/team',
      {},
      { 'GET /v1/withdrawals': withdrawals([pending]) },
    );
    expect(textOf(banner())).to.contain('Bitcoin withdrawals will go to a new address');
    expect(textOf(banner())).to.contain('bc1qelsewhere').and.contain('Jan 2').and.contain('Requested by Grace Hopper.');
    expect(await accessibilityViolations()).to.deep.equal([]);
    expect(horizontalOverflow()).to.equal(0);
    await go(() => link('Audit log').click());
    expect(banner()).to.not.equal(null);
    responses['PATCH /v1/merchant/preferences'] = { body: {} };
    responses['GET /v1/withdrawals'] = withdrawals([]);
    await go(() => button(app, /^Cancel change$/).click());
    const [sent] = requests.filter(({ method }) => method === 'PATCH');
    expect(sent?.body).to.deep.equal({ key: 'auto-withdrawal-destination-btc', value: 'bc1qours' });
    expect(sent?.headers.get('Paylatch-Merchant')).to.equal('7');
    expect(banner()).to.equal(null);
    expect(textOf(app.querySelector('.status-message'))).to.equal('Change canceled');
  });

  it('explains why a pending withdrawal address could not be canceled, and keeps the notice', async () => {
    const { app, go } = await open(
      '/account/7/team',
      {},
      {
        'GET /v1/withdrawals': withdrawals([pending]),
        'PATCH /v1/merchant/preferences': problem(500, 'internal_error'),
      },
    );
    await go(() => button(app, /^Cancel change$/).click());
    expect(textOf(app.querySelector('.status-message'))).to.not.equal('');
    expect(banner()).to.not.equal(null);
  });

  it('shows only on the overview that a password alone protects the account', async () => {
    const merchants = [{ id: 7, name: 'Kettle & Co', role: 'owner' as const }];
    for (const [page, isShown] of [
      ['overview', true],
      ['team', false],
    ] as const) {
      const { app } = await open(`/account/7/${page}`, { merchants, isWeaklyProtected: true });
      expect(/protected only by a password/.test(textOf(app))).to.equal(isShown);
    }
  });

  it('has the button that closes a notice in its corner at every width', async () => {
    await loadStyles();
    for (const inlineSize of ['20.5rem', '60rem']) {
      const box = document.createElement('div');
      box.style.inlineSize = inlineSize;
      document.body.append(box);
      render(
        passwordOnlyNotice(accountI18n, () => {}),
        box,
      );
      await waitForPage(box);
      const [body, close] = ['.notice-body', '.icon-button'].map((name) =>
        box.querySelector(name)?.getBoundingClientRect(),
      );
      expect([close?.top, close?.right]).to.deep.equal([body?.top, body?.right]);
      box.remove();
    }
  });

  it('shows a pending withdrawal address even to users who cannot cancel it, but no address in effect', async () => {
    const merchants = [{ id: 7, name: 'Kettle & Co', role: 'viewer' as const }];
    const past = { ...pending, code: 'eth', effectiveAt: '2020-01-02T10:00:00Z' };
    await open('/account/7/overview', { merchants }, { 'GET /v1/withdrawals': withdrawals([pending, past]) });
    expect(textOf(banner())).to.contain('ask an owner to cancel it');
    expect(banner()?.querySelector('wa-button') ?? null).to.equal(null);
    expect(document.querySelectorAll('wa-callout[variant=warning]')).to.have.length(1);
  });
});
