import { expect } from 'chai';
import { embedCode } from '../../pages/account/integration/embed-code.ts';
import { IntegrationPage } from '../../pages/account/integration/integration-page.ts';
import type { PersonRole } from '../../src/shared/roles.ts';
import {
  accountContext,
  type FakeResponse,
  accessibilityViolations,
  button,
  innerControl,
  hostileTexts,
  problem,
  waitForPage,
  showPage,
  horizontalOverflow,
  textOf,
} from './account-fixtures.ts';

const receiver = {
  url: 'https://shop.example/callbacks',
  failing_since: null,
  disabled_at: null,
  disabled_reason: null,
};
const at = '2026-03-10T11:00:00.000000Z';
const callback = {
  ...{ webhook_id: 'evt_1', endpoint_id: 'callback-url' },
  ...{ id: 'evt_1', type: 'transaction.confirmed', transaction_id: 'order-1', sequence: 2, state: 'failed' },
  ...{ attempts_made: 3, next_attempt_at: null, created_at: at, finished_at: at },
};
const attempt = {
  ...{ number: 3, at, url: receiver.url, duration_ms: 84, status: 500, error: 'answered 500' },
  ...{ response_body: '<h1>Oops</h1>', request_headers: [], response_headers: null },
};
const token = {
  ...{ id: 7, name: 'Till 7', role: 'merchant', scopes: ['link:write', 'transaction:read'], created_at: at },
  ...{ last_used_at: at, expires_at: null, created_by: 'person 3', created_by_name: 'Ada Lovelace' },
};

async function open(role: PersonRole = 'owner', results: Parameters<typeof accountContext>[0] = {}) {
  const setup = accountContext(
    {
      'GET /v1/callbacks': { body: { callbacks: [callback], next_cursor: null, endpoint: receiver } },
      'GET /v1/callback': { body: { ...callback, attempts: [attempt], payload: null } },
      'GET /v1/callback/keys': {
        body: {
          merchant_id: 7,
          url: 'https://pay.example/.well-known/webhook-keys/7',
          keys: [{ type: 'ed25519', public_key: 'whpk_abc' }],
        },
      },
      'GET /v1/tokens': { body: { tokens: [token], next_cursor: null } },
      'GET /v1/merchant/preferences': { body: { merchantPreferences: [] } },
      'GET /widget/v1/integrity.json': {
        body: {
          files: [
            {
              url: 'https://pay.example/widget/1/pay-form.js',
              kind: 'script',
              integrity: 'sha384-x',
              runs_on: 'merchant_page',
            },
          ],
        },
      },
      ...results,
    },
    role,
  );
  const page = await showPage(new IntegrationPage(), setup.context);
  return { page, ...setup };
}

describe('the integration page', () => {
  afterEach(() => document.body.replaceChildren());

  it('shows the state of the endpoint, and the response to each attempt', async () => {
    const { page } = await open();
    expect(page.querySelector<HTMLInputElement>('#callback-url')?.value).to.equal(receiver.url);
    page.querySelector<HTMLElement>('.delivery-head')?.click();
    await waitForPage(page);
    expect(textOf(page.querySelector('.attempt')))
      .to.contain('HTTP 500')
      .and.contain('<h1>Oops</h1>');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('explains why the endpoint is disabled, and enables it', async () => {
    const off = { ...receiver, disabled_at: at, disabled_reason: 'gone' };
    const { page, requests } = await open('owner', {
      'GET /v1/callbacks': { body: { callbacks: [], next_cursor: null, endpoint: off } },
      'POST /v1/merchant/preferences': { body: {} },
    });
    expect(textOf(page.querySelector('.notice'))).to.contain('Your endpoint returned HTTP 410 (Gone)');
    button(page, /Enable endpoint/).click();
    await waitForPage(page);
    expect(requests.find(({ method }) => method === 'POST')?.body).to.deep.equal({
      preferences: [{ key: 'callback-url', value: receiver.url }],
    });
  });

  it('saves a URL during a test of the previous one, and tests once for several clicks', async () => {
    const testResponse = Promise.withResolvers<FakeResponse>();
    const { page, requests } = await open('owner', {
      'POST /v1/callback/test': async () => await testResponse.promise,
      'POST /v1/merchant/preferences': { body: {} },
    });
    button(page, /^Send test webhook/).click();
    button(page, /^Send test webhook/).click();
    const field = page.querySelector<HTMLInputElement>('#callback-url');
    if (field) field.value = 'https://shop.example/new';
    await waitForPage(page);
    button(page, /^Save URL$/).click();
    await waitForPage(page);
    expect(innerControl(button(page, /^Save URL$/)).getAttribute('aria-busy')).to.equal('true');
    testResponse.resolve({ body: { delivered: true, status: 204, error: null, response_body: null, duration_ms: 3 } });
    await waitForPage(page);
    expect(requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body])).to.deep.equal([
      ['/v1/callback/test', {}],
      ['/v1/merchant/preferences', { preferences: [{ key: 'callback-url', value: 'https://shop.example/new' }] }],
    ]);
  });

  it('shows an error in the URL at the field', async () => {
    const errors = [{ pointer: '/preferences/0/value', code: 'invalid_value', detail: 'must begin with https://' }];
    const { page } = await open('owner', {
      'POST /v1/merchant/preferences': problem(422, 'validation_failed', { errors }),
    });
    button(page, /^Save URL$/).click();
    await waitForPage(page);
    expect(textOf(page.querySelector('#callback-url-error'))).to.equal('must begin with https://');
    expect(document.activeElement?.id).to.equal('callback-url');
  });

  it('shows a new secret once, with the selected validity of the old one', async () => {
    const { page, requests, promptAnswers } = await open('owner', {
      'POST /v1/callback/secret': { body: { callback_secret: 'whsec_new', previous_valid_until: at } },
    });
    promptAnswers.push({ keep: '0' });
    button(page, /Rotate secret/).click();
    await waitForPage(page);
    expect(requests.find(({ path }) => path === '/v1/callback/secret')?.body).to.deep.equal({ keep_hours: 0 });
    expect(textOf(page.querySelector('#new-callback-secret'))).to.equal('whsec_new');
    button(page, /I’ve saved it/).click();
    await waitForPage(page);
    expect(page.textContent).to.not.contain('whsec_new');
  });

  it('creates a token with the selected scopes, sensitive ones in a separate group', async () => {
    const { page, requests } = await open('owner', {
      'POST /v1/tokens': { body: { ...token, access_token: 'pl_test_new' } },
    });
    button(page, /Create token/).click();
    await waitForPage(page);
    const sensitive = [...page.querySelectorAll<HTMLInputElement>('.scope-set-sensitive wa-checkbox')].map(
      ({ value }) => value,
    );
    expect(sensitive).to.deep.equal([
      ...['withdrawal:write', 'callback:manage', 'token:manage', 'team:manage'],
      'payer:erase',
    ]);
    const submit = () => page.querySelector<HTMLFormElement>('tokens-section form')?.requestSubmit();
    submit();
    await waitForPage(page);
    expect(textOf(page.querySelector('#token-name-error'))).to.equal('Enter a name.');
    expect(await accessibilityViolations()).to.deep.equal([]);
    const name = page.querySelector<HTMLInputElement>('#token-name');
    if (name) name.value = 'Till 7';
    await waitForPage(page);
    submit();
    await waitForPage(page);
    expect(requests.find(({ method, path }) => method === 'POST' && path === '/v1/tokens')?.body).to.deep.equal({
      ...{ name: 'Till 7', scopes: ['link:write', 'transaction:read'] },
    });
    expect(textOf(page.querySelector('#new-token'))).to.equal('pl_test_new');
  });

  it('shows the keys to verify webhooks', async () => {
    const { page } = await open('viewer');
    expect(textOf(page.querySelector('verification-section')))
      .to.contain('Merchant ID7')
      .and.contain('whpk_abc')
      .and.contain('https://pay.example/.well-known/webhook-keys/7');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows viewers only permitted actions', async () => {
    const { page } = await open('viewer');
    expect(page.querySelector('tokens-section')).to.equal(null);
    expect(textOf(page)).to.not.contain('Rotate secret').and.not.contain('Resend');
    expect(textOf(page)).to.contain('your role can’t create payments');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows third-party content as text', async () => {
    const [, , long = ''] = hostileTexts;
    const { page } = await open('owner', {
      'GET /v1/callbacks': {
        body: {
          callbacks: hostileTexts.map((text, index) => ({ ...callback, id: `evt_${index}`, transaction_id: text })),
          ...{ next_cursor: null, endpoint: { ...receiver, url: `https://shop.example/${long}` } },
        },
      },
      'GET /v1/callback': {
        body: {
          ...callback,
          attempts: hostileTexts.map((text) => ({ ...attempt, answer: text, error: text, url: text })),
        },
      },
      'GET /v1/tokens': {
        body: { tokens: hostileTexts.map((name, id) => ({ ...token, id, name })), next_cursor: null },
      },
    });
    page.querySelector<HTMLElement>('.delivery-head')?.click();
    await waitForPage(page);
    expect(page.querySelector('img')).to.equal(null);
    expect(horizontalOverflow()).to.equal(0);
  });

  it('contains the selected appearance', () => {
    const script = { url: 'https://pay.example/widget/1/pay-form.js', integrity: 'sha384-x' };
    const code = embedCode(script, { theme: 'dark', accent: '#ff0000', radius: 0 });
    expect(code).to.contain('integrity="sha384-x"').and.contain('--pay-form-accent: #ff0000;');
    expect(code).to.contain('<pay-form src="EMBED_URL" theme="dark"></pay-form>');
  });
});
