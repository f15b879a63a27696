import { z } from 'zod';
import type { Instant } from '../../shared/time.ts';
import { parseMoment } from '../../shared/time.ts';
import type { CurrencyCode } from '../../api/currency.ts';
import type { Notification, ExternalCapture, ParsedWebhook, WebhookRequest } from '../adapter.ts';
import { parseJson } from '../http.ts';
import type { CaptureOutcome } from '../capture.ts';
import type { PushPayment } from '../push-port.ts';
import type { RefundOutcome } from '../refund.ts';
import { fromAdyenAmount } from './amounts.ts';
import type { AdyenCredentials } from './credentials.ts';
import { abandoned, chargeDetails, declineOf, threeDSecureOf } from './declines.ts';
import { disputeOf } from './disputes.ts';
import { parseReference } from './references.ts';
import { hasValidBasicAuth, isValidSignature, textToSign } from './webhook-signature.ts';

/** Text that is absent from events without a payment. */
const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? '');

const webhookItem = z.object({
  pspReference: z.string(),
  originalReference: optionalText,
  merchantAccountCode: z.string(),
  merchantReference: optionalText,
  amount: z
    .object({ value: z.int(), currency: z.string() })
    .nullish()
    .transform((amount) => amount ?? undefined),
  eventCode: z.string(),
  eventDate: z.string(),
  success: z.enum(['true', 'false']),
  reason: optionalText,
  additionalData: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((data) => data ?? {}),
});
export type WebhookItem = z.infer<typeof webhookItem>;

const webhook = z.object({
  notificationItems: z.array(z.object({ NotificationRequestItem: webhookItem })).min(1),
});

/** Parses a standard webhook: several signed items, some of which we need. */
export function parseAdyenWebhook({ rawBody, headers }: WebhookRequest, credentials: AdyenCredentials): ParsedWebhook {
  if (!hasValidBasicAuth(headers.get('authorization'), credentials))
    return { kind: 'rejected', reason: 'bad_signature' };
  const parsed = webhook.safeParse(parseJson(rawBody));
  if (!parsed.success) return { kind: 'rejected', reason: 'malformed' };
  const items = parsed.data.notificationItems.map(({ NotificationRequestItem: item }) => item);
  if (!items.every((item) => hasValidSignature(item, credentials)))
    return { kind: 'rejected', reason: 'bad_signature' };
  return {
    kind: 'accepted',
    notifications: items
      // A webhook of the company account also reports payments of other merchant accounts.
      .filter(({ merchantAccountCode }) => merchantAccountCode === credentials.merchantAccount)
      .flatMap((item) => notificationOf(item) ?? []),
    response: { body: '[accepted]', contentType: 'text/plain' },
  };
}

function hasValidSignature(item: WebhookItem, { hmacKey, previousHmacKey }: AdyenCredentials): boolean {
  const signature = item.additionalData['hmacSignature'];
  if (typeof signature !== 'string') return false;
  const keys = previousHmacKey === undefined ? [hmacKey] : [hmacKey, previousHmacKey];
  return keys.some((key) => isValidSignature(signature, textToSign(item), key));
}

/** Converts an item to a notification; null for events that we do not need, and for payments made elsewhere. */
function notificationOf(item: WebhookItem): Notification | null {
  const { eventCode, success, pspReference } = item;
  const reference = parseReference(item.merchantReference);
  if (!reference) return null;
  // Adyen's duplicates have the same reference, event and success; other fields may differ.
  const id = `${eventCode}:${success}:${pspReference}${mayRecur(item) ? `:${item.eventDate}` : ''}`;
  switch (reference.kind) {
    case 'card': {
      const dispute = disputeOf(item, reference.key);
      if (dispute) return { id, kind: 'dispute', dispute };
      // Modifications made in the Customer Area have the reference of the payment.
      const capture = externalCapture(item);
      if (capture) return { id, kind: 'external_capture', attemptKey: reference.key, ...capture };
      const outcome = chargeOutcome(item, reference.value);
      if (!outcome) return null;
      const currency = outcome.kind === 'approved' ? item.amount?.currency : undefined;
      const wasUnknown = item.eventCode === 'TECHNICAL_CANCEL' && item.success !== 'true';
      const charge = { attemptKey: reference.key, ...(currency !== undefined && { currency }), outcome };
      return { id, kind: 'charge', ...charge, ...(wasUnknown && { wasUnknown }) };
    }
    case 'push': {
      const dispute = disputeOf(item, reference.key);
      if (dispute) return { id, kind: 'dispute', dispute };
      const payment = pushPayment(item);
      if (!payment) return null;
      const currency = payment.receipts.length > 0 ? item.amount?.currency : undefined;
      const key = { instructionsKey: reference.key, ...(currency !== undefined && { currency }) };
      return { id, kind: 'push_payment', ...key, payment };
    }
    case 'refund': {
      const outcome = refundOutcome(item);
      return outcome && { id, kind: 'refund', refundKey: reference.key, outcome };
    }
    case 'capture':
    case 'void': {
      const outcome = captureOutcome(item);
      if (!outcome) return null;
      const capture = outcome.kind === 'succeeded' ? externalCapture(item) : null;
      const captured = capture && { chargeReference: item.originalReference, ...capture };
      return { id, kind: 'capture', modificationKey: reference.key, outcome, ...(captured && { captured }) };
    }
    case 'reversal':
      return isFailedReversal(item) ? { id, kind: 'reversal_failed', attemptKey: reference.key } : null;
  }
}

/** True for a capture that had failed and succeeds after all (Adyen's page "CAPTURE_FAILED and REFUND_FAILED reasons"). */
function isRecapture({ eventCode, reason }: WebhookItem): boolean {
  return eventCode === 'CAPTURE' && /recaptured/i.test(reason);
}

/** True for an event that can recur: Adyen may send a failed capture or refund again, with the same reference. */
function mayRecur(item: WebhookItem): boolean {
  return item.success === 'true' && (recurring.has(item.eventCode) || isRecapture(item));
}

const recurring = new Set(['CAPTURE_FAILED', 'REFUND', 'REFUND_FAILED']);

/** `CANCEL_OR_REFUND` reports the result of a reversal; its refund can still fail later. */
function isFailedReversal({ eventCode, success }: WebhookItem): boolean {
  if (eventCode === 'CANCEL_OR_REFUND') return success === 'false';
  return (eventCode === 'REFUND_FAILED' || eventCode === 'REFUNDED_REVERSED') && success === 'true';
}

type ChargeOutcome = Extract<Notification, { kind: 'charge' }>['outcome'];

function chargeOutcome(item: WebhookItem, chargedValue: number): ChargeOutcome | null {
  const { eventCode, pspReference, originalReference, amount, additionalData: data } = item;
  const isSuccess = item.success === 'true';
  const details = chargeDetails(data);
  const common = { reference: pspReference, ...(Object.keys(details).length > 0 && { details }) };
  // A modification has its own reference; `originalReference` is that of the payment.
  const canceled = {
    ...(originalReference !== '' && { reference: originalReference }),
    ...({ kind: 'declined', decline: abandoned } as const),
  };
  switch (eventCode) {
    case 'AUTHORISATION':
      if (!isSuccess) {
        const decline = declineOf({ refusalReason: item.reason }, data);
        return { ...common, kind: 'declined', decline };
      }
      // A partial authorization: the response to the charge was mapped to a decline, and the authorization is voided.
      if (amount?.value !== chargedValue) return null;
      return { ...common, kind: 'approved', ...threeDSecureOf(data) };
    case 'TECHNICAL_CANCEL':
      // Canceled before it was authorized; or Adyen has no payment with our reference. If a delayed request still
      // reaches Adyen, its AUTHORISATION approves the declined charge, and a duplicate is reversed. A failure for an
      // existing payment is ignored: that payment has an outcome, which its AUTHORISATION reports.
      return isSuccess || originalReference === '' ? canceled : null;
    // The buyer left the challenge, and Adyen closed it.
    case 'OFFER_CLOSED':
    // The authorization expired at Adyen, or was canceled in the Customer Area: the amount that was not captured is
    // released.
    case 'EXPIRE':
    case 'CANCELLATION':
    case 'CANCEL_OR_REFUND':
      return isSuccess ? canceled : null;
    default:
      return null;
  }
}

function pushPayment(item: WebhookItem): PushPayment | null {
  const isSuccess = item.success === 'true';
  const acquirerReference = item.pspReference;
  switch (item.eventCode) {
    case 'AUTHORISATION': {
      if (!isSuccess) return { state: 'refused', receipts: [], confirmations: null, acquirerReference };
      const amount = item.amount ? fromAdyenAmount(item.amount) : null;
      const receivedAt: Instant | undefined = parseMoment(item.eventDate)?.at;
      if (!amount || receivedAt === undefined) return null;
      const receipts = [{ receiptKey: item.pspReference, amountMinor: amount.amountMinor, receivedAt }];
      // One payment at Adyen is one receipt.
      return { state: 'closed', receipts, confirmations: null, acquirerReference };
    }
    case 'OFFER_CLOSED':
      return isSuccess ? { state: 'closed', receipts: [], confirmations: null, acquirerReference } : null;
    default:
      return null;
  }
}

const resendAdvice = ' (Adyen may still send it: check the Customer Area before you refund again)';

/** The reference and time of a modification's result. */
function resultOf({ pspReference: reference, eventDate }: WebhookItem): { reference: string; occurredAt?: Instant } {
  const occurredAt = parseMoment(eventDate)?.at;
  return { reference, ...(occurredAt !== undefined && { occurredAt }) };
}

function refundOutcome(item: WebhookItem): RefundOutcome | null {
  const { eventCode, success, reason } = item;
  const isSuccess = success === 'true';
  const common = resultOf(item);
  const failed = (code: string, advice = ''): RefundOutcome => {
    return { ...common, kind: 'refused', code, detail: (reason.slice(0, 200) || 'No reason reported.') + advice };
  };
  switch (eventCode) {
    case 'REFUND':
      return isSuccess ? { ...common, kind: 'succeeded' } : failed('refund_refused');
    // Both follow a successful REFUND: the scheme rejected it, or the funds were returned.
    case 'REFUND_FAILED':
      return isSuccess ? failed('refund_failed', resendAdvice) : null;
    case 'REFUNDED_REVERSED':
      return isSuccess ? failed('refund_returned') : null;
    default:
      return null;
  }
}

function externalCapture(item: WebhookItem): { currency: CurrencyCode; outcome: ExternalCapture } | null {
  const captured = item.amount && fromAdyenAmount(item.amount);
  const outcome = captureOutcome(item);
  if (!captured || !outcome || item.eventCode === 'CANCELLATION') return null;
  const { currency, amountMinor } = captured;
  const result = resultOf(item);
  if (outcome.kind === 'succeeded') return { currency, outcome: { ...result, kind: 'captured', amountMinor } };
  // A capture that was rejected immediately changes nothing.
  return outcome.kind === 'refused' && outcome.isLate ? { currency, outcome: { ...outcome, ...result } } : null;
}

function captureOutcome(item: WebhookItem): CaptureOutcome | null {
  const { eventCode, success, pspReference, reason } = item;
  const isSuccess = success === 'true';
  const failed = (code: string): Extract<CaptureOutcome, { kind: 'refused' }> => {
    return { kind: 'refused', reference: pspReference, code, detail: reason.slice(0, 200) || 'No reason reported.' };
  };
  switch (eventCode) {
    case 'CAPTURE':
      return isSuccess ? { ...resultOf(item), kind: 'succeeded' } : failed('capture_refused');
    // Follows a successful CAPTURE: the scheme rejected it.
    case 'CAPTURE_FAILED':
      return isSuccess ? { ...failed('capture_failed'), ...resultOf(item), isLate: true } : null;
    case 'CANCELLATION':
      return isSuccess ? { kind: 'succeeded', reference: pspReference } : failed('void_refused');
    default:
      return null;
  }
}
