import { mayChange } from '../../shared/page-phase.ts';
import { MICROS_PER_MS } from '../../shared/time.ts';
import type { FollowedPage } from '../../http/page-events.ts';
import type { PaymentsContext } from '../context.ts';
import { readPageState } from './page-state.ts';
import { findById, transactionTopic } from '../store.ts';

/** An open page of a payment. It only reads: what changes something here would be heard of here. */
export function paymentLiveUpdates(
  context: PaymentsContext,
  { merchantId, id }: { merchantId: number; id: number },
  buyerCountry: string | null,
): FollowedPage {
  return {
    topics: [transactionTopic(merchantId, id)],
    async look() {
      const transaction = await findById(context.database, merchantId, id);
      if (!transaction) throw new Error('A transaction is gone');
      const state = await readPageState(context, transaction, buyerCountry);
      // The end of the payment itself is a change like any other: the expiry job writes it.
      const overAt = state.begun && (Date.parse(state.begun.expiresAt) + 1) * MICROS_PER_MS;
      return { state, overAt, isLast: !mayChange(state) };
    },
  };
}
