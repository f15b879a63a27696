import type { CaptureOutcome, ManualCapture } from '../capture.ts';
import { toHyperswitchAmount } from './amounts.ts';
import { RejectedRequest } from './client.ts';
import { type PaymentRef, type Payments, paymentRef } from './payments.ts';
import { isAuthorized, type Payment } from './results.ts';

/** Captures and voids of charges. Neither has a key at Hyperswitch: the payment's status shows what was carried out. */
export function createHyperswitchCaptures(payments: Payments): ManualCapture {
  const find = async (ref: PaymentRef): Promise<Payment> => {
    const payment = await payments.find(ref);
    if (!payment) throw new Error('Hyperswitch does not know the authorized payment');
    return payment;
  };

  return {
    async capture({ charge, amountMinor }) {
      const ref = paymentRef('charge', charge.attemptKey, charge);
      const amount = toHyperswitchAmount(amountMinor, charge.currency);
      const current = await find(ref);
      if (!isAuthorized(current)) return captureOutcome(current, amount);
      try {
        return captureOutcome(await payments.capture(ref, amount), amount);
      } catch (error) {
        if (!(error instanceof RejectedRequest)) throw error;
        // Errors can also follow an attempt at the connector, or another capture: only the payment shows the outcome.
        const after = await find(ref);
        if (!isAuthorized(after) || error.isTemporary) return captureOutcome(after, amount);
        return { kind: 'refused', code: `hyperswitch_${error.code}`, detail: 'Hyperswitch refused the capture.' };
      }
    },

    async void({ charge }) {
      const { payment, rejection } = await payments.cancel(paymentRef('charge', charge.attemptKey, charge));
      const reference = payment.payment_id;
      if (ended.has(payment.status)) return { kind: 'succeeded', reference };
      if (isAuthorized(payment) && rejection && !rejection.isTemporary)
        return { kind: 'refused', reference, code: 'void_refused', detail: 'Hyperswitch refused the void.' };
      if (!captured.has(payment.status)) return { kind: 'pending', reference };
      return {
        kind: 'refused',
        reference,
        code: 'already_captured',
        detail: 'The payment was captured at Hyperswitch.',
      };
    },
  };
}

/** Statuses with a captured amount. The rest of a partial capture is released, or remains at the connector. */
const captured = new Set(['succeeded', 'partially_captured', 'partially_captured_and_capturable']);
/** Statuses without an authorization. */
const ended = new Set(['cancelled', 'cancelled_post_capture', 'expired', 'failed']);

function captureOutcome({ payment_id: reference, ...current }: Payment, amount: number): CaptureOutcome {
  const { status, amount_received: received = current.amount } = current;
  if (captured.has(status)) {
    if ((received ?? current.amount) === amount) return { kind: 'succeeded', reference };
    throw new Error('Hyperswitch has captured another amount than requested');
  }
  if (!ended.has(status)) return { kind: 'pending', reference };
  const code = status === 'failed' ? 'capture_failed' : 'authorization_ended';
  const detail = status === 'failed' ? 'The connector could not capture the payment.' : 'The authorization has ended.';
  return { kind: 'refused', reference, code, detail, isReleased: true };
}
