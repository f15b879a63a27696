import type { PageState } from '../../../src/api/page-state.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import { type StartMethodRequest, navigateTo, withFreshToken } from '../store/requests.ts';

/** Requests the payment instructions of a method. If they redirect to another page, the browser navigates to it. */
export async function startMethod(store: PaymentStore, { code, choice, payer }: StartMethodRequest): Promise<void> {
  const { activity, state } = store.view;
  if (activity !== 'idle' || state.phase !== 'ready') return;
  store.startAction({ activity: 'starting', problem: null, fieldProblems: [] });
  const result = await withFreshToken(store, (token) =>
    store.env.api.post<PageState>('method', token, { payment_method: code, choice, ...payer }),
  );
  if (result.kind === 'done') {
    // A method that ends again is new.
    store.patch({ state: { ...store.view.state, ended: null } });
    store.apply(result.body, { activity: 'idle' });
  } else {
    // Starting a method moves no money. If the response was lost, the state shows the outcome.
    await store.poll();
    store.patch({ activity: 'idle' });
  }
  const { started, ended, phase } = store.view.state;
  if (started?.code === code) {
    if (started.instructions.action === 'redirect') navigateTo(store, started.instructions.url);
    return;
  }
  // The acquirer may have refused the payment before its response. The state shows this.
  if (phase !== 'ready' || (result.kind === 'done' && ended)) return;
  const fieldProblems = result.kind === 'problem' ? (result.problem.errors ?? []) : [];
  if (fieldProblems.length > 0 && fieldProblems.every(({ pointer }) => pointer !== '/payment_method')) {
    store.patch({ fieldProblems });
    return;
  }
  const isRateLimited = result.kind === 'problem' && result.problem.status === 429;
  store.patch({
    problem: isRateLimited ? 'rate_limited' : store.view.isOffline ? 'no_connection' : 'method_unavailable',
  });
}
