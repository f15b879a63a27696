import { z } from 'zod';
import type { ChargeOutcome } from '../port.ts';
import { isSafeUrl } from '../urls.ts';
import type { AdyenAmount } from './amounts.ts';
import { chargeDetails, declineOf, threeDSecureOf } from './declines.ts';

const amount = z.object({ currency: z.string(), value: z.int() });

/**
 * The buyer's next action, limited to the kinds that we can show. Adyen has more, such as native 3-D Secure and its
 * SDK.
 */
const action = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('redirect'),
    url: z.string().refine(isSafeUrl),
    method: z.enum(['GET', 'POST']).default('GET'),
    data: z.record(z.string(), z.string()).default({}),
  }),
  z.object({ type: z.literal('qrCode'), qrCodeData: z.string().min(1), expiresAt: z.string().optional() }),
  z.object({ type: z.literal('await') }),
  z.object({
    type: z.literal('voucher'),
    reference: z.string().min(1),
    merchantName: z.string().optional(),
    expiresAt: z.string().optional(),
    totalAmount: amount.optional(),
  }),
]);
export type AdyenAction = z.infer<typeof action>;

/** The response of `/payments` and `/payments/details`. `action` is null if we cannot show it. */
export const paymentResult = z.object({
  resultCode: z.string(),
  pspReference: z.string().min(1).optional(),
  merchantReference: z.string().optional(),
  amount: amount.optional(),
  refusalReason: z.string().optional(),
  refusalReasonCode: z.string().optional(),
  additionalData: z.record(z.string(), z.unknown()).default({}),
  action: action.nullish().catch(null),
});
export type PaymentResult = z.infer<typeof paymentResult>;

/** The response to a cancellation, a reversal or a refund: its result follows as a webhook. */
export const modificationResult = z.object({ pspReference: z.string().min(1), status: z.literal('received') });

/**
 * Maps the result of a card charge of `expected` (Adyen's page "Payment result codes"). The caller must reverse partial
 * authorizations.
 */
export function chargeOutcome(result: PaymentResult, expected: AdyenAmount): ChargeOutcome {
  const { resultCode, additionalData, action: next } = result;
  const details = chargeDetails(additionalData);
  const common = {
    ...(result.pspReference !== undefined && { reference: result.pspReference }),
    ...(Object.keys(details).length > 0 && { details }),
  };
  switch (resultCode) {
    case 'Authorised':
      // Less than the full amount never counts as approved. The webhook applies the same rule.
      return isFull(result, expected)
        ? { ...common, kind: 'approved', ...threeDSecureOf(additionalData) }
        : { ...common, kind: 'unknown' };
    // Final states, according to Adyen. If an authorization is still reported later, the charge is approved then.
    case 'Refused':
    case 'Error':
    case 'Cancelled':
      return { ...common, kind: 'declined', decline: declineOf(result, additionalData) };
    case 'RedirectShopper':
      if (next?.type !== 'redirect') return { ...common, kind: 'unknown' };
      return {
        ...common,
        kind: 'challenge',
        challenge: { url: next.url, method: next.method, fields: next.method === 'POST' ? next.data : {} },
      };
    // Received, Pending: no result yet. IdentifyShopper, ChallengeShopper: native 3-D Secure, which we do not request.
    default:
      return { ...common, kind: 'unknown' };
  }
}

function isFull({ amount: reported }: PaymentResult, expected: AdyenAmount): boolean {
  return reported === undefined || (reported.value === expected.value && reported.currency === expected.currency);
}
