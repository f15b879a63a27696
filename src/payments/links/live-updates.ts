import { MICROS_PER_MS } from '../../shared/time.ts';
import { type LivePage, movedTopic } from '../../http/live-updates.ts';
import type { PaymentsContext } from '../context.ts';
import { type PageViewer, readPageState } from './page-state.ts';
import { findById, transactionTopic } from '../store.ts';

/** Live updates of a payment's open page. It only reads: a write would announce another change. */
export function paymentLiveUpdates(
  context: PaymentsContext,
  { merchantId, id }: { merchantId: number; id: number },
  { address, country }: PageViewer,
): LivePage {
  // A copy: the request's location refers to the request.
  const viewer = { address, country };
  return {
    topics: [transactionTopic(merchantId, id), movedTopic(merchantId)],
    async readState() {
      const transaction = await findById(context.database, merchantId, id);
      if (!transaction) throw new Error('The transaction was not found');
      const state = await readPageState(context, transaction, viewer);
      // The transaction's own expiry is an announced change, written by the expiry job.
      const instructionsExpireAt = state.started && (Date.parse(state.started.expiresAt) + 1) * MICROS_PER_MS;
      return { state, expiresAt: instructionsExpireAt, isFinal: state.pollAfterMs === null };
    },
  };
}
