import type { CardAcquirer } from '../port.ts';
import type { IssueRefund, RefundOutcome } from '../refund.ts';
import { toXenditAmount, UnsupportedAmount } from './amounts.ts';
import { DuplicateRequest, RejectedRequest, type XenditClient } from './client.ts';
import { requestRef, type PaymentRequests } from './requests.ts';
import { type ExpectedProperties, type Refund, refund, requireRefund } from './results.ts';

/** A refund to issue, with its payment and reason. */
interface RefundOrder {
  expected: ExpectedProperties;
  /** Xendit's ID of the refunded payment request. */
  paymentRequestId: string;
  reason: 'REQUESTED_BY_CUSTOMER' | 'DUPLICATE';
}

/** Errors of a permanently rejected refund (API reference "Refund a payment request"). */
const rejections: Readonly<Record<string, { code: string; detail: string }>> = {
  DATA_NOT_FOUND: { code: 'refund_not_possible', detail: 'Xendit has no such payment.' },
  INELIGIBLE_TRANSACTION_STATUS: {
    code: 'refund_not_possible',
    detail: 'The payment is in a state that cannot be refunded.',
  },
  INSUFFICIENT_BALANCE: {
    code: 'insufficient_balance',
    detail: 'Your Xendit balance is too low. Top it up, then issue the refund again.',
  },
  INVALID_VALUE_ERROR: { code: 'refund_not_possible', detail: 'Xendit does not accept this refund.' },
  API_VALIDATION_ERROR: { code: 'refund_not_possible', detail: 'Xendit does not accept this refund.' },
  PARTIAL_REFUND_COUNTS_EXCEEDED: {
    code: 'too_many_refunds',
    detail: 'The payment method allows no more partial refunds of this payment.',
  },
  PARTIAL_REFUND_NOT_SUPPORTED: {
    code: 'partial_refund_not_supported',
    detail: 'The payment method can be refunded in full only.',
  },
  REFUND_AMOUNT_EXCEEDED: { code: 'amount_exceeds_charge', detail: 'The refunds exceed the paid amount.' },
  REFUND_NOT_SUPPORTED: { code: 'refund_not_supported', detail: 'The payment method cannot be refunded.' },
};

/** Errors after which the same refund can be sent again: another one is in progress, or the channel is closed. */
const transientErrors = new Set(['REFUND_IN_PROGRESS', 'TEMPORARILY_UNAVAILABLE']);

/** Follows the attempt's key in the reference of a reversal. */
export const REVERSAL_SUFFIX = '-reversal';

/** Refunds of charges and push payments, and reversals of duplicate charges. */
export function createXenditRefunds(
  client: XenditClient,
  requests: PaymentRequests,
): { refund: IssueRefund; reverse: CardAcquirer['reverse'] } {
  const fetchRefund = async (id: string, expected: ExpectedProperties): Promise<Refund> => {
    const path = `/refunds/${encodeURIComponent(id)}`;
    const response = await client({ method: 'GET', path, operation: 'a lookup of a refund', responseSchema: refund });
    return requireRefund(response, expected);
  };

  const findRefund = async (expected: ExpectedProperties): Promise<Refund | null> => {
    const id = await requests.findId(expected.key, 'REFUND');
    return id === null ? null : await fetchRefund(id, expected);
  };

  const create = async ({ expected, paymentRequestId, reason }: RefundOrder): Promise<Refund> => {
    const { key, amountMinor, currency } = expected;
    const created = await client({
      method: 'POST',
      path: '/refunds',
      operation: 'a refund',
      idempotencyKey: key,
      body: {
        ...{ payment_request_id: paymentRequestId, reference_id: key, reason, currency },
        amount: toXenditAmount(amountMinor, currency),
      },
      responseSchema: refund,
    });
    return requireRefund(created, expected);
  };

  /**
   * Issues a refund once. Xendit does not document how long it keeps an idempotency key, so this first searches for a
   * refund of an earlier request. A repeated request returns the first response: later states are read by ID.
   */
  const issue = async (refunded: RefundOrder): Promise<RefundOutcome> => {
    const existing = await findRefund(refunded.expected);
    if (existing) return outcomeOf(existing);
    try {
      return outcomeOf(await create(refunded));
    } catch (error) {
      return await resolveFailure(refunded, error);
    }
  };

  const resolveFailure = async ({ expected }: RefundOrder, error: unknown): Promise<RefundOutcome> => {
    if (error instanceof UnsupportedAmount)
      return { kind: 'refused', code: 'amount_not_supported', detail: `${error.message}.` };
    if (error instanceof DuplicateRequest) {
      const existing = await findRefund(expected);
      return existing ? outcomeOf(existing) : { kind: 'pending' };
    }
    if (!(error instanceof RejectedRequest)) throw error;
    if (transientErrors.has(error.code)) return { kind: 'pending' };
    const rejection = rejections[error.code];
    if (!rejection) throw error;
    return { kind: 'refused', ...rejection };
  };

  /** Xendit's ID of a charged payment request. */
  const requireRequestId = async (chargeKey: string, reference: string | null): Promise<string> => {
    const id = reference ?? (await requests.findId(chargeKey, 'PAYMENT'));
    if (id === null) throw new Error('Xendit has no transaction for the payment to refund');
    return id;
  };

  return {
    async refund({ refundKey, reference, chargeKey, chargeReference, amountMinor, currency }) {
      const expected = { key: refundKey, amountMinor, currency };
      if (reference !== null) return outcomeOf(await fetchRefund(reference, expected));
      const paymentRequestId = await requireRequestId(chargeKey, chargeReference);
      return await issue({ expected, paymentRequestId, reason: 'REQUESTED_BY_CUSTOMER' });
    },

    /** Refunds the whole charge. */
    async reverse(charge) {
      const { expected } = requestRef(`${charge.attemptKey}${REVERSAL_SUFFIX}`, null, charge);
      const paymentRequestId = await requireRequestId(charge.attemptKey, charge.reference);
      const outcome = await issue({ expected, paymentRequestId, reason: 'DUPLICATE' });
      if (outcome.kind === 'refused') return { kind: 'refused', code: outcome.code };
      // Not accepted yet: another refund of the charge is in progress.
      if (outcome.reference === undefined) throw new Error('Xendit cannot refund a duplicate charge yet');
      return { kind: 'requested' };
    },
  };
}

/** Failure codes of refunds (API reference "Refund webhook notification"). */
const failures: Readonly<Record<string, string>> = {
  ACCOUNT_ACCESS_BLOCKED: 'The payer’s account is blocked.',
  ACCOUNT_NOT_FOUND: 'The payer’s account no longer exists.',
  DUPLICATE_ERROR: 'The payment method reports a duplicate refund.',
  INSUFFICIENT_BALANCE: 'Your Xendit balance is too low. Top it up, then issue the refund again.',
};

/** The outcome of a refund (Xendit's schema `RefundStatus`). A failed one may have succeeded before. */
function outcomeOf({ id, status, failure_code }: Refund): RefundOutcome {
  switch (status) {
    case 'SUCCEEDED':
      return { kind: 'succeeded', reference: id };
    case 'FAILED':
    case 'CANCELLED': {
      const detail = failures[failure_code ?? ''] ?? 'The payment method did not process the refund.';
      return { kind: 'refused', reference: id, code: 'refund_failed', detail };
    }
    default:
      return { kind: 'pending', reference: id };
  }
}
