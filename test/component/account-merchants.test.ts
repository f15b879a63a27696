import { expect } from 'chai';
import { MerchantsPage } from '../../pages/account/merchants/merchants-page.ts';
import { MethodsPage } from '../../pages/account/merchants/methods-page.ts';
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

const createdAt = '2026-03-10T11:00:00.000000Z';

describe('the merchants page', () => {
  afterEach(() => document.body.replaceChildren());

  it('lists names as text, with pagination', async () => {
    const merchants = hostileTexts.map((name, index) => ({ id: index + 1, name, createdAt }));
    const { context, requests } = accountContext(
      {
        'GET /v1/merchants': ({ query }) => ({
          body: query.has('cursor')
            ? { merchants: [{ id: 9, name: 'Teapot & Sons', createdAt }], next_cursor: null }
            : { merchants, next_cursor: 'more' },
        }),
      },
      'manager',
    );
    const page = await showPage(new MerchantsPage(), context);
    expect(page.querySelectorAll('li')).to.have.length(3);
    expect(page.querySelector('img')).to.equal(null);
    expect(horizontalOverflow()).to.equal(0);
    button(page, /Show more/).click();
    await waitForPage(page);
    expect(textOf(page.querySelector('li:last-child .link'))).to.equal('Teapot & Sons');
    expect(requests.at(-1)?.query.get('cursor')).to.equal('more');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('creates a merchant by name, and shows its secret once', async () => {
    const { context, promptAnswers } = accountContext(
      {
        'GET /v1/merchants': { body: { merchants: [], next_cursor: null } },
        'POST /v1/merchants': {
          body: { merchant: { id: 3, name: 'Teapot & Sons', createdAt }, callback_secret: 'whsec_new' },
        },
      },
      'manager',
    );
    const page = await showPage(new MerchantsPage(), context);
    expect(textOf(page)).to.contain('No merchants yet');
    promptAnswers.push({ name: 'Teapot & Sons' });
    button(page, /Add merchant/).click();
    await waitForPage(page);
    expect(textOf(page.querySelector('#merchant-secret'))).to.equal('whsec_new');
    button(page, /I’ve saved it/).click();
    await waitForPage(page);
    expect(textOf(page)).to.not.contain('whsec_new');
  });
});

describe('methods and fees', () => {
  afterEach(() => document.body.replaceChildren());

  const listed = { body: { payment_methods: [{ payment_method: 'credit_card', currency: 'USD', status: 'disable' }] } };

  async function open(results: Parameters<typeof accountContext>[0] = {}) {
    const given = accountContext({ 'POST /fiat/v1/merchant/payment-methods': listed, ...results }, 'manager');
    const page = await showPage(new MethodsPage(), given.context);
    const type = async (id: string, text: string) => {
      const input = page.querySelector<HTMLInputElement>(`#${id}`);
      if (!input) throw new Error(`There is no ${id}`);
      input.value = text;
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      await waitForPage(page);
    };
    return { page, type, ...given };
  }

  it('shows the current fees', async () => {
    const on = { payment_method: 'credit_card', currency: 'USD', status: 'enable', fee_fix: 0.3, fee_percent: 2.9 };
    const { page } = await open({ 'POST /fiat/v1/merchant/payment-methods': { body: { payment_methods: [on] } } });
    const values = [...page.querySelectorAll<HTMLInputElement>('.field-number')].map(({ value }) => value);
    expect(values).to.deep.equal(['0.30', '2.90']);
    expect(textOf(page.querySelector('.page-lead'))).to.equal(
      'Choose the payment methods this merchant can use, and set their fees.',
    );
    const middle = (element: Element) => {
      const { top, height } = element.getBoundingClientRect();
      return top + height / 2;
    };
    const control = page.querySelector('.methods-table wa-switch')?.shadowRoot?.querySelector('[part=control]');
    const fee = page.querySelector('#fee-credit_card-fix');
    expect(middle(control as Element)).to.be.closeTo(middle(fee as Element), 1);
    expect([...page.querySelectorAll('.field-number')].map(textOf)).to.deep.equal(['USD', '%']);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('sends changes, without empty fees', async () => {
    const { page, type, requests } = await open({ 'PATCH /fiat/v1/merchant/payment-methods': { body: {} } });
    await type('fee-credit_card-percent', '2,9');
    button(page, /^Save changes$/).click();
    await waitForPage(page);
    expect(requests.find(({ method }) => method === 'PATCH')?.body).to.deep.equal({
      payment_methods: [{ payment_method: 'credit_card', currency: 'USD', status: 'disable', fee_percent: 2.9 }],
    });
    expect(page.querySelector('.save-bar')).to.equal(null);
  });

  it('keeps a fee empty between two keys', async () => {
    const on = { payment_method: 'credit_card', currency: 'USD', status: 'enable', fee_fix: 0.3, fee_percent: 1.5 };
    const { page, type } = await open({
      'POST /fiat/v1/merchant/payment-methods': { body: { payment_methods: [on] } },
    });
    for (const text of ['3', '']) await type('fee-credit_card-percent', text);
    const percent = page.querySelector<HTMLInputElement>('#fee-credit_card-percent');
    expect(percent?.value).to.equal('');
    expect(page.querySelector('.save-bar')).to.equal(null);
    await type('fee-credit_card-fix', '0.4');
    expect(percent?.value, 'unchanged').to.equal('1.50');
  });

  it('keeps edits made during a save', async () => {
    const saved = Promise.withResolvers<FakeResponse>();
    const { page, type } = await open({ 'PATCH /fiat/v1/merchant/payment-methods': async () => await saved.promise });
    await type('fee-credit_card-percent', '2,9');
    button(page, /^Save changes$/).click();
    await waitForPage(page);
    await type('fee-credit_card-fix', '0.5');
    saved.resolve({ body: {} });
    await waitForPage(page);
    expect(page.querySelector<HTMLInputElement>('#fee-credit_card-fix')?.value).to.equal('0.5');
    expect(textOf(page.querySelector('.save-bar'))).to.contain('1 unsaved change');
  });

  it('shows errors at their fields, including those from the service', async () => {
    const errors = [
      { pointer: '/payment_methods/0/fee_fix', code: 'too_many_decimals', detail: 'has too many decimals' },
    ];
    const { page, type, requests } = await open({
      'PATCH /fiat/v1/merchant/payment-methods': problem(422, 'validation_failed', { errors }),
    });
    await type('fee-credit_card-percent', '120');
    button(page, /^Save changes$/).click();
    await waitForPage(page);
    expect(textOf(page.querySelector('#fee-credit_card-percent-error'))).to.contain('below 100');
    expect(requests.some(({ method }) => method === 'PATCH')).to.equal(false);
    await type('fee-credit_card-percent', '');
    await type('fee-credit_card-fix', '1.000');
    button(page, /^Save changes$/).click();
    await waitForPage(page);
    expect(textOf(page.querySelector('#fee-credit_card-fix-error'))).to.contain('such as 0.30');
    expect(requests.some(({ method }) => method === 'PATCH')).to.equal(false);
    await type('fee-credit_card-fix', '1,000');
    button(page, /^Save changes$/).click();
    await waitForPage(page);
    expect(textOf(page.querySelector('#fee-credit_card-fix-error'))).to.equal('has too many decimals');
    const sent = requests.find(({ method }) => method === 'PATCH')?.body as { payment_methods: { fee_fix: number }[] };
    expect(sent.payment_methods[0]?.fee_fix).to.equal(1000);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows an empty state', async () => {
    const { page } = await open({ 'POST /fiat/v1/merchant/payment-methods': { body: { payment_methods: [] } } });
    expect(textOf(page)).to.contain('No payment methods for this country and currency');
  });
});
