import { expect } from 'chai';
import { ReusableLinkPage } from '../../pages/account/reusable-links/reusable-link-page.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import type { QrCode } from '../../pages/checkout/elements/qr-code.ts';
import { ReusableLinksPage } from '../../pages/account/reusable-links/reusable-links-page.ts';
import {
  accessibilityViolations,
  accountContext,
  accountTexts,
  button,
  copyValues,
  horizontalOverflow,
  hostileTexts,
  type SentRequest,
  showPage,
  textOf,
  waitForPage,
} from './account-fixtures.ts';

const link = {
  ...{ id: 'Yk9sVQ0p3mM7hZf2', url: 'https://pay.example/b/Yk9sVQ0p3mM7hZf2', status: 'active' },
  ...{ title: 'Workshop', description: null, image_url: null, country: 'USA', currency: 'USD' },
  ...{ payment_method: 'credit_card', type_of_calculation: 'forward_without_fee', amount: 45, custom_amount: null },
  ...{ quantity: { minimum: 1, maximum: 4 }, stock: 12, ask: ['email'], sold: 3, reserved: 1, available: 8 },
  ...{ success_redirect_url: null, fail_redirect_url: null, revenue: 135 },
  ...{ created_at: '2026-03-10T09:00:00.000000Z', updated_at: '2026-03-10T09:00:00.000000Z' },
};
const method = { payment_method: 'credit_card', currency: 'USD', status: 'enable', fee_fix: 0.3, fee_percent: 2.9 };
const methods = { 'POST /fiat/v1/merchant/payment-methods': { body: { payment_methods: [method] } } };

describe('reusable links', () => {
  afterEach(() => document.body.replaceChildren());

  it('are listed with their sales', async () => {
    const unsold = { ...link, id: 'c', title: 'Mug', sold: 0, revenue: 0 };
    const links = [link, { ...link, id: 'b', title: hostileTexts[0], status: 'archived', stock: null }, unsold];
    const setup = accountContext({
      'GET /fiat/v1/reusable-links': { body: { reusable_links: links, next_cursor: null } },
    });
    const page = await showPage(new ReusableLinksPage(), setup.context);
    const partsOf = (row: Element) => [...row.querySelectorAll('.row-title, .row-text, .row-end')].map(textOf);
    expect([...page.querySelectorAll('.row')].map(partsOf)).to.deep.equal([
      ['Workshop', '$45.00 · Sold: 3 of 12', 'Revenue $135.00', 'Revenue'],
      [hostileTexts[0], '$45.00 · Sold: 3', 'ArchivedRevenue $135.00', 'Revenue'],
      ['Mug', '$45.00 · Sold: 0 of 12'],
    ]);
    // An archived link is not passed on.
    expect([...page.querySelectorAll('wa-copy-button')].map(({ value }) => value)).to.deep.equal([
      link.url,
      unsold.url,
    ]);
    expect(await accessibilityViolations()).to.deep.equal([]);
    expect(horizontalOverflow()).to.equal(0);
  });

  it('show how to start', async () => {
    const setup = accountContext({
      'GET /fiat/v1/reusable-links': { body: { reusable_links: [], next_cursor: null } },
    });
    const page = await showPage(new ReusableLinksPage(), setup.context);
    expect(textOf(page)).to.contain('No reusable links yet');
  });

  it('keep the focus on the button while an empty list loads', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const setup = accountContext({
      'GET /fiat/v1/reusable-links': async () => {
        await answered;
        return { body: { reusable_links: [], next_cursor: null } };
      },
    });
    const page = new ReusableLinksPage();
    page.context = setup.context;
    document.body.append(page);
    await page.updateComplete;
    const create = button(page, /^Create reusable link$/);
    create.focus();
    answer();
    await waitForPage(page);
    expect(textOf(page)).to.contain('No reusable links yet');
    expect(document.activeElement === create).to.equal(true);
  });

  it('are shared, printed, edited and archived', async () => {
    const sent: SentRequest[] = [];
    const setup = accountContext({
      ...methods,
      'GET /fiat/v1/reusable-link': { body: { ...link, description: 'Two hours' } },
      'GET /v1/merchant/preferences': {
        body: { merchantPreferences: [{ key: 'brand-name', value: 'Kettle & Cup' }] },
      },
      'PATCH /fiat/v1/reusable-link': (request: SentRequest) => {
        sent.push(request);
        return { body: { ...link, stock: 20, available: 16, reserved: 0 } };
      },
    });
    const page = await showPage(new ReusableLinkPage(), setup.context, { id: link.id });
    expect(textOf(page)).to.contain(link.url).and.contain('$45.00').and.contain('Available').and.contain('Reserved');
    expect(textOf(page.querySelector('.page-head')))
      .to.contain('Two hours')
      .and.contain('Edit')
      .and.contain('Archive');
    expect(textOf(page.querySelector('.poster')))
      .to.contain('Kettle & Cup')
      .and.contain('Scan to pay');
    expect(button(page, /^View transactions$/).getAttribute('href')).to.equal(
      `/account/7/transactions?reusable_link_id=${link.id}`,
    );
    expect(copyValues(page)).to.deep.include(['Copy Link ID', link.id]);
    expect(page.querySelector<QrCode>('.poster qr-code')?.isForPrint).to.equal(true);
    expect(await accessibilityViolations()).to.deep.equal([]);
    button(page, /^Edit$/).click();
    await waitForPage(page);
    const more = page.querySelector<HTMLElement & { open: boolean }>('.link-section');
    expect([more?.open, textOf(more?.querySelector('.row-text') ?? null)]).to.deep.equal([
      false,
      'Stock: 12 · Maximum quantity per purchase: 4 · Ask for an email address',
    ]);
    const stock = page.querySelector<HTMLInputElement>('[name=stock]');
    if (!stock) throw new Error('There is no field');
    stock.value = '20';
    stock.dispatchEvent(new Event('input', { bubbles: true }));
    await waitForPage(page);
    expect(textOf(more)).to.contain('Stock: 20');
    const description = page.querySelector<HTMLTextAreaElement>('[name=description]');
    if (!description) throw new Error('There is no description');
    expect(description.value).to.equal('Two hours');
    description.value = 'Three\nhours';
    description.dispatchEvent(new Event('input', { bubbles: true }));
    expect(await accessibilityViolations()).to.deep.equal([]);
    button(page, /^Save changes$/).click();
    await waitForPage(page);
    expect(sent[0]?.body).to.include({ id: link.id, stock: 20, amount: 45, description: 'Three hours' });
    expect(textOf(page)).to.contain('16').and.not.contain('Reserved');
  });

  it('are shared by message, and saved as an image', async () => {
    const title = `Workshop & ${hostileTexts[0]}`;
    const setup = accountContext({
      'GET /fiat/v1/reusable-link': { body: { ...link, title } },
      'GET /v1/merchant/preferences': { body: { merchantPreferences: [{ key: 'brand-name', value: 'Kettles' }] } },
    });
    const page = await showPage(new ReusableLinkPage(), setup.context, { id: link.id });
    const hrefs = [...page.querySelectorAll('wa-button[href]')].map((each) => each.getAttribute('href') ?? '');
    const [message, url] = [`Kettles · ${title} · $45.00`, link.url].map(encodeURIComponent);
    for (const href of [
      `mailto:?subject=${message}&body=${message}%0D%0A${url}`,
      `https://wa.me/?text=${message}%0A${url}`,
      `https://t.me/share/url?url=${url}&text=${message}`,
    ])
      expect(hrefs).to.include(href);
    const saved: string[] = [];
    const { click } = HTMLAnchorElement.prototype;
    HTMLAnchorElement.prototype.click = function save() {
      saved.push(this.download);
    };
    try {
      for (const kind of ['SVG', 'PNG']) {
        const { length } = saved;
        button(page, new RegExp(`^${kind}$`)).click();
        while (saved.length === length) await waitForPage(page);
      }
    } finally {
      HTMLAnchorElement.prototype.click = click;
    }
    expect(saved).to.deep.equal([`${link.id}.svg`, `${link.id}.png`]);
    expect('hostileTextRan' in window).to.equal(false);
    expect(await accessibilityViolations()).to.deep.equal([]);
    expect(horizontalOverflow()).to.equal(0);
  });

  it('are not shared once archived', async () => {
    const setup = accountContext({ 'GET /fiat/v1/reusable-link': { body: { ...link, status: 'archived' } } });
    const page = await showPage(new ReusableLinkPage(), setup.context, { id: link.id });
    expect(page.querySelector('[href^="mailto:"], [href*="wa.me"], [href*="t.me"]')).to.equal(null);
  });

  it('keep amounts with three decimals in a language with a decimal comma', async () => {
    const sent: SentRequest[] = [];
    const kuwaiti = { ...link, country: 'KWT', currency: 'KWD' };
    const limits = { minimum: 1.125, maximum: 1250.5, suggested: 2.375 };
    for (const prices of [
      { amount: 1.125, custom_amount: null },
      { amount: null, custom_amount: limits },
    ]) {
      const setup = accountContext({
        'POST /fiat/v1/merchant/payment-methods': { body: { payment_methods: [{ ...method, currency: 'KWD' }] } },
        'GET /fiat/v1/reusable-link': { body: { ...kuwaiti, ...prices } },
        'PATCH /fiat/v1/reusable-link': (request: SentRequest) => {
          sent.push(request);
          return { body: { ...kuwaiti, ...prices } };
        },
      });
      const i18n = new I18n(accountTexts, 'de-DE');
      const page = await showPage(new ReusableLinkPage(), { ...setup.context, i18n }, { id: link.id });
      button(page, /^Edit$/).click();
      await waitForPage(page);
      button(page, /^Save changes$/).click();
      await waitForPage(page);
      expect(sent.at(-1)?.body).to.deep.include(prices);
      page.remove();
    }
    expect(sent.length).to.equal(2);
  });

  it('are created after the fields are valid', async () => {
    const sent: SentRequest[] = [];
    const setup = accountContext({
      ...methods,
      'POST /fiat/v1/reusable-links': (request: SentRequest) => {
        sent.push(request);
        return { body: link };
      },
    });
    const page = await showPage(new ReusableLinkPage(), setup.context, { id: 'new' });
    await waitForPage(page);
    button(page, /^Create reusable link$/).click();
    await waitForPage(page);
    expect(textOf(page)).to.contain('Enter a title.').and.contain('Enter an amount.');
    expect(sent).to.deep.equal([]);
  });

  it('have a form that starts with title and price, and a preview', async () => {
    const setup = accountContext({
      ...methods,
      'GET /v1/merchant/preferences': {
        body: { merchantPreferences: [{ key: 'brand-name', value: 'Kettle & Cup' }] },
      },
    });
    const page = await showPage(new ReusableLinkPage(), setup.context, { id: 'new' });
    await waitForPage(page);
    const names = [...page.querySelectorAll<HTMLInputElement>('form [name]')].map(({ name }) => name);
    expect(names.slice(0, 3)).to.deep.equal(['title', 'kind', 'amount']);
    for (const [name, value] of [
      ['title', 'Pottery workshop'],
      ['amount', '45'],
      ['description', hostileTexts[0] ?? ''],
    ] as const) {
      const field = page.querySelector<HTMLInputElement>(`form [name=${name}]`) ?? expect.fail();
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    await waitForPage(page);
    expect(textOf(page.querySelector('link-preview')))
      .to.contain('Kettle & Cup')
      .and.contain('$45.00')
      .and.contain('Pottery workshop')
      .and.contain(hostileTexts[0]);
    expect(horizontalOverflow()).to.equal(0);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });
});
