import type { CardSubmissionResponse } from '../../../src/api/card-submission.ts';
import type { PageState } from '../../../src/api/page-state.ts';
import type { ProblemDocument } from '../../../src/api/problem.ts';
import { type CardValues } from '../../../src/shared/card-form.ts';
import { fieldAtPointer } from '../elements/card-fields.ts';
import { httpUrl } from '../elements/http-url.ts';
import { cardMethod } from './page-view.ts';
import type { RequestResult } from './request-json.ts';
import type { PaymentStore } from './payment-store.ts';

/** Starts a method, with the bank or coin if it requires one. */
export interface StartMethodRequest {
  type: 'start_method';
  code: string;
  choice: string | null;
  /** Details that the payer entered. */
  payer: Readonly<Record<string, string | undefined>>;
}

/** Requests that the store handles. */
export type PageRequest =
  | { type: 'submit'; card: CardValues }
  | StartMethodRequest
  | { type: 'abandon' }
  | { type: 'continue' }
  | { type: 'refresh' }
  | { type: 'select_method'; code: string }
  | { type: 'return_to_shop' };

type RequestHandlers = {
  [Type in PageRequest['type']]: (store: PaymentStore, request: Extract<PageRequest, { type: Type }>) => Promise<void>;
};

/** After this time, a submit unknown to the server has almost certainly been lost. */
const NOT_RECEIVED_AFTER_MS = 8000;

const LEAVING_TIMEOUT_MS = 15_000;

/** Problem codes after which the buyer may have been charged, or may still be. */
const possiblyPaidCodes: readonly string[] = ['already_paid', 'already_authorized', 'submit_in_progress'];

/** Handler of each request. */
const handlers: RequestHandlers = {
  submit,
  // Pages that offer non-card methods have loaded their module.
  start_method: async (store, request) => store.env.startMethod?.(store, request),
  abandon,
  async continue(store) {
    showChallenge(store, store.view.state.challengeUrl);
  },
  refresh,
  async select_method(store, { code }) {
    store.patch({ selectedMethod: code });
  },
  async return_to_shop(store) {
    navigateTo(store, store.view.state.returnUrl);
  },
};

export function handleRequest(store: PaymentStore, request: PageRequest): Promise<void> {
  // The table maps each type to its own handler, which the compiler cannot infer from a lookup.
  const handler = handlers[request.type] as (store: PaymentStore, request: PageRequest) => Promise<void>;
  return handler(store, request);
}

async function submit(store: PaymentStore, { card }: Extract<PageRequest, { type: 'submit' }>): Promise<void> {
  const { activity, state, isOffline } = store.view;
  if (activity !== 'idle' || state.phase !== 'ready') return;
  store.startAction({ activity: 'submitting', problem: null, fieldProblems: [] });
  // Offline, nothing is sent, so that the outcome is never in doubt.
  if (isOffline) {
    const isReachable = await store.poll();
    if (!isReachable || store.view.state.phase !== 'ready') {
      store.patch({ activity: 'idle', ...(!isReachable && { problem: 'no_connection' }) });
      return;
    }
  }
  const result = await withFreshToken(store, (token) =>
    store.env.api.submitCard(token, state.reference, card, {
      // The total of the button, even if the state was read again since.
      amount: cardMethod(state)?.amount,
      key: cardMethod(store.view.state)?.cardKey,
      nowMs: store.serverNowMs(),
    }),
  );
  if (result.kind === 'done') await applyOutcome(store, result.body);
  else if (result.kind === 'lost') await recoverLostSubmission(store);
  else await applyProblem(store, result.kind === 'problem' ? result.problem : null);
}

async function abandon(store: PaymentStore): Promise<void> {
  if (store.view.activity !== 'idle') return;
  store.startAction({ activity: 'abandoning', problem: null });
  const result = await withFreshToken(store, (token) => store.env.api.abandon(token));
  if (result.kind === 'done') {
    store.apply(result.body, { activity: 'idle' });
    return;
  }
  // The issuer may have responded in the meantime; the state shows it.
  store.patch({ activity: 'idle' });
  const phaseBefore = store.view.state.phase;
  await store.poll();
  if (store.view.state.phase === phaseBefore) store.patch({ problem: 'abandon_failed' });
}

async function refresh(store: PaymentStore): Promise<void> {
  if (store.view.activity === 'polling') await pollLostSubmission(store);
  else if (store.canUpdate) await store.poll();
}

/**
 * For requests. The page's token is short-lived. If it has expired, or the key of encrypted cards has changed, the state
 * provides a new one, and the request is sent once more.
 */
export async function withFreshToken<T>(
  store: PaymentStore,
  send: (token: string) => Promise<RequestResult<T> | { kind: 'unsent' }>,
): Promise<RequestResult<T> | { kind: 'unsent' }> {
  const { clientToken } = store.view.state;
  const firstResult = clientToken === null ? ({ kind: 'unsent' } as const) : await send(clientToken);
  const isOutdated =
    firstResult.kind === 'problem' &&
    (firstResult.problem.status === 401 || firstResult.problem.code === 'card_key_changed');
  if (firstResult.kind !== 'unsent' && !isOutdated) return firstResult;
  const stateResult = await store.env.api.readState();
  if (stateResult.kind !== 'done') return firstResult;
  store.apply(stateResult.body);
  return stateResult.body.clientToken === null ? firstResult : send(stateResult.body.clientToken);
}

/** The response to a submit contains the outcome; the state determines the view. */
async function applyOutcome(store: PaymentStore, outcome: CardSubmissionResponse): Promise<void> {
  if (outcome.response_type === '3ds_redirect') {
    if (!store.env.showChallenge) {
      navigateTo(store, outcome.redirect_url);
      return;
    }
    // The state is also needed for its token, which is required to abandon the challenge.
    if (!(await store.poll())) store.apply(challengeState(store.view.state, outcome.redirect_url));
    store.patch({ activity: 'idle' });
    showChallenge(store, outcome.redirect_url);
    return;
  }
  // A decline is new even if it uses no attempt: a card that the issuer has declined for good is not sent again.
  if (outcome.response_type === 'declined') store.patch({ state: { ...store.view.state, declined: null } });
  const isStateRead = await store.poll();
  if (!isStateRead) store.apply(predictState(store.view.state, outcome));
  store.patch({ activity: 'idle' });
}

/** Derives the next state from the outcome, for when the state cannot be read. */
function predictState(
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
    case 'authorized':
    case 'processing':
      return checkingState(state, outcome.poll_after_ms);
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

function challengeState(state: PageState, challengeUrl: string): PageState {
  return { ...state, phase: 'challenge', challengeUrl, pollAfterMs: 3000 };
}

function checkingState(state: PageState, pollAfterMs = 3000): PageState {
  return { ...state, phase: 'checking', clientToken: null, pollAfterMs };
}

/** `problem` is null if nothing was sent. */
async function applyProblem(store: PaymentStore, problem: ProblemDocument | null): Promise<void> {
  if (problem && problem.status >= 500) {
    await recoverLostSubmission(store);
    return;
  }
  const fieldProblems = problem?.errors?.filter(({ pointer }) => fieldAtPointer(pointer) !== null) ?? [];
  if (fieldProblems.length > 0) {
    store.patch({ activity: 'idle', fieldProblems });
    store.start();
    return;
  }
  // The state shows the reason: paid in another tab, expired, restricted country.
  const isStateRead = await store.poll();
  if (!isStateRead && problem && possiblyPaidCodes.includes(problem.code)) store.apply(checkingState(store.view.state));
  const isStillPayable = store.view.state.phase === 'ready';
  const shown = problem?.code === 'amount_changed' ? problem.code : 'try_again';
  store.patch({
    activity: 'idle',
    ...(isStillPayable && { problem: problem?.status === 429 ? 'rate_limited' : shown }),
  });
  if (!isStateRead) store.keepPolling();
}

/**
 * A submission got no response but may still reach the server. The page reports a failure only after
 * `NOT_RECEIVED_AFTER_MS`.
 */
async function recoverLostSubmission(store: PaymentStore): Promise<void> {
  store.patch({ activity: 'polling', lostAtMs: store.env.clock.now() });
  await pollLostSubmission(store);
}

/** Checks the outcome of a lost submission once. The store polls until the outcome is known. */
async function pollLostSubmission(store: PaymentStore): Promise<void> {
  const { attemptsLeft } = store.view.state;
  if (!(await store.poll()) || store.view.activity !== 'polling') return;
  const { state, lostAtMs } = store.view;
  if (state.phase !== 'ready' || state.attemptsLeft !== attemptsLeft) {
    store.patch({ activity: 'idle' });
    store.start();
  } else if (store.polledAtMs - lostAtMs >= NOT_RECEIVED_AFTER_MS) {
    store.patch({ activity: 'idle', problem: 'not_received' });
    store.keepPolling();
  }
}

/** Only while the challenge is open: the issuer may have responded already. */
function showChallenge(store: PaymentStore, target: string | null): void {
  const url = httpUrl(target);
  if (url === null || store.view.state.phase !== 'challenge') return;
  if (store.env.showChallenge) store.env.showChallenge(url);
  else navigateTo(store, url);
}

/** For requests: navigates the browser to another page. */
export function navigateTo(store: PaymentStore, target: string | null): void {
  const url = httpUrl(target);
  if (url === null || !store.env.navigate) return;
  store.patch({ activity: 'leaving' });
  store.env.navigate(url);
  // If the other page does not respond, the buyer can continue here.
  store.clock.after(LEAVING_TIMEOUT_MS, () => void store.resume());
}
