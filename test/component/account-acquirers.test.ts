import { expect } from 'chai';
import { AcquirerPage } from '../../pages/account/acquirers/acquirer-page.ts';
import { AddAcquirerPage } from '../../pages/account/acquirers/add-acquirer-page.ts';
import { AcquirersPage } from '../../pages/account/acquirers/acquirers-page.ts';
import type { AcquirerAccount } from '../../client/api.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import {
  accessibilityViolations,
  accountContext,
  accountTexts,
  button,
  copyValues,
  type FakeResponse,
  horizontalOverflow,
  hostileTexts,
  problem,
  radio,
  resizePage,
  showPage,
  textOf,
  waitForPage,
} from './account-fixtures.ts';

const at = '2026-03-10T11:00:00.000000Z';
const acquirers = [
  {
    ...{ name: 'xendit', display_name: 'Xendit' },
    credentials: [
      { name: 'secretKey', label: 'Secret API key', hint: 'Dashboard.', secret: true, optional: false, options: null },
    ],
    capabilities: [
      { payment_method: 'qr_code', countries: ['THA'], currencies: ['THB'], refunds: 'none', payer_fields: [] },
    ],
  },
];
const account: AcquirerAccount = {
  ...{ id: 'key', acquirer: 'xendit', name: 'Xendit Thailand', shared: false, enabled: true },
  routes: [{ payment_method: 'qr_code', country: 'THA', currency: 'THB', priority: 1 }],
  credentials: [{ name: 'secretKey', value: null, is_set: true }],
  credentials_updated_at: at,
  webhook_url: 'https://pay.example/acquirers/key/webhooks',
  health: {
    ...{ circuit: 'closed', circuit_since: null, last_failure: null, calls: 120, success_rate: 0.98 },
    ...{ median_ms: 340, calls_last_minute: 4, calls_per_minute: 300 },
  },
  notifications: { last_received_at: at, pending: 0 },
  open_disputes: 0,
  created_at: at,
  updated_at: at,
};
const failing: AcquirerAccount = {
  ...account,
  health: {
    ...{ circuit: 'open', circuit_since: at, calls: 5, success_rate: 0, median_ms: 10_000 },
    ...{ last_failure: { at, call: 'charge', reason: 'timeout' }, calls_last_minute: 5, calls_per_minute: null },
  },
};

describe('the acquirers page', () => {
  afterEach(() => document.body.replaceChildren());

  const show = async (accounts: readonly AcquirerAccount[]) =>
    await showPage(
      new AcquirersPage(),
      accountContext(
        { 'GET /v1/acquirer-accounts': { body: { accounts } }, 'GET /v1/acquirers': { body: { acquirers } } },
        'manager',
      ).context,
    );

  it('shows what to do while there is no account', async () => {
    const page = await show([]);
    expect(textOf(page)).to.contain('No acquirer accounts yet');
    expect(button(page, /Add account/).getAttribute('href')).to.equal('/account/7/acquirers/new');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('lists accounts with their health, and names as text', async () => {
    const named = hostileTexts.map((name, index) => ({ ...account, name, id: String(index) }));
    const page = await show([...named, failing, { ...account, enabled: false }, { ...account, routes: [] }]);
    const rows = [...page.querySelectorAll('li')].map(textOf);
    expect(rows[0]).to.contain('Xendit · This merchant only · 98% of 120 · 340 ms').and.to.contain('Working');
    expect(rows.slice(-3).map((row) => /Failing|Disabled|No methods/.exec(row)?.[0])).to.deep.equal([
      ...['Failing', 'Disabled', 'No methods'],
    ]);
    expect(page.querySelector('img')).to.equal(null);
    expect(horizontalOverflow()).to.equal(0);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });
});

describe('the page of an acquirer account', () => {
  afterEach(() => document.body.replaceChildren());

  it('shows why and since when the account receives no payments', async () => {
    const { context } = accountContext(
      { 'GET /v1/acquirer-account': { body: failing }, 'GET /v1/acquirers': { body: { acquirers } } },
      'manager',
    );
    const page = await showPage(new AcquirerPage(), context, { id: 'key' });
    expect(textOf(page.querySelector('wa-callout')))
      .to.contain('No new payments through this account')
      .and.to.contain('The acquirer didn’t respond to the call “charge” in time. Since Mar 10, 11:00 AM');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('says once that there were no calls, names the country of the account, and shows all of a long row', async () => {
    const health = { ...failing.health, circuit: 'closed', calls: 0, success_rate: null, median_ms: null };
    const [xendit] = acquirers;
    const field = { hint: '', secret: false, optional: true, options: null };
    const fields = [
      { ...field, name: 'apiUrl', label: 'API URL' },
      { ...field, name: 'accountCountry', label: 'Country of the account', options: ['ID', 'TH'] },
      { ...field, name: 'accountBank', label: 'Bank of virtual accounts in Indonesia' },
    ];
    const credentials = [
      { name: 'accountCountry', value: 'TH', is_set: true },
      { name: 'accountBank', value: null, is_set: false },
    ];
    const { context } = accountContext(
      {
        'GET /v1/acquirer-account': { body: { ...account, credentials, health: { ...health, last_failure: null } } },
        'GET /v1/acquirers': { body: { acquirers: [{ ...xendit, credentials: fields }] } },
      },
      'manager',
    );
    const page = await showPage(new AcquirerPage(), context, { id: 'key' });
    await resizePage(page, '328px');
    expect(textOf(page).match(/No calls yet/g)).to.have.length(1);
    const section = page.querySelector('credentials-section') ?? page;
    expect([...section.querySelectorAll('dd')].slice(0, 2).map(textOf)).to.deep.equal(['Thailand', 'Not set']);
    const value = section.querySelector('.unset')?.getBoundingClientRect();
    const row = section.querySelector('.fact-list')?.getBoundingClientRect();
    expect(value?.right).to.be.at.most(row?.right ?? 0);
    button(page, /Replace credentials/).click();
    await waitForPage(page);
    expect([...section.querySelectorAll('wa-option')].map(textOf)).to.deep.equal(['Not set', 'Indonesia', 'Thailand']);
  });

  it('does not break the state of a credential next to a long label', async () => {
    const [xendit] = acquirers;
    const credential = { ...xendit?.credentials[0], name: 'secretKey', label: 'Webhook verification token' };
    const { context } = accountContext(
      {
        'GET /v1/acquirer-account': { body: account },
        'GET /v1/acquirers': { body: { acquirers: [{ ...xendit, credentials: [credential] }] } },
      },
      'manager',
      { i18n: new I18n({ ...accountTexts, 'account.acquirers.is_set': 'Festgelegt' }, 'de') },
    );
    const page = await showPage(new AcquirerPage(), context, { id: 'key' });
    await resizePage(page, '328px');
    const state = document.createRange();
    state.selectNodeContents(page.querySelector('credentials-section dd') ?? page);
    expect(state.toString().trim()).to.equal('Festgelegt');
    expect(new Set(Array.from(state.getClientRects(), ({ top }) => top)).size).to.equal(1);
  });

  it('copies a credential that is not secret', async () => {
    const credentials = [
      { name: 'secretKey', value: null, is_set: true },
      { name: 'merchantAccount', value: 'KettleCOM', is_set: true },
    ];
    const { context } = accountContext(
      {
        'GET /v1/acquirer-account': { body: { ...account, credentials } },
        'GET /v1/acquirers': { body: { acquirers } },
      },
      'manager',
    );
    const page = await showPage(new AcquirerPage(), context, { id: 'key' });
    expect(copyValues(page.querySelector('credentials-section') ?? page)).to.deep.equal([
      ['Copy merchantAccount', 'KettleCOM'],
    ]);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('lists the acquirers to add, with the methods that each offers', async () => {
    const [xendit] = acquirers;
    const [qrCode] = xendit?.capabilities ?? [];
    const capabilities = [qrCode, { ...qrCode, countries: ['IDN'], currencies: ['IDR'] }];
    const all = { ...xendit, capabilities: [...capabilities, { ...qrCode, payment_method: 'gcash_ewallet' }] };
    const { context } = accountContext({ 'GET /v1/acquirers': { body: { acquirers: [all] } } }, 'manager');
    const page = await showPage(new AddAcquirerPage(), context);
    const [card] = page.querySelectorAll('wa-radio');
    expect([...page.querySelectorAll('wa-radio')].map(textOf)).to.deep.equal(['Xendit QR code, GCash']);
    await resizePage(page, '1000px');
    expect(card?.getBoundingClientRect().width).to.equal(1000);
    expect(getComputedStyle(card ?? page).backgroundColor).to.equal('rgb(255, 255, 255)');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows the acquirer’s message if it rejects the credentials', async () => {
    const { context } = accountContext(
      {
        'GET /v1/acquirer-account': { body: account },
        'GET /v1/acquirers': { body: { acquirers } },
        'POST /v1/acquirer-account/check': { body: { result: 'failed', detail: 'Xendit rejected the API key.' } },
      },
      'manager',
    );
    const page = await showPage(new AcquirerPage(), context, { id: 'key' });
    button(page, /Test credentials/).click();
    await waitForPage(page);
    expect(textOf(page.querySelector('credentials-section wa-callout'))).to.contain('Xendit rejected the API key.');
  });

  const type = (page: Element, id: string, value: string) => {
    const input = page.querySelector<HTMLInputElement>(`#${id}`);
    if (!input) throw new Error(`There is no field ${id}`);
    input.value = value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  async function replaceCredentials(check: FakeResponse | (() => Promise<FakeResponse>)) {
    const setup = accountContext(
      {
        'GET /v1/acquirer-account': { body: account },
        'GET /v1/acquirers': { body: { acquirers } },
        'GET /account/protection': { body: { passkeys: [], hasSecondFactor: true } },
        'POST /v1/acquirers/check': check,
        'POST /v1/acquirer-account/credentials': { body: account },
      },
      'manager',
    );
    const page = await showPage(new AcquirerPage(), setup.context, { id: 'key' });
    button(page, /^Replace credentials$/).click();
    await waitForPage(page);
    type(page, 'credential-secretKey', 'sk_live_1');
    await waitForPage(page);
    page.querySelector<HTMLFormElement>('credentials-section form')?.requestSubmit();
    await waitForPage(page);
    return { page, ...setup };
  }

  it('replaces nothing if the user cancels during the test', async () => {
    const check = Promise.withResolvers<FakeResponse>();
    const { page, requests } = await replaceCredentials(async () => await check.promise);
    button(page.querySelector('credentials-section form') ?? page, /^Cancel$/).click();
    await waitForPage(page);
    check.resolve({ body: { result: 'ok', detail: '' } });
    await waitForPage(page);
    expect(requests.map(({ path }) => path)).to.include('/v1/acquirers/check');
    expect(requests.map(({ path }) => path)).to.not.include('/v1/acquirer-account/credentials');
  });

  it('offers to save credentials anyway only after the acquirer rejected them', async () => {
    const saveButton = (page: Element) => textOf(page.querySelector('credentials-section wa-button[type=submit]'));
    const rejected = await replaceCredentials({ body: { result: 'failed', detail: '' } });
    expect(saveButton(rejected.page)).to.equal('Replace anyway');
    rejected.page.remove();
    const { page } = await replaceCredentials(problem(403, 'step_up_required'));
    button(page.querySelector('step-up-dialog') ?? page, /^Cancel$/).click();
    await waitForPage(page);
    expect(saveButton(page)).to.equal('Replace credentials');
  });

  it('adds no account if the user leaves during the test, and does not navigate after leaving', async () => {
    const check = Promise.withResolvers<FakeResponse>();
    const added = Promise.withResolvers<FakeResponse>();
    const { context, requests, navigations } = accountContext(
      {
        'GET /v1/acquirers': { body: { acquirers } },
        'POST /v1/acquirers/check': async () => await check.promise,
        'POST /v1/acquirer-accounts': async () => await added.promise,
      },
      'manager',
    );
    const submit = async () => {
      const page = await showPage(new AddAcquirerPage(), context);
      radio(page, /Xendit/).click();
      await waitForPage(page);
      type(page, 'account-name', 'Thailand');
      type(page, 'credential-secretKey', 'sk_live_1');
      await waitForPage(page);
      page.querySelector('form')?.requestSubmit();
      await waitForPage(page);
      return page;
    };
    const adds = () => requests.filter(({ path }) => path === '/v1/acquirer-accounts').length;
    const left = await submit();
    left.remove();
    check.resolve({ body: { result: 'ok', detail: '' } });
    await waitForPage(document.body);
    expect(adds()).to.equal(0);
    const leftLater = await submit();
    expect(adds()).to.equal(1);
    leftLater.remove();
    added.resolve({ body: account });
    await waitForPage(document.body);
    expect(navigations).to.deep.equal([]);
  });

  it('saves routes with the version that was edited, even if the account was read again', async () => {
    let read: AcquirerAccount = account;
    const { context, requests } = accountContext(
      {
        'GET /v1/acquirer-account': () => ({ body: read }),
        'GET /v1/acquirers': { body: { acquirers } },
        'PATCH /v1/acquirer-account': problem(409, 'edit_conflict'),
      },
      'manager',
    );
    const page = await showPage(new AcquirerPage(), context, { id: 'key' });
    const change = async (priority: number) => {
      const routes = account.routes.map((route) => ({ ...route, priority }));
      page.querySelector('routes-editor')?.dispatchEvent(new CustomEvent('routes-change', { detail: routes }));
      await waitForPage(page);
    };
    await change(2);
    read = { ...account, updated_at: '2026-11-26T09:00:00.000000Z' };
    page.querySelector('credentials-section')?.dispatchEvent(new CustomEvent('account-conflict'));
    await waitForPage(page);
    await change(3);
    button(page, /^Save changes$/).click();
    await waitForPage(page);
    const sent = requests.find(({ method }) => method === 'PATCH')?.body as AcquirerAccount;
    expect([sent.updated_at, sent.routes[0]?.priority]).to.deep.equal([at, 3]);
    // The user knows of the other change now.
    button(page, /^Save changes$/).click();
    await waitForPage(page);
    const again = requests.findLast(({ method }) => method === 'PATCH')?.body as AcquirerAccount;
    expect(again.updated_at).to.equal(read.updated_at);
  });

  it('disables the account with the version it read, after a warning, and reports a conflict', async () => {
    const { context, requests, prompts, promptAnswers, announced } = accountContext(
      {
        'GET /v1/acquirer-account': { body: account },
        'GET /v1/acquirers': { body: { acquirers } },
        'PATCH /v1/acquirer-account': problem(409, 'edit_conflict'),
      },
      'manager',
    );
    const page = await showPage(new AcquirerPage(), context, { id: 'key' });
    promptAnswers.push({});
    button(page, /Disable account/).click();
    await waitForPage(page);
    expect(prompts[0]?.text).to.contain('Xendit Thailand will receive no new payments.');
    const sent = requests.find(({ method }) => method === 'PATCH');
    expect(sent?.body).to.deep.equal({ id: 'key', enabled: false, updated_at: at });
    expect(announced[0]).to.contain('Changed by someone else');
  });
});
