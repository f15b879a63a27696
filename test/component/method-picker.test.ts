import { expect } from 'chai';
import { html } from 'lit';
import type { OfferedMethod } from '../../src/api/page-state.ts';
import { MethodPicker } from '../../pages/checkout/elements/method-picker.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import { texts } from './page-fixtures.ts';

async function picker(methods: OfferedMethod[], selected: string) {
  const element = new MethodPicker();
  const panel = (method: OfferedMethod) => html`<p>Panel of ${method.code}</p>`;
  Object.assign(element, { i18n: new I18n(texts, 'en-US'), methods, selected, panel });
  document.body.append(element);
  await element.updateComplete;
  return element;
}

const card: OfferedMethod = {
  code: 'credit_card',
  brand: null,
  action: 'card',
  mark: 'card',
  choices: null,
  quoteExpiresAt: null,
  amount: '12.50',
  needsCountry: null,
  payerFields: [],
  handle: null,
};
const qr: OfferedMethod = {
  code: 'qr_code',
  brand: null,
  action: 'qr',
  mark: 'qr',
  choices: null,
  quoteExpiresAt: null,
  amount: '12.50',
  needsCountry: null,
  payerFields: [],
  handle: null,
};
const wallet: OfferedMethod = {
  code: 'some_fine_ewallet',
  brand: 'GCash',
  action: 'app_intent',
  mark: 'gcash_ewallet',
  choices: null,
  quoteExpiresAt: null,
  amount: '12.50',
  needsCountry: null,
  payerFields: [],
  handle: null,
};

const openPanels = (element: Element) =>
  [...element.querySelectorAll<HTMLElement>('.method-panel')].filter((panel) => !panel.hidden);

describe('the method picker', () => {
  afterEach(() => document.body.replaceChildren());

  it('shows a single method without a choice', async () => {
    const element = await picker([card], 'credit_card');
    expect(element.querySelectorAll('input')).to.have.lengthOf(0);
    expect(element.querySelector('h2')?.textContent?.trim()).to.equal('Card');
    expect(openPanels(element)).to.have.lengthOf(1);
  });

  it('fades in the panel that the buyer opens, and nothing while the page loads', async () => {
    const element = await picker([qr, card], 'credit_card');
    const durations = () =>
      openPanels(element).flatMap((panel) => panel.getAnimations().map(({ effect }) => effect?.getTiming().duration));
    expect(durations()).to.deep.equal([]);
    element.selected = 'qr_code';
    await element.updateComplete;
    await Promise.resolve();
    const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
    expect(durations()).to.deep.equal(isReduced ? [] : [180]);
  });

  it('opens only the selected method', async () => {
    const element = await picker([qr, card, wallet], 'credit_card');
    expect([...element.querySelectorAll('input')].map((radio) => radio.checked)).to.deep.equal([false, true, false]);
    expect(openPanels(element).map((panel) => panel.textContent?.trim())).to.deep.equal(['Panel of credit_card']);
  });

  it('opens the card form below all rows, and any other panel below its row, in the document as on the screen', async () => {
    const element = await picker([qr, card, wallet], 'credit_card');
    for (const [code, shown] of [
      ['qr_code', ['qr_code', 'panel', 'credit_card', 'some_fine_ewallet']],
      ['credit_card', ['qr_code', 'credit_card', 'some_fine_ewallet', 'panel']],
      ['some_fine_ewallet', ['qr_code', 'credit_card', 'some_fine_ewallet', 'panel']],
    ] as const) {
      element.selected = code;
      await element.updateComplete;
      const parts = [...element.querySelectorAll<HTMLElement>('.method-row, .method-panel')].filter((part) =>
        part.checkVisibility(),
      );
      expect(parts.map((part) => part.querySelector('input')?.value ?? 'panel')).to.deep.equal(shown);
      const tops = parts.map((part) => part.getBoundingClientRect().top);
      expect(tops).to.deep.equal(tops.toSorted((one, other) => one - other));
    }
  });

  it('keeps a selected row where the buyer tapped it when a tall panel above it closes or opens', async () => {
    const element = await picker([qr, card, wallet], 'credit_card');
    // Not every browser has scroll anchoring.
    document.documentElement.style.setProperty('overflow-anchor', 'none');
    element.addEventListener('method-select', (event) => {
      element.selected = (event as CustomEvent<string>).detail;
    });
    element.panel = ({ code }) => html`<div style="block-size: ${code === 'credit_card' ? 500 : 300}px"></div>`;
    element.style.cssText = 'display: block; padding-block: 1000px';
    await element.updateComplete;
    for (const { code } of [wallet, card, qr, wallet]) {
      const radio = element.querySelector<HTMLInputElement>(`input[value=${code}]`);
      radio?.scrollIntoView({ block: 'center' });
      const topOf = () => radio?.getBoundingClientRect().top ?? 0;
      const top = topOf();
      radio?.click();
      await new Promise(requestAnimationFrame);
      expect(element.selected).to.equal(code);
      expect(topOf(), code).to.be.closeTo(top, 1);
    }
    document.documentElement.style.removeProperty('overflow-anchor');
  });

  it('requests another method and shows the selected one', async () => {
    const element = await picker([qr, card], 'credit_card');
    const requests: string[] = [];
    element.addEventListener('method-select', (event) => requests.push((event as CustomEvent<string>).detail));
    element.querySelector<HTMLInputElement>('input[value=qr_code]')?.click();
    expect(requests).to.deep.equal(['qr_code']);
    element.selected = 'qr_code';
    await element.updateComplete;
    expect(openPanels(element).map((panel) => panel.textContent?.trim())).to.deep.equal(['Panel of qr_code']);
  });

  it('keeps the panel of a method across closing and opening', async () => {
    const element = await picker([qr, card], 'credit_card');
    const panel = openPanels(element)[0];
    element.selected = 'qr_code';
    await element.updateComplete;
    element.selected = 'credit_card';
    await element.updateComplete;
    expect(openPanels(element)[0]).to.equal(panel);
  });

  it('keeps the panel of a method, with the buyer’s input, when the order or number of methods changes', async () => {
    const element = await picker([qr, wallet, card], 'credit_card');
    const panel = openPanels(element)[0];
    const codes = () => [...element.querySelectorAll('input')].map(({ value }) => value);
    for (const [methods, shown] of [
      [
        [card, wallet, qr],
        [qr, wallet, card],
      ],
      [
        [card, qr],
        [qr, card],
      ],
      [[card], [card]],
      [
        [card, qr, wallet],
        [qr, wallet, card],
      ],
    ] as const) {
      element.methods = methods;
      await element.updateComplete;
      expect(codes()).to.deep.equal(shown.map(({ code }) => code));
      expect(openPanels(element)).to.deep.equal([panel]);
    }
    Object.assign(element, { methods: [qr], selected: 'qr_code' });
    await element.updateComplete;
    expect(element.querySelector('h2')).not.to.equal(null);
    expect(codes()).to.deep.equal([]);
  });

  it('lets the buyer select the only method left if it is not the open one', async () => {
    const element = await picker([wallet, qr], wallet.code);
    element.methods = [qr];
    await element.updateComplete;
    const radio = element.querySelector('input');
    expect([radio?.value, radio?.checked]).to.deep.equal(['qr_code', false]);
    expect(openPanels(element)).to.deep.equal([]);
    element.selected = 'qr_code';
    await element.updateComplete;
    expect(element.querySelector('h2')).not.to.equal(null);
    expect(openPanels(element).map((panel) => panel.textContent?.trim())).to.deep.equal(['Panel of qr_code']);
  });

  it('shows a wallet’s brand, and an untranslated code as plain words', async () => {
    const unknown = { ...qr, code: 'some_fine_transfer' };
    const element = await picker([card, wallet, unknown], 'credit_card');
    expect([...element.querySelectorAll('.method-name')].map((name) => name.textContent)).to.deep.equal([
      'Card',
      'GCash',
      'Some fine transfer',
    ]);
  });
});
