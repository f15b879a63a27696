/* Non-card methods of the link page, loaded separately: instructions, and text for received payments. */
import { isQuoteExpired } from './quote-expired.ts';
import { startMethod } from './start-method.ts';
import { pushPaymentDisplay, pushPaymentNotice } from './push-payment-texts.ts';
import './method-panel.ts';

export const methods = {
  ...{ startMethod: startMethod, isStale: isQuoteExpired },
  ...{ notice: pushPaymentNotice, display: pushPaymentDisplay },
};
export type Methods = typeof methods;
