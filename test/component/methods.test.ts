import { expect } from 'chai';
import type { StartedMethod, OfferedMethod, PageState } from '../../src/api/page-state.ts';
import { httpUrl } from '../../pages/checkout/elements/http-url.ts';
import { LightElement } from '../../pages/checkout/elements/light-element.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import { appUrl } from '../../pages/checkout/methods/app-url.ts';
import { ChoiceList } from '../../pages/checkout/methods/choice-list.ts';
import { CopyButton } from '../../pages/checkout/methods/copy-button.ts';
import { groupDigits } from '../../pages/checkout/methods/instructions.ts';
import { MethodPanel } from '../../pages/checkout/methods/method-panel.ts';
import { pushPaymentDisplay, pushPaymentNotice } from '../../pages/checkout/methods/push-payment-texts.ts';
import { firstView } from '../../pages/checkout/store/page-view.ts';
import { pageState, texts } from './page-fixtures.ts';
import { settled, SimulatedClock } from './simulated-clock.ts';

const i18n = new I18n(texts, 'en-US');
const amount = { value: '12.50', currency: 'USD' };

async function render<Element extends LightElement>(element: Element, properties: Partial<Element>): Promise<Element> {
  Object.assign(element, { i18n, ...properties });
  document.body.append(element);
  await rendered(element);
  return element;
}

async function rendered(element: LightElement) {
  await element.updateComplete;
  for (const inner of element.querySelectorAll('*')) if (inner instanceof LightElement) await inner.updateComplete;
}

const textOf = (element: Element | null) => element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';

afterEach(() => document.body.replaceChildren());

describe('the copy button', () => {
  it('announces what it copied, or that copying failed', async () => {
    const clock = new SimulatedClock();
    const copied: string[] = [];
    let canCopy = true;
    const copy = (text: string) => {
      copied.push(text);
      return Promise.resolve(canCopy);
    };
    const element = await render(new CopyButton(), { clock, value: '1250.50', label: 'Amount', copy });
    const announcements: string[] = [];
    element.addEventListener('announce', (event) => announcements.push((event as CustomEvent<string>).detail));
    const press = async () => {
      element.querySelector('button')?.click();
      await settled();
      await element.updateComplete;
    };
    await press();
    expect(copied).to.deep.equal(['1250.50']);
    expect([textOf(element), announcements.at(-1)]).to.deep.equal(['Copied', 'Amount copied']);
    await clock.advance(2000);
    await element.updateComplete;
    expect(textOf(element)).to.equal('Copy');
    canCopy = false;
    await press();
    expect(textOf(element)).to.equal('Select to copy');
    expect(announcements.at(-1)).to.contain('Select and copy: Amount');
  });

  it('names what it copies where no label does', async () => {
    const element = await render(new CopyButton(), { value: '1', label: 'Code as text', text: 'Copy code' });
    const button = element.querySelector('button');
    expect([textOf(button), button?.ariaLabel]).to.deep.equal(['Copy code', 'Copy code']);
  });
});

const banks = ['Alfa', 'Beta', 'Gamma', 'Delta', 'Épsilon', 'Zeta', 'Eta', 'Theta'].map((name, index) => ({
  code: name.toLowerCase(),
  name,
  isPopular: index < 2,
  mark: `initials/${name}`,
}));

describe('the choice list', () => {
  const visible = (list: Element) =>
    [...list.querySelectorAll<HTMLElement>('.choice')].filter(({ hidden }) => !hidden).map(textOf);
  const search = async (list: ChoiceList, text: string) => {
    const field = list.querySelector<HTMLInputElement>('input[type=search]');
    if (!field) throw new Error('The search field is missing');
    field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await list.updateComplete;
    return field;
  };

  it('lists popular choices first, and has no search in short lists', async () => {
    const list = await render(new ChoiceList(), { choices: banks, name: 'banks' });
    expect(visible(list)).to.deep.equal(['Alfa', 'Beta', 'Delta', 'Épsilon', 'Eta', 'Gamma', 'Theta', 'Zeta']);
    const few = await render(new ChoiceList(), { choices: banks.slice(0, 4), name: 'few' });
    expect(few.querySelector('input[type=search]')).to.equal(null);
  });

  it('names the network of a coin next to its name', async () => {
    const usdt = {
      code: 'usdt',
      name: 'USDT',
      amount: '38.6',
      network: 'Ethereum',
      isPopular: true,
      mark: 'coin-usdt',
    };
    const btc = { code: 'btc', name: 'Bitcoin', amount: '0.0003', isPopular: true, mark: 'coin-btc' };
    const list = await render(new ChoiceList(), { kind: 'currency', choices: [usdt, btc], name: 'coins' });
    expect(visible(list)).to.deep.equal(['USDT Ethereum 38.6 USDT', 'Bitcoin 0.0003 BTC']);
    const inputs = [...list.querySelectorAll('input')];
    expect(inputs.map(({ ariaLabel }) => ariaLabel)).to.deep.equal(['USDT', 'Bitcoin']);
    const descriptions = inputs.map((input) =>
      input
        .getAttribute('aria-describedby')
        ?.split(' ')
        .map((id) => textOf(document.getElementById(id))),
    );
    expect(descriptions).to.deep.equal([
      ['Ethereum', '38.6 USDT'],
      ['', '0.0003 BTC'],
    ]);
    expect(list.querySelector('input:checked')).to.equal(null);
    const again = { kind: 'currency' as const, choices: [usdt, { ...btc, isChosen: true }], name: 'again' };
    const chosen = (await render(new ChoiceList(), again)).querySelector<HTMLInputElement>('input:checked');
    expect(chosen?.value).to.equal('btc');
    const [bank] = (await render(new ChoiceList(), { choices: banks, name: 'few' })).querySelectorAll('[type=radio]');
    expect(bank?.hasAttribute('aria-describedby')).to.equal(false);
  });

  it('heads popular and other banks of a long list, except during a search', async () => {
    const list = await render(new ChoiceList(), { choices: banks, name: 'headed' });
    const headings = () => [...list.querySelectorAll('.choices > p')].map((each) => each.textContent);
    expect(headings()).to.deep.equal(['Popular', 'Other banks']);
    expect(list.querySelector('.choice img')?.getAttribute('src')).to.equal('/methods/initials/Alfa.svg');
    await search(list, 'EPS');
    expect(headings()).to.deep.equal([]);
  });

  it('searches without case and accents, announces the number of matches, and keeps the selection', async () => {
    const list = await render(new ChoiceList(), { choices: banks, name: 'banks' });
    const announcements: string[] = [];
    list.addEventListener('announce', (event) => announcements.push((event as CustomEvent<string>).detail));
    list.querySelector<HTMLInputElement>('input[value=alfa]')?.click();
    await search(list, 'EPS');
    expect([visible(list), announcements.at(-1)]).to.deep.equal([['Épsilon'], '1 bank found']);
    await search(list, 'nothing');
    expect(announcements.at(-1)).to.equal('No matching bank.');
    await search(list, '');
    expect(list.querySelector<HTMLInputElement>('input[value=alfa]')?.checked).to.equal(true);
  });

  it('keeps the selection when the choices move, and has none when it is no longer offered', async () => {
    const isChosen = (choice: (typeof banks)[number]) => ({ ...choice, isChosen: choice.code === 'beta' });
    const list = await render(new ChoiceList(), { choices: banks.map(isChosen), name: 'banks' });
    const chosen = () => list.querySelector<HTMLInputElement>('input:checked')?.value;
    expect(chosen()).to.equal('beta');
    list.querySelector<HTMLInputElement>('input[value=alfa]')?.click();
    for (const [choices, expected] of [
      [banks.toReversed(), 'alfa'],
      [banks.filter(({ code }) => code !== 'alfa'), undefined],
      [banks, 'alfa'],
    ] as const) {
      list.choices = choices;
      await list.updateComplete;
      expect(chosen()).to.equal(expected);
    }
  });

  it('supports the keyboard: Enter selects a single match, the arrow focuses the first', async () => {
    const list = await render(new ChoiceList(), { choices: banks, name: 'banks' });
    const field = await search(list, 'zeta');
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    expect(list.querySelector<HTMLInputElement>('input[value=zeta]')?.checked).to.equal(true);
    await search(list, 'ta');
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    expect((document.activeElement as HTMLInputElement).value).to.equal('beta');
  });
});

const offered: OfferedMethod = {
  code: 'online_banking',
  brand: null,
  action: 'redirect',
  mark: 'bank',
  choices: banks,
  quoteExpiresAt: null,
  amount: '12.50',
  needsCountry: null,
  payerFields: [],
  handle: null,
};
const started: StartedMethod = {
  code: 'online_banking',
  choice: 'beta',
  instructions: { action: 'redirect', url: 'https://bank.example/pay' },
  reference: 'R1',
  expiresAt: '2026-03-10T10:30:00.000000Z',
  simulatorUrl: null,
};

describe('the method panel', () => {
  it('waits for a payment on another page only once the buyer has left for it', async () => {
    const panel = await render(new MethodPanel(), { method: offered, started });
    expect(panel.querySelector<HTMLElement>('.waiting')?.hidden).to.equal(true);
    const link = panel.querySelector('a');
    link?.addEventListener('click', (event) => event.preventDefault());
    link?.click();
    await rendered(panel);
    expect(textOf(panel.querySelector('.waiting:not([hidden])'))).to.match(/^Waiting for your payment/);
  });

  it('starts with the selected option, and requires one', async () => {
    const panel = await render(new MethodPanel(), { method: offered, amount });
    const requests: unknown[] = [];
    panel.addEventListener('method-start', (event) => requests.push((event as CustomEvent).detail));
    panel.querySelector('form')?.requestSubmit();
    await rendered(panel);
    expect(textOf(panel.querySelector('.field-error'))).to.equal('Choose your bank.');
    expect(document.activeElement?.getAttribute('type')).to.equal('search');
    panel.querySelector<HTMLInputElement>('input[value=beta]')?.click();
    await rendered(panel);
    expect(panel.querySelector('.field-error')).to.equal(null);
    panel.querySelector('form')?.requestSubmit();
    expect(requests).to.deep.equal([{ code: 'online_banking', choice: 'beta', payer: {} }]);
  });

  it('asks for the details that the method needs, and starts with them', async () => {
    const method: OfferedMethod = {
      ...offered,
      choices: null,
      payerFields: ['first_name', 'email', 'handle'],
      handle: 'PayID',
    };
    const panel = await render(new MethodPanel(), { method });
    expect(textOf(panel.querySelector('.quiet'))).to.equal('Approve this payment in your banking app.');
    const requests: unknown[] = [];
    panel.addEventListener('method-start', (event) => requests.push((event as CustomEvent).detail));
    const inputs = [...panel.querySelectorAll<HTMLInputElement>('input')];
    expect(inputs.map(({ labels }) => textOf(labels?.[0] ?? null))).to.deep.equal(['First name', 'Email', 'PayID']);
    const [name, email, handle] = inputs;
    const type = (input: HTMLInputElement | undefined, value: string) => {
      if (!input) throw new Error('The field is missing');
      input.value = value;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    };
    type(name, 'Ada');
    type(email, 'ada@');
    expect(panel.start()).to.equal(false);
    await rendered(panel);
    const fieldErrors = () => [...panel.querySelectorAll('.field-error')].map((fieldError) => textOf(fieldError));
    expect(fieldErrors()).to.deep.equal([
      'Enter a complete email address, such as name@example.com.',
      'PayID is required.',
    ]);
    expect(document.activeElement).to.equal(email);
    type(email, 'ada@example.com');
    await rendered(panel);
    expect(fieldErrors()).to.deep.equal(['PayID is required.']);
    type(handle, 'ada@bank');
    expect(panel.start()).to.equal(true);
    expect(requests).to.deep.equal([
      {
        code: 'online_banking',
        choice: null,
        payer: { first_name: 'Ada', email: 'ada@example.com', handle: 'ada@bank' },
      },
    ]);
  });

  it('shows the server’s problem next to its field', async () => {
    const method: OfferedMethod = { ...offered, choices: null, payerFields: ['email'] };
    const panel = await render(new MethodPanel(), { method });
    panel.serverProblems = [{ pointer: '/email', code: 'invalid_email', detail: 'is invalid' }];
    await rendered(panel);
    expect(textOf(panel.querySelector('.field-error'))).to.contain('complete email');
  });

  it('focuses and announces new instructions', async () => {
    const panel = await render(new MethodPanel(), { method: offered, amount });
    const announcements: string[] = [];
    panel.addEventListener('announce', (event) => announcements.push((event as CustomEvent<string>).detail));
    panel.started = started;
    await rendered(panel);
    expect(document.activeElement).to.equal(panel.querySelector('.instructions'));
    expect(announcements).to.deep.equal(['Payment instructions are ready.']);
    const link = panel.querySelector('a');
    expect([textOf(link), link?.href]).to.deep.equal(['Continue to Beta', 'https://bank.example/pay']);
  });

  it('asks the buyer to approve the payment in the banking app if there is nothing else to show', async () => {
    const instructions = { action: 'await' } as const;
    const panel = await render(new MethodPanel(), { method: offered, started: { ...started, instructions } });
    expect(textOf(panel.querySelector('.instructions'))).to.match(
      /^Pay by .+ Approve this payment in your banking app\. Reference R1 Waiting for your payment/,
    );
  });

  it('renders no link for an unsafe URL of the acquirer', async () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,hi', 'upi://pay']) {
      const instructions = { action: 'redirect', url } as const;
      const panel = await render(new MethodPanel(), { method: offered, started: { ...started, instructions } });
      expect(panel.querySelectorAll('a').length, url).to.equal(0);
    }
  });

  it('shows the deadline and the time left once, above the instructions', async () => {
    const clock = new SimulatedClock();
    const instructions = {
      action: 'bank_details' as const,
      details: [{ name: 'bank_name' as const, value: 'Vietcombank' }],
    };
    const panel = await render(new MethodPanel(), {
      ...{ method: offered, started: { ...started, instructions }, clock },
      deadlineMs: clock.now() + 15 * 60_000,
    });
    const deadline = `Pay by ${i18n.dateTime(started.expiresAt)}`.replaceAll(/\s+/g, ' ');
    const first = panel.querySelector('.instructions')?.firstElementChild ?? null;
    expect(textOf(first)).to.equal(`${deadline}15 min left`);
    expect(textOf(panel).split('Pay by').length).to.equal(2);
    // The payment expires first: its own countdown shows the time left.
    panel.deadlineMs = null;
    await rendered(panel);
    expect(textOf(first)).to.equal(deadline);
  });

  it('offers the wallet first on a phone, with the code folded', async () => {
    const instructions = {
      ...{ action: 'crypto' as const, currency: 'BTC', network: 'Bitcoin', address: 'bc1q', amount: '0.1' },
      ...{ uri: 'bitcoin:bc1q?amount=0.1', minConfirmations: 2 },
    };
    const panel = await render(new MethodPanel(), { method: offered, amount, started: { ...started, instructions } });
    const onPhone = [...panel.querySelectorAll('.pay-option > :not(.pointer-only)')];
    expect(onPhone.map(({ tagName }) => tagName)).to.deep.equal(['A', 'DETAILS', 'DIV', 'DL']);
    const fold = onPhone[1] as HTMLDetailsElement;
    expect([fold.open, textOf(fold.querySelector('summary'))]).to.deep.equal([false, 'Pay with another device']);
    expect(panel.querySelectorAll('details.touch-only qr-code, .pointer-only qr-code').length).to.equal(2);
  });

  it('shows the price that the coins pay beside their amount, and copies the amount alone', async () => {
    const instructions = {
      ...{ action: 'crypto' as const, currency: 'BTC', network: 'Bitcoin', address: 'bc1q', amount: '0.1' },
      ...{ uri: 'bitcoin:bc1q?amount=0.1', minConfirmations: 2 },
    };
    const panel = await render(new MethodPanel(), { method: offered, amount, started: { ...started, instructions } });
    expect(textOf(panel.querySelector('.fact-value'))).to.equal('0.1 BTC = $12.50');
    expect(panel.querySelector<CopyButton>('copy-button')?.value).to.equal('0.1');
  });

  it('warns about other networks above the address', async () => {
    const instructions = {
      ...{ action: 'crypto' as const, currency: 'BTC', network: 'Bitcoin', address: 'bc1q', amount: '0.1' },
      ...{ uri: 'bitcoin:bc1q?amount=0.1', minConfirmations: 2 },
    };
    const panel = await render(new MethodPanel(), { method: offered, amount, started: { ...started, instructions } });
    const warning = panel.querySelector('.notice[data-tone=warn]');
    expect(textOf(warning)).to.equal('Use this network only. Funds sent on another network are lost.');
    expect(warning?.querySelector('svg')?.dataset['mark']).to.equal('warning');
    expect(warning?.nextElementSibling).to.equal(panel.querySelector('.facts'));
    expect(textOf(panel).split('another network').length).to.equal(2);
    expect(textOf(panel.querySelector('.facts'))).to.match(/Network fees are extra\./);
    expect(textOf(panel)).not.to.match(/confirmation/);
  });

  it('opens the app on a phone; its code is only scanned', async () => {
    const link = 'upi://pay?pa=a';
    const instructions = { action: 'app_intent' as const, deepLink: link, qrPayload: link, webUrl: null };
    const panel = await render(new MethodPanel(), { method: offered, started: { ...started, instructions } });
    expect(panel.querySelector('.touch-only > .button-main')?.getAttribute('href')).to.equal(link);
    expect(panel.querySelectorAll('details qr-code, .pointer-only qr-code').length).to.equal(2);
    expect(panel.querySelectorAll('.instructions button').length).to.equal(0);
  });

  it('reports expired instructions', async () => {
    const clock = new SimulatedClock();
    const panel = await render(new MethodPanel(), {
      method: offered,
      started,
      clock,
      deadlineMs: clock.now() + 60_000,
    });
    let isOver = false;
    panel.addEventListener('method-expired', () => (isOver = true));
    expect(textOf(panel.querySelector('[role=timer]'))).to.equal('1:00 left');
    await clock.advance(60_000);
    await rendered(panel);
    expect(isOver).to.equal(true);
  });
});

describe('texts of push payments', () => {
  const view = (change: Partial<PageState>) => firstView(pageState({ selectedMethod: 'qr_code', ...change }), 0);

  it('show the remaining amount after a partial payment', () => {
    const notice = pushPaymentNotice(view({ received: { value: '10.00', left: '2.50' } }), i18n);
    expect(notice?.tone).to.equal('warn');
    expect(notice?.lines).to.deep.equal(['We received $10.00 of $12.50. Pay the remaining $2.50 the same way.']);
  });

  it('report the end of instructions for the remaining amount, until it is requested again', () => {
    const received = { value: '10.00', left: '2.50' };
    for (const [reason, tone, heading] of [
      ['refused', 'bad', 'Payment not completed'],
      ['expired', 'warn', 'Time ran out'],
    ] as const) {
      const notice = pushPaymentNotice(view({ received, ended: { code: 'qr_code', reason } }), i18n);
      const lines = ['We received $10.00 of $12.50. Pay the remaining $2.50 the same way.'];
      expect(notice).to.deep.equal({ tone, heading, lines });
    }
    expect(pushPaymentNotice(view({ received, started }), i18n)).to.equal(null);
  });

  it('name the method that was refused or expired', () => {
    const ended = (reason: 'refused' | 'expired') => pushPaymentNotice(view({ ended: { code: 'upi', reason } }), i18n);
    expect(ended('refused')?.heading).to.equal('Payment not completed');
    expect(ended('refused')?.lines[0]).to.match(/^The UPI payment didn't go through and you weren't charged/);
    expect(ended('expired')?.tone).to.equal('warn');
  });

  it('show the received amount while the merchant reviews it, in amber if it is not the amount to pay', () => {
    const waitsFor = { kind: 'merchant' } as const;
    for (const [phase, value, left, heading] of [
      ['failed', '10.00', '2.50', 'You paid too little'],
      ['failed', '12.50', '0.00', 'Kettle & Co is reviewing your payment'],
      ['failed', '15.00', '0.00', 'You paid too much'],
      ['restricted', '10.00', '2.50', 'You paid too little'],
      ['checking', '15.00', '0.00', 'You paid too much'],
      ['checking', '12.00', '0.50', 'You paid too little'],
    ] as const) {
      const display = pushPaymentDisplay(view({ phase, received: { value, left }, waitsFor }), phase, i18n);
      const { icon, tone, facts } = display;
      expect([icon, tone, display.heading]).to.deep.equal(['review', value === '12.50' ? 'quiet' : 'warn', heading]);
      expect(facts).to.deep.equal([
        { label: 'Received', value: `$${value}` },
        { label: 'Reference', value: pageState().reference },
      ]);
    }
    expect(pushPaymentDisplay(view({ phase: 'checking', waitsFor }), 'checking', i18n)).to.deep.equal({});
  });

  it('never claim that nothing was charged after funds were received', () => {
    const received = { value: '10.00', left: '2.50' };
    const failed = pushPaymentDisplay(view({ phase: 'failed', received }), 'failed', i18n);
    expect(failed.text).to.match(/^We received \$10\.00 of \$12\.50/);
    const back = (refundProgress: 'pending' | 'done') => {
      const { icon, heading, text } = pushPaymentDisplay(
        view({ phase: 'failed', refundProgress, mayReceiveFunds: true }),
        'failed',
        i18n,
      );
      return [icon, heading, text];
    };
    const ask = 'Questions? Contact Kettle & Co.';
    expect(back('pending')).to.deep.equal(['pulse', 'Your refund is on its way', ask]);
    expect(back('done')).to.deep.equal(['tick', 'Your payment was refunded', ask]);
    const paidInFull = view({ phase: 'failed', received: { value: '12.50', left: '0.00' } });
    const review = pushPaymentDisplay(paidInFull, 'failed', i18n);
    expect(review.heading).to.equal('Kettle & Co is reviewing your payment');
    expect(review.text).to.match(/^We received \$12\.50\. Kettle & Co will review it\.$/);
    const more = { value: '15.00', left: '0.00' };
    const paid = pushPaymentDisplay(view({ phase: 'paid', received: more }), 'paid', i18n);
    expect(paid.text).to.match(/You paid more than the amount/);
    const waits = view({ phase: 'checking', received: more, waitsFor: { kind: 'merchant' } });
    expect(pushPaymentDisplay(waits, 'checking', i18n).text).to.match(/Kettle & Co will review it\. Don't pay again/);
    const detected = view({ phase: 'checking', waitsFor: { kind: 'confirmations', seen: 1, needed: 2 } });
    expect(pushPaymentDisplay(detected, 'checking', i18n).text).to.match(/^1 of 2 confirmations\. Don't pay again/);
    const short = view({ ...detected.state, received: { value: '10.00', left: '2.50' } });
    const partial = pushPaymentDisplay(short, 'checking', i18n);
    expect(partial.heading).to.equal('Partial payment received');
    expect(partial.facts?.map(({ value }) => value)).to.include('$10.00');
    expect(pushPaymentDisplay(view({ phase: 'checking' }), 'checking', i18n)).to.deep.equal({});
    for (const phase of ['expired', 'cancelled', 'failed'] as const) {
      expect(pushPaymentDisplay(view({ phase }), phase, i18n)).to.deep.equal({});
      const { text } = pushPaymentDisplay(view({ phase, mayReceiveFunds: true }), phase, i18n);
      expect(text).to.match(/^We haven't received a payment yet\. .* don't send it again/);
    }
  });
});

describe('a URL that opens an app', () => {
  it('may have any scheme except those that run or show content in the page', () => {
    for (const address of ['upi://pay?pa=a@b', 'bitcoin:bc1?amount=1', 'https://wallet.example/pay', 'gcash://x'])
      expect(appUrl(address)).to.equal(address);
    for (const address of [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,x',
      'blob:x',
      'file:///x',
      'x',
    ])
      expect(appUrl(address)).to.equal(null);
  });
});

describe('the address of a page', () => {
  const { canParse } = URL;
  afterEach(() => {
    URL.canParse = canParse;
  });

  it('has the scheme http or https, or is relative; also in browsers without URL.canParse', () => {
    Reflect.deleteProperty(URL, 'canParse');
    for (const address of ['https://shop.example/paid', 'http://localhost:8081', '/issuer/1', 'paid?id=1', ''])
      expect(httpUrl(address)).to.equal(address);
    for (const address of [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,x',
      'upi://pay',
      'http://',
      null,
    ])
      expect(httpUrl(address)).to.equal(null);
    expect([appUrl('upi://pay?pa=a@b'), appUrl('javascript:alert(1)'), appUrl('x')]).to.deep.equal([
      'upi://pay?pa=a@b',
      null,
      null,
    ]);
  });
});

describe('long numbers', () => {
  it('are grouped by four; other texts are unchanged', () => {
    expect(groupDigits('646180123456789012')).to.equal('6461\u00a08012\u00a03456\u00a07890\u00a012');
    for (const text of ['0001', '12345678', 'R2ESC7JNKZ', '00.000.000/0000-00'])
      expect(groupDigits(text)).to.equal(text);
  });
});
