import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Notification, ParsedWebhook, WebhookRequest } from '../adapter.ts';
import { parseJson } from '../http.ts';
import { type Dispute, dispute, disputeOf } from './disputes.ts';
import { parseId } from './ids.ts';
import { refundOutcome, type Refund, refund } from './refund.ts';

const webhook = z.object({
  event_id: z.string().min(1).max(200),
  content: z.object({ type: z.string(), object: z.unknown() }),
  timestamp: z.string().nullish().catch(null),
});
type Webhook = z.infer<typeof webhook>;

const changedPayment = z.object({ payment_id: z.string() });

/** Parses a webhook of the business profile (Hyperswitch's page "Webhooks"). */
export function parseHyperswitchWebhook({ rawBody, headers }: WebhookRequest, hashKey: string): ParsedWebhook {
  if (!isValidSignature(rawBody, headers.get('x-webhook-signature-512'), hashKey))
    return { kind: 'rejected', reason: 'bad_signature' };
  const parsed = webhook.safeParse(parseJson(rawBody));
  if (!parsed.success) return { kind: 'rejected', reason: 'malformed' };
  const notifications = notificationsOf(parsed.data);
  return notifications ? { kind: 'accepted', notifications } : { kind: 'rejected', reason: 'malformed' };
}

/** Compares in constant time with the HMAC-SHA512 of the body, in hexadecimal. */
function isValidSignature(rawBody: Uint8Array, signature: string | null, hashKey: string): boolean {
  if (signature === null || !/^[\da-f]{128}$/i.test(signature)) return false;
  const expected = createHmac('sha512', hashKey).update(rawBody).digest();
  return timingSafeEqual(Buffer.from(signature, 'hex'), expected);
}

/**
 * Returns a webhook's notifications: none for payments of other systems on the same profile, or for mandates and
 * payouts. Null if it is malformed. Webhooks arrive in any order, so a payment or refund is read again before it is
 * recorded.
 */
function notificationsOf({ event_id: id, content: { type, object }, timestamp }: Webhook): Notification[] | null {
  switch (type) {
    case 'payment_details': {
      const changed = changedPayment.safeParse(object).data;
      return changed ? paymentNotifications(id, changed.payment_id) : null;
    }
    case 'refund_details': {
      const changed = refund.safeParse(object).data;
      return changed ? refundNotifications(id, changed) : null;
    }
    case 'dispute_details': {
      const changed = dispute.safeParse(object).data;
      return changed ? disputeNotifications(id, changed, timestamp ?? null) : null;
    }
    default:
      return [];
  }
}

function paymentNotifications(id: string, paymentId: string): Notification[] {
  const parsed = parseId(paymentId);
  if (parsed?.kind === 'charge') return [{ id, kind: 'charge_changed', attemptKey: parsed.key, reference: paymentId }];
  if (parsed?.kind === 'push')
    return [{ id, kind: 'push_payment_changed', instructionsKey: parsed.key, reference: paymentId }];
  return [];
}

function refundNotifications(id: string, changed: Refund): Notification[] {
  const parsed = parseId(changed.refund_id);
  const outcome = refundOutcome(changed);
  if (parsed?.kind === 'reversal')
    return outcome.kind === 'refused' ? [{ id, kind: 'reversal_failed', attemptKey: parsed.key }] : [];
  if (parsed?.kind !== 'refund') return [];
  // A failure is final, and may follow a success, after which the service no longer polls: the signed body is recorded.
  if (outcome.kind === 'refused') return [{ id, kind: 'refund', refundKey: parsed.key, outcome }];
  return [{ id, kind: 'refund_changed', refundKey: parsed.key, reference: changed.refund_id }];
}

function disputeNotifications(id: string, changed: Dispute, timestamp: string | null): Notification[] {
  const report = disputeOf(changed, timestamp);
  return report ? [{ id, kind: 'dispute', dispute: report }] : [];
}
