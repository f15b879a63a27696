import { expect } from 'chai';
import { countries } from '../../pages/account/countries.ts';
import { SettingsPage } from '../../pages/account/settings/settings-page.ts';
import { wholeCoins } from '../../pages/account/settings/preferences.ts';
import type { PreferenceKey } from '../../client/api.ts';
import { countryCodes, toAlpha3 } from '../../src/api/country.ts';
import type { UserRole } from '../../src/shared/roles.ts';
import {
  accountContext,
  accountOf,
  type FakeResponse,
  type SentRequest,
  accessibilityViolations,
  button,
  innerControl,
  toggleExpandable,
  hostileTexts,
  problem,
  waitForPage,
  showPage,
  horizontalOverflow,
  textOf,
} from './account-fixtures.ts';

function entry(key: string, change: Partial<PreferenceKey> = {}): PreferenceKey {
  return {
    ...{ key, meaning: `What ${key} means`, type: 'text', default: null, manager_only: false },
    scope: 'preference:write',
    ...{ value: null, pending: null, updated_at: null, updated_by: null },
    ...change,
  };
}

const keys: readonly PreferenceKey[] = [
  entry('shop-name', { max_length: 60, value: 'Kettle', updated_at: '2026-03-10T11:00:00Z', updated_by: 'person 3' }),
  entry('shop-color', { type: 'color', value: '#ffee00', updated_at: '2026-03-10T11:00:00Z', updated_by: 'token 2' }),
  entry('link-lifetime-minutes', { type: 'integer', minimum: 1, maximum: 525_600, default: 1440 }),
  entry('additional-currency', { type: 'choice', choices: ['ARS', 'EUR', 'THB', 'USD', 'VND'], default: 'USD' }),
  entry('restricted-country-list', { type: 'country_list', value: '["TH","VNM"]' }),
  entry('unknown-country', { type: 'choice', choices: ['allow', 'refuse'], default: 'allow' }),
  entry('auto-withdrawal', { type: 'boolean', default: false }),
  entry('min-amount-btc', { type: 'amount', code: 'btc', default: '0', value: '150000', manager_only: true }),
  entry('callback-url', { type: 'url', value: 'https://shop.example/callbacks' }),
  entry('brand-name', { value: 'Kettle' }),
  entry('something-new', { meaning: 'A setting of a later release' }),
];

async function open(
  role: UserRole = 'owner',
  results: Parameters<typeof accountContext>[0] = {},
  shown: readonly PreferenceKey[] = keys,
) {
  const person = { id: 1, email: 'ada@kettle.example', name: 'Ada', isManager: role === 'manager' };
  const given = accountContext(
    {
      'GET /v1/merchant/preferences/keys': { body: { keys: shown } },
      'GET /v1/people': { body: { people: [{ id: 3, name: 'Grace Hopper', email: 'g@kettle.example' }] } },
      'GET /v1/tokens': { body: { tokens: [{ id: 2, name: '' }], next_cursor: null } },
      ...results,
    },
    role,
    { account: accountOf({ person }) },
  );
  const page = await showPage(new SettingsPage(), given.context);
  return { page, ...given };
}

const setting = (page: Element, key: string): HTMLElement => {
  const found = page.querySelector<HTMLElement>(`[data-key="${key}"]`);
  if (!found) throw new Error(`There is no setting ${key}`);
  return found;
};

async function type(page: Element, key: string, text: string) {
  const input = setting(page, key).querySelector('wa-input');
  if (!input) throw new Error(`${key} has no field`);
  input.value = text;
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await waitForPage(page);
}

const bar = (page: Element) => page.querySelector('.save-bar');

describe('the settings page', () => {
  afterEach(() => document.body.replaceChildren());

  it('shows a numeric amount in coins, and treats the same typed amount as unchanged', async () => {
    const rotation = entry('wallet-rotate-amount-btc', { type: 'amount', code: 'btc', value: 150_000 });
    const { page } = await open('owner', {}, [rotation]);
    expect(setting(page, 'wallet-rotate-amount-btc').textContent).to.contain('0.0015');
    await type(page, 'wallet-rotate-amount-btc', '1500000');
    expect(bar(page)).to.not.equal(null);
    await type(page, 'wallet-rotate-amount-btc', '150000');
    expect(bar(page)).to.equal(null);
  });

  for (const [typed, stored] of [
    ['0.05', 0.05],
    ['1,05', 1.05],
    ['0.10', '0.10'],
  ] as const)
    it(`keeps a decimal while it is typed: ${typed}`, async () => {
      const key = 'payment-tolerance-percent-btc';
      const fee = entry(key, { type: 'decimal', minimum: 0, maximum: 100, value: 2 });
      const { page, requests } = await open('owner', { 'POST /v1/merchant/preferences': { body: {} } }, [fee]);
      await type(page, key, '');
      const field = setting(page, key).querySelector('wa-input');
      for (const character of typed) await type(page, key, (field?.value ?? '') + character);
      button(page, /^Save/).click();
      await waitForPage(page);
      const sent = requests.find(({ method }) => method === 'POST')?.body as { preferences: { value: unknown }[] };
      expect(sent.preferences[0]?.value).to.equal(stored);
    });

  it('shows when a changed destination takes effect, and the current one', async () => {
    const pending = {
      current_value: 'bc1qours',
      effective_at: '2026-03-11T12:00:00Z',
      reason: 'new_destination' as const,
    };
    const destination = entry('auto-withdrawal-destination-btc', {
      type: 'address',
      code: 'btc',
      value: 'bc1qelse',
      pending,
    });
    const first = entry('auto-withdrawal-destination-eth', {
      ...destination,
      key: 'auto-withdrawal-destination-eth',
      code: 'eth',
      pending: { ...pending, current_value: null },
    });
    const { page } = await open('owner', {}, [destination, first]);
    expect(textOf(setting(page, destination.key))).to.contain(
      'Takes effect on Mar 11, 12:00 PM. Current value: bc1qours.',
    );
    expect(textOf(setting(page, first.key))).to.contain('Current value: Not set.');
  });

  it('renders the control of each type', async () => {
    const { page } = await open('manager');
    expect(setting(page, 'auto-withdrawal').querySelector('wa-switch')).to.not.equal(null);
    expect(setting(page, 'unknown-country').querySelectorAll('wa-radio')).to.have.length(2);
    expect(setting(page, 'additional-currency').querySelectorAll('wa-option')).to.have.length(6);
    expect(setting(page, 'shop-color').querySelectorAll('.color-preview')).to.have.length(2);
    expect(setting(page, 'link-lifetime-minutes').textContent).to.contain('minutes').and.contain('1 day');
    expect(setting(page, 'min-amount-btc').textContent).to.contain('satoshi').and.contain('0.0015\u00a0BTC');
    const chips = [...setting(page, 'restricted-country-list').querySelectorAll('.chip .chip-name')].map(textOf);
    expect(chips).to.deep.equal(['Thailand', 'Vietnam']);
    expect(setting(page, 'something-new').textContent).to.contain('A setting of a later release');
    expect(textOf(setting(page, 'shop-name'))).to.contain('1 hour ago, Grace Hopper');
    expect(textOf(setting(page, 'shop-color'))).to.contain('1 hour ago, access token 2');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('offers the two values of a number as choices', async () => {
    const version = entry('callback-version', { type: 'integer', minimum: 1, maximum: 2, default: 2 });
    const { page } = await open('owner', {}, [version]);
    const choices = setting(page, 'callback-version').querySelector('wa-radio-group');
    expect([choices?.value, ...[...(choices?.querySelectorAll('wa-radio') ?? [])].map(textOf)]).to.eql([
      ...['2', '1: payment and crypto transaction webhooks', '2: payment webhooks only'],
    ]);
    expect(setting(page, 'callback-version').querySelector('wa-input')).to.equal(null);
    choices?.querySelector('wa-radio')?.click();
    await waitForPage(page);
    expect(choices?.value).to.equal('1');
    expect(bar(page)).to.not.equal(null);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows preference keys on request, and remembers it in this browser', async () => {
    const shownKey = (within: Element, key: string) => textOf(setting(within, key).querySelector('.setting-note code'));
    const { page } = await open();
    expect(shownKey(page, 'shop-name')).to.equal('');
    const check = page.querySelector<HTMLInputElement>('wa-checkbox[name=preference-keys]') ?? expect.fail();
    check.click();
    await waitForPage(page);
    expect(shownKey(page, 'shop-name')).to.equal('shop-name');
    expect(await accessibilityViolations()).to.deep.equal([]);
    document.body.replaceChildren();
    const again = await open();
    expect(shownKey(again.page, 'auto-withdrawal')).to.equal('auto-withdrawal');
    localStorage.removeItem('paylatch.preference-keys');
  });

  it('links settings of other pages', async () => {
    const { page } = await open();
    const links = () => [...page.querySelectorAll<HTMLAnchorElement>('a.row')];
    const shown = () => links().map((link) => [link.getAttribute('href'), link.innerText]);
    expect(shown()).to.deep.equal([
      ['/account/7/branding', 'Branding\nDisplay name'],
      ['/account/7/webhooks', 'Webhooks\nWebhook URL'],
    ]);
    expect(textOf(page.querySelector('#group-pages'))).to.equal('On other pages');
    for (const link of links()) expect(link.offsetWidth).to.equal(link.closest('ul')?.clientWidth);
    expect(page.querySelector('[data-key="brand-name"]')).to.equal(null);
    const search = page.querySelector<HTMLInputElement>('#settings-search') ?? expect.fail();
    search.value = 'display name';
    search.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await waitForPage(page);
    expect(shown()).to.deep.equal([['/account/7/branding', 'Display name\nKettle']]);
    expect(textOf(page.querySelector('[aria-labelledby="group-branding"]'))).to.contain('Display name Kettle');
  });

  it('shows the settings of cryptocurrencies under their own heading', async () => {
    const { page } = await open();
    const section = page.querySelector('[aria-labelledby="group-coins"]') ?? expect.fail();
    expect(textOf(section.querySelector('h2'))).to.equal('Cryptocurrencies');
    expect(section.querySelectorAll('h3.section-heading')).to.have.length(
      page.querySelectorAll('.panel h3 > small').length,
    );
    const coin = section.querySelector('h3:has(> small)') ?? expect.fail();
    expect(getComputedStyle(coin).margin).to.equal('0px');
  });

  it('saves settings together, and lists with their spelling', async () => {
    const { page, requests } = await open('owner', { 'POST /v1/merchant/preferences': { body: {} } });
    expect(bar(page)).to.equal(null);
    await type(page, 'link-lifetime-minutes', '60');
    button(setting(page, 'restricted-country-list'), /Remove Thailand/).click();
    await waitForPage(page);
    const list = setting(page, 'restricted-country-list');
    toggleExpandable(list.querySelector('wa-details'));
    await waitForPage(page);
    const france = [...list.querySelectorAll('wa-checkbox')].find((box) => box.textContent?.includes('France'));
    (innerControl(france ?? null) as HTMLElement).click();
    await waitForPage(page);
    // A text field is cleared without a button.
    expect(textOf(setting(page, 'shop-name'))).to.not.contain('Clear');
    await type(page, 'shop-name', '');
    expect(textOf(bar(page))).to.contain('3 unsaved changes');
    button(page, /^Save changes$/).click();
    await waitForPage(page);
    const sent = requests.find(({ method }) => method === 'POST')?.body as { preferences: { key: string }[] };
    expect(sent.preferences).to.have.deep.members([
      { key: 'link-lifetime-minutes', value: 60 },
      { key: 'restricted-country-list', value: '["VNM","FR"]' },
      { key: 'shop-name', value: null },
    ]);
    expect(bar(page)).to.equal(null);
  });

  it('keeps edits made during a save, and shows saved values immediately', async () => {
    const saved = Promise.withResolvers<FakeResponse>();
    let isUnavailable = false;
    const { page } = await open('owner', {
      'POST /v1/merchant/preferences': async () => await saved.promise,
      'GET /v1/merchant/preferences/keys': () => (isUnavailable ? problem(503, 'unavailable') : { body: { keys } }),
    });
    await type(page, 'shop-name', 'Other');
    await type(page, 'link-lifetime-minutes', '60');
    button(page, /^Save changes$/).click();
    await waitForPage(page);
    await type(page, 'something-new', 'Meanwhile');
    await type(page, 'shop-name', 'Kettle');
    isUnavailable = true;
    saved.resolve({ body: {} });
    await waitForPage(page);
    const value = (key: string) => setting(page, key).querySelector('wa-input')?.value;
    expect(textOf(bar(page))).to.contain('2 unsaved changes');
    expect(value('something-new')).to.equal('Meanwhile');
    expect(value('shop-name')).to.equal('Kettle');
    expect(value('link-lifetime-minutes')).to.equal('60');
  });

  it('treats a restored value as unchanged', async () => {
    const { page } = await open();
    await type(page, 'shop-name', 'Other');
    expect(textOf(bar(page))).to.contain('1 unsaved change');
    await type(page, 'shop-name', 'Kettle');
    expect(bar(page)).to.equal(null);
  });

  it('shows errors at their fields, and keeps the input', async () => {
    const refuse = ({ body }: SentRequest) => {
      const index = (body as { preferences: { key: string }[] }).preferences.findIndex(
        ({ key }) => key === 'link-lifetime-minutes',
      );
      const errors = [{ pointer: `/preferences/${index}/value`, code: 'invalid_value', detail: 'must be less' }];
      return problem(422, 'validation_failed', { errors });
    };
    const { page, announced } = await open('owner', { 'POST /v1/merchant/preferences': refuse });
    await type(page, 'shop-name', 'Other');
    await type(page, 'link-lifetime-minutes', 'soon');
    button(page, /^Save changes$/).click();
    await waitForPage(page);
    const field = setting(page, 'link-lifetime-minutes').querySelector('wa-input');
    expect(innerControl(field).getAttribute('aria-invalid')).to.equal('true');
    expect(document.activeElement).to.equal(field);
    expect(textOf(setting(page, 'link-lifetime-minutes').querySelector('.field-error'))).to.equal(
      'Enter a whole number from 1 to 525,600.',
    );
    expect(announced).to.deep.equal(['Changes not saved. Correct the highlighted fields.']);
    expect(textOf(bar(page))).to.contain('2 unsaved changes');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('keeps the section of a coin open while an error in it is corrected', async () => {
    const refuse = () => {
      const errors = [{ pointer: '/preferences/0/value', code: 'invalid_value', detail: 'must be less' }];
      return problem(422, 'validation_failed', { errors });
    };
    const { page } = await open('manager', { 'POST /v1/merchant/preferences': refuse });
    const details = page.querySelector<HTMLDetailsElement>('[aria-labelledby="group-btc"] wa-details');
    await type(page, 'min-amount-btc', '5');
    button(page, /^Save changes$/).click();
    await waitForPage(page);
    expect(details?.open).to.equal(true);
    await type(page, 'min-amount-btc', '4');
    expect(setting(page, 'min-amount-btc').querySelector('.field-error')).to.equal(null);
    expect(details?.open).to.equal(true);
  });

  it('prompts before unsaved changes are discarded', async () => {
    const { page, prompts, promptAnswers } = await open();
    expect(await page.canLeave()).to.equal(true);
    await type(page, 'shop-name', 'Other');
    expect(await page.canLeave()).to.equal(false);
    promptAnswers.push({});
    expect(await page.canLeave()).to.equal(true);
    expect(prompts.map(({ heading }) => heading)).to.deep.equal(['Leave without saving?', 'Leave without saving?']);
  });

  it('waits for a save before it decides whether to prompt', async () => {
    const save = Promise.withResolvers<FakeResponse>();
    const { page, prompts } = await open('owner', { 'POST /v1/merchant/preferences': async () => await save.promise });
    await type(page, 'shop-name', 'Other');
    button(page, /^Save changes$/).click();
    const canLeave = page.canLeave();
    save.resolve({ body: {} });
    expect(await canLeave).to.equal(true);
    expect(prompts).to.deep.equal([]);
  });

  it('shows owners the settings of the service as read-only', async () => {
    const { page } = await open('owner');
    const shown = setting(page, 'min-amount-btc');
    expect(shown.textContent).to.contain('Set by a manager');
    expect(shown.querySelector('wa-input')?.readonly).to.equal(true);
    expect(shown.querySelector('.button-link')).to.equal(null);
    const { page: managers } = await open('manager');
    expect(setting(managers, 'min-amount-btc').querySelector('wa-input')?.readonly).to.equal(false);
  });

  it('is read-only without the scope', async () => {
    const { page } = await open('viewer');
    expect(page.textContent).to.contain('You have view-only access.');
    const inputs = [...page.querySelectorAll('.setting :is(wa-input, wa-select, wa-radio-group, wa-switch, input)')];
    expect(inputs.length).to.be.greaterThan(5);
    expect(inputs.every((input) => input.matches('[readonly], [disabled], :disabled'))).to.equal(true);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('finds settings by name and description', async () => {
    const { page } = await open();
    const search = page.querySelector<HTMLInputElement>('wa-input[type=search]');
    if (!search) throw new Error('There is no search');
    const found = async (text: string) => {
      search.value = text;
      search.dispatchEvent(new InputEvent('input', { bubbles: true }));
      await waitForPage(page);
      return [...page.querySelectorAll<HTMLElement>('.setting')].map(({ dataset }) => dataset['key']);
    };
    expect(await found('min-amount')).to.deep.equal(['min-amount-btc']);
    expect(await found('later release')).to.deep.equal(['something-new']);
    expect(await found('zzz')).to.deep.equal([]);
    expect(page.textContent).to.contain('No matching settings');
  });

  it('shows third-party content as text', async () => {
    const hostile = hostileTexts.map((value, index) =>
      entry(`key-${index}`, { value, meaning: value, updated_by: value, updated_at: '2026-03-10T11:00:00Z' }),
    );
    const { page } = await open('owner', {}, [
      ...hostile,
      entry('restricted-country-list', { type: 'country_list', value: JSON.stringify(hostileTexts) }),
      entry('callback-url', { type: 'url', value: hostileTexts[2] ?? '' }),
    ]);
    expect(textOf(page)).to.contain(hostileTexts[0]);
    expect(page.querySelector('img')).to.equal(null);
    expect(horizontalOverflow()).to.equal(0);
  });

  it('shows a problem', async () => {
    const { page } = await open('owner', { 'GET /v1/merchant/preferences/keys': problem(500, 'internal_error') });
    expect(button(page, /Try again/)).to.not.equal(null);
    expect(bar(page)).to.equal(null);
  });
});

describe('settings page data', () => {
  it('includes all countries of the API', () => {
    expect(countries.map(({ alpha2 }) => alpha2)).to.deep.equal(countryCodes);
    for (const { alpha2, alpha3 } of countries) expect(toAlpha3(alpha2)).to.equal(alpha3);
  });

  it('converts to coins with every digit', () => {
    expect(wholeCoins('150000', 'btc')).to.equal('0.0015');
    expect(wholeCoins('1', 'eth')).to.equal('0.000000000000000001');
    expect(wholeCoins('1000000', 'usdt')).to.equal('1');
    expect(wholeCoins('1e6', 'usdt')).to.equal(null);
  });
});
