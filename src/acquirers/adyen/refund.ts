import type { IssueRefund } from '../refund.ts';
import { toAdyenAmount, UnsupportedAmount } from './amounts.ts';
import { type AdyenClient, RejectedRequest } from './client.ts';
import { toReference } from './references.ts';
import { modificationResult } from './results.ts';

/** Refunds of charges and push payments. They are asynchronous: Adyen reports their results by webhook. */
export function createAdyenRefunds(client: AdyenClient, merchantAccount: string): IssueRefund {
  return async ({ refundKey, reference: refundReference, chargeReference, receiptKey, amountMinor, currency }) => {
    // Already accepted: Adyen has no API to look up a refund, so only the webhook reports the result.
    if (refundReference !== null) return { kind: 'pending', reference: refundReference };
    // A receipt's key is the reference of its payment.
    const paymentReference = chargeReference ?? receiptKey;
    if (paymentReference === undefined) throw new Error('The payment has no Adyen reference yet');
    const reference = toReference('refund', refundKey);
    try {
      const { pspReference } = await client({
        path: `/payments/${encodeURIComponent(paymentReference)}/refunds`,
        body: { merchantAccount, reference, amount: toAdyenAmount(amountMinor, currency) },
        responseSchema: modificationResult,
        idempotencyKey: reference,
      });
      return { kind: 'pending', reference: pspReference };
    } catch (error) {
      if (error instanceof UnsupportedAmount)
        return { kind: 'refused', code: 'unsupported_amount', detail: `${error.message}.` };
      // For example an amount above the payment's.
      if (!(error instanceof RejectedRequest)) throw error;
      return { kind: 'refused', code: `adyen_${error.errorCode}`, detail: 'Adyen rejected the refund.' };
    }
  };
}
