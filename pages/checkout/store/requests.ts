import type { CardSubmissionResponse } from '../../../src/api/card-submission.ts';
import type { PageState } from '../../../src/api/page-state.ts';
import type { ProblemDocument } from '../../../src/api/problem.ts';
import { type CardValues } from '../../../src/shared/card-form.ts';
import { fieldAtPointer } from '../elements/card-fields.ts';
import { webAddress } from '../elements/web-address.ts';
import type { Answer } from './ask.ts';
import type { PaymentStore } from './payment-store.ts';

/** The buyer begins a method, with the bank or coin where it asks for one. */
export interface BeginMethodRequest {
  type: 'begin_method';
  code: string;
  choice: string | null;
}

/** What can be asked of the store. */
export type PageRequest =
  | { type: 'submit'; card: CardValues }
  | BeginMethodRequest
  | { type: 'abandon' }
  | { type: 'continue' }
  | { type: 'refresh' }
  | { type: 'select_method'; code: string }
  | { type: 'return_to_shop' };

type Carriers = {
  [Type in PageRequest['type']]: (store: PaymentStore, request: Extract<PageRequest, { type: Type }>) => Promise<void>;
};

/** A submit that the server does not know of so long after its answer was lost has most likely not arrived. */
const GIVEN_UP_AFTER_MS = 8000;

/** Refusals that say that money may have been taken, or may yet be. */
const underWay: readonly string[] = ['already_paid', 'submit_in_progress'];

/** How each request is carried out. */
const carriers: Carriers = {
  submit,
  // A page that offers methods beside the card has loaded what begins them.
  begin_method: async (store, request) => store.world.beginMethod?.(store, request),
  abandon,
  async continue(store) {
    goToBank(store, store.view.state.challengeUrl);
  },
  refresh,
  async select_method(store, { code }) {
    store.patch({ selectedMethod: code });
  },
  async return_to_shop(store) {
    leaveFor(store, store.view.state.returnUrl);
  },
};

export function carryOut(store: PaymentStore, request: PageRequest): Promise<void> {
  // The table pairs each type with its own carrier, which the compiler cannot follow through a look-up.
  const carrier = carriers[request.type] as (store: PaymentStore, request: PageRequest) => Promise<void>;
  return carrier(store, request);
}

async function submit(store: PaymentStore, { card }: Extract<PageRequest, { type: 'submit' }>): Promise<void> {
  const { activity, state, isOffline } = store.view;
  if (activity !== 'idle' || state.phase !== 'ready') return;
  store.beginDeed({ activity: 'submitting', problem: null, fieldProblems: [] });
  // Without a connection nothing is sent, so that its outcome is never in doubt.
  if (isOffline) {
    const isBack = await store.ask();
    if (!isBack || store.view.state.phase !== 'ready') {
      store.patch({ activity: 'idle', ...(!isBack && { problem: 'no_connection' }) });
      return;
    }
  }
  const answer = await withFreshToken(store, (token) => store.world.api.submitCard(token, state.reference, card));
  if (answer.kind === 'done') await takeOutcome(store, answer.body);
  else if (answer.kind === 'lost') await findOut(store);
  else await takeProblem(store, answer.kind === 'problem' ? answer.problem : null);
}

async function abandon(store: PaymentStore): Promise<void> {
  if (store.view.activity !== 'idle') return;
  store.beginDeed({ activity: 'abandoning', problem: null });
  const answer = await withFreshToken(store, (token) => store.world.api.abandon(token));
  if (answer.kind === 'done') {
    store.adopt(answer.body, { activity: 'idle' });
    return;
  }
  // Perhaps the bank has answered meanwhile: the state tells.
  store.patch({ activity: 'idle' });
  const phaseBefore = store.view.state.phase;
  await store.ask();
  if (store.view.state.phase === phaseBefore) store.patch({ problem: 'abandon_failed' });
}

async function refresh(store: PaymentStore): Promise<void> {
  if (store.view.activity === 'asking') await lookForLost(store);
  else if (store.takesNews) await store.ask();
}

/** For requests. The page's token is short-lived: when it has run out, a fresh one comes with the state, and one more try is made. */
export async function withFreshToken<T>(
  store: PaymentStore,
  send: (token: string) => Promise<Answer<T>>,
): Promise<Answer<T> | { kind: 'unsent' }> {
  const { clientToken } = store.view.state;
  const first = clientToken === null ? ({ kind: 'unsent' } as const) : await send(clientToken);
  if (first.kind !== 'unsent' && !(first.kind === 'problem' && first.problem.status === 401)) return first;
  const fresh = await store.world.api.readState();
  if (fresh.kind !== 'done') return first;
  store.adopt(fresh.body);
  return fresh.body.clientToken === null ? first : send(fresh.body.clientToken);
}

/** The answer to a submit says what has happened; the state says what to show for it. */
async function takeOutcome(store: PaymentStore, outcome: CardSubmissionResponse): Promise<void> {
  if (outcome.response_type === '3ds_redirect') {
    if (!store.world.showChallenge) {
      leaveFor(store, outcome.redirect_url);
      return;
    }
    // The state is needed as well: it holds the token with which the challenge can be given up.
    if (!(await store.ask())) store.adopt(challenged(store.view.state, outcome.redirect_url));
    store.patch({ activity: 'idle' });
    goToBank(store, outcome.redirect_url);
    return;
  }
  const isKnown = await store.ask();
  if (!isKnown) store.adopt(stateAfter(store.view.state, outcome));
  store.patch({ activity: 'idle' });
}

/** What the state must be by the outcome alone, for when it cannot be read just now. */
function stateAfter(
  state: PageState,
  outcome: Exclude<CardSubmissionResponse, { response_type: '3ds_redirect' }>,
): PageState {
  switch (outcome.response_type) {
    case 'confirmed':
      return {
        ...state,
        phase: 'paid',
        clientToken: null,
        paidAt: state.serverTime,
        returnUrl: outcome.redirect_url ?? null,
        pollAfterMs: null,
      };
    case 'processing':
      return checked(state, outcome.poll_after_ms);
    case 'declined': {
      const attemptsLeft = outcome.attempts_left ?? Math.max(0, state.attemptsLeft - 1);
      return {
        ...state,
        phase: attemptsLeft > 0 ? 'ready' : 'failed',
        declined: outcome.decline ?? null,
        attemptsLeft,
      };
    }
  }
}

function challenged(state: PageState, challengeUrl: string): PageState {
  return { ...state, phase: 'challenge', challengeUrl, pollAfterMs: 3000 };
}

function checked(state: PageState, pollAfterMs = 3000): PageState {
  return { ...state, phase: 'checking', clientToken: null, pollAfterMs };
}

/** `problem` is null when nothing was sent at all. */
async function takeProblem(store: PaymentStore, problem: ProblemDocument | null): Promise<void> {
  if (problem && problem.status >= 500) {
    await findOut(store);
    return;
  }
  const fieldProblems = problem?.errors?.filter(({ pointer }) => fieldAtPointer(pointer) !== null) ?? [];
  if (fieldProblems.length > 0) {
    store.patch({ activity: 'idle', fieldProblems });
    store.start();
    return;
  }
  // Paid in another tab, expired, a country that is not supported: whatever it is, the state shows it.
  const isKnown = await store.ask();
  if (!isKnown && problem && underWay.includes(problem.code)) store.adopt(checked(store.view.state));
  const isRefused = store.view.state.phase === 'ready';
  store.patch({
    activity: 'idle',
    ...(isRefused && { problem: problem?.status === 429 ? 'rate_limited' : 'try_again' }),
  });
  if (!isKnown) store.watch();
}

/** No answer came, and the submit may still be on its way: nothing is said until it has had the time to arrive. */
async function findOut(store: PaymentStore): Promise<void> {
  store.patch({ activity: 'asking', lostAtMs: store.world.clock.now() });
  await lookForLost(store);
}

/** Asks once what became of a lost submit; the store asks again for as long as this cannot tell. */
async function lookForLost(store: PaymentStore): Promise<void> {
  const { attemptsLeft } = store.view.state;
  if (!(await store.ask()) || store.view.activity !== 'asking') return;
  const { state, lostAtMs } = store.view;
  if (state.phase !== 'ready' || state.attemptsLeft !== attemptsLeft) {
    store.patch({ activity: 'idle' });
    store.start();
  } else if (store.askedAtMs - lostAtMs >= GIVEN_UP_AFTER_MS) {
    store.patch({ activity: 'idle', problem: 'not_received' });
    store.watch();
  }
}

/** Only while the bank waits: it may have answered before this. */
function goToBank(store: PaymentStore, address: string | null): void {
  const allowed = webAddress(address);
  if (allowed === null || store.view.state.phase !== 'challenge') return;
  if (store.world.showChallenge) store.world.showChallenge(allowed);
  else leaveFor(store, allowed);
}

/** For requests: takes the browser to another page. */
export function leaveFor(store: PaymentStore, address: string | null): void {
  const allowed = webAddress(address);
  if (allowed === null || !store.world.leave) return;
  store.patch({ activity: 'leaving' });
  store.world.leave(allowed);
}
