import { expect } from 'chai';
import { LightElement } from '../../pages/checkout/elements/light-element.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import type { PageState } from '../../src/api/page-state.ts';
import { restoreInput, removePage } from '../../pages/checkout/link/saved-input.ts';
import { LinkPage } from '../../pages/checkout/link/link-page.ts';
import { methods } from '../../pages/checkout/methods/methods.ts';
import { firstView, type PageView } from '../../pages/checkout/store/page-view.ts';
import { PaymentApi } from '../../pages/checkout/store/payment-api.ts';
import { PaymentStore } from '../../pages/checkout/store/payment-store.ts';
import type { PageRequest } from '../../pages/checkout/store/requests.ts';
import { pageState, statesByMethod, statesByPhase, texts } from './page-fixtures.ts';
import { SimulatedClock, settled } from './simulated-clock.ts';

async function linkPage(state = pageState(), change: Partial<PageView> = {}) {
  const page = new LinkPage();
  const clock = new SimulatedClock();
  const i18n = new I18n(texts, 'en-US');
  const view = { ...firstView(state, 0), ...change };
  Object.assign(page, { i18n, clock, hasScript: true, view });
  document.body.append(page);
  await rendered(page);
  const requests: unknown[] = [];
  page.addEventListener('page-request', (event) => requests.push((event as CustomEvent).detail));
  const show = async (next: Partial<PageView>) => {
    if (page.view) page.view = { ...page.view, ...next };
    await rendered(page);
    await settled();
  };
  return { page, clock, show, requests };
}

async function rendered(page: LightElement) {
  await page.updateComplete;
  for (const element of page.querySelectorAll('*')) if (element instanceof LightElement) await element.updateComplete;
}

const textOf = (element: Element | null) => element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
const announcement = (page: Element) => textOf(page.querySelector('[role=status]'));
const button = (page: Element, name: RegExp) =>
  [...page.querySelectorAll('button')].find((each) => name.test(textOf(each)));

describe('the link page', () => {
  afterEach(() => document.body.replaceChildren());

  it('shows merchant, amount, description and pay button', async () => {
    const { page } = await linkPage();
    expect(textOf(page.querySelector('.merchant-name'))).to.equal('Kettle & Co');
    expect(textOf(page.querySelector('h1'))).to.equal('$12.50');
    expect(textOf(page.querySelector('.what'))).to.contain('blue kettle');
    expect(button(page, /^Pay \$12\.50$/)).not.to.equal(undefined);
  });

  it('names the button of a card "Pay", and that of a method with a further step "Continue"', async () => {
    const { methods: offered } = statesByMethod['several'] ?? pageState();
    const [card] = pageState().methods;
    const { page, show } = await linkPage(pageState({ methods: [...offered, ...(card ? [card] : [])] }));
    const labels: Record<string, string> = {};
    for (const { action, code } of page.view?.state.methods ?? []) {
      await show({ selectedMethod: code });
      labels[action] = textOf(page.querySelector('.pay'));
    }
    expect(labels).to.deep.equal({
      card: 'Pay $12.50',
      ...Object.fromEntries(offered.map(({ action }) => [action, 'Continue to payment'])),
    });
    expect(Object.keys(labels)).to.have.lengthOf(6);
  });

  const headings: Record<string, RegExp> = {
    challenge: /^Confirm with your bank$/,
    checking: /^Confirming your payment$/,
    paid: /^This payment is complete$/,
    expired: /expired/,
    cancelled: /canceled/,
    failed: /declined/,
    restricted: /^Your country is not supported$/,
  };
  for (const [phase, heading] of Object.entries(headings)) {
    it(`shows the outcome: ${phase}`, async () => {
      const { page } = await linkPage(statesByPhase[phase as keyof typeof statesByPhase]);
      expect(textOf(page.querySelector('.status-heading'))).to.match(heading);
      expect(page.querySelector('form')).to.equal(null);
    });
  }

  it('follows an authorized payment: says that it was captured, or that the amount was released', async () => {
    const authorized = { ...statesByPhase.paid, authorized: true, paidAt: null };
    const { page, show, clock } = await linkPage(authorized);
    const heading = () => textOf(page.querySelector('.status-heading'));
    expect(heading()).to.equal('Payment authorized');
    await show({ state: statesByPhase.paid });
    expect([heading(), announcement(page)]).to.deep.equal([
      'This payment is complete',
      "This payment is complete. There's nothing left to pay.",
    ]);
    // Nothing has moved, so the focus stays.
    expect(document.activeElement).to.equal(document.body);
    for (const frame of [null, { disabled: false, button: true, billing: {} }])
      for (const [phase, title] of [
        ['cancelled', /^This payment was canceled/],
        ['expired', /^This payment has expired/],
      ] as const) {
        page.frame = frame;
        await show({ state: authorized });
        await clock.advance(200);
        await show({ state: { ...statesByPhase[phase], authorized: true } });
        expect(heading()).to.match(title);
        expect(textOf(page.querySelector('.status-text'))).to.match(/amount held on your card was released/);
        expect(announcement(page)).to.match(title);
        expect(document.activeElement?.className).to.equal('status-heading');
      }
  });

  it('keeps the button and its focus while a payment is in progress', async () => {
    const { page, show } = await linkPage();
    button(page, /^Pay/)?.focus();
    await show({ activity: 'submitting' });
    const busy = button(page, /^Paying/);
    expect(busy).to.equal(document.activeElement);
    expect(busy?.getAttribute('aria-disabled')).to.equal('true');
    expect(busy?.getAttribute('aria-busy')).to.equal('true');
  });

  it('does not submit while offline: the button is disabled, keeps its focus, and is enabled once online', async () => {
    const several = statesByMethod['several'] ?? pageState();
    for (const [state, label] of [
      [pageState(), /^Pay \$12\.50$/],
      [several, /^Continue to payment$/],
    ] as const) {
      const { page, show } = await linkPage(state);
      const submissions: Event[] = [];
      page.addEventListener('submit', (event) => submissions.push(event));
      const pay = button(page, label);
      pay?.focus();
      await show({ isOffline: true });
      expect(pay?.getAttribute('aria-disabled')).to.equal('true');
      expect(pay?.hasAttribute('aria-busy')).to.equal(false);
      expect(pay).to.equal(document.activeElement);
      pay?.click();
      expect(submissions).to.have.lengthOf(0);
      await show({ isOffline: false });
      expect(pay?.hasAttribute('aria-disabled')).to.equal(false);
      pay?.click();
      expect(submissions).to.have.lengthOf(1);
      page.remove();
    }
  });

  it('says that input is kept while offline only if there is any', async () => {
    const { page, show } = await linkPage();
    const notice = () => textOf(page.querySelector('.payment page-notice'));
    await show({ isOffline: true });
    expect(notice()).to.equal(texts['page.offline_status']);
    await show({ isOffline: false });
    const email = page.querySelector<HTMLInputElement>('[name=email]');
    if (email) email.value = 'ada@example.com';
    await show({ isOffline: true });
    expect(notice()).to.equal(texts['page.offline']);
    expect(announcement(page)).to.contain(texts['page.offline']);
  });

  it('shows, announces and focuses a decline, and keeps the form', async () => {
    const { page, show } = await linkPage();
    const form = page.querySelector('form');
    const declined = {
      code: 'insufficient_funds',
      network_code: '51',
      retryable: true,
      advice: 'use_other_card',
    } as const;
    await show({ state: pageState({ attemptsLeft: 4, declined }) });
    expect(textOf(document.activeElement)).to.equal('Your card was declined');
    expect(announcement(page)).to.match(/^Your card was declined\. Your bank reported .*Use another card\.$/);
    expect(page.querySelector('form')).to.equal(form);
    await show({ state: pageState({ attemptsLeft: 2, declined }) });
    expect(textOf(page.querySelector('.notice'))).to.match(/Use another card\.\s*2 attempts left\.$/);
  });

  it('shows a decline that is newer than an ended method', async () => {
    const ended = { code: 'upi', reason: 'refused' } as const;
    const { page, show } = await linkPage(pageState({ ended }));
    page.methods = methods;
    await show({});
    expect(textOf(page.querySelector('page-notice'))).to.match(/^Payment not completed/);
    // The page predicts this state if it cannot read the server's.
    await show({ state: pageState({ ended, attemptsLeft: 4, declined: statesByPhase.failed.declined }) });
    expect(textOf(document.activeElement)).to.equal('Your card was declined');
    expect(announcement(page)).to.match(/^Your card was declined\./);
  });

  it('calls the last attempt a decline only if the issuer declined it', async () => {
    const declined = { code: 'card_declined', network_code: '05', retryable: false, advice: 'do_not_retry' } as const;
    const abandoned = { ...declined, code: 'authentication_abandoned', network_code: null };
    for (const [decline, heading] of [
      [declined, 'Your card was declined'],
      [abandoned, 'Payment not confirmed'],
      // No acquirer could be called.
      [{ ...abandoned, code: 'acquirer_unavailable', advice: 'try_later' }, 'Payment not confirmed'],
    ] as const) {
      const { page, show } = await linkPage();
      await show({ state: pageState({ attemptsLeft: 1, declined: decline }) });
      expect(textOf(document.activeElement)).to.equal(heading);
      await show({ state: { ...statesByPhase.failed, declined: decline } });
      expect(textOf(page.querySelector('.status-heading'))).to.equal(heading);
    }
  });

  it('announces a second decline for the same reason', async () => {
    const declined = { code: 'card_declined', network_code: '05', retryable: true, advice: 'use_other_card' } as const;
    const { page, show } = await linkPage(pageState({ attemptsLeft: 2, declined }));
    await show({ state: pageState({ attemptsLeft: 1, declined }) });
    expect(announcement(page)).to.contain('1 attempt left.');
    expect(textOf(document.activeElement)).to.equal('Your card was declined');
  });

  it('keeps the hidden form while the outcome of a lost submission is polled', async () => {
    const { page, show } = await linkPage();
    const form = page.querySelector('form');
    await show({ activity: 'polling' });
    expect(textOf(page.querySelector('.status-heading'))).to.equal('Confirming your payment');
    expect(page.querySelector<HTMLElement>('.payment')?.hidden).to.equal(true);
    await show({ activity: 'idle', problem: 'not_received' });
    expect(page.querySelector('form')).to.equal(form);
    expect(textOf(document.activeElement)).to.equal("We didn't receive your payment");
    expect(textOf(page.querySelector('page-notice'))).to.contain('charged only once');
    expect(textOf(page)).not.to.contain("weren't charged");
  });

  const pendingStates: [phase: string, state: PageState][] = [
    ['a challenge is open', statesByPhase.challenge],
    // While nothing can be paid, the server offers no methods.
    ['a payment is pending', { ...statesByPhase.checking, methods: [], attemptsLeft: 4 }],
  ];
  for (const [description, state] of pendingStates) {
    it(`keeps the hidden form while ${description}, and clears only the security code`, async () => {
      const { page, show } = await linkPage();
      const control = (name: string) => page.querySelector<HTMLInputElement>(`[name=${name}]`);
      const typed = {
        card_number: '4242 4242 4242 4242',
        card_cvv: '123',
        first_name: 'Ada',
        email: 'ada@example.com',
      };
      for (const [name, value] of Object.entries(typed)) {
        const field = control(name);
        if (field) field.value = value;
      }
      await show({ activity: 'submitting' });
      await show({ state, activity: 'idle' });
      const number = control('card_number');
      expect(number?.checkVisibility()).to.equal(false);
      expect(number?.closest<HTMLElement>('.payment')?.hidden).to.equal(true);
      number?.focus();
      expect(document.activeElement).not.to.equal(number);
      expect(page.querySelectorAll('.payment page-notice')).to.have.lengthOf(0);

      await show({ state: pageState() });
      expect(control('card_number')).to.equal(number);
      expect(number?.checkVisibility()).to.equal(true);
      for (const [name, value] of Object.entries({ ...typed, card_cvv: '' }))
        expect(control(name)?.value).to.equal(value);
    });
  }

  it('renders no form on a page opened during a challenge until it can be paid', async () => {
    const { page, show } = await linkPage(statesByPhase.challenge);
    expect(page.querySelector('form')).to.equal(null);
    await show({ state: statesByPhase.checking });
    expect(page.querySelector('form')).to.equal(null);
    await show({ state: pageState() });
    expect(page.querySelector('form')?.checkVisibility()).to.equal(true);
  });

  it('removes the form when the payment is final', async () => {
    const { page, show } = await linkPage();
    await show({ state: statesByPhase.challenge });
    await show({ state: statesByPhase.paid });
    expect(page.querySelector('form')).to.equal(null);
  });

  it('returns to the shop after a payment made on this page', async () => {
    const { page, clock, show, requests } = await linkPage();
    await show({ state: statesByPhase.paid, sawOutcome: true });
    expect(textOf(page.querySelector('.status-heading'))).to.equal('Payment received');
    expect(announcement(page)).to.match(/^Payment received\. .*in 10 seconds$/);
    const back = () => [...page.querySelectorAll('.status a')].map((link) => textOf(link));
    const note = () => textOf(page.querySelector('return-countdown .page-note'));
    expect(back()).to.deep.equal(['Back to Kettle & Co']);
    expect(note()).to.equal('Returning to Kettle & Co in 10 seconds');
    await clock.advance(9000);
    expect(note()).to.equal('Returning to Kettle & Co in 1 second');
    expect(requests).to.deep.equal([]);
    await clock.advance(1000);
    expect(requests).to.deep.equal([{ type: 'return_to_shop' }]);
    expect([...back(), note()]).to.deep.equal(['Back to Kettle & Co', '']);
  });

  it('offers the way back to the shop, but not as the main action, while the outcome is pending', async () => {
    const pending: [PageState, Partial<PageView>][] = [
      [statesByPhase.checking, {}],
      // The response to the submit was lost.
      [pageState(), { activity: 'polling' }],
    ];
    for (const [state, view] of pending) {
      const { page, show } = await linkPage(state, view);
      const link = page.querySelector<HTMLAnchorElement>('.status-actions a');
      expect([link?.href, link?.className]).to.deep.equal([state.returnUrl, 'button']);
      await show({ state: { ...state, returnUrl: null } });
      expect(page.querySelector('.status-actions')).to.equal(null);
    }
  });

  it('counts down below the button that the countdown belongs to', async () => {
    const { page, show } = await linkPage();
    await show({ state: { ...statesByPhase.paid, paidAt: '2026-03-10T09:45:00.000000Z' }, sawOutcome: true });
    const parts = [...page.querySelectorAll('.status-actions > *, return-countdown')];
    expect(parts.map((part) => /Returning/.test(textOf(part)) || textOf(part))).to.deep.equal([
      'Back to Kettle & Co',
      true,
      'Print receipt',
    ]);
  });

  it('returns to the shop after a payment that failed on this page', async () => {
    const { page, clock, show, requests } = await linkPage();
    await show({ state: statesByPhase.failed });
    expect(page.querySelector('return-countdown')).to.equal(null);
    await show({ sawOutcome: true });
    expect(textOf(page.querySelector('return-countdown .page-note'))).to.match(/in 10 seconds$/);
    await clock.advance(10_000);
    expect(requests).to.deep.equal([{ type: 'return_to_shop' }]);
  });

  it('stays after a failure that funds can still change', async () => {
    const { page, show } = await linkPage();
    for (const change of [{ received: { value: '9.00', left: '3.50' } }, { mayReceiveFunds: true }]) {
      await show({ state: { ...statesByPhase.failed, ...change }, sawOutcome: true });
      expect(page.querySelector('return-countdown')).to.equal(null);
    }
    await show({ state: statesByPhase.checking, sawOutcome: true });
    expect(page.querySelector('return-countdown')).to.equal(null);
  });

  it('stays if the buyer stops the return', async () => {
    const { page, clock, show, requests } = await linkPage();
    await show({ state: statesByPhase.paid, sawOutcome: true });
    button(page, /^Stay here$/)?.click();
    await clock.advance(60_000);
    expect(requests).to.deep.equal([]);
  });

  it('stays if the buyer has left for the shop and navigates back', async () => {
    const { page, clock, show, requests } = await linkPage();
    await show({ state: statesByPhase.paid, sawOutcome: true });
    await clock.advance(3000);
    dispatchEvent(new Event('pagehide'));
    await clock.advance(60_000);
    expect(requests).to.deep.equal([]);
    expect(textOf(page.querySelector('return-countdown'))).to.equal('');
  });

  it('does not return from a paid link that was opened again', async () => {
    const { clock, requests, page } = await linkPage(statesByPhase.paid);
    await clock.advance(60_000);
    expect(requests).to.deep.equal([]);
    expect(page.querySelector('a.button-main')?.getAttribute('href')).to.equal(statesByPhase.paid.returnUrl);
  });

  it('reads the state at the deadline', async () => {
    const { clock, requests } = await linkPage(pageState(), { deadlineMs: 2000 });
    await clock.advance(2000);
    expect(requests).to.deep.equal([{ type: 'refresh' }]);
  });

  for (const phase of ['ready', 'challenge'] as const) {
    it(`polls with backoff if the deadline has passed and the server still reports ${phase}`, async () => {
      const late = (ms: number): PageState => ({
        ...statesByPhase[phase],
        serverTime: `2026-03-11T09:41:00.${String(ms).padStart(3, '0')}000Z`,
      });
      const { page, clock } = await linkPage();
      let requests = 0;
      const fetcher = (async () => {
        requests++;
        // Fails eventually, even if the page polls in a tight loop.
        if (requests > 100) throw new TypeError('Failed to fetch');
        const response = new Response(null);
        response.json = async () => late(requests);
        return response;
      }) as typeof fetch;
      const api = new PaymentApi('/p/L1', fetcher);
      const store = new PaymentStore(late(0), { clock, random: () => 0.5, api, navigate: () => {} });
      page.addEventListener('page-request', (event) => void store.dispatch((event as CustomEvent<PageRequest>).detail));
      store.subscribe((view) => {
        page.view = view;
      });
      page.view = store.view;
      store.start();
      await settled();
      await clock.advance(7000);
      expect(requests).to.be.within(2, 4);
      await clock.advance(53_000);
      expect(requests).to.be.within(5, 9);
    });
  }

  it('offers to continue or to use another card while a challenge is open', async () => {
    const { page, requests } = await linkPage(statesByPhase.challenge);
    expect(page.querySelector('a.button-main')?.getAttribute('href')).to.equal('/issuer/1');
    button(page, /^Use another card$/)?.click();
    expect(requests).to.deep.equal([{ type: 'abandon' }]);
  });

  it('offers the phone until a payment attempt starts', async () => {
    const { page, show } = await linkPage();
    const offersPhone = () => page.querySelector('.phone') !== null;
    expect(offersPhone()).to.equal(true);
    await show({ activity: 'polling' });
    expect(offersPhone()).to.equal(false);
    await show({ activity: 'idle', state: pageState(statesByPhase.challenge) });
    expect(offersPhone()).to.equal(false);
    expect(page.querySelector('expiry-countdown')).not.to.equal(null);
    await show({ state: pageState() });
    expect(offersPhone()).to.equal(true);
  });

  it('links to http(s) URLs only', async () => {
    const { page } = await linkPage(pageState({ ...statesByPhase.paid, returnUrl: 'javascript:alert(1)' }));
    expect(page.querySelector('a[href^="javascript"]')).to.equal(null);
  });

  it('has no style attribute, which the CSP would block', async () => {
    const { page } = await linkPage();
    expect(page.querySelector('[style]')).to.equal(null);
  });
});

describe('replacing the server-rendered page', () => {
  afterEach(() => document.body.replaceChildren());

  it('restores input, focus and selection', async () => {
    const before = document.createElement('div');
    before.append(
      document
        .createRange()
        .createContextualFragment(
          '<form><input class="field" id="field-card_number" name="card_number"><input class="field" id="field-first_name" name="first_name"><select class="field" id="field-country" name="country"><option value="FR"></select></form>',
        ),
    );
    document.body.append(before);
    const [number, name] = before.querySelectorAll('input');
    if (!number || !name) throw new Error('The page has no fields');
    number.value = '42424242';
    name.value = 'Ada';
    name.focus();
    name.setSelectionRange(1, 2);
    const typed = removePage(before);
    expect(before.isConnected).to.equal(false);

    const { page } = await linkPage();
    restoreInput(page, typed);
    const control = (field: string) => page.querySelector<HTMLInputElement>(`[name=${field}]`);
    expect(control('card_number')?.value).to.equal('4242 4242');
    expect(control('country')?.value).to.equal('FR');
    expect(document.activeElement).to.equal(control('first_name'));
    expect([control('first_name')?.selectionStart, control('first_name')?.selectionEnd]).to.deep.equal([1, 2]);
  });
});

describe('the link page with a started method', () => {
  const style = document.createElement('link');
  before(async () => {
    Object.assign(style, { rel: 'stylesheet', href: '/pages/checkout/link/link-page.css' });
    const loaded = new Promise((resolve) => style.addEventListener('load', resolve));
    document.head.append(style);
    await loaded;
  });
  after(() => style.remove());
  afterEach(() => document.body.replaceChildren());

  const visibleRows = (page: Element) =>
    [...page.querySelectorAll<HTMLElement>('.method-row')].filter((row) => row.checkVisibility()).map(textOf);
  const all = ['PromptPay', 'Bank transfer', 'Online banking', 'TrueMoney', 'Crypto'];
  const started = statesByMethod['qr'] ?? pageState();
  const unstarted = { ...started, started: null };

  it('aligns text, buttons, reference and status at the sides', async () => {
    const { page, show } = await linkPage(unstarted);
    page.methods = methods;
    await show({ state: started });
    await rendered(page);
    const part = page.querySelector('.instructions');
    const box = (element: Element | null | undefined) => {
      const range = document.createRange();
      if (element) range.selectNodeContents(element);
      return range.getBoundingClientRect();
    };
    const { left, right } = part?.getBoundingClientRect() ?? box(null);
    for (const selector of ['.instructions > p', '.reference', '.qr-actions'])
      expect(box(page.querySelector(selector)).left, selector).to.be.closeTo(left, 1);
    expect(box(page.querySelector('.qr-actions')).right).to.be.closeTo(right, 1);
    const buttons = [...page.querySelectorAll('.qr-actions button')];
    expect(new Set(buttons.map((each) => each.getBoundingClientRect().top)).size).to.equal(1);
    expect(page.querySelector('.waiting .mark-dot')?.getBoundingClientRect().left).to.be.closeTo(left, 1);
  });

  it('folds the other methods, and a button shows them again', async () => {
    const { page, show } = await linkPage(unstarted);
    page.methods = methods;
    expect(visibleRows(page)).to.deep.equal(all);
    await show({ state: started });
    expect(visibleRows(page)).to.deep.equal(['PromptPay', 'Pay another way']);
    const other = button(page, /^Pay another way$/);
    const top = (element: Element | null | undefined) => element?.getBoundingClientRect().top ?? 0;
    const place = top(other);
    // The panel comes directly below its own row.
    expect(page.querySelector('.instructions')?.getBoundingClientRect().bottom).to.be.lessThan(place);
    other?.click();
    expect(visibleRows(page)).to.deep.equal(all);
    const next = [...page.querySelectorAll('label.method-row')].at(1);
    expect(document.activeElement).to.equal(next?.querySelector('input'));
    expect(top(next?.parentElement)).to.be.closeTo(place, 1);
    // They stay when the state is read again, and fold when a method is started again.
    await show({ state: structuredClone(started) });
    expect(visibleRows(page)).to.deep.equal(all);
    await show({ state: unstarted });
    await show({ state: started });
    expect(visibleRows(page)).to.deep.equal(['PromptPay', 'Pay another way']);
  });

  it('shows the row of the last method in place of the button, with the others above', async () => {
    const { page, show } = await linkPage(unstarted);
    page.methods = methods;
    await show({ state: statesByMethod['crypto'] ?? pageState(), selectedMethod: 'crypto_payment' });
    await rendered(page);
    page.style.paddingBlockEnd = '200vh';
    const other = button(page, /^Pay another way$/);
    other?.scrollIntoView({ block: 'center' });
    const place = other?.getBoundingClientRect().top ?? 0;
    other?.click();
    expect(visibleRows(page)).to.deep.equal(all);
    const radio = page.querySelector('[name=method]:checked');
    expect(document.activeElement).to.equal(radio);
    expect(radio?.closest('.method')?.getBoundingClientRect().top).to.be.closeTo(place, 1);
  });

  it('preselects none after one ran out, and starting that one again is a secondary action', async () => {
    const ranOut = statesByMethod['ran_out'] ?? pageState();
    const { page, show } = await linkPage(ranOut);
    expect(page.querySelectorAll('[name=method]:checked, .method-panel:not([hidden]), .pay')).to.have.lengthOf(0);
    expect(page.pay()).to.equal(false);
    const colorOf = async (selectedMethod: string) => {
      await show({ selectedMethod });
      return getComputedStyle(page.querySelector('.pay') ?? page).backgroundColor;
    };
    const paper = getComputedStyle(page.querySelector('.methods') ?? page).backgroundColor;
    expect(await colorOf('qr_code')).to.equal(paper);
    expect(await colorOf('virtual_account')).not.to.equal(paper);
  });

  it('marks the search field in red while the bank is missing, below headings smaller than the names', async () => {
    const { page } = await linkPage(statesByMethod['bank_choice']);
    const search = page.querySelector('[type=search]') ?? page;
    expect(search.getAttribute('aria-invalid')).to.equal(null);
    page.pay();
    await rendered(page);
    expect(search.getAttribute('aria-invalid')).to.equal('true');
    const red = getComputedStyle(page.querySelector('.field-error') ?? page).color;
    expect(getComputedStyle(search).borderColor).to.equal(red);
    const headings = [...page.querySelectorAll('.choices > .quiet')];
    expect(headings.map((heading) => getComputedStyle(heading).fontSize)).to.deep.equal(['13px', '13px']);
  });

  it('outlines a copy button as visibly as a field', async () => {
    const { page } = await linkPage(statesByMethod['bank_details']);
    const edge = document.body.appendChild(document.createElement('p'));
    edge.style.color = 'var(--field-line)';
    const copy = page.querySelector('.copy') ?? page;
    expect(getComputedStyle(copy).borderColor).to.equal(getComputedStyle(edge).color);
  });

  it('shows all methods while another one is open', async () => {
    const { page } = await linkPage(started, { selectedMethod: 'virtual_account' });
    expect(visibleRows(page)).to.deep.equal(all);
  });

  it('has no button if there is only one method', async () => {
    const { page } = await linkPage({ ...started, methods: started.methods.slice(0, 1) });
    expect(visibleRows(page)).to.deep.equal(['PromptPay']);
  });

  it('names the coin and its network with the coin’s mark', async () => {
    const { page } = await linkPage(statesByMethod['crypto']);
    const heading = page.querySelector('.instructions h2');
    expect(textOf(heading)).to.equal('Send 0.00029306 BTC on the Bitcoin network.');
    expect(heading?.querySelector('img')?.getAttribute('src')).to.equal('/methods/coin-btc.svg');
  });
});
