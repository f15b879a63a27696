import { expect } from 'chai';
import { WebhookPage } from '../../pages/account/webhooks/webhook-page.ts';
import { WebhooksPage } from '../../pages/account/webhooks/webhooks-page.ts';
import type { CallbackDetail, WebhookEndpoint } from '../../client/api.ts';
import type { UserRole } from '../../src/shared/roles.ts';
import {
  accessibilityViolations,
  accountContext,
  button,
  copyValues,
  horizontalOverflow,
  hostileTexts,
  problem,
  resizePage,
  showPage,
  textOf,
  waitForPage,
} from './account-fixtures.ts';

const at = '2026-03-10T11:00:00.000000Z';
const endpoint: WebhookEndpoint = {
  ...{ id: 'we_1', url: 'https://books.example/paylatch', description: 'Bookkeeping' },
  ...{ event_types: ['fiat.transaction.updated'], from_preferences: false, status: 'enabled' },
  ...{ disabled_reason: null, disabled_at: null, failing_since: null, last_delivered_at: at, last_failed_at: null },
  recent: { delivered: 98, failed: 1, pending: 1 },
  ...{ created_at: at, updated_at: at },
};
const fromPreferences: WebhookEndpoint = {
  ...endpoint,
  ...{ id: 'callback-url', url: 'https://shop.example/callbacks', description: null, event_types: null },
  from_preferences: true,
};
const callback: CallbackDetail = {
  ...{
    id: 'evt_1.we_1',
    webhook_id: 'evt_1',
    endpoint_id: 'we_1',
    endpoint_name: 'Bookkeeping',
    type: 'fiat.transaction.updated',
  },
  ...{ transaction_id: 'order-1', sequence: 2, url: null, state: 'failed', attempts_made: 1 },
  ...{ status: 'transaction_status_confirmed', previous_status: 'transaction_status_waiting', detail: null },
  last_attempt: { at, status: 500, error: null },
  ...{ next_attempt_at: null, created_at: at, finished_at: at },
  attempts: [
    {
      ...{ number: 1, at, url: endpoint.url, duration_ms: 84, status: 500, error: null, response_body: 'Oops' },
      request_headers: [{ name: 'webhook-id', value: 'evt_1' }],
      response_headers: [{ name: 'server', value: hostileTexts[0] ?? '' }],
    },
  ],
  payload: { type: 'fiat.transaction.updated', timestamp: at, data: { transaction_id: 'order-1' } as never },
};
const noEndpoint = { url: null, failing_since: null, disabled_at: null, disabled_reason: null };
const keys = {
  body: {
    merchant_id: 7,
    url: 'https://pay.example/.well-known/webhook-keys/7',
    keys: [{ type: 'ed25519', public_key: 'whpk_abc' }],
  },
};
const list = (callbacks: readonly unknown[], next: string | null = null) => ({
  body: { callbacks, next_cursor: next, endpoint: noEndpoint },
});

type Results = Parameters<typeof accountContext>[0];

async function openList(endpoints: readonly WebhookEndpoint[], role: UserRole = 'owner', results: Results = {}) {
  const setup = accountContext(
    {
      'GET /v1/webhook-endpoints': { body: { endpoints } },
      'GET /v1/callbacks': list([callback]),
      'GET /v1/callback': { body: callback },
      'GET /v1/callback/keys': keys,
      ...results,
    },
    role,
  );
  return { page: await showPage(new WebhooksPage(), setup.context), ...setup };
}

async function openDetail(shown: WebhookEndpoint, role: UserRole = 'owner', results: Results = {}) {
  const setup = accountContext(
    {
      'GET /v1/webhook-endpoint': { body: shown },
      'GET /v1/callbacks': list([callback]),
      'GET /v1/callback': { body: callback },
      ...results,
    },
    role,
  );
  return { page: await showPage(new WebhookPage(), setup.context, { id: shown.id }), ...setup };
}

describe('the webhooks page', () => {
  afterEach(() => document.body.replaceChildren());

  it('lists endpoints with state, types and recent deliveries', async () => {
    const { page } = await openList([fromPreferences, endpoint, { ...endpoint, id: 'we_2', failing_since: at }]);
    expect(textOf(page)).to.match(/callback-url.*Enabled.*Bookkeeping.*1 event type · 98 of 100 delivered.*failing/s);
    expect(horizontalOverflow()).to.equal(0);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows deliveries to all endpoints, and the keys to verify webhooks', async () => {
    const { page, requests } = await openList([fromPreferences], 'viewer');
    page.querySelector<HTMLElement>('.delivery-head')?.click();
    await waitForPage(page);
    expect([...page.querySelectorAll('.delivery a')].map((link) => link.getAttribute('href'))).to.deep.equal([
      '/account/7/transactions/order-1',
      '/account/7/webhooks/we_1',
    ]);
    expect(requests.find(({ path }) => path === '/v1/callbacks')?.query.has('endpoint_id')).to.equal(false);
    expect(textOf(page.querySelector('verification-section')))
      .to.contain('Merchant ID7')
      .and.contain('whpk_abc')
      .and.contain('https://pay.example/.well-known/webhook-keys/7');
    expect(copyValues(page.querySelector('verification-section') ?? page)).to.deep.equal([
      ['Copy Merchant ID', '7'],
      ['Copy Public key (Ed25519)', 'whpk_abc'],
      ['Copy Public key URL', 'https://pay.example/.well-known/webhook-keys/7'],
    ]);
    expect(textOf(page)).to.not.contain('Redeliver');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('invites to add the first endpoint, and shows its secret once', async () => {
    const { page, requests } = await openList([], 'owner', {
      'POST /v1/webhook-endpoints': { body: { ...endpoint, secret: 'whsec_abc' } },
    });
    expect(textOf(page)).to.match(/No webhook endpoints yet/);
    button(page, /^Add endpoint/).click();
    await waitForPage(page);
    const form = page.querySelector<HTMLFormElement>('.endpoint-form') ?? expect.fail();
    (form.querySelector<HTMLInputElement>('#endpoint-url') ?? expect.fail()).value = endpoint.url;
    const some = form.querySelector<HTMLElement & { value: string }>('wa-radio-group') ?? expect.fail();
    some.value = 'some';
    some.dispatchEvent(new Event('change', { bubbles: true }));
    await waitForPage(page);
    form.requestSubmit();
    await waitForPage(page);
    expect(textOf(form)).to.match(/Choose at least one event/);
    expect(await accessibilityViolations()).to.deep.equal([]);
    form.querySelector<HTMLElement>('wa-checkbox')?.click();
    await waitForPage(page);
    form.requestSubmit();
    await waitForPage(page);
    expect(requests.find(({ method }) => method === 'POST')?.body).to.deep.equal({
      ...{ url: endpoint.url, description: null, event_types: ['fiat.transaction.updated'] },
    });
    expect(page.querySelector('#endpoint-secret')?.textContent).to.equal('whsec_abc');
  });

  it('shows the reason for a refused URL at its field', async () => {
    const { page } = await openList([], 'owner', {
      'POST /v1/webhook-endpoints': problem(422, 'validation_failed', {
        errors: [{ pointer: '/url', code: 'invalid_value', detail: 'must start with https://' }],
      }),
    });
    button(page, /^Add endpoint/).click();
    await waitForPage(page);
    page.querySelector<HTMLFormElement>('.endpoint-form')?.requestSubmit();
    await waitForPage(page);
    expect(page.querySelector('.endpoint-form')?.textContent).to.match(/must start with https/);
  });

  it('shows problems, and no actions without the right to them', async () => {
    const { page } = await openList([], 'viewer', { 'GET /v1/webhook-endpoints': problem(500, 'internal_error') });
    expect(textOf(page)).to.match(/Try again/);
    const { page: viewed } = await openList([endpoint], 'viewer');
    expect(textOf(viewed)).not.to.match(/Add endpoint/);
  });
});

describe('the page of a webhook endpoint', () => {
  afterEach(() => document.body.replaceChildren());

  it('shows deliveries with payload, headers and response as text', async () => {
    const { page, requests } = await openDetail(endpoint);
    page.querySelector<HTMLElement>('.delivery-head')?.click();
    await waitForPage(page);
    const text = page.textContent ?? '';
    expect(text).to.contain('"transaction_id": "order-1"').and.to.contain('webhook-id: evt_1').and.to.contain('Oops');
    expect(text).to.contain(`server: ${hostileTexts[0]}`);
    expect(page.querySelector('.attempt img')).to.equal(null);
    expect(copyValues(page)).to.deep.equal([
      ['Copy Webhook URL', endpoint.url],
      ['Copy webhook-id', 'evt_1'],
    ]);
    const blocks = [...page.querySelectorAll('.code')];
    expect(blocks.map((block) => getComputedStyle(block).whiteSpace)).to.deep.equal(blocks.map(() => 'pre'));
    expect(blocks).to.have.length(4);
    const headers = [...page.querySelectorAll('.delivery wa-details')].map((each) =>
      each.shadowRoot?.querySelector('summary'),
    );
    for (const header of headers) expect(header?.offsetHeight).to.be.at.least(44);
    expect(headers).to.have.length(3);
    expect(requests.find(({ path }) => path === '/v1/callbacks')?.query.get('endpoint_id')).to.equal('we_1');
    expect(horizontalOverflow()).to.equal(0);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('names the change that each delivery reports', async () => {
    const confirmed = 'transaction_status_confirmed';
    const notice = { type: 'callback.url_changed', status: null, previous_status: null };
    const rows = [
      callback,
      { ...callback, previous_status: confirmed, detail: '12.50 USD refunded' },
      { ...callback, status: 'transaction_status_failed', detail: 'expired' },
      { ...callback, type: 'fiat.dispute.created', previous_status: confirmed, detail: 'dispute of 42.00 USD: lost' },
      { ...callback, type: 'crypto.transaction.updated', status: 'approved_required', previous_status: 'pending' },
      { ...callback, type: 'crypto.withdrawal.updated', status: 'to_sign', previous_status: 'waiting', detail: 'code' },
      { ...callback, ...notice, transaction_id: 'callback-url' },
      { ...callback, status: null, previous_status: null },
    ].map((row, index) => ({ ...row, id: `evt_${index}`, state: 'delivered' }));
    const { page } = await openDetail(endpoint, 'owner', { 'GET /v1/callbacks': list(rows) });
    const texts = [...page.querySelectorAll('.delivery-head > .row-content')].map((row) =>
      [...row.children].map((line) => line.textContent?.replaceAll(/\s+/g, ' ').trim()),
    );
    expect(texts).to.deep.equal([
      ['Payment: Confirmed', 'order-1 · fiat.transaction.updated'],
      ['$12.50 refunded', 'order-1 · fiat.transaction.updated'],
      ['Payment: Failed', 'Expired · order-1 · fiat.transaction.updated'],
      ['Dispute of $42.00: Lost', 'order-1 · fiat.dispute.created'],
      ['Crypto payment: Awaiting review', 'order-1 · crypto.transaction.updated'],
      ['Withdrawal: Awaiting signature', 'order-1 · crypto.withdrawal.updated'],
      ['Webhook endpoint changed', 'callback-url · callback.url_changed'],
      ['fiat.transaction.updated', 'order-1'],
    ]);
    expect(horizontalOverflow()).to.equal(0);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows why deliveries failed, and links to their payments', async () => {
    const rows = [
      callback,
      { ...callback, id: 'evt_1', state: 'pending', last_attempt: { at, status: null, error: 'timeout' } },
      { ...callback, id: 'evt_2', state: 'pending', last_attempt: null },
      { ...callback, id: 'evt_5', state: 'pending', last_attempt: { at, status: 204, error: null } },
      { ...callback, id: 'evt_3', state: 'delivered', type: 'crypto.transaction.updated' },
      { ...callback, id: 'evt_4', state: 'delivered', type: 'crypto.withdrawal.updated' },
    ];
    const { page } = await openDetail(endpoint, 'viewer', { 'GET /v1/callbacks': list(rows) });
    expect([...page.querySelectorAll('.delivery-head .row-text:not(.tabular)')].map(textOf)).to.deep.equal([
      'HTTP 500 · order-1 · fiat.transaction.updated',
      'No response · order-1 · fiat.transaction.updated',
      'order-1 · fiat.transaction.updated',
      'order-1 · fiat.transaction.updated',
      'order-1 · crypto.transaction.updated',
      'order-1 · crypto.withdrawal.updated',
    ]);
    const hrefs: (string | null)[][] = [];
    for (const head of page.querySelectorAll<HTMLElement>('.delivery-head')) {
      head.click();
      await waitForPage(page);
      hrefs.push([...page.querySelectorAll('.delivery a')].map((link) => link.getAttribute('href')));
    }
    const payment = ['/account/7/transactions/order-1'];
    const search = ['/account/7/transactions?kind=crypto&search=order-1'];
    expect(hrefs).to.deep.equal([payment, payment, payment, payment, search, []]);
    page.querySelector<HTMLElement>('.delivery-head')?.click();
    await waitForPage(page);
    expect(textOf(page.querySelector('.attempt .tag-bad'))).to.equal('HTTP 500');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('names the endpoints of deliveries to several', async () => {
    const rows = [callback, { ...callback, id: 'evt_1', endpoint_id: 'callback-url', endpoint_name: 'shop.example' }];
    const { page } = await openList([fromPreferences, endpoint], 'viewer', { 'GET /v1/callbacks': list(rows) });
    expect([...page.querySelectorAll('.delivery-head .row-text:not(.tabular)')].map(textOf)).to.deep.equal([
      'HTTP 500 · order-1 · fiat.transaction.updated · Bookkeeping',
      'HTTP 500 · order-1 · fiat.transaction.updated · shop.example',
    ]);
    page.querySelector<HTMLElement>('.delivery-head')?.click();
    await waitForPage(page);
    expect([...page.querySelectorAll('.expanded-content a')].map(textOf)).to.deep.equal(['order-1', 'Bookkeeping']);
  });

  it('redelivers one webhook and all failed ones', async () => {
    const { page, requests, promptAnswers } = await openDetail(endpoint, 'operator', {
      'POST /v1/callback/redeliver': { body: callback },
      'POST /v1/webhook-endpoint/redeliver': { body: { redelivered: 3 } },
    });
    page.querySelector<HTMLElement>('.delivery-head')?.click();
    await waitForPage(page);
    button(page, /^Redeliver$/).click();
    await waitForPage(page);
    promptAnswers.push({});
    button(page, /^Redeliver all failed/).click();
    await waitForPage(page);
    const sent = requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]);
    expect(sent).to.deep.equal([
      ['/v1/callback/redeliver', { id: 'evt_1.we_1' }],
      ['/v1/webhook-endpoint/redeliver', { id: 'we_1' }],
    ]);
    expect(textOf(page)).not.to.match(/Rotate secret|Remove endpoint|Edit endpoint/);
  });

  it('redelivers the failed webhooks of all endpoints in their order, and notices to their own URLs', async () => {
    const row = { ...callback, state: 'failed' };
    const newest = [
      { ...row, id: 'evt_5', url: 'https://old.example/hooks' },
      { ...row, id: 'evt_4' },
      { ...row, id: 'evt_1', endpoint_id: 'callback-url', url: 'https://older.example/hooks' },
    ];
    const older = [{ ...row, id: 'evt_0', endpoint_id: 'callback-url' }];
    const { page, requests, promptAnswers } = await openList([fromPreferences, endpoint], 'operator', {
      'GET /v1/callbacks': ({ query }) => list(query.get('endpoint_id') === 'callback-url' ? older : newest),
      'POST /v1/callback/redeliver': { body: callback },
      'POST /v1/webhook-endpoint/redeliver': { body: { redelivered: 7 } },
    });
    promptAnswers.push({});
    button(page, /^Redeliver (?:\d+|all) failed/).click();
    await waitForPage(page);
    const sent = requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]);
    expect(sent).to.deep.equal([
      ['/v1/webhook-endpoint/redeliver', { id: 'callback-url' }],
      ['/v1/webhook-endpoint/redeliver', { id: 'we_1' }],
      ['/v1/callback/redeliver', { id: 'evt_1' }],
      ['/v1/callback/redeliver', { id: 'evt_5' }],
    ]);
  });

  it('offers to redeliver failed webhooks only if there may be some', async () => {
    for (const [recent, state, offer] of [
      [{ delivered: 99, failed: 0, pending: 0 }, 'delivered', undefined],
      [{ delivered: 96, failed: 3, pending: 0 }, 'failed', 'Redeliver 3 failed'],
      // The last 100: older ones may have failed, as the list shows.
      [{ delivered: 99, failed: 0, pending: 1 }, 'delivered', undefined],
      [{ delivered: 99, failed: 0, pending: 1 }, 'failed', 'Redeliver all failed'],
      [{ delivered: 98, failed: 1, pending: 1 }, 'delivered', 'Redeliver all failed'],
    ] as const) {
      const results = { 'GET /v1/callbacks': list([{ ...callback, state }]) };
      const offered = (page: Element) => /Redeliver (\d+|all) failed/.exec(textOf(page))?.[0];
      expect(offered((await openDetail({ ...endpoint, recent }, 'operator', results)).page)).to.equal(offer);
      const none = { ...fromPreferences, recent: { delivered: 5, failed: 0, pending: 0 } };
      expect(offered((await openList([none, { ...endpoint, recent }], 'operator', results)).page)).to.equal(offer);
    }
  });

  it('shows deliveries in two lines on phones, and the rest once expanded', async () => {
    const rows = [
      { ...callback, status: 'transaction_status_failed', detail: 'expired' },
      { ...callback, id: 'evt_1', endpoint_id: 'callback-url', endpoint_name: 'shop.example' },
    ];
    const { page } = await openList([fromPreferences, endpoint], 'viewer', { 'GET /v1/callbacks': list(rows) });
    await resizePage(page, '20.5rem');
    const head = page.querySelector<HTMLElement>('.delivery-head');
    expect(head?.innerText.replaceAll(/\s+/g, ' ').trim()).to.match(
      /^Payment: Failed HTTP 500 · order-1 Failed [^·]+$/,
    );
    expect(head?.getBoundingClientRect().height).to.be.within(64, 72);
    const [title, state, time] = ['.row-title', '.tag', '.tabular'].map((each) =>
      head?.querySelector(each)?.getBoundingClientRect(),
    );
    expect(state?.top).to.be.within(title?.bottom ?? NaN, time?.bottom ?? NaN);
    head?.click();
    await waitForPage(page);
    const shown = page.querySelector<HTMLElement>('.delivery .expanded-content')?.innerText;
    expect(shown).to.contain('Expired').and.contain('fiat.transaction.updated').and.contain('Bookkeeping');
    expect(horizontalOverflow()).to.equal(0);
    expect(await accessibilityViolations()).to.deep.equal([]);
    await resizePage(page, '60rem');
    expect(head?.innerText).to.contain('Expired').and.contain('fiat.transaction.updated').and.contain('Bookkeeping');
  });

  it('breaks a URL after its separators', async () => {
    const { page } = await openDetail({ ...endpoint, url: 'https://books.example/in?a=1' }, 'operator');
    const parts = [...(page.querySelector('.fact-list code')?.childNodes ?? [])].map((node) =>
      node instanceof Text ? node.data : node.nodeName === 'WBR' ? '|' : '',
    );
    expect(parts.join('')).to.equal('https://|books.|example/|in?|a=1');
  });

  it('tests, rotates the secret, enables and removes', async () => {
    const disabled = { ...endpoint, status: 'disabled', disabled_reason: 'gone', disabled_at: at } as const;
    const { page, requests, promptAnswers } = await openDetail(disabled, 'owner', {
      'POST /v1/webhook-endpoint/test': {
        body: { delivered: false, url: endpoint.url, duration_ms: 3, status: 410, error: null, response_body: 'Gone' },
      },
      'POST /v1/webhook-endpoint/secret': { body: { secret: 'whsec_new', previous_valid_until: at } },
      'PATCH /v1/webhook-endpoint': { body: endpoint },
      'POST /v1/webhook-endpoint/remove': { body: { id: 'we_1', removed_at: at } },
    });
    expect(textOf(page)).to.match(/HTTP 410 \(Gone\)/);
    expect(await accessibilityViolations()).to.deep.equal([]);
    button(page, /^Send test webhook/).click();
    await waitForPage(page);
    expect(textOf(page)).to.match(/Test webhook failed/);
    promptAnswers.push({ keep: '0' });
    button(page, /^Rotate secret/).click();
    await waitForPage(page);
    expect(page.querySelector('#new-endpoint-secret')?.textContent).to.equal('whsec_new');
    button(page, /^Enable endpoint/).click();
    await waitForPage(page);
    promptAnswers.push({});
    button(page, /^Remove endpoint/).click();
    await waitForPage(page);
    expect(
      requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
    ).to.deep.equal([
      ...['POST /v1/webhook-endpoint/test', 'POST /v1/webhook-endpoint/secret'],
      ...['PATCH /v1/webhook-endpoint', 'POST /v1/webhook-endpoint/remove'],
    ]);
  });

  it('of callback-url is saved as the preference', async () => {
    const disabled = {
      ...fromPreferences,
      status: 'disabled',
      disabled_reason: 'no_success',
      disabled_at: at,
    } as const;
    const { page, requests, promptAnswers } = await openDetail(disabled, 'owner', {
      'POST /v1/merchant/preferences': async ({ body }) =>
        JSON.stringify(body).includes('10.0.0.1')
          ? problem(422, 'validation_failed', {
              errors: [{ pointer: '/preferences/0/value', code: 'invalid_value', detail: 'must start with https://' }],
            })
          : { body: {} },
    });
    button(page, /^Enable endpoint/).click();
    await waitForPage(page);
    button(page, /^Edit endpoint/).click();
    await waitForPage(page);
    const form = page.querySelector<HTMLFormElement>('.endpoint-form') ?? expect.fail();
    const field = form.querySelector<HTMLInputElement>('#endpoint-url') ?? expect.fail();
    expect(form.querySelector('wa-radio-group, #endpoint-description')).to.equal(null);
    field.value = 'http://10.0.0.1/';
    await waitForPage(page);
    form.requestSubmit();
    await waitForPage(page);
    expect(form.textContent).to.match(/must start with https/);
    field.value = 'https://shop.example/new';
    await waitForPage(page);
    form.requestSubmit();
    await waitForPage(page);
    promptAnswers.push({});
    button(page, /^Remove endpoint/).click();
    await waitForPage(page);
    const values = requests.flatMap(({ method, body }) => (method === 'POST' ? [body] : []));
    expect(values).to.deep.equal(
      [fromPreferences.url, 'http://10.0.0.1/', 'https://shop.example/new', null].map((value) => ({
        preferences: [{ key: 'callback-url', value }],
      })),
    );
    expect(textOf(page)).not.to.match(/Disable endpoint/);
  });

  it('of callback-url is changed and removed after a step-up', async () => {
    let isConfirmed = false;
    const { page, requests, promptAnswers } = await openDetail(fromPreferences, 'owner', {
      'POST /v1/merchant/preferences': () => (isConfirmed ? { body: {} } : problem(403, 'step_up_required')),
      'GET /account/protection': { body: { hasPassword: true, hasSecondFactor: false, passkeys: [] } },
      'POST /account/step-up/password': () => {
        isConfirmed = true;
        return { body: {} };
      },
    });
    const confirm = async () => {
      const dialog = page.querySelector('step-up-dialog') ?? expect.fail();
      const field = dialog.querySelector<HTMLInputElement>('#step-up-password') ?? expect.fail();
      field.value = 'a kettle of fish';
      dialog.querySelector('form')?.requestSubmit();
      await waitForPage(page);
    };
    button(page, /^Edit endpoint/).click();
    await waitForPage(page);
    const form = page.querySelector<HTMLFormElement>('.endpoint-form') ?? expect.fail();
    const field = form.querySelector<HTMLInputElement>('#endpoint-url') ?? expect.fail();
    field.value = 'https://shop.example/new';
    await waitForPage(page);
    form.requestSubmit();
    await waitForPage(page);
    await confirm();
    isConfirmed = false;
    promptAnswers.push({});
    button(page, /^Remove endpoint/).click();
    await waitForPage(page);
    await confirm();
    const sent = requests.flatMap(({ method, body }) => (method === 'POST' ? [body] : []));
    const change = (value: string | null) => ({ preferences: [{ key: 'callback-url', value }] });
    const stepUp = { password: 'a kettle of fish' };
    expect(sent).to.deep.equal(
      ['https://shop.example/new', null].flatMap((value) => [change(value), stepUp, change(value)]),
    );
  });

  it('has an empty state, and further pages of deliveries', async () => {
    const { page: empty } = await openDetail(endpoint, 'owner', { 'GET /v1/callbacks': list([]) });
    expect(textOf(empty)).to.match(/No deliveries yet/);
    const { page } = await openDetail(endpoint, 'owner', { 'GET /v1/callbacks': list([callback], 'next') });
    expect(textOf(page)).to.match(/Show more/);
  });
});
