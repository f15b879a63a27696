import type { CurrencyCode } from '../../api/currency.ts';
import { toXenditAmount } from './amounts.ts';
import { RejectedRequest, type XenditClient } from './client.ts';
import {
  type ExpectedProperties,
  type Payment,
  payment,
  type PaymentRequest,
  paymentRequest,
  requireRequest,
  transactions,
} from './results.ts';

/** A charge or push payment to look up at Xendit. */
export interface RequestRef {
  expected: ExpectedProperties;
  /** Xendit's `payment_request_id`; null if no response has reported it yet. */
  id: string | null;
}

/** Describes a charge or push payment for `PaymentRequests`. */
export function requestRef(
  key: string,
  id: string | null,
  { amountMinor, currency }: { amountMinor: bigint; currency: CurrencyCode },
): RequestRef {
  return { id, expected: { key, amountMinor, currency } };
}

/** Payment request calls that cards and push payments share. */
export interface PaymentRequests {
  create(expected: ExpectedProperties, body: object, timeoutMs?: number): Promise<PaymentRequest>;
  /** Reads a payment request; null if we have no ID and Xendit's transactions do not reveal one. */
  find(ref: RequestRef): Promise<PaymentRequest | null>;
  /** Cancels a payment request and returns its resulting state; null if we cannot find it. */
  cancel(ref: RequestRef): Promise<PaymentRequest | null>;
  fetchPayment(request: PaymentRequest, timeoutMs?: number): Promise<Payment | null>;
  /** Captures an authorized payment, in full or in part. */
  capturePayment(paymentId: string, amountMinor: bigint, currency: CurrencyCode): Promise<Payment>;
  /** Voids an authorized payment. */
  cancelPayment(paymentId: string): Promise<Payment>;
  /** The ID of a paid or failed payment request, or of a refund, by our key; null if there is no transaction. */
  findId(key: string, type: 'PAYMENT' | 'REFUND'): Promise<string | null>;
}

export function createPaymentRequests(client: XenditClient): PaymentRequests {
  const fetchRequest = async (id: string, expected: ExpectedProperties): Promise<PaymentRequest> => {
    const path = `/v3/payment_requests/${encodeURIComponent(id)}`;
    const response = await client({ method: 'GET', path, operation: 'a lookup', responseSchema: paymentRequest });
    return requireRequest(response, expected);
  };

  const findId: PaymentRequests['findId'] = async (key, type) => {
    const { data } = await client({
      method: 'GET',
      path: '/transactions',
      query: { reference_id: key, types: type, limit: '50' },
      operation: 'a search by reference',
      responseSchema: transactions,
    });
    const matching = data.filter((each) => each.reference_id === key && each.type === type);
    // Only a card's reference is unique. Of several requests with one reference, the paid one counts.
    const match = matching.find(({ status }) => status === 'SUCCESS') ?? matching[0];
    const id = type === 'REFUND' ? match?.product_id : match?.product_data?.payment_request_id;
    return id ?? null;
  };

  const idOf = async ({ id, expected }: RequestRef): Promise<string | null> =>
    id ?? (await findId(expected.key, 'PAYMENT'));

  return {
    findId,

    async create(expected, body, timeoutMs) {
      const created = await client({
        method: 'POST',
        path: '/v3/payment_requests',
        operation: 'a new payment request',
        body: {
          reference_id: expected.key,
          type: 'PAY',
          currency: expected.currency,
          request_amount: toXenditAmount(expected.amountMinor, expected.currency),
          capture_method: 'AUTOMATIC',
          ...body,
        },
        responseSchema: paymentRequest,
        ...(timeoutMs !== undefined && { timeoutMs }),
      });
      return requireRequest(created, expected);
    },

    async find(ref) {
      const id = await idOf(ref);
      return id === null ? null : await fetchRequest(id, ref.expected);
    },

    async cancel(ref) {
      const id = await idOf(ref);
      if (id === null) return null;
      const path = `/v3/payment_requests/${encodeURIComponent(id)}/cancel`;
      try {
        const cancelled = await client({
          method: 'POST',
          path,
          operation: 'a cancellation',
          responseSchema: paymentRequest,
        });
        return requireRequest(cancelled, ref.expected);
      } catch (error) {
        // Already paid, failed or expired, or the channel cannot cancel now: the status shows which.
        if (error instanceof RejectedRequest && error.status === 400) return await fetchRequest(id, ref.expected);
        throw error;
      }
    },

    async capturePayment(paymentId, amountMinor, currency) {
      return await client({
        method: 'POST',
        path: `/v3/payments/${encodeURIComponent(paymentId)}/capture`,
        operation: 'a capture',
        body: { capture_amount: toXenditAmount(amountMinor, currency) },
        responseSchema: payment,
      });
    },

    async cancelPayment(paymentId) {
      return await client({
        method: 'POST',
        path: `/v3/payments/${encodeURIComponent(paymentId)}/cancel`,
        operation: 'a cancellation of a payment',
        responseSchema: payment,
      });
    },

    async fetchPayment({ payment_request_id, reference_id, latest_payment_id: id }, timeoutMs) {
      if (!id) return null;
      const response = await client({
        method: 'GET',
        path: `/v3/payments/${encodeURIComponent(id)}`,
        operation: 'a lookup of a payment',
        responseSchema: payment,
        ...(timeoutMs !== undefined && { timeoutMs }),
      });
      if (response.payment_request_id !== payment_request_id || response.reference_id !== reference_id)
        throw new Error('Xendit returned a payment for another request');
      return response;
    },
  };
}
