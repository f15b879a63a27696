/* Non-card methods of the link page, loaded separately: instructions, and text for received payments. */
import { openMethod, canExpire } from '../store/page-view.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import { startMethod } from './start-method.ts';
import { pushPaymentDisplay, pushPaymentNotice } from './push-payment-texts.ts';
import './method-panel.ts';

/** Returns true if the quote of the open method has expired. The server sends no update for that. */
export function isQuoteExpired({ view, serverNowMs }: PaymentStore): boolean {
  return canExpire(view.state) && Date.parse(openMethod(view)?.quoteExpiresAt ?? '') <= serverNowMs();
}

export const methods = {
  ...{ startMethod, isStale: isQuoteExpired },
  ...{ notice: pushPaymentNotice, display: pushPaymentDisplay },
};
export type Methods = typeof methods;
