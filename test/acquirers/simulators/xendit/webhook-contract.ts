import { z } from 'zod';
import { alpha3, instant } from '../contract.ts';
import { payment, paymentRequest, refund } from './contract.ts';

const envelope = { business_id: z.string(), created: instant };

const dispute = z.strictObject({
  event: z.enum(['dispute.action_required', 'dispute.under_review', 'dispute.won', 'dispute.lost']),
  id: z.string().regex(/^mi-dspt-/),
  channel_code: z.string(),
  card_brands: z.string().optional(),
  status: z.enum(['ACTION_REQUIRED', 'UNDER_REVIEW', 'WON', 'LOST']),
  status_reason: z.enum(['EXCEEDED_DEADLINE', 'ACCEPTED', 'CHALLENGED', 'WITHDRAWN']).optional(),
  currency: alpha3,
  /** Whole currency units with decimals, as text. */
  amount: z.strictObject({ initial: z.string().regex(/^\d+\.\d\d$/), terminal: z.string().nullable() }),
  created_at: instant,
  updated_at: instant,
  due_date: instant,
  related_disputes: z.array(z.string()),
  payment_id: z.string(),
  reference_id: z.string(),
});

export const xenditWebhook = z.discriminatedUnion('event', [
  z.strictObject({ event: z.literal('payment.authorization'), ...envelope, data: payment }),
  z.strictObject({ event: z.literal('payment.capture'), ...envelope, data: payment }),
  z.strictObject({ event: z.literal('payment.failure'), ...envelope, data: payment }),
  z.strictObject({
    event: z.literal('payment_request.expiry'),
    ...envelope,
    data: paymentRequest,
  }),
  z.strictObject({ event: z.literal('refund.succeeded'), ...envelope, data: refund }),
  z.strictObject({ event: z.literal('refund.failed'), ...envelope, data: refund }),
  dispute,
]);
export type XenditWebhook = z.infer<typeof xenditWebhook>;
