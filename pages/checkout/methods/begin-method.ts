import type { PageState } from '../../../src/api/page-state.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import { type BeginMethodRequest, leaveFor, withFreshToken } from '../store/requests.ts';

/** Requests the payment instructions of a method. If they lead to another page, the browser goes there. */
export async function beginMethod(store: PaymentStore, { code, choice }: BeginMethodRequest): Promise<void> {
  const { activity, state } = store.view;
  if (activity !== 'idle' || state.phase !== 'ready') return;
  store.beginDeed({ activity: 'beginning', problem: null, fieldProblems: [] });
  const answer = await withFreshToken(store, (token) =>
    store.world.api.post<PageState>('method', token, { payment_method: code, choice }),
  );
  if (answer.kind === 'done') store.adopt(answer.body, { activity: 'idle' });
  else {
    // Starting a method moves no money. If the response was lost, the state shows the outcome.
    await store.ask();
    store.patch({ activity: 'idle' });
  }
  const { begun, phase } = store.view.state;
  if (begun?.code === code) {
    if (begun.instructions.action === 'redirect') leaveFor(store, begun.instructions.url);
    return;
  }
  if (phase !== 'ready') return;
  const isTooOften = answer.kind === 'problem' && answer.problem.status === 429;
  store.patch({ problem: isTooOften ? 'rate_limited' : store.view.isOffline ? 'no_connection' : 'method_unavailable' });
}
