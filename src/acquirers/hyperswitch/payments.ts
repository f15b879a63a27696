import { z } from 'zod';
import type { CurrencyCode } from '../../api/currency.ts';
import { requireSameMinorUnits } from './amounts.ts';
import { DUPLICATE, type HyperswitchClient, NOT_FOUND, RejectedRequest } from './client.ts';
import { idOf } from './ids.ts';
import { type Payment, payment, requirePayment } from './results.ts';

/** A payment at Hyperswitch, by its derived ID. */
export interface PaymentRef {
  id: string;
  amount: number;
  currency: CurrencyCode;
}

/** Identifies a charge or push payment, with its amount in Hyperswitch's minor units. */
export function paymentRef(
  kind: 'charge' | 'push',
  key: string,
  { amountMinor, currency }: { amountMinor: bigint; currency: CurrencyCode },
): PaymentRef {
  return { id: idOf(kind, key), amount: Number(amountMinor), currency };
}

/** Payment calls that cards and push payments share. */
export interface Payments {
  /** Creates a payment, at most once per ID. Rejects with `DUPLICATE` for an existing ID. */
  create(ref: PaymentRef, body: object, timeoutMs?: number): Promise<Payment>;
  /** Reads a payment, which Hyperswitch first refreshes from the connector; null if the ID is unknown. */
  find(ref: PaymentRef): Promise<Payment | null>;
  /** Captures an authorized payment, in full or in part. */
  capture(ref: PaymentRef, amount: number): Promise<Payment>;
  /**
   * Cancels a payment and returns its resulting state, with the rejection if there was one. An unknown ID is reserved, so
   * that it can no longer be paid.
   */
  cancel(ref: PaymentRef): Promise<{ payment: Payment; rejection: RejectedRequest | null }>;
}

export function createPayments(client: HyperswitchClient, profileId: string | undefined): Payments {
  const post: Payments['create'] = async (ref, body, timeoutMs) => {
    const created = await client({
      method: 'POST',
      path: '/payments',
      operation: 'a new payment',
      body: {
        payment_id: ref.id,
        amount: ref.amount,
        currency: ref.currency,
        ...(profileId !== undefined && { profile_id: profileId }),
        ...body,
      },
      responseSchema: payment,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    return requirePayment(created, ref);
  };

  const find: Payments['find'] = async (ref) => {
    try {
      const response = await client({
        method: 'GET',
        path: `/payments/${ref.id}?force_sync=true`,
        operation: 'a lookup',
        responseSchema: payment,
      });
      return requirePayment(response, ref);
    } catch (error) {
      if (error instanceof RejectedRequest && error.code === NOT_FOUND) return null;
      throw error;
    }
  };

  /** Returns a rejection instead of throwing it: the payment's status shows the outcome. */
  const tryCancel = async (id: string): Promise<RejectedRequest | null> => {
    try {
      await client({
        method: 'POST',
        path: `/payments/${id}/cancel`,
        operation: 'a cancellation',
        body: { cancellation_reason: 'abandoned' },
        // The response has no documented schema, so the payment is read afterward.
        responseSchema: z.unknown(),
      });
      return null;
    } catch (error) {
      if (error instanceof RejectedRequest) return error;
      throw error;
    }
  };

  /** Creates a payment that is never confirmed. A later request with its ID is rejected as a duplicate. */
  const reserve = async (ref: PaymentRef): Promise<void> => {
    try {
      await post(ref, { confirm: false });
    } catch (error) {
      // The delayed request arrived first.
      if (!(error instanceof RejectedRequest) || error.code !== DUPLICATE) throw error;
    }
  };

  return {
    async create(ref, body, timeoutMs) {
      requireSameMinorUnits(ref.currency);
      return await post(ref, body, timeoutMs);
    },
    find,
    async capture(ref, amount) {
      const captured = await client({
        method: 'POST',
        path: `/payments/${ref.id}/capture`,
        operation: 'a capture',
        body: { amount_to_capture: amount },
        responseSchema: payment,
      });
      return requirePayment(captured, ref);
    },
    async cancel(ref) {
      let rejection = await tryCancel(ref.id);
      if (rejection?.code === NOT_FOUND) {
        await reserve(ref);
        rejection = await tryCancel(ref.id);
      }
      const cancelled = await find(ref);
      if (!cancelled) throw new Error('Hyperswitch cannot find a payment that it has just canceled');
      return { payment: cancelled, rejection };
    },
  };
}
