import { expect } from 'chai';
import type { PageState } from '../../src/api/page-state.ts';
import type { CardValues } from '../../src/shared/card-form.ts';
import { isQuoteExpired } from '../../pages/checkout/methods/methods.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import { payEvents } from '../../pages/checkout/embed/pay-events.ts';
import { startMethod } from '../../pages/checkout/methods/start-method.ts';
import { paymentNotice } from '../../pages/checkout/store/notices.ts';
import { amountToPay, displayedPhase, type PageView } from '../../pages/checkout/store/page-view.ts';
import { phaseDisplays, type ShownOutcome } from '../../pages/checkout/store/phase-displays.ts';
import { PaymentApi } from '../../pages/checkout/store/payment-api.ts';
import { PaymentStore } from '../../pages/checkout/store/payment-store.ts';
import { pageState, statesByMethod, statesByPhase, texts } from './page-fixtures.ts';
import { SimulatedClock, settled } from './simulated-clock.ts';

const card: CardValues = {
  card_number: '4242 4242 4242 4242',
  card_expiry: '04 / 29',
  card_cvv: '123',
  first_name: 'Ada',
  last_name: 'Lovelace',
  country: 'GB',
  address: '12 St James’s Square',
  city: 'London',
  state: 'Greater London',
  postcode: 'SW1Y 4LB',
  phone: '+44 20 7946 0000',
  email: 'ada@example.com',
};

type Reply = Response | 'lost' | Promise<Response>;

/** A response whose body is available immediately, so that simulated time need not wait for streams. */
function json(body: unknown, status = 200): Response {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  const response = new Response(null, { status, headers: { 'content-type': type } });
  response.json = async () => structuredClone(body);
  return response;
}

const problem = (status: number, code: string, errors?: object[]) => json({ status, code, errors }, status);

/** A store whose server responds from `replies`, by path. The last reply of a path repeats. */
function setUp(state: PageState, replies: Record<string, Reply[]> = {}, jitter = 0.5) {
  const clock = new SimulatedClock();
  const requests: string[] = [];
  const bodies: unknown[] = [];
  const navigations: string[] = [];
  const fetcher = (async (path: string, request: RequestInit) => {
    const token = new Headers(request.headers).get('authorization')?.replace('Bearer ', '');
    requests.push(token ? `${path} ${token}` : path);
    if (typeof request.body === 'string') bodies.push(JSON.parse(request.body));
    const row = replies[path] ?? [];
    const reply = await (row.length > 1 ? row.shift() : row[0]);
    if (reply === undefined || reply === 'lost') throw new TypeError('Failed to fetch');
    return reply;
  }) as typeof fetch;
  const store = new PaymentStore(state, {
    clock,
    random: () => jitter,
    api: new PaymentApi('/p/L1', fetcher),
    navigate: (url) => navigations.push(url),
    startMethod,
    isStale: isQuoteExpired,
  });
  return { store, clock, requests, bodies, navigations, replies };
}

const STATE = '/p/L1/state';
const SUBMIT = '/fiat/v1/transaction/submit';
const ABANDON = '/p/L1/abandon';
const METHOD = '/p/L1/method';

/** A state whose card must be encrypted with a key. */
async function encryptingState(id: string, change: object = {}) {
  const algorithm = {
    name: 'RSA-OAEP',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  };
  const { publicKey } = await crypto.subtle.generateKey(algorithm, true, ['encrypt', 'decrypt']);
  const { n = '', e = '' } = await crypto.subtle.exportKey('jwk', publicKey);
  const methods = pageState().methods.map((method) => ({ ...method, cardKey: { id, n, e, ...change } }));
  return pageState({ methods });
}

describe('submitting a card that the page encrypts', () => {
  const sensitive = new RegExp(`${card.card_number.replaceAll(' ', '')}|"${card.card_cvv}"|card_(number|cvv|expiry)`);

  it('sends the encrypted fields and the digits that are stored, and again if the key has changed', async () => {
    const { store, bodies } = setUp(await encryptingState('first'), {
      [SUBMIT]: [problem(409, 'card_key_changed'), json({ response_type: 'confirmed' })],
      [STATE]: [json(await encryptingState('second')), json(statesByPhase.paid)],
    });
    await store.dispatch({ type: 'submit', card });
    expect(store.view.state.phase).to.equal('paid');
    const sent = bodies as { encrypted_card: Record<string, string> }[];
    expect(sent.map(({ encrypted_card: encrypted }) => encrypted['key_id'])).to.deep.equal(['first', 'second']);
    for (const body of sent) {
      expect(JSON.stringify(body).replaceAll(' ', '')).not.to.match(sensitive);
      const { key_id: _key, first6, last4, ...fields } = body.encrypted_card;
      const digits = card.card_number.replaceAll(' ', '');
      expect([first6, last4]).to.deep.equal([digits.slice(0, 6), digits.slice(-4)]);
      expect(Object.keys(fields)).to.deep.equal(['number', 'expiry_month', 'expiry_year', 'security_code']);
      for (const field of Object.values(fields)) expect(field).to.match(/^[\w-]+(\.[\w-]+){4}$/);
    }
  });

  it('sends nothing if the card cannot be encrypted', async () => {
    const state = await encryptingState('broken', { n: 'AQAB' });
    const { store, requests } = setUp(state, { [STATE]: [json(state)] });
    await store.dispatch({ type: 'submit', card });
    expect(requests.filter((request) => request.startsWith(SUBMIT))).to.deep.equal([]);
    expect([displayedPhase(store.view), store.view.problem]).to.deep.equal(['ready', 'try_again']);
  });
});

describe('submitting a card', () => {
  it('sends the fields of a card submission with the token of the page', async () => {
    const { store, requests, bodies } = setUp(pageState(), {
      [SUBMIT]: [json({ response_type: 'confirmed' })],
      [STATE]: [json(statesByPhase.paid)],
    });
    await store.dispatch({ type: 'submit', card });
    const { card_expiry: _expiry, ...others } = card;
    expect(requests[0]).to.equal(`${SUBMIT} pt_1`);
    const browser = {
      ...{ language: navigator.language, color_depth: screen.colorDepth },
      ...{ screen_width: screen.width, screen_height: screen.height },
      time_zone_offset: new Date().getTimezoneOffset(),
    };
    expect(bodies).to.deep.equal([
      {
        ...{ transaction_id: 'order-1001', amount: '12.50', ...others },
        ...{ card_expiry_month: '04', card_expiry_year: '2029', browser },
      },
    ]);
  });

  it('sends the total that the button showed, and shows the new one if it has changed', async () => {
    const methods = pageState().methods.map((method) => ({ ...method, amount: '13.00' }));
    const { store, bodies } = setUp(pageState(), {
      [SUBMIT]: [problem(401, 'unauthorized'), problem(409, 'amount_changed')],
      [STATE]: [json(pageState({ methods })), json(pageState({ methods }))],
    });
    await store.dispatch({ type: 'submit', card });
    expect(bodies.map((body) => (body as { amount: string }).amount)).to.deep.equal(['12.50', '12.50']);
    expect(store.view.problem).to.equal('amount_changed');
    expect(amountToPay(store.view).value).to.equal('13.00');
  });

  it('marks a confirmed payment as seen', async () => {
    const { store } = setUp(pageState(), {
      [SUBMIT]: [json({ response_type: 'confirmed' })],
      [STATE]: [json(statesByPhase.paid)],
    });
    await store.dispatch({ type: 'submit', card });
    expect(store.view).to.include({ activity: 'idle', sawOutcome: true });
    expect(displayedPhase(store.view)).to.equal('paid');
  });

  it('shows a confirmed payment even if the state cannot be read', async () => {
    const confirmed = { response_type: 'confirmed', redirect_url: 'https://shop.example/thanks' };
    const { store } = setUp(pageState(), { [SUBMIT]: [json(confirmed)], [STATE]: ['lost'] });
    await store.dispatch({ type: 'submit', card });
    expect(store.view.state).to.include({ phase: 'paid', returnUrl: 'https://shop.example/thanks' });
    expect(store.view.sawOutcome).to.equal(true);
  });

  it('reports the same decline again if a card that must not be retried is submitted again', async () => {
    const decline = { code: 'stolen_card', network_code: '43', retryable: false, advice: 'do_not_retry' } as const;
    const declined = pageState({ declined: decline, attemptsLeft: 4 });
    const { store } = setUp(declined, {
      [SUBMIT]: [json({ response_type: 'declined', decline, attempts_left: 4 })],
      [STATE]: [json(declined), 'lost'],
    });
    const views = [store.view];
    store.subscribe((view) => views.push(view));
    const i18n = new I18n(texts, 'en-US');
    const page = {
      ...{ i18n, notice: (view: PageView) => paymentNotice(view, i18n) },
      display: (view: PageView, phase: ShownOutcome) => phaseDisplays[phase](view, i18n),
    };
    const types = () =>
      views.flatMap((view, index) => payEvents(views[index - 1] ?? null, view, page).map(({ type }) => type));
    await store.dispatch({ type: 'submit', card });
    expect(types()).to.deep.equal(['pay-ready', 'pay-decline']);
    await store.dispatch({ type: 'submit', card });
    expect(types()).to.deep.equal(['pay-ready', 'pay-decline', 'pay-decline']);
    expect(store.view.state).to.include({ phase: 'ready', attemptsLeft: 4 });
  });

  it('navigates to the challenge and stays busy until the bank’s page does not respond for 15 seconds', async () => {
    const { store, clock, navigations } = setUp(pageState(), {
      [SUBMIT]: [json({ response_type: '3ds_redirect', redirect_url: 'https://bank.example/1' })],
      [STATE]: [json(statesByPhase.challenge)],
    });
    await store.dispatch({ type: 'submit', card });
    expect(navigations).to.deep.equal(['https://bank.example/1']);
    await clock.advance(14_999);
    expect([store.view.activity, store.view.state.phase]).to.deep.equal(['leaving', 'ready']);
    await clock.advance(1);
    expect([store.view.activity, store.view.state.phase]).to.deep.equal(['idle', 'challenge']);
  });

  it('navigates to http(s) URLs only', async () => {
    const { store, navigations } = setUp(pageState(), {
      [SUBMIT]: [json({ response_type: '3ds_redirect', redirect_url: 'javascript:alert(1)' })],
    });
    await store.dispatch({ type: 'submit', card });
    expect(navigations).to.deep.equal([]);
  });

  it('sends one request for a double submit', async () => {
    const { store, requests } = setUp(pageState(), {
      [SUBMIT]: [json({ response_type: 'confirmed' })],
      [STATE]: [json(statesByPhase.paid)],
    });
    await Promise.all([store.dispatch({ type: 'submit', card }), store.dispatch({ type: 'submit', card })]);
    expect(requests.filter((path) => path.startsWith(SUBMIT))).to.have.lengthOf(1);
  });

  it('reads a new token if the page’s has expired, and retries once', async () => {
    const { store, requests } = setUp(pageState(), {
      [SUBMIT]: [problem(401, 'unauthorized'), json({ response_type: 'confirmed' })],
      [STATE]: [json(pageState({ clientToken: 'pt_2' })), json(statesByPhase.paid)],
    });
    await store.dispatch({ type: 'submit', card });
    expect(requests).to.deep.equal([`${SUBMIT} pt_1`, STATE, `${SUBMIT} pt_2`, STATE]);
    expect(displayedPhase(store.view)).to.equal('paid');
  });

  it('does not retry twice', async () => {
    const { store, requests } = setUp(pageState(), {
      [SUBMIT]: [problem(401, 'unauthorized')],
      [STATE]: [json(pageState())],
    });
    await store.dispatch({ type: 'submit', card });
    expect(requests.filter((path) => path.startsWith(SUBMIT))).to.have.lengthOf(2);
    expect(store.view).to.include({ activity: 'idle', problem: 'try_again' });
  });

  it('passes the server’s field errors to the form', async () => {
    const errors = [{ pointer: '/email', code: 'invalid_email', detail: 'must be an email address' }];
    const { store } = setUp(pageState(), { [SUBMIT]: [problem(422, 'validation_failed', errors)] });
    await store.dispatch({ type: 'submit', card });
    expect(store.view.fieldProblems).to.deep.equal(errors);
    expect(store.view.activity).to.equal('idle');
  });

  it('shows a general problem if the server rejects a field outside the form', async () => {
    const errors = [{ pointer: '/transaction_id', code: 'too_long', detail: 'is too long' }];
    const { store } = setUp(pageState(), {
      [SUBMIT]: [problem(422, 'validation_failed', errors)],
      [STATE]: [json(pageState())],
    });
    await store.dispatch({ type: 'submit', card });
    expect(store.view).to.include({ activity: 'idle', problem: 'try_again' });
    expect(store.view.fieldProblems).to.deep.equal([]);
  });

  it('shows the outcome of another tab', async () => {
    const { store } = setUp(pageState(), {
      [SUBMIT]: [problem(409, 'already_paid')],
      [STATE]: [json(statesByPhase.paid)],
    });
    await store.dispatch({ type: 'submit', card });
    expect(displayedPhase(store.view)).to.equal('paid');
    expect(store.view.problem).to.equal(null);
  });

  it('reports a rate limit', async () => {
    const { store } = setUp(pageState(), { [SUBMIT]: [problem(429, 'rate_limited')], [STATE]: [json(pageState())] });
    await store.dispatch({ type: 'submit', card });
    expect(store.view.problem).to.equal('rate_limited');
  });
});

describe('a method', () => {
  it('that was refused replaces the problem of an earlier action', async () => {
    const { store } = setUp(pageState(), { [SUBMIT]: [problem(403, 'forbidden')], [STATE]: [json(pageState())] });
    await store.dispatch({ type: 'submit', card });
    store.push(pageState({ serverTime: '2026-03-10T10:00:15.000000Z' }));
    expect(store.view.problem).to.equal('try_again');
    store.push(pageState({ ended: { code: 'upi', reason: 'refused' } }));
    expect(store.view.problem).to.equal(null);
  });

  it('that ran out is no longer open; one that the buyer has opened since stays open', () => {
    const ended = { code: 'upi', reason: 'expired' } as const;
    for (const [open, left] of [
      ['upi', ''],
      ['credit_card', 'credit_card'],
    ] as const) {
      const { store } = setUp(pageState());
      store.patch({ selectedMethod: open });
      store.push(pageState({ ended, selectedMethod: '' }));
      expect(store.view.selectedMethod).to.equal(left);
      store.patch({ selectedMethod: 'upi' });
      store.push(pageState({ ended, selectedMethod: '' }));
      expect(store.view.selectedMethod).to.equal('upi');
    }
  });

  it('that is refused again is new', async () => {
    const refused = pageState({ ended: { code: 'upi', reason: 'refused' } });
    const { store } = setUp(refused, { [METHOD]: [json(refused)] });
    const ends: unknown[] = [];
    store.subscribe(({ state }) => ends.push(state.ended?.reason));
    await store.dispatch({ type: 'start_method', code: 'upi', choice: null, payer: {} });
    expect(ends).to.deep.equal(['refused', undefined, 'refused']);
  });

  it('that ended before stays ended if it cannot be started', async () => {
    const expired = pageState({ ended: { code: 'upi', reason: 'expired' } });
    const { store } = setUp(expired, { [METHOD]: [problem(422, 'validation_failed')], [STATE]: [json(expired)] });
    const ends: unknown[] = [];
    store.subscribe(({ state }) => ends.push(state.ended?.reason));
    await store.dispatch({ type: 'start_method', code: 'upi', choice: null, payer: {} });
    expect(new Set(ends)).to.deep.equal(new Set(['expired']));
  });

  it('that was refused while it was started is not reported as unavailable', async () => {
    const upi = { type: 'start_method', code: 'upi', choice: null, payer: {} } as const;
    for (const [ended, shown] of [
      [{ code: 'upi', reason: 'refused' }, null],
      [null, 'method_unavailable'],
    ] as const) {
      const { store } = setUp(pageState(), { [METHOD]: [json(pageState({ ended }))] });
      await store.dispatch(upi);
      expect(store.view.problem).to.equal(shown);
    }
  });
});

describe('a rejected submit', () => {
  const refusals: [status: number, code: string, shown: string][] = [
    [429, 'rate_limited', 'rate_limited'],
    [403, 'forbidden', 'try_again'],
    [413, 'body_too_large', 'try_again'],
    [401, 'unauthorized', 'try_again'],
    [422, 'validation_failed', 'try_again'],
  ];
  for (const [status, code, shown] of refusals) {
    it(`is not treated as lost, even if the state cannot be read: ${status}`, async () => {
      const { store, clock } = setUp(pageState(), { [SUBMIT]: [problem(status, code)], [STATE]: ['lost'] });
      await store.dispatch({ type: 'submit', card });
      expect(displayedPhase(store.view)).to.equal('ready');
      expect(store.view).to.include({ activity: 'idle', problem: shown });
      await clock.advance(60_000);
      expect(store.view).to.include({ activity: 'idle', problem: shown });
    });
  }

  it('is reported if it was not sent for lack of a token', async () => {
    const { store, requests } = setUp(pageState({ clientToken: null }), { [STATE]: ['lost'] });
    await store.dispatch({ type: 'submit', card });
    expect(requests.filter((path) => path.startsWith(SUBMIT))).to.deep.equal([]);
    expect(store.view).to.include({ activity: 'idle', problem: 'try_again' });
  });

  it('shows the outcome as soon as the state can be read', async () => {
    const { store, clock, replies } = setUp(pageState(), {
      [SUBMIT]: [problem(410, 'link_expired')],
      [STATE]: ['lost'],
    });
    await store.dispatch({ type: 'submit', card });
    replies[STATE] = [json(statesByPhase.expired)];
    await clock.advance(10_000);
    expect(displayedPhase(store.view)).to.equal('expired');
    expect(store.view.problem).to.equal(null);
  });

  for (const code of ['already_paid', 'already_authorized', 'submit_in_progress']) {
    it(`is pending, not unpaid, while the state cannot be read: ${code}`, async () => {
      const { store, clock, replies } = setUp(pageState(), { [SUBMIT]: [problem(409, code)], [STATE]: ['lost'] });
      await store.dispatch({ type: 'submit', card });
      expect(displayedPhase(store.view)).to.equal('checking');
      expect(store.view).to.include({ activity: 'idle', problem: null });
      replies[STATE] = [json(statesByPhase.paid)];
      await clock.advance(10_000);
      expect(displayedPhase(store.view)).to.equal('paid');
    });
  }
});

describe('a submit without a response', () => {
  it('is shown as pending while its outcome is unknown', async () => {
    const { store, clock, replies } = setUp(pageState(), { [SUBMIT]: ['lost'], [STATE]: ['lost'] });
    await store.dispatch({ type: 'submit', card });
    for (let times = 0; times < 5; times++) {
      expect(displayedPhase(store.view)).to.equal('checking');
      expect(store.view.problem).to.equal(null);
      await clock.advance(30_000);
    }
    replies[STATE] = [json(statesByPhase.paid)];
    await clock.advance(30_000);
    expect(displayedPhase(store.view)).to.equal('paid');
    expect(store.view).to.include({ activity: 'idle', sawOutcome: true, isOffline: false });
  });

  it('is polled after about 2, 5 and 10 seconds before it is reported', async () => {
    const { store, clock, requests } = setUp(pageState(), { [SUBMIT]: ['lost'], [STATE]: [json(pageState())] });
    await store.dispatch({ type: 'submit', card });
    const pollCount = () => requests.filter((path) => path === STATE).length;
    expect(pollCount()).to.equal(1);
    for (const [untilSecond, times] of [
      [3, 2],
      [6, 3],
      [9, 3],
    ] as const) {
      await clock.advance(untilSecond * 1000 - clock.now());
      expect(pollCount(), `at ${untilSecond} s`).to.equal(times);
      expect(displayedPhase(store.view)).to.equal('checking');
      expect(store.view.problem).to.equal(null);
    }
    await clock.advance(3000);
    expect(displayedPhase(store.view)).to.equal('ready');
    expect(store.view).to.include({ activity: 'idle', problem: 'not_received' });
  });

  it('is reported between 8 and 12 seconds, for minimal and maximal jitter', async () => {
    for (const jitter of [0, 1]) {
      const { store, clock } = setUp(pageState(), { [SUBMIT]: ['lost'], [STATE]: [json(pageState())] }, jitter);
      await store.dispatch({ type: 'submit', card });
      await clock.advance(8000);
      expect(store.view.activity).to.equal('polling');
      await clock.advance(4100);
      expect(store.view.problem).to.equal('not_received');
    }
  });

  it('is not reported because of a slow poll that was sent early', async () => {
    let respond: (response: Response) => void = () => {};
    const slow = new Promise<Response>((resolve) => {
      respond = resolve;
    });
    const { store, clock } = setUp(pageState(), { [SUBMIT]: ['lost'], [STATE]: [slow, json(pageState())] });
    const submitted = store.dispatch({ type: 'submit', card });
    await settled();
    await clock.advance(15_000);
    respond(json(pageState()));
    await submitted;
    expect(store.view.activity).to.equal('polling');
    await clock.advance(3000);
    expect(store.view).to.include({ activity: 'idle', problem: 'not_received' });
  });

  it('is shown if it arrives while it is polled', async () => {
    const { store, clock, replies } = setUp(pageState(), { [SUBMIT]: ['lost'], [STATE]: [json(pageState())] });
    await store.dispatch({ type: 'submit', card });
    await clock.advance(3000);
    replies[STATE] = [json(statesByPhase.paid)];
    await clock.advance(4000);
    expect(displayedPhase(store.view)).to.equal('paid');
    expect(store.view).to.include({ activity: 'idle', sawOutcome: true, problem: null });
    expect(clock.waiting).to.equal(0);
  });

  const late: [what: string, state: PageState][] = [
    ['as paid', statesByPhase.paid],
    ['as pending', statesByPhase.checking],
    ['as declined', pageState({ attemptsLeft: 4 })],
  ];
  for (const [what, state] of late) {
    it(`is shown if it arrives after the form has returned, ${what}`, async () => {
      const { store, clock, replies } = setUp(pageState(), { [SUBMIT]: ['lost'], [STATE]: [json(pageState())] });
      await store.dispatch({ type: 'submit', card });
      await clock.advance(20_000);
      expect(store.view.problem).to.equal('not_received');
      replies[STATE] = [json(state)];
      await clock.advance(40_000);
      expect(store.view.state.phase).to.equal(state.phase);
      expect(store.view.problem).to.equal(null);
    });
  }

  it('is polled for a limited time after the report', async () => {
    const state = pageState({ pollAfterMs: null });
    const { store, clock, requests } = setUp(state, { [SUBMIT]: ['lost'], [STATE]: [json(state)] });
    await store.dispatch({ type: 'submit', card });
    await clock.advance(600_000);
    expect(clock.waiting).to.equal(0);
    expect(requests.length).to.be.within(8, 20);
    expect(store.view.problem).to.equal('not_received');
  });

  it('allows another payment while it is polled', async () => {
    const { store, clock, requests } = setUp(pageState(), {
      [SUBMIT]: ['lost', json({ response_type: 'confirmed' })],
      [STATE]: [json(pageState())],
    });
    await store.dispatch({ type: 'submit', card });
    await clock.advance(20_000);
    await store.dispatch({ type: 'submit', card });
    expect(requests.filter((path) => path.startsWith(SUBMIT))).to.have.lengthOf(2);
    expect(store.view.problem).to.equal(null);
  });

  it('is not polled while the page is hidden', async () => {
    const { store, clock, requests } = setUp(pageState(), { [SUBMIT]: ['lost'], [STATE]: [json(pageState())] });
    await store.dispatch({ type: 'submit', card });
    const before = requests.length;
    store.pause();
    await clock.advance(60_000);
    expect(requests).to.have.lengthOf(before);
    expect(store.view.activity).to.equal('polling');
    await store.resume();
    expect(store.view).to.include({ activity: 'idle', problem: 'not_received' });
  });

  it('includes server errors, with or without a status in the body', async () => {
    for (const failure of [problem(503, 'unavailable'), json({ code: 'unavailable' }, 503)]) {
      const { store, clock } = setUp(pageState(), { [SUBMIT]: [failure], [STATE]: [json(pageState())] });
      await store.dispatch({ type: 'submit', card });
      expect(displayedPhase(store.view)).to.equal('checking');
      await clock.advance(20_000);
      expect(store.view).to.include({ activity: 'idle', problem: 'not_received' });
    }
  });

  it('is shown as declined if it was declined', async () => {
    const declined = { code: 'card_declined', network_code: null, retryable: false, advice: 'use_other_card' } as const;
    const { store } = setUp(pageState(), {
      [SUBMIT]: ['lost'],
      [STATE]: [json(pageState({ attemptsLeft: 4, declined }))],
    });
    await store.dispatch({ type: 'submit', card });
    expect(store.view.problem).to.equal(null);
    expect(store.view.state.declined).to.deep.equal(declined);
  });

  it('includes a gateway’s error page', async () => {
    const page = new Response('<h1>504</h1>', { status: 504, headers: { 'content-type': 'text/html' } });
    const { store } = setUp(pageState(), { [SUBMIT]: [page], [STATE]: ['lost'] });
    await store.dispatch({ type: 'submit', card });
    expect(displayedPhase(store.view)).to.equal('checking');
  });
});

describe('an offline page', () => {
  it('submits nothing, so that the outcome is never in doubt', async () => {
    const { store, requests } = setUp(pageState(), { [STATE]: ['lost'] });
    await store.dispatch({ type: 'refresh' });
    expect(store.view.isOffline).to.equal(true);
    await store.dispatch({ type: 'submit', card });
    expect(requests).to.deep.equal([STATE, STATE]);
    expect(store.view).to.include({ activity: 'idle', problem: 'no_connection' });
  });

  it('detects the connection again', async () => {
    const state = pageState({ pollAfterMs: null });
    const { store, clock, replies } = setUp(state, { [STATE]: ['lost'] });
    await store.dispatch({ type: 'refresh' });
    replies[STATE] = [json(state)];
    await clock.advance(10_000);
    expect(store.view.isOffline).to.equal(false);
    expect(clock.waiting).to.equal(0);
  });
});

describe('polling a payment', () => {
  it('sends one poll at a time, with backoff', async () => {
    let respond: (response: Response) => void = () => {};
    const waiting = new Promise<Response>((resolve) => {
      respond = resolve;
    });
    const { store, clock, requests } = setUp(statesByPhase.checking, {
      [STATE]: [waiting, json(statesByPhase.checking)],
    });
    store.start();
    await clock.advance(60_000);
    expect(requests).to.have.lengthOf(1);
    respond(json(statesByPhase.checking));
    await settled();
    const times: number[] = [];
    for (let second = 0; second < 40; second++) {
      const before = requests.length;
      await clock.advance(1000);
      if (requests.length > before) times.push(second);
    }
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(gaps.length).to.be.greaterThan(2);
    expect(gaps).to.deep.equal(gaps.toSorted((a, b) => a - b));
  });

  it('pauses while the page is hidden and polls when it is visible again', async () => {
    const { store, clock, requests } = setUp(statesByPhase.checking, { [STATE]: [json(statesByPhase.checking)] });
    store.start();
    store.pause();
    await clock.advance(600_000);
    expect(requests).to.deep.equal([]);
    await store.resume();
    expect(requests).to.deep.equal([STATE]);
  });

  it('backs off after the deadline while the form is still shown', async () => {
    const timeIsUp = pageState({ serverTime: '2026-03-11T09:41:00.500000Z' });
    const { store, clock, requests } = setUp(timeIsUp, { [STATE]: [json(timeIsUp)] });
    await store.dispatch({ type: 'refresh' });
    expect(requests).to.have.lengthOf(1);
    const times: number[] = [];
    for (let tick = 1; tick <= 600; tick++) {
      const before = requests.length;
      await clock.advance(100);
      if (requests.length > before) times.push(tick / 10);
    }
    expect(times.slice(0, 3)).to.deep.equal([2, 4.8, 8.8]);
    expect(times.length).to.be.within(5, 8);
  });

  it('polls expired quotes, even with live updates', async () => {
    const fresh = statesByMethod.coin_choice ?? pageState();
    const expiry = fresh.methods.find(({ code }) => code === 'crypto_payment')?.quoteExpiresAt ?? '';
    const stale = { ...fresh, serverTime: expiry };
    const { store, clock, requests } = setUp(fresh, { [STATE]: [json(stale), 'lost', json(stale), json(fresh)] });
    store.isLive = true;
    await clock.advance(60_000);
    expect(requests).to.deep.equal([]);
    await store.dispatch({ type: 'refresh' });
    await clock.advance(60_000);
    expect(requests).to.have.lengthOf(4);
  });

  it('stops at a final state', async () => {
    const { store, clock, requests } = setUp(statesByPhase.checking, { [STATE]: [json(statesByPhase.paid)] });
    store.start();
    await clock.advance(600_000);
    expect(requests).to.deep.equal([STATE]);
    expect(store.view.sawOutcome).to.equal(true);
  });

  it('ignores a poll that was sent before a submit', async () => {
    let respond: (response: Response) => void = () => {};
    const late = new Promise<Response>((resolve) => {
      respond = resolve;
    });
    const { store } = setUp(pageState(), {
      [STATE]: [late, json(statesByPhase.paid)],
      [SUBMIT]: [json({ response_type: 'confirmed' })],
    });
    const refreshed = store.dispatch({ type: 'refresh' });
    await store.dispatch({ type: 'submit', card });
    respond(json(pageState()));
    await refreshed;
    expect(displayedPhase(store.view)).to.equal('paid');
  });

  it('does not treat a paid link that is opened again as just paid', () => {
    const { store } = setUp(statesByPhase.paid);
    expect(store.view.sawOutcome).to.equal(false);
  });

  it('uses the server time instead of the device’s', async () => {
    const { store, clock } = setUp(pageState());
    await clock.advance(5000);
    expect(store.serverNowMs()).to.equal(Date.parse('2026-03-10T10:00:05Z'));
    expect(store.view.deadlineMs).to.equal((23 * 60 + 41) * 60_000);
  });
});

describe('abandoning a challenge', () => {
  it('allows another card', async () => {
    const { store, requests } = setUp(statesByPhase.challenge, {
      [ABANDON]: [json(pageState({ attemptsLeft: 4 }))],
    });
    await store.dispatch({ type: 'abandon' });
    expect(requests).to.deep.equal([`${ABANDON} pt_1`]);
    expect(displayedPhase(store.view)).to.equal('ready');
  });

  it('is reported if it fails', async () => {
    const { store } = setUp(statesByPhase.challenge, {
      [ABANDON]: [problem(500, 'internal_error')],
      [STATE]: [json(statesByPhase.challenge)],
    });
    await store.dispatch({ type: 'abandon' });
    expect(store.view).to.include({ activity: 'idle', problem: 'abandon_failed' });
  });
});
