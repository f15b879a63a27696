import { z } from 'zod';
import { formatMinor } from '../../shared/money.ts';
import { minorUnitsOf } from '../../api/currency.ts';
import type { ReversalOutcome } from '../port.ts';
import type { IssueRefund, RefundOutcome, RefundRequest } from '../refund.ts';
import { type HyperswitchClient, NOT_FOUND, RejectedRequest } from './client.ts';
import { idOf } from './ids.ts';

export const refund = z.object({
  refund_id: z.string(),
  payment_id: z.string(),
  amount: z.int().nonnegative(),
  currency: z.string(),
  status: z.string(),
  error_message: z.string().nullish().catch(null),
  unified_message: z.string().nullish().catch(null),
});
export type Refund = z.infer<typeof refund>;

/** Minimum amount of a refund, in minor units of every currency (Hyperswitch's schema `RefundRequest`). */
const MINIMUM_REFUND = 100;

/** Errors of a permanently rejected refund, with their meaning (page "Error codes"). */
const rejections: Readonly<Record<string, { code: string; detail: string }>> = {
  HE_03: { code: 'refund_not_possible', detail: 'The payment cannot be refunded through Hyperswitch.' },
  HE_04: { code: 'refund_not_possible', detail: 'Hyperswitch has no successful payment to refund.' },
  IR_12: { code: 'too_many_refunds', detail: 'Hyperswitch allows no more refunds of this payment.' },
  IR_13: { code: 'amount_exceeds_charge', detail: 'The refunds exceed the paid amount.' },
  IR_14: { code: 'refund_not_possible', detail: 'The payment is in a state that cannot be refunded.' },
  IR_19: { code: 'refund_not_supported', detail: 'The payment method cannot be refunded.' },
  IR_20: { code: 'refund_not_supported', detail: 'The connector does not support this refund.' },
};

/**
 * Refunds of charges (`kind` charge) and push payments. The ID is derived from the key, so each refund is issued once.
 */
export function createHyperswitchRefunds(client: HyperswitchClient, kind: 'charge' | 'push'): IssueRefund {
  return async (request) => {
    const id = idOf('refund', request.refundKey);
    const amount = Number(request.amountMinor);
    const expected = { id, payment: idOf(kind, request.chargeKey), amount };
    // Hyperswitch already has this refund, and polls the connector itself.
    const existing = request.reference === null ? null : await findRefund(client, id);
    if (existing) return refundOutcome(requireRefund(existing, expected));
    if (amount < MINIMUM_REFUND) return tooSmall(request);
    try {
      const body = { payment_id: expected.payment, refund_id: id, amount };
      return refundOutcome(requireRefund(await createRefund(client, body), expected));
    } catch (error) {
      if (!(error instanceof RejectedRequest)) throw error;
      // A duplicate is the same refund. Other errors may follow an attempt at the connector.
      const existing = await findRefund(client, id);
      if (existing) return refundOutcome(requireRefund(existing, expected));
      const rejection = rejections[error.code];
      if (!rejection) throw error;
      return { kind: 'refused', ...rejection };
    }
  };
}

/** Refunds a whole charge. */
export function createReversal(client: HyperswitchClient): (attemptKey: string) => Promise<ReversalOutcome> {
  return async (attemptKey) => {
    const id = idOf('reversal', attemptKey);
    // Without an amount, Hyperswitch refunds the full payment.
    const body = { payment_id: idOf('charge', attemptKey), refund_id: id };
    let issued: Refund;
    try {
      issued = await createRefund(client, body);
    } catch (error) {
      if (!(error instanceof RejectedRequest)) throw error;
      // A duplicate is the same refund. Other errors may follow an attempt at the connector.
      const existing = await findRefund(client, id);
      if (!existing) return { kind: 'refused', code: `hyperswitch_${error.code}` };
      issued = existing;
    }
    if (issued.refund_id !== id) throw new Error('Hyperswitch returned another refund');
    const outcome = refundOutcome(issued);
    return outcome.kind === 'refused' ? { kind: 'refused', code: outcome.code } : { kind: 'requested' };
  };
}

async function createRefund(client: HyperswitchClient, body: object): Promise<Refund> {
  return await client({ method: 'POST', path: '/refunds', operation: 'a refund', body, responseSchema: refund });
}

async function findRefund(client: HyperswitchClient, id: string): Promise<Refund | null> {
  try {
    return await client({
      method: 'GET',
      path: `/refunds/${id}`,
      operation: 'a lookup of a refund',
      responseSchema: refund,
    });
  } catch (error) {
    if (error instanceof RejectedRequest && error.code === NOT_FOUND) return null;
    throw error;
  }
}

function requireRefund(response: Refund, expected: { id: string; payment: string; amount: number }): Refund {
  const { refund_id, payment_id, amount } = response;
  if (refund_id !== expected.id || payment_id !== expected.payment || amount !== expected.amount)
    throw new Error('Hyperswitch returned another refund, payment or amount');
  return response;
}

/**
 * The outcome of a refund (Hyperswitch's schema `RefundStatus`). In `review`, the refund awaits manual review at
 * Hyperswitch.
 */
export function refundOutcome({ refund_id, status, unified_message, error_message }: Refund): RefundOutcome {
  if (status === 'succeeded') return { kind: 'succeeded', reference: refund_id };
  if (status !== 'failed') return { kind: 'pending', reference: refund_id };
  const detail = (unified_message || error_message)?.slice(0, 200) || 'The connector reported no reason.';
  return { kind: 'refused', reference: refund_id, code: 'refund_failed', detail };
}

function tooSmall({ currency }: RefundRequest): RefundOutcome {
  const least = formatMinor(BigInt(MINIMUM_REFUND), minorUnitsOf(currency));
  return { kind: 'refused', code: 'amount_too_small', detail: `Hyperswitch refunds at least ${least} ${currency}.` };
}
