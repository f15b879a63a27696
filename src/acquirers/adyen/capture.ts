import type { CaptureOutcome, ManualCapture, VoidRequest } from '../capture.ts';
import { toAdyenAmount, UnsupportedAmount } from './amounts.ts';
import { type AdyenClient, RejectedRequest } from './client.ts';
import { toReference } from './references.ts';
import { modificationResult } from './results.ts';

/** Captures and voids of charges. Both are asynchronous: Adyen reports their results by webhook. */
export function createAdyenCaptures(client: AdyenClient, merchantAccount: string): ManualCapture {
  const modify = async (
    kind: 'capture' | 'void',
    { charge, modificationKey, reference: accepted }: VoidRequest,
    body: object,
  ): Promise<CaptureOutcome> => {
    // Already accepted: Adyen has no API to look it up, so only the webhook reports the result.
    if (accepted !== null) return { kind: 'pending', reference: accepted };
    if (charge.reference === null) throw new Error('The charge has no Adyen reference yet');
    const reference = toReference(kind, modificationKey);
    const action = kind === 'capture' ? 'captures' : 'cancels';
    try {
      const { pspReference } = await client({
        path: `/payments/${encodeURIComponent(charge.reference)}/${action}`,
        body: { merchantAccount, reference, ...body },
        responseSchema: modificationResult,
        idempotencyKey: reference,
      });
      return { kind: 'pending', reference: pspReference };
    } catch (error) {
      if (!(error instanceof RejectedRequest)) throw error;
      return { kind: 'refused', code: `adyen_${error.errorCode}`, detail: `Adyen rejected the ${kind}.` };
    }
  };

  return {
    async capture(request) {
      const { amountMinor, charge } = request;
      try {
        return await modify('capture', request, { amount: toAdyenAmount(amountMinor, charge.currency) });
      } catch (error) {
        if (!(error instanceof UnsupportedAmount)) throw error;
        return { kind: 'refused', code: 'unsupported_amount', detail: `${error.message}.` };
      }
    },
    void: async (request) => await modify('void', request, {}),
  };
}
