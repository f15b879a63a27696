import { openMethod, timeMatters } from '../store/page-view.ts';
import type { PaymentStore } from '../store/payment-store.ts';

/** Returns true if the quote of the open method has expired. The server sends no update for that. */
export function areAmountsOver({ view, serverNowMs }: PaymentStore): boolean {
  return timeMatters(view.state) && Date.parse(openMethod(view)?.amountsUntil ?? '') <= serverNowMs();
}
