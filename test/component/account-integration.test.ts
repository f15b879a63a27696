import { expect } from 'chai';
import { embedCode } from '../../pages/account/integration/embed-code.ts';
import { IntegrationPage } from '../../pages/account/integration/integration-page.ts';
import type { UserRole } from '../../src/shared/roles.ts';
import {
  accountContext,
  accessibilityViolations,
  button,
  hostileTexts,
  innerControl,
  waitForPage,
  showPage,
  horizontalOverflow,
  textOf,
} from './account-fixtures.ts';

const at = '2026-03-10T11:00:00.000000Z';
const token = {
  ...{ id: 7, name: 'Till 7', role: 'merchant', scopes: ['link:write', 'transaction:read'], created_at: at },
  ...{ last_used_at: at, expires_at: null, created_by: 'person 3', created_by_name: 'Ada Lovelace' },
};

async function open(role: UserRole = 'owner', results: Parameters<typeof accountContext>[0] = {}) {
  const setup = accountContext(
    {
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

  it('shows the quick start, and requests nothing about webhooks', async () => {
    const { page, requests } = await open();
    expect(textOf(page.querySelector('.code'))).to.contain(`curl ${location.origin}/fiat/v1/transaction`);
    expect(page.querySelector('deliveries-section, verification-section')).to.equal(null);
    expect(requests.filter(({ path }) => /callback|webhook/.test(path))).to.deep.equal([]);
    expect(await accessibilityViolations()).to.deep.equal([]);
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

  it('creates no token with an incomplete expiry date', async () => {
    const { page, requests } = await open();
    button(page, /Create token/).click();
    await waitForPage(page);
    const name = page.querySelector<HTMLInputElement>('#token-name');
    if (name) name.value = 'Till 7';
    // As if the user had typed 31 February.
    Object.defineProperty(innerControl(page.querySelector('#token-end')), 'validity', { value: { badInput: true } });
    page.querySelector<HTMLFormElement>('tokens-section form')?.requestSubmit();
    await waitForPage(page);
    expect(textOf(page.querySelector('#token-end-error'))).to.equal('Choose a future date.');
    expect(requests.some(({ method }) => method === 'POST')).to.equal(false);
  });

  it('names a token without a name by its number, as the audit log does', async () => {
    const { page } = await open('owner', {
      'GET /v1/tokens': { body: { tokens: [{ ...token, id: 12, name: '' }], next_cursor: null } },
    });
    expect(textOf(page.querySelector('tokens-section .row-title'))).to.equal('Access token 12');
  });

  it('shows viewers only permitted actions', async () => {
    const { page } = await open('viewer');
    expect(page.querySelector('tokens-section')).to.equal(null);
    expect(textOf(page)).to.contain('your role can’t create payments');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows the radius of the corners in px', async () => {
    const { page } = await open();
    const slider = page.querySelector<HTMLInputElement>('#form-radius');
    expect(textOf(page.querySelector('output[for=form-radius]'))).to.equal('8 px');
    if (slider) slider.value = '20';
    slider?.dispatchEvent(new Event('input'));
    await waitForPage(page);
    expect(textOf(page.querySelector('output[for=form-radius]'))).to.equal('20 px');
  });

  it('removes one origin per double click, and keeps an origin that was added in the meantime', async () => {
    let saved = ['https://a.example', 'https://b.example', 'https://c.example'];
    const { page, requests } = await open('owner', {
      'GET /v1/merchant/preferences': () => ({
        body: { merchantPreferences: [{ key: 'embed-origin-list', value: JSON.stringify(saved) }] },
      }),
      'POST /v1/merchant/preferences': ({ body }) => {
        saved = JSON.parse((body as { preferences: [{ value: string }] }).preferences[0].value) as string[];
        return { body: {} };
      },
    });
    const chip = () => button(page, /^Remove https:/);
    const shown = () => [...page.querySelectorAll('origin-list-field .chip-name')].map(textOf);
    saved = [...saved, 'https://other-tab.example'];
    chip().click();
    chip().click();
    await waitForPage(page);
    chip().dispatchEvent(new MouseEvent('click', { detail: 2, bubbles: true }));
    await waitForPage(page);
    expect(saved).to.deep.equal(['https://b.example', 'https://c.example', 'https://other-tab.example']);
    expect(shown()).to.deep.equal(saved);
    expect(requests.filter(({ method }) => method === 'POST')).to.have.length(1);
    expect(document.activeElement?.id).to.equal('new-origin');
    for (const origin of ['https://b.example', 'https://c.example'])
      button(page, new RegExp(`^Remove ${origin}$`)).click();
    await waitForPage(page);
    expect(saved).to.deep.equal(['https://other-tab.example']);
    const field = page.querySelector<HTMLInputElement>('#new-origin');
    if (field) field.value = 'new.example/path';
    button(page, /^Add origin$/).click();
    await waitForPage(page);
    expect(shown()).to.deep.equal(['https://other-tab.example', 'https://new.example']);
  });

  it('shows third-party content as text', async () => {
    const { page } = await open('owner', {
      'GET /v1/tokens': {
        body: { tokens: hostileTexts.map((name, id) => ({ ...token, id, name })), next_cursor: null },
      },
    });
    expect(textOf(page)).to.contain(hostileTexts[0]);
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
