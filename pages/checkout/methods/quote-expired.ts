import { openMethod, canExpire } from '../store/page-view.ts';
import type { PaymentStore } from '../store/payment-store.ts';

/** Returns true if the quote of the open method has expired. The server sends no update for that. */
export function isQuoteExpired({ view, serverNowMs }: PaymentStore): boolean {
  return canExpire(view.state) && Date.parse(openMethod(view)?.quoteExpiresAt ?? '') <= serverNowMs();
}
