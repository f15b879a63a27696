import type { CaptureOutcome, ManualCapture } from '../capture.ts';
import type { ChargeKey } from '../port.ts';
import { fromXenditAmount } from './amounts.ts';
import { RejectedRequest } from './client.ts';
import { type PaymentRequests, requestRef } from './requests.ts';
import type { Payment } from './results.ts';

const AUTHORIZED = 'AUTHORIZED';
/** Statuses of a payment whose authorization has ended without a capture. */
const ended = new Set(['CANCELED', 'CANCELLED', 'EXPIRED', 'FAILED', 'VOIDED']);

/**
 * Captures and voids of charges. Xendit accepts one capture for each payment (Xendit's page "Authorize and capture"), so
 * the payment shows what was carried out.
 */
export function createXenditCaptures(requests: PaymentRequests): ManualCapture {
  const find = async (charge: ChargeKey): Promise<Payment> => {
    const request = await requests.find(requestRef(charge.attemptKey, charge.reference, charge));
    const payment = request && (await requests.fetchPayment(request));
    if (!payment) throw new Error('Xendit does not know the authorized payment');
    return payment;
  };

  /** Carries out a modification of an authorized payment; `outcomeOf` reads its outcome from the payment. */
  const operate = async (
    charge: ChargeKey,
    send: (paymentId: string) => Promise<Payment>,
    outcomeOf: (payment: Payment) => CaptureOutcome,
  ): Promise<CaptureOutcome> => {
    const current = await find(charge);
    if (current.status !== AUTHORIZED) return outcomeOf(current);
    try {
      return outcomeOf(await send(current.payment_id));
    } catch (error) {
      if (!(error instanceof RejectedRequest)) throw error;
      // Another request may have captured or cancelled it before.
      const after = await find(charge);
      if (after.status !== AUTHORIZED || error.status === 429) return outcomeOf(after);
      return { kind: 'refused', code: `xendit_${error.code}`, detail: 'Xendit refused the request.' };
    }
  };

  return {
    capture: async ({ charge, amountMinor }) =>
      await operate(
        charge,
        async (paymentId) => await requests.capturePayment(paymentId, amountMinor, charge.currency),
        (payment) => captureOutcome(payment, charge, amountMinor),
      ),
    void: async ({ charge }) =>
      await operate(charge, async (paymentId) => await requests.cancelPayment(paymentId), voidOutcome),
  };
}

function captureOutcome(payment: Payment, { currency }: ChargeKey, amountMinor: bigint): CaptureOutcome {
  const { payment_id: reference, status, captures } = payment;
  if (captures && captures.length > 0) {
    const amounts = captures.map(({ capture_amount: amount }) => fromXenditAmount(amount, currency) ?? 0n);
    if (amounts.reduce((sum, amount) => sum + amount, 0n) === amountMinor) return { kind: 'succeeded', reference };
    throw new Error('Xendit has captured another amount than requested');
  }
  if (!ended.has(status)) return { kind: 'pending', reference };
  const detail = 'The authorization has ended at Xendit.';
  return { kind: 'refused', reference, code: 'authorization_ended', detail, isReleased: true };
}

function voidOutcome({ payment_id: reference, status, captures }: Payment): CaptureOutcome {
  if (ended.has(status)) return { kind: 'succeeded', reference };
  if (!captures || captures.length === 0) return { kind: 'pending', reference };
  return { kind: 'refused', reference, code: 'already_captured', detail: 'The payment was captured at Xendit.' };
}
