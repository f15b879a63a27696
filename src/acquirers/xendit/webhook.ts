import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { isRandomId } from '../../system/random.ts';
import type { Notification, ParsedWebhook, WebhookRequest } from '../adapter.ts';
import { parseJson } from '../http.ts';
import { dispute, disputeOf } from './disputes.ts';
import { REVERSAL_SUFFIX } from './refund.ts';

const id = z.string().min(1).max(100);

const event = z.object({ event: z.string().max(100) });

const changedPayment = z.object({
  data: z.object({
    payment_request_id: id,
    payment_id: id.nullish(),
    reference_id: z.string(),
    channel_code: z.string(),
  }),
});

const refundData = z.object({ id, reference_id: z.string() });
/** The example of the API reference "Refund webhook notification" nests the refund one level deeper than its schema. */
const changedRefund = z.object({
  data: z.union([refundData, z.object({ data: refundData }).transform(({ data }) => data)]),
});

/**
 * Parses a webhook of the business account (Xendit's page "Handling webhooks"). Webhooks are not signed: a token in a
 * header identifies the sender. So they only cause a lookup, except disputes and failed reversals, which move no funds
 * here.
 */
export function parseXenditWebhook({ rawBody, headers }: WebhookRequest, callbackToken: string): ParsedWebhook {
  if (!tokensMatch(headers.get('x-callback-token'), callbackToken))
    return { kind: 'rejected', reason: 'bad_signature' };
  const notifications = notificationsOf(parseJson(rawBody));
  return notifications ? { kind: 'accepted', notifications } : { kind: 'rejected', reason: 'malformed' };
}

/** Compares digests of equal length in constant time. */
function tokensMatch(sent: string | null, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return sent !== null && timingSafeEqual(digest(sent), digest(expected));
}

/**
 * Returns a webhook's notifications; none for payments of other systems on the same account. Null if it is malformed.
 */
function notificationsOf(body: unknown): Notification[] | null {
  const name = event.safeParse(body).data?.event;
  if (name === undefined) return null;
  // `payment.capture` and `payment_request.expiry`, but not `payment_token.activation`.
  if (name.startsWith('payment.') || name.startsWith('payment_request.')) return paymentNotifications(name, body);
  if (name.startsWith('refund.')) return refundNotifications(name, body);
  if (name.startsWith('dispute.')) return disputeNotifications(body);
  return [];
}

function paymentNotifications(name: string, body: unknown): Notification[] | null {
  const changed = changedPayment.safeParse(body).data?.data;
  if (!changed) return null;
  const { payment_request_id: reference, reference_id: key } = changed;
  if (!isRandomId(key)) return [];
  const notificationId = `${name} ${changed.payment_id ?? reference}`;
  return changed.channel_code === 'CARDS'
    ? [{ id: notificationId, kind: 'charge_changed', attemptKey: key, reference }]
    : [{ id: notificationId, kind: 'push_payment_changed', instructionsKey: key, reference }];
}

function refundNotifications(name: string, body: unknown): Notification[] | null {
  const changed = changedRefund.safeParse(body).data?.data;
  if (!changed) return null;
  const { id: reference, reference_id: refundKey } = changed;
  const notificationId = `${name} ${reference}`;
  const attemptKey = refundKey.slice(0, -REVERSAL_SUFFIX.length);
  if (refundKey.endsWith(REVERSAL_SUFFIX) && isRandomId(attemptKey))
    return name === 'refund.failed' ? [{ id: notificationId, kind: 'reversal_failed', attemptKey }] : [];
  return isRandomId(refundKey) ? [{ id: notificationId, kind: 'refund_changed', refundKey, reference }] : [];
}

function disputeNotifications(body: unknown): Notification[] | null {
  const changed = dispute.safeParse(body).data;
  if (!changed) return null;
  const report = disputeOf(changed);
  const notificationId = `${changed.event} ${changed.id} ${changed.updated_at.slice(0, 40)}`;
  return report ? [{ id: notificationId, kind: 'dispute', dispute: report }] : [];
}
