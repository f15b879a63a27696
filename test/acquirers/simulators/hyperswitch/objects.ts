/* Objects in responses and webhooks of Hyperswitch. Empty fields are null. */
import { z } from 'zod';
import { alpha3, instant, text } from '../contract.ts';

/** IDs of payments and refunds have exactly 30 characters. */
export const id30 = z.string().regex(/^[A-Za-z0-9_-]{30}$/, { error: 'must be an ID of 30 characters' });
export const minorUnits = z.int().nonnegative();
export const stringMap = z.record(z.string(), z.unknown());

export const paymentMethods = [
  ...['card', 'wallet', 'bank_redirect', 'bank_transfer', 'real_time_payment', 'upi'],
] as const;

export const methodTypes = [
  ...['credit', 'debit', 'prompt_pay', 'viet_qr', 'upi_collect', 'upi_intent', 'upi_qr', 'pix', 'ideal', 'gcash'],
  ...['momo', 'online_banking_fpx', 'online_banking_thailand', 'mandiri_va', 'bni_va', 'bri_va', 'cimb_va'],
  ...['danamon_va', 'permata_bank_transfer', 'bca_bank_transfer'],
] as const;

const statuses = [
  ...['succeeded', 'failed', 'cancelled', 'processing', 'requires_customer_action', 'requires_payment_method'],
  ...['requires_confirmation', 'requires_capture', 'partially_captured', 'conflicted', 'expired', 'review'],
] as const;

const timestamp = z.int().positive();
const nextAction = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('redirect_to_url'), redirect_to_url: z.string() }),
  z.strictObject({
    type: z.literal('qr_code_information'),
    image_data_url: z.string(),
    qr_code_url: z.string(),
    raw_qr_data: z.string().nullable(),
    display_to_timestamp: timestamp.nullable(),
  }),
  z.strictObject({
    type: z.literal('display_bank_transfer_information'),
    bank_transfer_steps_and_charges_details: z.strictObject({
      doku_bank_transfer_instructions: z.strictObject({
        /** Milliseconds since 1970, as text. */
        expires_at: z.string().regex(/^\d{13}$/),
        reference: z.string(),
        instructions_url: z.string(),
      }),
    }),
  }),
  z.strictObject({
    type: z.literal('invoke_upi_intent_sdk'),
    sdk_uri: z.string(),
    display_from_timestamp: timestamp,
    display_to_timestamp: timestamp.nullable(),
  }),
  z.strictObject({
    type: z.literal('invoke_upi_qr_flow'),
    qr_code_url: z.string(),
    display_from_timestamp: timestamp,
    display_to_timestamp: timestamp.nullable(),
  }),
  z.strictObject({
    type: z.literal('wait_screen_information'),
    display_from_timestamp: timestamp,
    display_to_timestamp: timestamp.nullable(),
  }),
]);
export type NextAction = z.infer<typeof nextAction>;

const cardResponse = z.strictObject({
  card: z.strictObject({
    last4: z.string().length(4),
    card_network: z.string().nullable(),
    card_exp_month: z.string(),
    card_exp_year: z.string(),
    card_holder_name: z.string(),
    auth_code: z.string().nullable(),
  }),
  billing: z.null(),
});

export const payment = z.strictObject({
  payment_id: id30,
  merchant_id: text(255),
  processor_merchant_id: text(255),
  status: z.enum(statuses),
  amount: minorUnits,
  net_amount: minorUnits,
  amount_capturable: minorUnits,
  amount_received: minorUnits.nullable(),
  currency: alpha3,
  connector: z.string().nullable(),
  client_secret: z.string(),
  created: instant,
  modified_at: instant,
  expires_on: instant,
  attempt_count: z.int().positive(),
  capture_method: z.enum(['automatic', 'manual']).nullable(),
  authentication_type: z.enum(['three_ds', 'no_three_ds']).nullable(),
  payment_method: z.enum(paymentMethods).nullable(),
  payment_method_type: z.enum(methodTypes).nullable(),
  payment_method_data: cardResponse.nullable(),
  return_url: z.string().nullable(),
  next_action: nextAction.nullable(),
  cancellation_reason: z.string().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  unified_code: z.string().nullable(),
  unified_message: z.string().nullable(),
  connector_transaction_id: z.string().nullable(),
  manual_retry_allowed: z.boolean().nullable(),
  metadata: stringMap.nullable(),
  profile_id: z.string(),
  external_authentication_details: z
    .strictObject({
      status: z.enum(['success', 'failed']),
      authentication_flow: z.enum(['challenge', 'frictionless']),
      version: z.string(),
    })
    .nullable(),
});
export type PaymentResponse = z.infer<typeof payment>;

/** The response to a creation. As documented, it has no unified codes: only a fetched payment has them. */
export const createdPayment = payment.omit({ unified_code: true, unified_message: true });

export const refund = z.strictObject({
  refund_id: id30,
  payment_id: id30,
  amount: minorUnits,
  currency: alpha3,
  status: z.enum(['succeeded', 'failed', 'pending', 'review']),
  reason: z.string().nullable(),
  metadata: stringMap.nullable(),
  error_message: z.string().nullable(),
  error_code: z.string().nullable(),
  unified_code: z.string().nullable(),
  unified_message: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
  connector: z.string(),
});
export type RefundResponse = z.infer<typeof refund>;

export const dispute = z.strictObject({
  dispute_id: z.string(),
  payment_id: id30,
  attempt_id: z.string(),
  /** Minor units, as text. */
  amount: z.string().regex(/^\d+$/),
  currency: alpha3,
  dispute_stage: z.enum(['pre_dispute', 'dispute', 'pre_arbitration', 'arbitration', 'dispute_reversal']),
  dispute_status: z.enum([
    'dispute_opened',
    'dispute_expired',
    'dispute_accepted',
    'dispute_cancelled',
    'dispute_challenged',
    'dispute_won',
    'dispute_lost',
  ]),
  connector: z.string(),
  connector_status: z.string(),
  connector_dispute_id: z.string(),
  connector_reason: z.string().nullable(),
  connector_reason_code: z.string().nullable(),
  challenge_required_by: instant.nullable(),
  created_at: instant,
  is_already_refunded: z.boolean(),
});
export type DisputeResponse = z.infer<typeof dispute>;

const events = [
  ...['payment_succeeded', 'payment_failed', 'payment_processing', 'payment_cancelled', 'payment_captured'],
  'payment_authorized',
  ...['payment_expired', 'action_required', 'refund_succeeded', 'refund_failed', 'dispute_opened', 'dispute_expired'],
  ...['dispute_accepted', 'dispute_cancelled', 'dispute_challenged', 'dispute_won', 'dispute_lost'],
] as const;
export type HyperswitchEvent = (typeof events)[number];

export const hyperswitchWebhook = z.strictObject({
  merchant_id: text(255),
  event_id: z.string(),
  event_type: z.enum(events),
  content: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('payment_details'), object: payment }),
    z.strictObject({ type: z.literal('refund_details'), object: refund }),
    z.strictObject({ type: z.literal('dispute_details'), object: dispute }),
  ]),
  timestamp: instant,
});
export type HyperswitchWebhook = z.infer<typeof hyperswitchWebhook>;
