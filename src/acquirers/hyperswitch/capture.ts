import type { CaptureOutcome, ManualCapture } from '../capture.ts';
import { RejectedRequest } from './client.ts';
import { type PaymentRef, type Payments, paymentRef } from './payments.ts';
import { hasEnded, hasFailed, isAuthorized, type Payment, receivedAmount } from './results.ts';

/**
 * Captures and voids of charges. Hyperswitch accepts no idempotency key for either: the payment's status shows the
 * result.
 */
export function createHyperswitchCaptures(payments: Payments): ManualCapture {
  const find = async (ref: PaymentRef): Promise<Payment> => {
    const payment = await payments.find(ref);
    if (!payment) throw new Error('Hyperswitch cannot find the authorized payment');
    return payment;
  };

  return {
    async capture({ charge, amountMinor }) {
      const ref = paymentRef('charge', charge.attemptKey, charge);
      const amount = Number(amountMinor);
      const outcomeOf = (payment: Payment) => captureOutcome(payment, amountMinor);
      const current = await find(ref);
      if (!isAuthorized(current)) return outcomeOf(current);
      try {
        return outcomeOf(await payments.capture(ref, amount));
      } catch (error) {
        if (!(error instanceof RejectedRequest)) throw error;
        // Errors can also follow an attempt at the connector, or another capture: only the payment shows the outcome.
        const after = await find(ref);
        if (!isAuthorized(after)) return outcomeOf(after);
        return { kind: 'refused', code: `hyperswitch_${error.code}`, detail: 'Hyperswitch rejected the capture.' };
      }
    },

    async void({ charge }) {
      const { payment, rejection } = await payments.cancel(paymentRef('charge', charge.attemptKey, charge));
      const reference = payment.payment_id;
      if (hasFailed(payment) || (isAuthorized(payment) && rejection))
        return { kind: 'refused', reference, code: 'void_refused', detail: 'Hyperswitch rejected the void.' };
      if (hasEnded(payment)) return { kind: 'succeeded', reference };
      if (!captured.has(payment.status)) return { kind: 'pending', reference };
      return { kind: 'captured', reference, amountMinor: receivedAmount(payment) };
    },
  };
}

/** Statuses with a captured amount. The rest of a partial capture is released, or remains at the connector. */
const captured = new Set(['succeeded', 'partially_captured', 'partially_captured_and_capturable']);

function captureOutcome(payment: Payment, requestedMinor: bigint): CaptureOutcome {
  const { payment_id: reference, status } = payment;
  if (captured.has(status)) {
    const amountMinor = receivedAmount(payment);
    return amountMinor === requestedMinor
      ? { kind: 'succeeded', reference }
      : { kind: 'captured', reference, amountMinor };
  }
  if (!hasEnded(payment)) return { kind: 'pending', reference };
  const isFailed = hasFailed(payment);
  const code = isFailed ? 'capture_failed' : 'authorization_ended';
  const detail = isFailed ? 'The connector could not capture the payment.' : 'The authorization has ended.';
  return { kind: 'refused', reference, code, detail, isReleased: !isFailed };
}
