import { z } from 'zod';
import type { CurrencyCode } from '../../api/currency.ts';
import type { ChargeOutcome } from '../port.ts';
import { abandoned, chargeDetails, declineOf } from './declines.ts';
import { isSafeUrl } from '../urls.ts';

/** A field that explains an outcome but never determines it: an unexpected value is ignored. */
function informative<Value>(schema: z.ZodType<Value>) {
  return schema.nullish().catch(null);
}

const timestamp = informative(z.number());
const link = z.string().refine(isSafeUrl);

/** The next actions that we can show (Hyperswitch's schema `NextActionData` has 15). */
const nextAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('redirect_to_url'), redirect_to_url: link }),
  z.object({
    type: z.literal('qr_code_information'),
    /** Missing if the connector returns an image only. */
    raw_qr_data: z.string().min(1),
    display_to_timestamp: timestamp,
  }),
  z.object({
    type: z.literal('invoke_upi_intent_sdk'),
    sdk_uri: z.string().regex(/^upi:\/\//),
    display_to_timestamp: timestamp,
  }),
  z.object({
    type: z.literal('invoke_upi_qr_flow'),
    qr_code_url: z.string().regex(/^upi:\/\//),
    display_to_timestamp: timestamp,
  }),
]);
export type NextAction = z.infer<typeof nextAction>;

const text = informative(z.string());

/** The fields of a payment that we use. An unknown status or next action is not an error. */
export const payment = z.object({
  payment_id: z.string(),
  status: z.string(),
  amount: z.int().nonnegative(),
  amount_received: z.int().nonnegative().nullish(),
  currency: z.string(),
  capture_method: text,
  modified_at: text,
  next_action: informative(nextAction),
  error_code: text,
  unified_code: text,
  issuer_error_code: text,
  error_details: informative(
    z.object({
      unified_details: informative(z.object({ category: text, standardised_code: text })),
      issuer_details: informative(
        z.object({ code: text, network_details: informative(z.object({ advice_code: text })) }),
      ),
    }),
  ),
  network_details: informative(z.object({ network_advice_code: text })),
  payment_method_data: informative(z.object({ card: informative(z.object({ auth_code: text })) })),
  external_authentication_details: informative(z.object({ status: text })),
});
export type Payment = z.infer<typeof payment>;

/** Throws unless the response is for the requested payment. */
export function requirePayment(
  response: Payment,
  expected: { id: string; amount: number; currency: CurrencyCode },
): Payment {
  const { payment_id, amount, currency } = response;
  if (payment_id !== expected.id || amount !== expected.amount || currency !== expected.currency)
    throw new Error('Hyperswitch returned another payment, amount or currency');
  return response;
}

/** The amount that was received, in our minor units. Hyperswitch may omit it only for a fully paid payment. */
export function receivedAmount({ status, amount_received, amount }: Payment): bigint {
  if (status !== 'succeeded' && typeof amount_received !== 'number')
    throw new Error('Hyperswitch reported a partial capture without its amount');
  return BigInt(amount_received ?? amount);
}

/** True for a payment that Hyperswitch has recorded but not sent to a connector. */
export function isUnconfirmed({ status }: Payment): boolean {
  return status === 'requires_payment_method' || status === 'requires_confirmation';
}

/** True for a payment whose amount is authorized, and not captured. */
export function isAuthorized({ status, capture_method }: Payment): boolean {
  return status === 'requires_capture' && capture_method === 'manual';
}

/** Statuses without an authorization or a capture. */
const ended = new Set(['cancelled', 'cancelled_post_capture', 'expired', 'failed']);

/** True for a payment that has ended without a capture. */
export function hasEnded({ status }: Payment): boolean {
  return ended.has(status);
}

/**
 * True if the connector rejected the last operation. After a rejected capture or void, the connector may still hold the
 * authorized amount.
 */
export function hasFailed({ status }: Payment): boolean {
  return status === 'failed';
}

/** True for a payment that awaits a buyer action that we cannot show. */
export function needsUnsupportedAction({ status, next_action }: Payment): boolean {
  return status === 'requires_customer_action' && next_action?.type !== 'redirect_to_url';
}

/**
 * The outcome of a card charge (Hyperswitch's schema `IntentStatus`). Statuses that are not listed have no outcome yet:
 * `processing`; `requires_capture`, while an automatic capture runs; `review` and `requires_merchant_action`, which
 * need a manual decision at Hyperswitch; `conflicted`, where the connector disagrees; and the partial captures. Those
 * cannot occur with automatic capture, so they stay unknown until the operator resolves them, prompted by an error in
 * the log.
 */
export function chargeOutcome(current: Payment): ChargeOutcome {
  const details = chargeDetails(current);
  const common = { reference: current.payment_id, ...(Object.keys(details).length > 0 && { details }) };
  const authentication = current.external_authentication_details?.status;
  const threeDSecure = typeof authentication === 'string' && { threeDSecure: authentication === 'success' };
  if (isAuthorized(current)) return { ...common, kind: 'approved', ...threeDSecure };
  switch (current.status) {
    case 'succeeded': {
      // Less than the full amount: handled like a partial capture.
      if ((current.amount_received ?? current.amount) < current.amount) return { ...common, kind: 'unknown' };
      return {
        ...common,
        kind: 'approved',
        ...threeDSecure,
      };
    }
    case 'failed':
      return {
        ...common,
        kind: 'declined',
        decline: declineOf(current),
        // The connector may have rejected a capture or void.
        ...(current.capture_method === 'manual' && { isReleased: false }),
      };
    // Not charged: canceled by us or at Hyperswitch, released after the capture, or never completed by the buyer.
    case 'cancelled':
    case 'cancelled_post_capture':
    case 'expired':
      return { ...common, kind: 'declined', decline: abandoned };
    case 'requires_customer_action': {
      if (current.next_action?.type !== 'redirect_to_url') return { ...common, kind: 'unknown' };
      const url = current.next_action.redirect_to_url;
      return { ...common, kind: 'challenge', challenge: { url, method: 'GET', fields: {} } };
    }
    default:
      return { ...common, kind: 'unknown' };
  }
}
