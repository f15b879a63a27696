import type { CaptureOutcome, ManualCapture } from '../capture.ts';
import type { ChargeKey } from '../port.ts';
import { fromXenditAmount, UnsupportedAmount } from './amounts.ts';
import { RejectedRequest } from './client.ts';
import { type PaymentRequests, requestRef } from './requests.ts';
import type { Payment } from './results.ts';

const AUTHORIZED = 'AUTHORIZED';
/** Statuses of a payment, or its request, whose authorization has ended without a capture. */
export const ended = new Set(['CANCELED', 'CANCELLED', 'EXPIRED', 'FAILED', 'VOIDED']);

/**
 * Captures and voids of charges. Xendit accepts one capture for each payment (Xendit's page "Authorize and capture"),
 * so the payment shows the result.
 */
export function createXenditCaptures(requests: PaymentRequests): ManualCapture {
  const find = async (charge: ChargeKey): Promise<Payment> => {
    const request = await requests.find(requestRef(charge.attemptKey, charge.reference, charge));
    const payment = request && (await requests.fetchPayment(request));
    if (!payment) throw new Error('Xendit cannot find the authorized payment');
    return payment;
  };

  /** Carries out a modification of an authorized payment; `outcomeOf` reads its outcome from the payment. */
  const modify = async (
    charge: ChargeKey,
    send: (paymentId: string) => Promise<Payment>,
    outcomeOf: (payment: Payment) => CaptureOutcome,
  ): Promise<CaptureOutcome> => {
    const current = await find(charge);
    if (current.status !== AUTHORIZED) return outcomeOf(current);
    try {
      return outcomeOf(await send(current.payment_id));
    } catch (error) {
      if (error instanceof UnsupportedAmount)
        return { kind: 'refused', code: 'amount_not_supported', detail: `${error.message}.` };
      if (!(error instanceof RejectedRequest)) throw error;
      // Another request may have already captured or canceled it.
      const after = await find(charge);
      if (after.status !== AUTHORIZED || error.status === 429) return outcomeOf(after);
      return { kind: 'refused', code: `xendit_${error.code}`, detail: 'Xendit rejected the request.' };
    }
  };

  return {
    capture: async ({ charge, amountMinor }) =>
      await modify(
        charge,
        async (paymentId) => await requests.capturePayment(paymentId, amountMinor, charge.currency),
        (payment) => captureOutcome(payment, charge, amountMinor),
      ),
    void: async ({ charge }) =>
      await modify(
        charge,
        async (paymentId) => await requests.cancelPayment(paymentId),
        (payment) => voidOutcome(payment, charge),
      ),
  };
}

/** The captured amount; null without a capture. */
export function capturedAmount({ captures }: Payment, { currency }: Pick<ChargeKey, 'currency'>): bigint | null {
  if (!captures || captures.length === 0) return null;
  return captures.reduce((sum, { capture_amount: amount }) => sum + fromXenditAmount(amount, currency), 0n);
}

function captureOutcome(payment: Payment, charge: ChargeKey, requestedMinor: bigint): CaptureOutcome {
  const { payment_id: reference, status } = payment;
  const amountMinor = capturedAmount(payment, charge);
  if (amountMinor === requestedMinor) return { kind: 'succeeded', reference };
  if (amountMinor !== null) return { kind: 'captured', reference, amountMinor };
  if (!ended.has(status)) return { kind: 'pending', reference };
  const detail = 'The authorization is no longer open in Xendit.';
  return { kind: 'refused', reference, code: 'authorization_ended', detail, isReleased: true };
}

function voidOutcome(payment: Payment, charge: ChargeKey): CaptureOutcome {
  const { payment_id: reference, status } = payment;
  if (ended.has(status)) return { kind: 'succeeded', reference };
  const amountMinor = capturedAmount(payment, charge);
  return amountMinor === null ? { kind: 'pending', reference } : { kind: 'captured', reference, amountMinor };
}
