import { mayChange } from '../../shared/page-phase.ts';
import { MICROS_PER_MS } from '../../shared/time.ts';
import type { LivePage } from '../../http/live-updates.ts';
import type { PaymentsContext } from '../context.ts';
import { describePage } from './page-state.ts';
import { findById, transactionTopic } from '../store.ts';

/** An open page of a payment. It only reads: what changes something here would be heard of here. */
export function followPayment(
  context: PaymentsContext,
  { merchantId, id }: { merchantId: number; id: number },
  buyerCountry: string | null,
): LivePage {
  return {
    topics: [transactionTopic(merchantId, id)],
    async readState() {
      const transaction = await findById(context.database, merchantId, id);
      if (!transaction) throw new Error('A transaction is gone');
      const state = await describePage(context, transaction, buyerCountry);
      // The end of the payment itself is a change like any other: the expiry job writes it.
      const overAt = state.begun && (Date.parse(state.begun.expiresAt) + 1) * MICROS_PER_MS;
      return { state, expiresAt: overAt, isFinal: !mayChange(state) };
    },
  };
}
