import type { CardSubmissionResponse } from '../../../src/api/card-submission.ts';
import type { PageState } from '../../../src/api/page-state.ts';
import type { ProblemDocument } from '../../../src/api/problem.ts';
import { type CardValues } from '../../../src/shared/card-form.ts';
import { fieldAtPointer } from '../elements/card-fields.ts';
import { webAddress } from '../elements/web-address.ts';
import type { Answer } from './ask.ts';
import type { PaymentStore } from './payment-store.ts';

/** Starts a method, with the bank or coin if it requires one. */
export interface BeginMethodRequest {
  type: 'begin_method';
  code: string;
  choice: string | null;
}

/** Requests that the store handles. */
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

/** After this time, a submit that the server does not know has almost certainly not arrived. */
const GIVEN_UP_AFTER_MS = 8000;

/** Problem codes after which money may have been taken, or may still be. */
const underWay: readonly string[] = ['already_paid', 'submit_in_progress'];

/** Handler of each request. */
const carriers: Carriers = {
  submit,
  // Pages that offer non-card methods have loaded their module.
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
  // The table maps each type to its own handler, which the compiler cannot infer from a lookup.
  const carrier = carriers[request.type] as (store: PaymentStore, request: PageRequest) => Promise<void>;
  return carrier(store, request);
}

async function submit(store: PaymentStore, { card }: Extract<PageRequest, { type: 'submit' }>): Promise<void> {
  const { activity, state, isOffline } = store.view;
  if (activity !== 'idle' || state.phase !== 'ready') return;
  store.beginDeed({ activity: 'submitting', problem: null, fieldProblems: [] });
  // Offline, nothing is sent, so that the outcome is never in doubt.
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
  // The issuer may have responded in the meantime; the state shows it.
  store.patch({ activity: 'idle' });
  const phaseBefore = store.view.state.phase;
  await store.ask();
  if (store.view.state.phase === phaseBefore) store.patch({ problem: 'abandon_failed' });
}

async function refresh(store: PaymentStore): Promise<void> {
  if (store.view.activity === 'asking') await lookForLost(store);
  else if (store.takesNews) await store.ask();
}

/**
 * For requests. The page's token is short-lived. If it has expired, the state provides a new one, and the request is
 * sent once more.
 */
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

/** The response to a submit contains the outcome; the state determines what the page shows. */
async function takeOutcome(store: PaymentStore, outcome: CardSubmissionResponse): Promise<void> {
  if (outcome.response_type === '3ds_redirect') {
    if (!store.world.showChallenge) {
      leaveFor(store, outcome.redirect_url);
      return;
    }
    // The state is also needed for its token, which is required to abandon the challenge.
    if (!(await store.ask())) store.adopt(challenged(store.view.state, outcome.redirect_url));
    store.patch({ activity: 'idle' });
    goToBank(store, outcome.redirect_url);
    return;
  }
  const isKnown = await store.ask();
  if (!isKnown) store.adopt(stateAfter(store.view.state, outcome));
  store.patch({ activity: 'idle' });
}

/** Derives the next state from the outcome, for when the state cannot be read. */
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

/** `problem` is null if nothing was sent. */
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
  // The state shows the reason: paid in another tab, expired, restricted country.
  const isKnown = await store.ask();
  if (!isKnown && problem && underWay.includes(problem.code)) store.adopt(checked(store.view.state));
  const isRefused = store.view.state.phase === 'ready';
  store.patch({
    activity: 'idle',
    ...(isRefused && { problem: problem?.status === 429 ? 'rate_limited' : 'try_again' }),
  });
  if (!isKnown) store.watch();
}

/** The submit got no response and may still arrive. The page reports nothing until it has had time to arrive. */
async function findOut(store: PaymentStore): Promise<void> {
  store.patch({ activity: 'asking', lostAtMs: store.world.clock.now() });
  await lookForLost(store);
}

/** Checks the outcome of a lost submit once. The store polls until the outcome is known. */
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

/** Only while the challenge is open: the issuer may have responded already. */
function goToBank(store: PaymentStore, address: string | null): void {
  const allowed = webAddress(address);
  if (allowed === null || store.view.state.phase !== 'challenge') return;
  if (store.world.showChallenge) store.world.showChallenge(allowed);
  else leaveFor(store, allowed);
}

/** For requests: navigates the browser to another page. */
export function leaveFor(store: PaymentStore, address: string | null): void {
  const allowed = webAddress(address);
  if (allowed === null || !store.world.leave) return;
  store.patch({ activity: 'leaving' });
  store.world.leave(allowed);
}
