import { expect } from 'chai';
import type { AccountContext } from '../../pages/account/context.ts';
import { parseAmountInput, splitAmount } from '../../pages/account/new-link/amounts.ts';
import { parseItems } from '../../pages/account/new-link/link-items.ts';
import { NewLinkPage } from '../../pages/account/new-link/new-link-page.ts';
import { parseHex } from '../../pages/checkout/elements/brand-colors.ts';
import { contrastOf } from '../../pages/checkout/elements/contrast.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import type { CurrencyCode } from '../../src/shared/currencies.ts';
import {
  accountContext,
  accountTexts,
  type SentRequest,
  accessibilityViolations,
  button,
  innerControl,
  hostileTexts,
  problem,
  waitForPage,
  showPage,
  horizontalOverflow,
  textOf,
  radio,
  toggleExpandable,
} from './account-fixtures.ts';

const link = 'https://pay.example/p/2n0N8mZ0bM4u1cQyVtQ3oX5rJxA';
const detail = {
  ...{ transaction_id: 'last-1', currency: 'USD', merchant_fee_fix: 0.3, merchant_fee_percent: 2.9 },
  ...{ amount_charged: 12.5, amount_delivered: 11.84, descriptions: hostileTexts[0], payment_method: 'credit_card' },
};

async function openForm(results: Parameters<typeof accountContext>[0] = {}, change: Partial<AccountContext> = {}) {
  localStorage.setItem('paylatch-account-link-7', JSON.stringify({ country: 'USA', currency: 'USD' }));
  const setup = accountContext(
    {
      'POST /fiat/v1/merchant/payment-methods': ({ body }: SentRequest) => {
        const { country } = body as { country: string };
        const currencies = country === 'USA' ? ['USD', 'EUR', 'KWD'] : ['THB', 'USD', 'EUR'];
        const methods = currencies.flatMap((currency) => {
          const on = { payment_method: 'credit_card', currency, status: 'enable', fee_fix: 0.3, fee_percent: 2.9 };
          const later = { ...on, manual_capture: true };
          const off = { payment_method: 'crypto_payment', currency, status: 'disable', message: 'Ask your manager.' };
          return country === 'USA' ? [off, later] : [off];
        });
        return { body: { payment_methods: methods } };
      },
      'GET /fiat/v1/transaction': { body: detail },
      'GET /v1/merchant/preferences': {
        body: {
          merchantPreferences: [
            { key: 'brand-name', value: 'Kettles' },
            { key: 'brand-color', value: '#ffcc00' },
          ],
        },
      },
      'GET /v1/merchant/preferences/keys': {
        body: { keys: [{ key: 'link-lifetime-minutes', value: 120, default: 1440 }] },
      },
      'POST /fiat/v1/transaction': {
        body: { type: 'link', value: { link }, transaction_id: 'order-1', expires_at: '2026-03-11T12:00:00Z' },
      },
      ...results,
    },
    'operator',
    change,
  );
  const page = await showPage(new NewLinkPage(), setup.context);
  const fill = async (name: string, value: string) => {
    const field = page.querySelector<HTMLInputElement>(`[name="${name}"]`);
    if (!field) throw new Error(`There is no field ${name}`);
    field.value = value;
    field.dispatchEvent(new Event(field.tagName === 'WA-SELECT' ? 'change' : 'input', { bubbles: true }));
    await waitForPage(page);
  };
  const fillAll = async () => {
    await fill('amount', '12.50');
    await fill('description', 'Two cups');
  };
  const send = async () => {
    button(page, /^Create link$/).click();
    await waitForPage(page);
  };
  const createRequests = () =>
    setup.requests.filter(({ method, path }) => method === 'POST' && path === '/fiat/v1/transaction');
  return { ...setup, page, fill, fillAll, send, createRequests };
}

describe('the page of a new payment link', () => {
  afterEach(() => {
    document.body.replaceChildren();
    localStorage.clear();
  });

  it('parses typed amounts with the currency’s decimals', () => {
    expect(['12.50', '12,5', '0.07', '1 000'].map((typed) => parseAmountInput(typed, 'USD', 'en'))).to.deep.equal([
      ...[12.5, 12.5, 0.07, 1000],
    ]);
    expect(parseAmountInput('12.505', 'USD', 'en')).to.equal('too_many_decimals');
    expect(parseAmountInput('1,250', 'USD', 'en')).to.equal('too_many_decimals');
    expect(parseAmountInput('5.5', 'VND', 'en')).to.equal('too_many_decimals');
    expect(parseAmountInput('0.5', 'JPY', 'en')).to.equal('too_many_decimals');
    expect(parseAmountInput('1.234', 'KWD', 'en')).to.equal(1.234);
    expect(parseAmountInput('1,234', 'KWD', 'de')).to.equal(1.234);
    // A thousand and more in English.
    expect(parseAmountInput('1,234', 'KWD', 'en')).to.equal('not_a_number');
    expect(parseAmountInput('0,125', 'KWD', 'en')).to.equal(0.125);
    expect(parseAmountInput('1.2345', 'KWD', 'en')).to.equal('too_many_decimals');
    expect(parseAmountInput('0', 'USD', 'en')).to.equal('not_positive');
    expect(parseAmountInput('1e5', 'USD', 'en')).to.equal('not_a_number');
    expect(parseAmountInput('99999999999999.99', 'USD', 'en')).to.equal('too_large');
    expect(parseAmountInput('10000000', 'USD', 'en')).to.equal(10_000_000);
    expect(parseAmountInput('10000000.01', 'USD', 'en')).to.equal('too_large');
  });

  it('parses prices of items as amounts are, also negative ones', () => {
    const price = (typed: string, currency: CurrencyCode, locale: string) =>
      parseItems([{ name: 'Cup', quantity: '2', price: typed, image: '' }], currency, locale)?.items[0]?.unit_amount;
    expect(['12.50', '12,5', ' 1 000 ', '0', '-0.5', '- 3'].map((typed) => price(typed, 'USD', 'en'))).to.deep.equal([
      ...[12.5, 12.5, 1000, 0, -0.5, -3],
    ]);
    for (const typed of ['', '-', '--1', 'six', '1e5', '12.505']) expect(price(typed, 'USD', 'en')).to.equal(undefined);
    expect(price('1.200', 'EUR', 'de')).to.equal(undefined);
    expect(price('1,200', 'USD', 'en')).to.equal(undefined);
    expect(price('1.200', 'KWD', 'de')).to.equal(undefined);
    expect(price('1,200', 'KWD', 'de')).to.equal(1.2);
  });

  it('sets an amount with three decimals as the user types it', async () => {
    const { page, fill } = await openForm({}, { i18n: new I18n(accountTexts, 'de') });
    await fill('currency', 'KWD');
    await fill('amount', '5');
    button(page, /^Add item$/).click();
    await waitForPage(page);
    await fill('item_name', 'Cup');
    await fill('item_price', '1,2');
    button(page, /as the amount$/).click();
    await waitForPage(page);
    expect(page.querySelector<HTMLInputElement>('#link-amount')?.value).to.equal('1,200');
    expect(page.querySelector('#link-amount-error')).to.equal(null);
    expect(textOf(page)).to.not.contain('The items add up');
  });

  it('sets the amount to the sum of the items until another amount is entered', async () => {
    const { page, fill } = await openForm();
    const amount = () => page.querySelector<HTMLInputElement>('#link-amount')?.value;
    button(page, /^Add item$/).click();
    await waitForPage(page);
    await fill('item_name', 'Cup');
    for (const [price, sum] of [
      ['6', '6.00'],
      ['', '6.00'],
      ['6.5', '6.50'],
    ] as const) {
      await fill('item_price', price);
      expect(amount()).to.equal(sum);
    }
    await fill('amount', '20');
    await fill('item_quantity', '2');
    expect(amount()).to.equal('20');
    expect(textOf(page)).to.contain('The items add up to $13.00, but the amount is $20.00.');
    button(page, /^Use \$13\.00 as the amount$/).click();
    await fill('item_price', '7');
    expect(amount()).to.equal('14.00');
    await fill('amount', '14.00');
    await fill('item_price', '8');
    expect(amount()).to.equal('14.00');
  });

  it('writes the sum of the items with the decimals of each chosen currency', async () => {
    const { page, fill } = await openForm();
    button(page, /^Add item$/).click();
    await waitForPage(page);
    await fill('item_name', 'Cup');
    await fill('item_price', '6.5');
    for (const [currency, sum] of [
      ['KWD', '6.500'],
      ['EUR', '6.50'],
      ['KWD', '6.500'],
      ['USD', '6.50'],
    ] as const) {
      await fill('currency', currency);
      expect(page.querySelector<HTMLInputElement>('#link-amount')?.value).to.equal(sum);
      expect(page.querySelector('#link-amount-error')).to.equal(null);
    }
    await fill('amount', '6.5');
    await fill('currency', 'KWD');
    expect(page.querySelector<HTMLInputElement>('#link-amount')?.value).to.equal('6.5');
  });

  it('has the merchant’s default expiry, and no landmarks in open sections', async () => {
    const keys = [{ key: 'link-lifetime-minutes', value: null, default: 1440 }];
    const { page } = await openForm({ 'GET /v1/merchant/preferences/keys': { body: { keys } } });
    expect(textOf(page)).to.contain('The link expires after 1 day.').and.contain('1 day · link-');
    for (const section of page.querySelectorAll('.link-section')) toggleExpandable(section);
    await waitForPage(page);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('calculates the fee to the cent, rounding half to even', () => {
    const fee = { fix: 0.3, percent: 2.9 };
    expect(splitAmount(12.5, 'USD', fee, false)).to.deep.equal({ buyerPays: '12.50', netAmount: '11.84' });
    expect(splitAmount(12.5, 'USD', fee, true)).to.deep.equal({ buyerPays: '13.16', netAmount: '12.50' });
    expect(splitAmount(0.5, 'USD', { fix: 0, percent: 5 }, true)).to.deep.equal({
      buyerPays: '0.52',
      netAmount: '0.50',
    });
    expect(splitAmount(0.7, 'USD', { fix: 0, percent: 5 }, true)).to.deep.equal({
      buyerPays: '0.74',
      netAmount: '0.70',
    });
  });

  it('offers available methods, explains unavailable ones, and shows both fee calculations', async () => {
    const { page, fill } = await openForm();
    const choices = [...page.querySelectorAll('wa-radio')].map(textOf);
    expect(choices.slice(0, 2)).to.deep.equal(['Card', 'Crypto Ask your manager.']);
    expect(page.querySelector<HTMLInputElement>('wa-radio[value=credit_card]')?.checked).to.equal(true);
    expect(page.querySelector<HTMLInputElement>('wa-radio[value=crypto_payment]')?.disabled).to.equal(true);
    await fill('amount', '12.50');
    expect(textOf(page)).to.contain('You receive $11.84. The buyer pays $12.50.');
    expect(textOf(page)).to.contain('You receive $12.50. The buyer pays $13.16.');
    expect(textOf(page)).to.contain('The link expires after 2 hours.');
    await fill('amount', '12.505');
    expect(textOf(page)).to.contain('USD amounts can have at most 2 decimal places.');
    expect(await accessibilityViolations()).to.deep.equal([]);
    await fill('country', 'THA');
    expect([...page.querySelectorAll('#link-currency wa-option')].map(textOf)[0]).to.contain('THB');
    expect(textOf(page)).to.contain('No payment methods are available for this country and currency');
  });

  it('summarizes all errors, focuses the summary, and links to each field', async () => {
    const { page, send, createRequests } = await openForm();
    await send();
    const summary = page.querySelector<HTMLElement>('.error-summary');
    expect(document.activeElement).to.equal(summary);
    expect(textOf(summary)).to.contain('2 fields need attention');
    expect(createRequests()).to.deep.equal([]);
    summary?.querySelectorAll('a')[1]?.click();
    expect((document.activeElement as HTMLInputElement).name).to.equal('description');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('summarizes closed sections', async () => {
    const { page, fill } = await openForm();
    const summaries = () => [...page.querySelectorAll('.link-section [slot=summary] .row-text')].map(textOf);
    expect(summaries().slice(1, 3)).to.deep.equal(['None', 'None']);
    await fill('phone', ' +14155550100 ');
    expect(summaries()[2]).to.equal('+14155550100');
    // The state is sent with the link's country.
    await fill('state', 'CA');
    await fill('first_name', 'Ada');
    await fill('last_name', 'Lovelace');
    expect(summaries()[2]).to.equal('Ada Lovelace · +14155550100 · CA · United States');
    for (const name of ['phone', 'state', 'first_name', 'last_name']) await fill(name, '');
    toggleExpandable(page.querySelector('.link-section:has([name=email])'));
    await waitForPage(page);
    await fill('payer_country', 'JPN');
    expect(summaries()[2]).to.equal('Japan');
  });

  it('shows an invalid image URL at its field, with the error of an incomplete item', async () => {
    const { page, fillAll, fill, send } = await openForm();
    await fillAll();
    for (const _item of [0, 1]) {
      button(page, /^Add item$/).click();
      await waitForPage(page);
    }
    const type = async (index: number, value: string) => {
      const field = page.querySelector<HTMLInputElement>(`#link-item-image-${index}`) ?? expect.fail();
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await waitForPage(page);
    };
    const isImageOpen = (index: number) =>
      page.querySelectorAll<HTMLElement & { open: boolean }>('.item-image')[index]?.open;
    expect(isImageOpen(1)).to.equal(false);
    const isInvalid = (index: number) =>
      innerControl(page.querySelector(`#link-item-image-${index}`)).getAttribute('aria-invalid') === 'true';
    await type(1, 'javascript:alert(1)');
    await send();
    expect([isInvalid(0), isInvalid(1)]).to.deep.equal([false, true]);
    expect([isImageOpen(0), isImageOpen(1)]).to.deep.equal([false, true]);
    expect(textOf(page.querySelector('#link-item-image-1-error'))).to.contain('https://');
    expect(textOf(page.querySelector('#link-line_items-error'))).to.contain('a price for each item');
    // A closed row changes neither the errors nor the items, and opens for its error.
    toggleExpandable(page.querySelectorAll('.item-image')[1] ?? null);
    await waitForPage(page);
    expect(textOf(page.querySelector('#link-line_items-error'))).to.contain('a price for each item');
    await send();
    const [image, incomplete] = page.querySelectorAll<HTMLElement>('.error-summary a');
    expect(textOf(image ?? null)).to.match(/^Item 2: .*https:/);
    expect(textOf(incomplete ?? null)).to.contain('a price for each item');
    expect(await accessibilityViolations()).to.deep.equal([]);
    image?.click();
    await waitForPage(page);
    expect(isImageOpen(1)).to.equal(true);
    expect(document.activeElement?.id).to.equal('link-item-image-1');
    // Changes of other fields do not correct the URL.
    await fill('item_name', 'Cup');
    expect([isInvalid(1), page.querySelector('#link-line_items-error')]).to.deep.equal([true, null]);
    await type(1, 'https://shop.example/cup.png');
    expect([isInvalid(1), page.querySelector('.error-summary')]).to.deep.equal([false, null]);
    expect(isImageOpen(1)).to.equal(true);
  });

  it('shows the service’s error about an image at its field', async () => {
    const rejection = problem(422, 'validation_failed', {
      errors: [{ pointer: '/line_items/0/image_url', code: 'invalid_url', detail: 'must be a URL' }],
    });
    const { page, fill, fillAll, send } = await openForm({ 'POST /fiat/v1/transaction': rejection });
    await fillAll();
    button(page, /^Add item$/).click();
    await waitForPage(page);
    await fill('item_name', 'Cup');
    await fill('item_price', '12.50');
    await send();
    expect(textOf(page.querySelector('#link-item-image-0-error'))).to.equal('must be a URL');
    expect(page.querySelector('#link-line_items-error')).to.equal(null);
    expect(page.querySelector<HTMLElement & { open: boolean }>('.link-section:has(.item-row)')?.open).to.equal(true);
  });

  it('shows the service’s errors at their fields', async () => {
    const rejection = problem(422, 'validation_failed', {
      errors: [{ pointer: '/success_redirect_url', code: 'invalid_url', detail: 'must not contain a password' }],
    });
    const { page, fill, fillAll, send } = await openForm({ 'POST /fiat/v1/transaction': rejection });
    await fillAll();
    await fill('success_redirect_url', 'https://:secret@shop.example/paid');
    await send();
    expect(textOf(page.querySelector('#link-success_redirect_url-error'))).to.equal('must not contain a password');
    expect(innerControl(page.querySelector('[name=success_redirect_url]')).getAttribute('aria-invalid')).to.equal(
      'true',
    );
    // The section of the field is open, so that the field can be reached.
    expect(
      page.querySelector<HTMLElement & { open: boolean }>('.link-section:has([name=success_redirect_url])')?.open,
    ).to.equal(true);
  });

  it('sends payer, items, redirect and expiry only if they are filled in; a repetition is the same request', async () => {
    const { page, fill, fillAll, send, createRequests } = await openForm({
      'POST /fiat/v1/transaction': problem(503, 'overloaded'),
    });
    await fillAll();
    await send();
    await send();
    const [plain, repeated] = createRequests().map(({ body }) => body as Record<string, unknown>);
    expect(plain).to.include({ success_redirect_url: null, fail_redirect_url: null });
    expect(plain).to.not.have.any.keys('payer', 'line_items', 'expires_at');
    expect(repeated).to.deep.equal(plain);
    await fill('email', 'ada@example.com');
    await fill('postcode', '94107');
    await fill('lifetime', '1440');
    await fill('success_redirect_url', 'https://shop.example/paid');
    button(page, /^Add item$/).click();
    await waitForPage(page);
    await fill('item_name', 'Cup');
    await fill('item_quantity', '2');
    await fill('item_price', '6,00');
    expect(textOf(page)).to.contain('The items add up to $12.00, but the amount is $12.50.');
    button(page, /^Use \$12\.00 as the amount$/).click();
    await waitForPage(page);
    expect(textOf(page)).to.not.contain('The items add up');
    expect(await accessibilityViolations()).to.deep.equal([]);
    const sentAtMs = Date.now();
    await send();
    await send();
    const [full, again] = createRequests()
      .slice(2)
      .map(({ body }) => body as Record<string, unknown>);
    expect(full).to.deep.include({
      amount: 12,
      payer: { email: 'ada@example.com', postcode: '94107', country: 'US' },
      line_items: [{ name: 'Cup', quantity: 2, unit_amount: 6 }],
      success_redirect_url: 'https://shop.example/paid',
      fail_redirect_url: null,
    });
    expect(Date.parse(String(full?.['expires_at'])) - sentAtMs).to.be.within(86_400_000 - 1000, 86_400_000 + 60_000);
    expect(again).to.deep.equal(full);
    await fill('item_price', 'six');
    await send();
    expect(textOf(page.querySelector('#link-line_items-error'))).to.contain('a price for each item');
    expect(createRequests()).to.have.length(4);
  });

  it('sends an image per item, and the payer’s country and state', async () => {
    const { page, fill, fillAll, send, createRequests } = await openForm({
      'POST /fiat/v1/transaction': problem(503, 'overloaded'),
    });
    const payer = async () => {
      await send();
      return (createRequests().at(-1)?.body as { payer?: unknown } | undefined)?.payer;
    };
    const stateLabel = () => page.querySelector('[name="state"]')?.getAttribute('label') ?? null;
    await fillAll();
    // The select with all countries is rendered only in the open section.
    expect(page.querySelector('#link-payer_country')).to.equal(null);
    toggleExpandable(page.querySelector('.link-section:has([name=email])'));
    await waitForPage(page);
    const billingCountry = page.querySelector('#link-payer_country');
    expect(textOf(billingCountry)).to.contain('Same as buyer’s country');
    expect(billingCountry?.getAttribute('label')).to.equal('Billing country');
    expect(stateLabel()).to.equal('State');
    await fill('state', ' CA ');
    expect(await payer()).to.deep.equal({ state: 'CA', country: 'US' });
    await fill('payer_country', 'JPN');
    expect(stateLabel()).to.equal('Prefecture');
    // Danish addresses have no state.
    await fill('payer_country', 'DNK');
    expect(stateLabel()).to.equal(null);
    expect(await payer()).to.deep.equal({ country: 'DK' });
    await fill('postcode', '1050');
    expect(await payer()).to.deep.equal({ postcode: '1050', country: 'DK' });
    expect(await accessibilityViolations()).to.deep.equal([]);
    toggleExpandable(page.querySelector('.link-section:has([name=email])'));
    await waitForPage(page);
    button(page, /^Add item$/).click();
    await waitForPage(page);
    await fill('item_name', 'Cup');
    await fill('item_price', '12.50');
    await fill('item_image', 'javascript:alert(1)');
    const sent = createRequests().length;
    await send();
    expect(createRequests().length).to.equal(sent);
    expect(textOf(page.querySelector('#link-item-image-0-error'))).to.contain('https://');
    await fill('item_image', ' https://shop.example/cup.png ');
    await send();
    expect(createRequests().at(-1)?.body).to.deep.include({
      line_items: [{ name: 'Cup', quantity: 1, unit_amount: 12.5, image_url: 'https://shop.example/cup.png' }],
    });
    expect(await accessibilityViolations()).to.deep.equal([]);
    expect(horizontalOverflow()).to.equal(0);
  });

  it('shows an error of the service about the payer’s country at its field', async () => {
    const detail = 'must be a country';
    const rejection = problem(422, 'validation_failed', {
      errors: [{ pointer: '/payer/country', code: 'invalid', detail }],
    });
    const { page, fillAll, send } = await openForm({ 'POST /fiat/v1/transaction': rejection });
    await fillAll();
    await send();
    expect(textOf(page.querySelector('#link-payer_country-error'))).to.equal(detail);
    expect(textOf(page.querySelector('.error-summary'))).to.contain(`Billing country: ${detail}`);
  });

  it('creates a link that is captured later, if the method can', async () => {
    const { page, fill, fillAll, send, createRequests } = await openForm({
      'POST /fiat/v1/transaction': problem(503, 'overloaded'),
    });
    await fillAll();
    await fill('capture', 'manual');
    expect(textOf(page)).to.contain('until you capture it');
    await send();
    expect(createRequests().map(({ body }) => (body as { capture?: string }).capture)).to.deep.equal(['manual']);
    await fill('country', 'FRA');
    expect(page.querySelector('[name="capture"]')).to.equal(null);
  });

  it('previews the payment page with the brand while typing, without a request', async () => {
    const { page, fill, requests } = await openForm();
    const preview = page.querySelector<HTMLElement>('link-preview');
    const before = requests.length;
    await fill('amount', '12.50');
    await fill('description', hostileTexts[0] ?? '');
    expect(textOf(preview)).to.contain('Kettles').and.contain('Pay $12.50').and.contain(hostileTexts[0]);
    expect(preview && getComputedStyle(preview).getPropertyValue('--brand-accent')).to.equal('#ffcc00');
    expect(requests.length).to.equal(before);
    expect(preview && getComputedStyle(preview).display).to.equal('block');
  });

  it('previews the uploaded logo in place of the initial', async () => {
    const merchantPreferences = [{ key: 'brand-logo-url', value: 'https://elsewhere.example/logo.png' }];
    const preferences = { 'GET /v1/merchant/preferences': { body: { merchantPreferences } } };
    const logo = { url: 'https://pay.example/methods/card.svg', width: 40, height: 40 };
    const { page } = await openForm({ ...preferences, 'GET /v1/merchant/logo': { body: { logo } } });
    expect(page.querySelector('.preview-merchant img')?.getAttribute('src')).to.equal('/methods/card.svg');
    expect(page.querySelector('.preview-mark')).to.equal(null);
    expect(await accessibilityViolations()).to.deep.equal([]);
    page.remove();
    // The content security policy of the account area blocks images of other hosts.
    const { page: other } = await openForm({ ...preferences, 'GET /v1/merchant/logo': { body: { logo: null } } });
    expect(other.querySelector('.preview-merchant img')).to.equal(null);
    expect(textOf(other.querySelector('.preview-mark'))).to.equal('K');
  });

  it('shows the country’s brand of a method, as buyers see it', async () => {
    const { page, fill } = await openForm({
      'POST /fiat/v1/merchant/payment-methods': ({ body }: SentRequest) => {
        const currency = (body as { country: string }).country === 'VNM' ? 'VND' : 'THB';
        const on = { currency, status: 'enable', fee_fix: 0, fee_percent: 0 };
        return { body: { payment_methods: [{ ...on, payment_method: 'qr_code' }] } };
      },
    });
    for (const [country, brand] of [
      ['THA', 'PromptPay'],
      ['VNM', 'VietQR'],
    ] as const) {
      await fill('country', country);
      for (const place of ['.preview-methods > div', 'wa-radio']) {
        expect(textOf(page.querySelector(place))).to.equal(brand);
        expect(page.querySelector(`${place} img`)?.getAttribute('src')).to.equal(`/methods/initials/${brand}.svg`);
      }
    }
  });

  it('prints a poster with logo and brand color', async () => {
    const logo = { url: 'https://pay.example/methods/card.svg', width: 40, height: 40 };
    const { page, fillAll, send } = await openForm({ 'GET /v1/merchant/logo': { body: { logo } } });
    await fillAll();
    await send();
    const printed = page.querySelector('.poster') ?? expect.fail();
    expect(printed.querySelector('img')?.getAttribute('src')).to.equal('/methods/card.svg');
    // Yellow alone is invisible on paper.
    const edge = getComputedStyle(printed).getPropertyValue('--brand-edge');
    expect(edge)
      .to.match(/^#[\da-f]{6}$/)
      .and.not.equal('#ffcc00');
    expect(contrastOf(parseHex(edge), [255, 255, 255])).to.be.at.least(3);
    // The code has one frame on paper.
    const printRules = [...document.styleSheets]
      .flatMap(({ cssRules }) => [...cssRules])
      .flatMap((rule) => (rule instanceof CSSImportRule ? [...(rule.styleSheet?.cssRules ?? [])] : [rule]))
      .filter((rule) => rule instanceof CSSMediaRule && rule.media.mediaText === 'print') as CSSMediaRule[];
    for (const { media } of printRules) media.mediaText = 'all';
    const { borderWidth, padding } = getComputedStyle(printed.querySelector('.qr-box') ?? expect.fail());
    for (const { media } of printRules) media.mediaText = 'print';
    expect([borderWidth, padding]).to.deep.equal(['0px', '0px']);
  });

  it('previews no amount until the currency is known', async () => {
    const { page, fill } = await openForm();
    const amount = () => textOf(page.querySelector('.preview-amount'));
    expect(amount()).to.equal('$0.00');
    await fill('country', '');
    await fill('amount', '12.50');
    expect(page.querySelector('[name="currency"]')).to.have.property('value', '');
    expect(amount()).to.equal('–');
  });

  it('previews the methods that the payment page offers, the chosen one open', async () => {
    const on = { currency: 'USD', status: 'enable', fee_fix: 0, fee_percent: 0 };
    const payment_methods = [
      { ...on, payment_method: 'online_banking' },
      { ...on, payment_method: 'credit_card', manual_capture: true },
      { ...on, payment_method: 'upi', status: 'disable' },
    ];
    const { page, fill } = await openForm({ 'POST /fiat/v1/merchant/payment-methods': { body: { payment_methods } } });
    const shown = () => [...page.querySelectorAll('.preview-methods > div')].map(textOf);
    const radios = () => page.querySelectorAll('.preview-radio').length;
    expect([shown(), radios()]).to.deep.equal([['Online banking', 'Card'], 2]);
    // A light brand color alone is invisible on the page.
    const borderOf = (selector: string) => getComputedStyle(page.querySelector(selector) ?? expect.fail()).borderColor;
    expect(borderOf('.preview-radio')).to.equal(borderOf('.preview-pay')).and.not.equal('rgb(255, 204, 0)');
    expect(textOf(page)).to.contain('Opens first on the payment page.');
    radio(page, /^Card/).click();
    await waitForPage(page);
    expect([shown(), radios()]).to.deep.equal([['Card', 'Online banking'], 2]);
    await fill('capture', 'manual');
    expect([shown(), radios()]).to.deep.equal([['Card'], 0]);
  });

  it('creates the link with copy button, QR code and preview; the next form reuses its values', async () => {
    const { page, fill, fillAll, send, createRequests, announced } = await openForm();
    await fillAll();
    await fill('success_redirect_url', 'https://shop.example/paid');
    await send();
    expect(createRequests()[0]?.body).to.include({
      ...{ country: 'USA', currency: 'USD', payment_method: 'credit_card', amount: 12.5, description: 'Two cups' },
      ...{ type_of_calculation: 'forward_without_fee', transaction_type: 'link' },
    });
    expect(announced).to.deep.equal(['Link created']);
    expect(textOf(document.activeElement)).to.equal('Your payment link is ready');
    expect(textOf(page.querySelector('.created-url'))).to.equal(link);
    // Cameras need a code that is dark on light, even in dark mode.
    const code = page.querySelector('.qr-box');
    expect(code && getComputedStyle(code).backgroundColor).to.equal('rgb(255, 255, 255)');
    expect(page.querySelector(`wa-button[href="${link}"]`)?.getAttribute('target')).to.equal('_blank');
    expect(textOf(page)).to.match(/Buyer pays ?\$12\.50 ?Net amount ?\$11\.84/);
    const shares = [...page.querySelectorAll('wa-button[href]')].map((each) => each.getAttribute('href') ?? '');
    for (const start of ['mailto:?subject=', 'https://wa.me/?text=', 'https://t.me/share/url?url='])
      expect(shares.some((href) => href.startsWith(start) && href.includes(encodeURIComponent(link)))).to.equal(true);
    expect('hostileTextRan' in window).to.equal(false);
    expect(horizontalOverflow()).to.equal(0);
    expect(await accessibilityViolations()).to.deep.equal([]);
    button(page, /^Create another link$/).click();
    await waitForPage(page);
    expect(page.querySelector<HTMLInputElement>('[name=success_redirect_url]')?.value).to.equal(
      'https://shop.example/paid',
    );
    expect(page.querySelector<HTMLInputElement>('[name=description]')?.value).to.equal('');
  });
});
