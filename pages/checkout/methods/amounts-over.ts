import { openMethod, timeMatters } from '../store/page-view.ts';
import type { PaymentStore } from '../store/payment-store.ts';

/** Whether the amounts in coins of the open method hold no more. Of new ones nobody tells. */
export function areAmountsOver({ view, serverNowMs }: PaymentStore): boolean {
  return timeMatters(view.state) && Date.parse(openMethod(view)?.amountsUntil ?? '') <= serverNowMs();
}
