import { expect } from 'chai';
import type { PageState } from '../../src/api/page-state.ts';
import type { CardValues } from '../../src/shared/card-form.ts';
import { shownPhase } from '../../pages/checkout/store/page-view.ts';
import { PaymentApi } from '../../pages/checkout/store/payment-api.ts';
import { PaymentStore } from '../../pages/checkout/store/payment-store.ts';
import { StateStream, type StreamSource } from '../../pages/checkout/store/state-stream.ts';
import { pageState, statesByPhase } from './page-fixtures.ts';
import { SimulatedClock, settled } from './simulated-clock.ts';

const STATE = '/p/L1/state';
const SUBMIT = '/fiat/v1/transaction/submit';
const ABANDON = '/p/L1/abandon';

const card = { card_number: '4242 4242 4242 4242', card_expiry: '04 / 29', card_cvv: '123' } as CardValues;

/** A stream that brings what a test says. */
class FakeSource implements StreamSource {
  readyState = 0;
  readonly #listeners: [type: string, listener: (event: MessageEvent<string>) => void][] = [];

  addEventListener(type: string, listener: (event: MessageEvent<string>) => void) {
    this.#listeners.push([type, listener]);
  }

  close() {
    this.readyState = 2;
  }

  bring(type: string, data = '') {
    for (const [heard, listener] of this.#listeners) {
      if (heard === type) listener(new MessageEvent(type, { data }));
    }
  }

  state(state: PageState) {
    this.readyState = 1;
    this.bring('state', JSON.stringify(state));
  }

  /** The connection is lost; `isForGood` when the browser will not try again. */
  fail(isForGood: boolean) {
    this.readyState = isForGood ? 2 : 0;
    this.bring('error');
  }
}

type Reply = Response | Promise<Response>;

function json(body: unknown, status = 200): Response {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  const response = new Response(null, { status, headers: { 'content-type': type } });
  response.json = async () => structuredClone(body);
  return response;
}

/** A seen page with a stream; its server answers from `replies`, or that it cannot be reached. */
function world(state: PageState, replies: Record<string, Reply[]> = {}) {
  const clock = new SimulatedClock();
  const asked: string[] = [];
  const sources: FakeSource[] = [];
  const fetchFrom = (async (path: string) => {
    asked.push(path);
    const row = replies[path] ?? [];
    const reply = await (row.length > 1 ? row.shift() : row[0]);
    if (!reply) throw new TypeError('Failed to fetch');
    return reply;
  }) as typeof fetch;
  const api = new PaymentApi('/p/L1', fetchFrom);
  const store = new PaymentStore(state, { clock, random: () => 0.5, api, leave: () => {} });
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
    if (!latest) throw new Error('No stream was opened');
    return latest;
  };
  return { store, stream, clock, asked, sources, source, replies, phases };
}

/** The state, as told so many seconds after the page's own. */
const later = (state: PageState, seconds: number): PageState => ({
  ...state,
  serverTime: `2026-03-10T10:00:${String(seconds).padStart(2, '0')}.000000Z`,
});

/** An answer that a test gives when it likes. */
function late(): { reply: Promise<Response>; give: (body: unknown) => void } {
  let give: (body: unknown) => void = () => {};
  const reply = new Promise<Response>((resolve) => {
    give = (body) => resolve(json(body));
  });
  return { reply, give };
}

describe('a page with a stream', () => {
  for (const phase of ['ready', 'challenge', 'checking'] as const) {
    it(`shows what it is told, and asks nothing: ${phase}`, async () => {
      const { store, clock, asked, source } = world(statesByPhase[phase]);
      source().state(later(statesByPhase[phase], 1));
      for (let beats = 0; beats < 10; beats++) {
        await clock.advance(25_000);
        source().bring('beat');
      }
      expect(asked).to.deep.equal([]);
      source().state(later(statesByPhase.paid, 2));
      expect(shownPhase(store.view)).to.equal('paid');
      expect(store.view.sawPayment).to.equal(true);
      await clock.advance(600_000);
      expect(asked).to.deep.equal([]);
    });
  }

  for (const phase of ['paid', 'expired', 'cancelled', 'failed', 'restricted'] as const) {
    it(`closes it when nothing can change any more: ${phase}`, async () => {
      const { clock, sources, source } = world(pageState());
      source().state(later(statesByPhase[phase], 1));
      expect(source().readyState).to.equal(2);
      await clock.advance(600_000);
      expect(sources).to.have.lengthOf(1);
      expect(clock.waiting).to.equal(0);
    });

    it(`opens none where nothing can change: ${phase}`, () => {
      expect(world(statesByPhase[phase]).sources).to.deep.equal([]);
    });
  }

  it('closes it when the state that it asked for is the last one', async () => {
    const { store, source } = world(pageState(), { [STATE]: [json(statesByPhase.paid)] });
    source().state(later(pageState(), 1));
    await store.dispatch({ type: 'refresh' });
    expect(source().readyState).to.equal(2);
  });

  it('finds its connection again when it is told something', async () => {
    const { store, clock, asked, source } = world(pageState());
    source().state(later(pageState(), 1));
    await store.dispatch({ type: 'refresh' });
    expect(store.view.isOffline).to.equal(true);
    source().state(later(pageState(), 2));
    expect(store.view.isOffline).to.equal(false);
    const before = asked.length;
    await clock.advance(30_000);
    expect(asked).to.have.lengthOf(before);
  });
});

describe('a page whose questions are lost beside its stream', () => {
  it('asks until it has its connection back', async () => {
    const { store, clock, asked, source, replies } = world(pageState());
    source().state(later(pageState(), 1));
    await store.dispatch({ type: 'refresh' });
    expect(store.view.isOffline).to.equal(true);
    replies[STATE] = [json(later(pageState(), 5))];
    await clock.advance(5000);
    expect(store.view.isOffline).to.equal(false);
    await clock.advance(30_000);
    expect(asked).to.have.lengthOf(2);
  });
});

describe('a page whose stream does not work', () => {
  const follows = async ({ clock, asked }: ReturnType<typeof world>, times: number) => {
    const before = asked.length;
    await clock.advance(20_000);
    expect(asked.length - before).to.be.at.least(times);
  };
  const checking = () => world(statesByPhase.checking, { [STATE]: [json(statesByPhase.checking)] });

  it('asks as long as nothing has come, and after that no more', async () => {
    const page = checking();
    page.source().readyState = 1;
    page.source().bring('open');
    await page.clock.advance(4000);
    expect(page.asked).to.have.lengthOf(1);
    page.source().state(later(statesByPhase.checking, 5));
    await page.clock.advance(30_000);
    expect(page.asked).to.have.lengthOf(1);
  });

  it('asks on, and closes it, when it brings nothing', async () => {
    const page = checking();
    page.source().readyState = 1;
    await page.clock.advance(6500);
    expect(page.source().readyState).to.equal(2);
    await follows(page, 3);
    expect(page.sources).to.have.lengthOf(1);
  });

  it('asks on when it is refused', async () => {
    const page = checking();
    page.source().fail(true);
    await follows(page, 3);
    expect(page.sources).to.have.lengthOf(1);
  });

  it('asks while the browser opens it again, and not after that', async () => {
    const page = checking();
    page.source().state(later(statesByPhase.checking, 1));
    page.source().fail(false);
    await page.clock.advance(3000);
    expect(page.asked).to.have.lengthOf(1);
    page.source().state(later(statesByPhase.checking, 4));
    await page.clock.advance(30_000);
    expect(page.asked).to.have.lengthOf(1);
    expect(page.sources).to.have.lengthOf(1);
  });

  it('gives it up when the browser cannot open it again', async () => {
    const page = checking();
    page.source().state(later(statesByPhase.checking, 1));
    for (let times = 0; times < 4; times++) {
      page.source().fail(false);
      await page.clock.advance(6000);
    }
    expect(page.source().readyState).to.equal(2);
    await follows(page, 1);
  });

  it('asks at once and opens another one when the beats stay away', async () => {
    const page = checking();
    page.source().state(later(statesByPhase.checking, 1));
    await page.clock.advance(59_000);
    expect(page.asked).to.deep.equal([]);
    await page.clock.advance(2000);
    expect(page.asked).to.deep.equal([STATE]);
    expect(page.sources.map(({ readyState }) => readyState)).to.deep.equal([2, 0]);
  });

  it('tries it again when the page comes back', async () => {
    const page = checking();
    page.source().fail(true);
    page.stream.resume();
    expect(page.sources).to.have.lengthOf(2);
    page.source().state(later(statesByPhase.paid, 1));
    expect(shownPhase(page.store.view)).to.equal('paid');
  });

  it('hears nothing of a stream that it has closed', async () => {
    const page = checking();
    const first = page.source();
    page.stream.pause();
    first.state(later(statesByPhase.paid, 1));
    expect(shownPhase(page.store.view)).to.equal('checking');
  });
});

describe('a hidden page', () => {
  it('has no stream, asks nothing, and asks and opens anew when it is seen again', async () => {
    const { store, stream, clock, asked, sources, source } = world(statesByPhase.checking, {
      [STATE]: [json(later(statesByPhase.checking, 9))],
    });
    source().state(later(statesByPhase.checking, 1));
    stream.pause();
    store.pause();
    expect(source().readyState).to.equal(2);
    await clock.advance(600_000);
    expect(asked).to.deep.equal([]);
    const resumed = store.resume();
    stream.resume();
    await resumed;
    expect(asked).to.deep.equal([STATE]);
    expect(sources).to.have.lengthOf(2);
    await clock.advance(4000);
    expect(asked).to.deep.equal([STATE, STATE]);
    source().state(later(statesByPhase.checking, 10));
    await clock.advance(30_000);
    expect(asked).to.deep.equal([STATE, STATE]);
  });

  it('opens no second stream when it is shown twice', () => {
    const { stream, sources } = world(pageState());
    stream.resume();
    stream.resume();
    expect(sources).to.have.lengthOf(1);
  });
});

describe('what is told', () => {
  it('does not undo a submit that is under way, whatever it says', async () => {
    const { reply, give } = late();
    const { store, source, phases } = world(pageState(), { [SUBMIT]: [reply], [STATE]: [json(statesByPhase.paid)] });
    source().state(later(pageState(), 1));
    const submitted = store.dispatch({ type: 'submit', card });
    source().state(later(statesByPhase.checking, 2));
    source().state(later(statesByPhase.paid, 3));
    expect(store.view.activity).to.equal('submitting');
    expect(phases).to.deep.equal(['ready']);
    give({ response_type: 'confirmed' });
    await submitted;
    expect(phases).to.deep.equal(['ready', 'paid']);
    expect(store.view.activity).to.equal('idle');
  });

  it('is not asked for again when the answer to the submit had it', async () => {
    const { reply, give } = late();
    const declined = later(pageState({ attemptsLeft: 4 }), 4);
    const { store, clock, asked, source } = world(pageState(), { [SUBMIT]: [reply], [STATE]: [json(declined)] });
    source().state(later(pageState(), 1));
    const submitted = store.dispatch({ type: 'submit', card });
    await clock.advance(1000);
    source().state(later(statesByPhase.checking, 2));
    await clock.advance(1000);
    give({ response_type: 'declined' });
    await submitted;
    await settled();
    expect(asked).to.deep.equal([SUBMIT, STATE]);
    expect(store.view.state.attemptsLeft).to.equal(4);
  });

  it('while the page was busy is asked for when its own answer does not tell it', async () => {
    const mistake = {
      status: 422,
      code: 'validation_failed',
      errors: [{ pointer: '/card_cvv', code: 'x', detail: '' }],
    };
    const { reply, give } = late();
    const replies = { [SUBMIT]: [reply.then(() => json(mistake, 422))], [STATE]: [json(statesByPhase.cancelled)] };
    const { store, asked, source } = world(pageState(), replies);
    source().state(later(pageState(), 1));
    const submitted = store.dispatch({ type: 'submit', card });
    source().state(later(statesByPhase.cancelled, 2));
    give(null);
    await submitted;
    await settled();
    expect(asked).to.deep.equal([SUBMIT, STATE]);
    expect(shownPhase(store.view)).to.equal('cancelled');
  });

  it('while the confirmation is given up waits for the answer to that', async () => {
    const { reply, give } = late();
    const { store, source, phases } = world(statesByPhase.challenge, {
      [ABANDON]: [reply],
      [STATE]: [json(later(pageState({ attemptsLeft: 4 }), 9))],
    });
    source().state(later(statesByPhase.challenge, 1));
    const abandoned = store.dispatch({ type: 'abandon' });
    source().state(later(statesByPhase.checking, 2));
    give(later(pageState({ attemptsLeft: 4 }), 3));
    await abandoned;
    await settled();
    expect(phases).to.deep.equal(['challenge', 'ready']);
  });

  it('makes an answer out of date that was asked for before it', async () => {
    const { reply, give } = late();
    const { store, source, phases } = world(statesByPhase.checking, { [STATE]: [reply] });
    source().state(later(statesByPhase.checking, 1));
    const refreshed = store.dispatch({ type: 'refresh' });
    source().state(later(statesByPhase.paid, 3));
    give(later(statesByPhase.checking, 2));
    await refreshed;
    expect(phases).to.deep.equal(['checking', 'paid']);
  });

  it('and was overtaken on its way is not shown; a question settles it', async () => {
    const { store, asked, source, phases } = world(statesByPhase.checking, {
      [STATE]: [json(later(pageState({ attemptsLeft: 4 }), 5)), json(later(statesByPhase.paid, 6))],
    });
    source().state(later(statesByPhase.checking, 1));
    await store.dispatch({ type: 'refresh' });
    expect(shownPhase(store.view)).to.equal('ready');
    source().state(later(statesByPhase.checking, 4));
    await settled();
    expect(asked).to.deep.equal([STATE, STATE]);
    expect(phases).to.deep.equal(['checking', 'ready', 'paid']);
  });

  it('takes nothing away from looking for a submit whose answer was lost', async () => {
    const { store, clock, asked, source, replies } = world(pageState(), { [STATE]: [json(later(pageState(), 1))] });
    source().state(later(pageState(), 1));
    await store.dispatch({ type: 'submit', card });
    expect(store.view.activity).to.equal('asking');
    await clock.advance(3000);
    expect(asked).to.deep.equal([SUBMIT, STATE, STATE]);
    // It has arrived after all, and was declined: that is the answer, and not that nothing was received.
    const declined = later(pageState({ attemptsLeft: 4 }), 4);
    replies[STATE] = [json(declined)];
    source().state(declined);
    await settled();
    expect(store.view).to.include({ activity: 'idle', problem: null });
    expect(store.view.state.attemptsLeft).to.equal(4);
    const before = asked.length;
    await clock.advance(50_000);
    expect(asked).to.have.lengthOf(before);
  });

  it('says at last when a submit has not arrived, and tells what comes of it later', async () => {
    const { store, clock, asked, source } = world(pageState(), { [STATE]: [json(later(pageState(), 1))] });
    source().state(later(pageState(), 1));
    await store.dispatch({ type: 'submit', card });
    await clock.advance(20_000);
    expect(store.view).to.include({ activity: 'idle', problem: 'not_received' });
    const before = asked.length;
    await clock.advance(20_000);
    expect(asked).to.have.lengthOf(before);
    source().state(later(statesByPhase.paid, 50));
    expect(shownPhase(store.view)).to.equal('paid');
  });
});
