import { expect } from 'chai';
import { html } from 'lit';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import { LinkPage } from '../../pages/checkout/link/link-page.ts';
import { firstView, type PageView } from '../../pages/checkout/store/page-view.ts';
import type { PageState } from '../../src/api/page-state.ts';
import { pageState, texts } from './page-fixtures.ts';
import { SimulatedClock } from './simulated-clock.ts';

const MINUTE = 60_000;
const [card] = pageState().methods;

async function linkPage(change: Partial<PageState>, items?: unknown, view: Partial<PageView> = {}) {
  const page = new LinkPage();
  const clock = new SimulatedClock();
  Object.assign(page, { i18n: new I18n(texts, 'en-US'), clock, hasScript: true });
  page.view = { ...firstView(pageState(change), 0), ...view };
  if (items !== undefined) page.items = items;
  document.body.append(page);
  await page.updateComplete;
  const lines = () => [...page.querySelectorAll('.order-line')].map((line) => [...line.children].map(textOf));
  return { page, clock, lines };
}

const textOf = (element: Element | null) => element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';

describe('the order', () => {
  afterEach(() => document.body.replaceChildren());

  it('is not shown if it would only repeat the amount', async () => {
    const { page } = await linkPage({});
    expect(page.querySelector('.order')).to.equal(null);
  });

  it('shows items and the total', async () => {
    const list = document.createElement('ul');
    const { page, lines } = await linkPage({}, list);
    expect(page.querySelector('.order ul')).to.equal(list);
    expect(lines()).to.deep.equal([['Total', '$12.50']]);
  });

  it('shows the fee of the open method', async () => {
    if (!card) throw new Error('The fixture has no card');
    const methods = [card, { ...card, code: 'on_ramp_card', amount: '13.05' }];
    const { page, lines } = await linkPage({ methods }, html``);
    expect(lines()).to.deep.equal([['Total', '$12.50']]);
    if (page.view) page.view = { ...page.view, selectedMethod: 'on_ramp_card' };
    await page.updateComplete;
    expect(lines()).to.deep.equal([
      ['Subtotal', '$12.50'],
      ['Fee', '$0.55'],
      ['Total', '$13.05'],
    ]);
  });

  it('shows the received and the remaining amount of a partial payment', async () => {
    const { page, lines } = await linkPage({ received: { value: '10.00', left: '2.50' } });
    expect(lines()).to.deep.equal([
      ['Total', '$12.50'],
      ['Received', '$10.00'],
      ['Remaining', '$2.50'],
    ]);
    const amount = page.querySelector('h1');
    expect([textOf(amount?.previousElementSibling ?? null), textOf(amount)]).to.deep.equal(['Remaining', '$2.50']);
    expect(page.querySelector('progress')?.value).to.equal(10);
  });

  it('shows no remaining amount once nothing more can be paid', async () => {
    const { page, lines } = await linkPage({ phase: 'failed', received: { value: '10.00', left: '2.50' } });
    expect(lines()).to.deep.equal([
      ['Total', '$12.50'],
      ['Received', '$10.00'],
    ]);
    expect(page.querySelector('progress')).to.equal(null);
  });
});

describe('the clocks of the link page', () => {
  afterEach(() => document.body.replaceChildren());

  it('show the link’s deadline only in its last hour', async () => {
    const { page, clock } = await linkPage({}, undefined, { deadlineMs: 61 * MINUTE });
    expect(page.querySelector('[role=timer]')).to.equal(null);
    await clock.advance(2 * MINUTE);
    expect(textOf(page.querySelector('[role=timer]'))).to.equal('59 min left');
  });

  it('omit the link’s deadline while the open method has an earlier one', async () => {
    if (!card) throw new Error('The fixture has no card');
    const crypto = { ...card, code: 'crypto_payment', action: 'crypto' as const, choices: [] };
    const change = {
      methods: [{ ...crypto, quoteExpiresAt: '2026-03-10T10:15:00.000000Z' }],
      selectedMethod: crypto.code,
    };
    const { page } = await linkPage(change, undefined, { deadlineMs: 30 * MINUTE });
    expect(page.querySelector('.pane-summary expiry-countdown')).to.equal(null);
    const other = await linkPage({ ...change, methods: [crypto] }, undefined, { deadlineMs: 30 * MINUTE });
    expect(textOf(other.page.querySelector('.pane-summary expiry-countdown'))).to.equal('30 min left');
  });
});
