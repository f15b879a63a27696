import { expect } from 'chai';
import type { PageState } from '../../src/api/page-state.ts';
import type { CardValues } from '../../src/shared/card-form.ts';
import { displayedPhase } from '../../pages/checkout/store/page-view.ts';
import { PaymentApi } from '../../pages/checkout/store/payment-api.ts';
import { PaymentStore } from '../../pages/checkout/store/payment-store.ts';
import { StateStream, type StreamSource } from '../../pages/checkout/store/state-stream.ts';
import { pageState, statesByPhase } from './page-fixtures.ts';
import { SimulatedClock, settled } from './simulated-clock.ts';

const STATE = '/p/L1/state';
const SUBMIT = '/fiat/v1/transaction/submit';
const ABANDON = '/p/L1/abandon';

const card = { card_number: '4242 4242 4242 4242', card_expiry: '04 / 29', card_cvv: '123' } as CardValues;

/** A stream that tests control. */
class FakeSource implements StreamSource {
  readyState = 0;
  readonly #listeners: [type: string, listener: (event: MessageEvent<string>) => void][] = [];

  addEventListener(type: string, listener: (event: MessageEvent<string>) => void) {
    this.#listeners.push([type, listener]);
  }

  close() {
    this.readyState = 2;
  }

  emit(type: string, data = '') {
    for (const [registeredType, listener] of this.#listeners) {
      if (registeredType === type) listener(new MessageEvent(type, { data }));
    }
  }

  state(state: PageState) {
    this.readyState = 1;
    this.emit('state', JSON.stringify(state));
  }

  /** The connection fails; `isPermanent` if the browser will not reconnect. */
  fail(isPermanent: boolean) {
    this.readyState = isPermanent ? 2 : 0;
    this.emit('error');
  }
}

type Reply = Response | Promise<Response>;

function json(body: unknown, status = 200): Response {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  const response = new Response(null, { status, headers: { 'content-type': type } });
  response.json = async () => structuredClone(body);
  return response;
}

/** A visible page with a stream. Its server responds from `replies`, otherwise it is unreachable. */
function setUp(state: PageState, replies: Record<string, Reply[]> = {}) {
  const clock = new SimulatedClock();
  const requests: string[] = [];
  const sources: FakeSource[] = [];
  const fetcher = (async (path: string) => {
    requests.push(path);
    const row = replies[path] ?? [];
    const reply = await (row.length > 1 ? row.shift() : row[0]);
    if (!reply) throw new TypeError('Failed to fetch');
    return reply;
  }) as typeof fetch;
  const api = new PaymentApi('/p/L1', fetcher);
  const store = new PaymentStore(state, { clock, random: () => 0.5, api, navigate: () => {} });
  const phases: string[] = [];
  store.subscribe((view) => {
    if (phases.at(-1) !== view.state.phase) phases.push(view.state.phase);
  });
  store.start();
  const stream = new StateStream(store, () => {
    const source = new FakeSource();
    sources.push(source);
    return source;
  });
  stream.resume();
  const source = () => {
    const latest = sources.at(-1);
    if (!latest) throw new Error('No stream has been opened');
    return latest;
  };
  return { store, stream, clock, requests, sources, source, replies, phases };
}

/** The state as sent by the server `seconds` after the page's state. */
const stateAt = (state: PageState, seconds: number): PageState => ({
  ...state,
  serverTime: `2026-03-10T10:00:${String(seconds).padStart(2, '0')}.000000Z`,
});

/** A response that the test resolves. */
function pendingReply(): { reply: Promise<Response>; respond: (body: unknown) => void } {
  let respond: (body: unknown) => void = () => {};
  const reply = new Promise<Response>((resolve) => {
    respond = (body) => resolve(json(body));
  });
  return { reply, respond };
}

describe('a page with a stream', () => {
  for (const phase of ['ready', 'challenge', 'checking'] as const) {
    it(`shows live updates and does not poll: ${phase}`, async () => {
      const { store, clock, requests, source } = setUp(statesByPhase[phase]);
      source().state(stateAt(statesByPhase[phase], 1));
      for (let heartbeats = 0; heartbeats < 10; heartbeats++) {
        await clock.advance(25_000);
        source().emit('beat');
      }
      expect(requests).to.deep.equal([]);
      source().state(stateAt(statesByPhase.paid, 2));
      expect(displayedPhase(store.view)).to.equal('paid');
      expect(store.view.sawOutcome).to.equal(true);
      await clock.advance(600_000);
      expect(requests).to.deep.equal([]);
    });
  }

  for (const phase of ['paid', 'expired', 'cancelled', 'failed', 'restricted'] as const) {
    it(`closes it at a final state: ${phase}`, async () => {
      const { clock, sources, source } = setUp(pageState());
      source().state(stateAt(statesByPhase[phase], 1));
      expect(source().readyState).to.equal(2);
      await clock.advance(600_000);
      expect(sources).to.have.lengthOf(1);
      expect(clock.waiting).to.equal(0);
    });

    it(`opens none for a final state: ${phase}`, () => {
      expect(setUp(statesByPhase[phase]).sources).to.deep.equal([]);
    });
  }

  it('closes it if a poll returns a final state', async () => {
    const { store, source } = setUp(pageState(), { [STATE]: [json(statesByPhase.paid)] });
    source().state(stateAt(pageState(), 1));
    await store.dispatch({ type: 'refresh' });
    expect(source().readyState).to.equal(2);
  });

  it('is online again after a live update', async () => {
    const { store, clock, requests, source } = setUp(pageState());
    source().state(stateAt(pageState(), 1));
    await store.dispatch({ type: 'refresh' });
    expect(store.view.isOffline).to.equal(true);
    source().state(stateAt(pageState(), 2));
    expect(store.view.isOffline).to.equal(false);
    const before = requests.length;
    await clock.advance(30_000);
    expect(requests).to.have.lengthOf(before);
  });
});

describe('a page with a stream whose polls fail', () => {
  it('polls until it is online again', async () => {
    const { store, clock, requests, source, replies } = setUp(pageState());
    source().state(stateAt(pageState(), 1));
    await store.dispatch({ type: 'refresh' });
    expect(store.view.isOffline).to.equal(true);
    replies[STATE] = [json(stateAt(pageState(), 5))];
    await clock.advance(5000);
    expect(store.view.isOffline).to.equal(false);
    await clock.advance(30_000);
    expect(requests).to.have.lengthOf(2);
  });
});

describe('a page whose stream fails', () => {
  const expectPolls = async ({ clock, requests }: ReturnType<typeof setUp>, times: number) => {
    const before = requests.length;
    await clock.advance(20_000);
    expect(requests.length - before).to.be.at.least(times);
  };
  const checking = () => setUp(statesByPhase.checking, { [STATE]: [json(statesByPhase.checking)] });

  it('polls until the first update', async () => {
    const page = checking();
    page.source().readyState = 1;
    page.source().emit('open');
    await page.clock.advance(4000);
    expect(page.requests).to.have.lengthOf(1);
    page.source().state(stateAt(statesByPhase.checking, 5));
    await page.clock.advance(30_000);
    expect(page.requests).to.have.lengthOf(1);
  });

  it('closes a stream without events and polls', async () => {
    const page = checking();
    page.source().readyState = 1;
    await page.clock.advance(6500);
    expect(page.source().readyState).to.equal(2);
    await expectPolls(page, 3);
    expect(page.sources).to.have.lengthOf(1);
  });

  it('polls if the stream is refused', async () => {
    const page = checking();
    page.source().fail(true);
    await expectPolls(page, 3);
    expect(page.sources).to.have.lengthOf(1);
  });

  it('polls while the browser reconnects', async () => {
    const page = checking();
    page.source().state(stateAt(statesByPhase.checking, 1));
    page.source().fail(false);
    await page.clock.advance(3000);
    expect(page.requests).to.have.lengthOf(1);
    page.source().state(stateAt(statesByPhase.checking, 4));
    await page.clock.advance(30_000);
    expect(page.requests).to.have.lengthOf(1);
    expect(page.sources).to.have.lengthOf(1);
  });

  it('closes the stream if the browser cannot reconnect', async () => {
    const page = checking();
    page.source().state(stateAt(statesByPhase.checking, 1));
    for (let times = 0; times < 4; times++) {
      page.source().fail(false);
      await page.clock.advance(6000);
    }
    expect(page.source().readyState).to.equal(2);
    await expectPolls(page, 1);
  });

  it('polls and reopens the stream if heartbeats stop', async () => {
    const page = checking();
    page.source().state(stateAt(statesByPhase.checking, 1));
    await page.clock.advance(59_000);
    expect(page.requests).to.deep.equal([]);
    await page.clock.advance(2000);
    expect(page.requests).to.deep.equal([STATE]);
    expect(page.sources.map(({ readyState }) => readyState)).to.deep.equal([2, 0]);
  });

  it('retries the stream when the page is visible again', async () => {
    const page = checking();
    page.source().fail(true);
    page.stream.resume();
    expect(page.sources).to.have.lengthOf(2);
    page.source().state(stateAt(statesByPhase.paid, 1));
    expect(displayedPhase(page.store.view)).to.equal('paid');
  });

  it('ignores events of a closed stream', async () => {
    const page = checking();
    const first = page.source();
    page.stream.pause();
    first.state(stateAt(statesByPhase.paid, 1));
    expect(displayedPhase(page.store.view)).to.equal('checking');
  });
});

describe('a hidden page', () => {
  it('has no stream and does not poll; both resume when it is visible again', async () => {
    const { store, stream, clock, requests, sources, source } = setUp(statesByPhase.checking, {
      [STATE]: [json(stateAt(statesByPhase.checking, 9))],
    });
    source().state(stateAt(statesByPhase.checking, 1));
    stream.pause();
    store.pause();
    expect(source().readyState).to.equal(2);
    await clock.advance(600_000);
    expect(requests).to.deep.equal([]);
    const resumed = store.resume();
    stream.resume();
    await resumed;
    expect(requests).to.deep.equal([STATE]);
    expect(sources).to.have.lengthOf(2);
    await clock.advance(4000);
    expect(requests).to.deep.equal([STATE, STATE]);
    source().state(stateAt(statesByPhase.checking, 10));
    await clock.advance(30_000);
    expect(requests).to.deep.equal([STATE, STATE]);
  });

  it('opens one stream if it is shown twice', () => {
    const { stream, sources } = setUp(pageState());
    stream.resume();
    stream.resume();
    expect(sources).to.have.lengthOf(1);
  });
});

describe('a live update', () => {
  it('does not interrupt a submit', async () => {
    const { reply, respond } = pendingReply();
    const { store, source, phases } = setUp(pageState(), { [SUBMIT]: [reply], [STATE]: [json(statesByPhase.paid)] });
    source().state(stateAt(pageState(), 1));
    const submitted = store.dispatch({ type: 'submit', card });
    source().state(stateAt(statesByPhase.checking, 2));
    source().state(stateAt(statesByPhase.paid, 3));
    expect(store.view.activity).to.equal('submitting');
    expect(phases).to.deep.equal(['ready']);
    respond({ response_type: 'confirmed' });
    await submitted;
    expect(phases).to.deep.equal(['ready', 'paid']);
    expect(store.view.activity).to.equal('idle');
  });

  it('is not polled if the response to the submission included it', async () => {
    const { reply, respond } = pendingReply();
    const declined = stateAt(pageState({ attemptsLeft: 4 }), 4);
    const { store, clock, requests, source } = setUp(pageState(), { [SUBMIT]: [reply], [STATE]: [json(declined)] });
    source().state(stateAt(pageState(), 1));
    const submitted = store.dispatch({ type: 'submit', card });
    await clock.advance(1000);
    source().state(stateAt(statesByPhase.checking, 2));
    await clock.advance(1000);
    respond({ response_type: 'declined' });
    await submitted;
    await settled();
    expect(requests).to.deep.equal([SUBMIT, STATE]);
    expect(store.view.state.attemptsLeft).to.equal(4);
  });

  it('is polled after a submit whose response did not include it', async () => {
    const fieldError = {
      status: 422,
      code: 'validation_failed',
      errors: [{ pointer: '/card_cvv', code: 'x', detail: '' }],
    };
    const { reply, respond } = pendingReply();
    const replies = { [SUBMIT]: [reply.then(() => json(fieldError, 422))], [STATE]: [json(statesByPhase.cancelled)] };
    const { store, requests, source } = setUp(pageState(), replies);
    source().state(stateAt(pageState(), 1));
    const submitted = store.dispatch({ type: 'submit', card });
    source().state(stateAt(statesByPhase.cancelled, 2));
    respond(null);
    await submitted;
    await settled();
    expect(requests).to.deep.equal([SUBMIT, STATE]);
    expect(displayedPhase(store.view)).to.equal('cancelled');
  });

  it('during an abandon waits for its response', async () => {
    const { reply, respond } = pendingReply();
    const { store, source, phases } = setUp(statesByPhase.challenge, {
      [ABANDON]: [reply],
      [STATE]: [json(stateAt(pageState({ attemptsLeft: 4 }), 9))],
    });
    source().state(stateAt(statesByPhase.challenge, 1));
    const abandoned = store.dispatch({ type: 'abandon' });
    source().state(stateAt(statesByPhase.checking, 2));
    respond(stateAt(pageState({ attemptsLeft: 4 }), 3));
    await abandoned;
    await settled();
    expect(phases).to.deep.equal(['challenge', 'ready']);
  });

  it('makes an earlier poll outdated', async () => {
    const { reply, respond } = pendingReply();
    const { store, source, phases } = setUp(statesByPhase.checking, { [STATE]: [reply] });
    source().state(stateAt(statesByPhase.checking, 1));
    const refreshed = store.dispatch({ type: 'refresh' });
    source().state(stateAt(statesByPhase.paid, 3));
    respond(stateAt(statesByPhase.checking, 2));
    await refreshed;
    expect(phases).to.deep.equal(['checking', 'paid']);
  });

  it('that is older than the state triggers a poll', async () => {
    const { store, requests, source, phases } = setUp(statesByPhase.checking, {
      [STATE]: [json(stateAt(pageState({ attemptsLeft: 4 }), 5)), json(stateAt(statesByPhase.paid, 6))],
    });
    source().state(stateAt(statesByPhase.checking, 1));
    await store.dispatch({ type: 'refresh' });
    expect(displayedPhase(store.view)).to.equal('ready');
    source().state(stateAt(statesByPhase.checking, 4));
    await settled();
    expect(requests).to.deep.equal([STATE, STATE]);
    expect(phases).to.deep.equal(['checking', 'ready', 'paid']);
  });

  it('does not stop polling a lost submission', async () => {
    const { store, clock, requests, source, replies } = setUp(pageState(), {
      [STATE]: [json(stateAt(pageState(), 1))],
    });
    source().state(stateAt(pageState(), 1));
    await store.dispatch({ type: 'submit', card });
    expect(store.view.activity).to.equal('polling');
    await clock.advance(3000);
    expect(requests).to.deep.equal([SUBMIT, STATE, STATE]);
    // The submission did arrive and was declined, so the page must not report that nothing was received.
    const declined = stateAt(pageState({ attemptsLeft: 4 }), 4);
    replies[STATE] = [json(declined)];
    source().state(declined);
    await settled();
    expect(store.view).to.include({ activity: 'idle', problem: null });
    expect(store.view.state.attemptsLeft).to.equal(4);
    const before = requests.length;
    await clock.advance(50_000);
    expect(requests).to.have.lengthOf(before);
  });

  it('shows the outcome of a submit after it was reported as not received', async () => {
    const { store, clock, requests, source } = setUp(pageState(), { [STATE]: [json(stateAt(pageState(), 1))] });
    source().state(stateAt(pageState(), 1));
    await store.dispatch({ type: 'submit', card });
    await clock.advance(20_000);
    expect(store.view).to.include({ activity: 'idle', problem: 'not_received' });
    const before = requests.length;
    await clock.advance(20_000);
    expect(requests).to.have.lengthOf(before);
    source().state(stateAt(statesByPhase.paid, 50));
    expect(displayedPhase(store.view)).to.equal('paid');
  });
});
