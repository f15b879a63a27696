/*
 * Hyperswitch API v1: the operations and fields that Paylatch uses. A field that is missing here is rejected, so a new
 * one is added with its limits from Hyperswitch's documentation.
 */
import { z } from 'zod';
import {
  alpha2,
  alpha3,
  cardNumber,
  headers,
  ipAddress,
  month,
  operation,
  securityCode,
  text,
  webAddress,
} from '../contract.ts';
import {
  createdPayment,
  dispute,
  id30,
  methodTypes,
  minorUnits,
  payment,
  paymentMethods,
  refund,
  stringMap,
} from './objects.ts';

const address = z.strictObject({
  address: z
    .strictObject({
      first_name: text(255).optional(),
      last_name: text(255).optional(),
      line1: text(200).optional(),
      line2: text(50).optional(),
      line3: text(50).optional(),
      city: text(50).optional(),
      state: text(50).optional(),
      zip: text(50).optional(),
      country: alpha2.optional(),
    })
    .optional(),
  phone: z
    .strictObject({
      number: z.string().regex(/^\d{3,15}$/),
      country_code: z
        .string()
        .regex(/^\+\d{1,4}$/)
        .optional(),
    })
    .optional(),
  email: z.email().optional(),
});

const card = z.strictObject({
  card_number: cardNumber,
  card_exp_month: month,
  card_exp_year: z.string().regex(/^(?:20)?\d\d$/),
  card_holder_name: text(255),
  card_cvc: securityCode,
});

const nothing = z.strictObject({});
const buyer = z.strictObject({
  billing_details: z
    .strictObject({ first_name: text(255).optional(), last_name: text(255).optional(), email: z.email().optional() })
    .optional(),
});
const bank = z.strictObject({ issuer: text(50) });

/** Exactly one method with its details, and the payer's address. */
const variants = [
  { card },
  { real_time_payment: z.union([z.strictObject({ prompt_pay: nothing }), z.strictObject({ viet_qr: nothing })]) },
  {
    upi: z.union([
      z.strictObject({ upi_collect: z.strictObject({ vpa_id: z.string().regex(/^[\w.-]+@\w+$/) }) }),
      z.strictObject({ upi_intent: z.strictObject({ app_name: text(50).optional() }) }),
      z.strictObject({ upi_qr: nothing }),
    ]),
  },
  {
    bank_transfer: z.union([
      z.strictObject({ mandiri_va_bank_transfer: buyer }),
      z.strictObject({ bni_va_bank_transfer: buyer }),
      z.strictObject({ bri_va_bank_transfer: buyer }),
      z.strictObject({ cimb_va_bank_transfer: buyer }),
      z.strictObject({ danamon_va_bank_transfer: buyer }),
      z.strictObject({ permata_bank_transfer: buyer }),
      z.strictObject({ bca_bank_transfer: buyer }),
      z.strictObject({ pix: z.strictObject({ cpf: text(14).optional() }) }),
    ]),
  },
  {
    bank_redirect: z.union([
      z.strictObject({ ideal: z.strictObject({ bank_name: text(50), country: alpha2 }) }),
      z.strictObject({ online_banking_fpx: bank }),
      z.strictObject({ online_banking_thailand: bank }),
    ]),
  },
  { wallet: z.union([z.strictObject({ gcash_redirect: nothing }), z.strictObject({ momo_redirect: nothing })]) },
] as const;
const methodData = z.union(variants.map((shape) => z.strictObject({ ...shape, billing: address.optional() })));

const browserInfo = z.strictObject({
  color_depth: z.int().nonnegative().optional(),
  java_enabled: z.boolean().optional(),
  java_script_enabled: z.boolean().optional(),
  language: text(35).optional(),
  screen_height: z.int().nonnegative().optional(),
  screen_width: z.int().nonnegative().optional(),
  time_zone: z.int().optional(),
  ip_address: ipAddress.optional(),
  accept_header: text(1000).optional(),
  accept_language: text(200).optional(),
  user_agent: text(2000).optional(),
});

const customer = z.strictObject({
  id: text(64).optional(),
  name: text(255).optional(),
  email: z.email().max(255).optional(),
  phone: text(10).optional(),
  phone_country_code: text(2).optional(),
});

const creation = z
  .strictObject({
    payment_id: id30,
    amount: minorUnits,
    currency: alpha3,
    confirm: z.boolean(),
    capture_method: z.enum(['automatic', 'manual']).optional(),
    authentication_type: z.enum(['three_ds', 'no_three_ds']).optional(),
    payment_method: z.enum(paymentMethods).optional(),
    payment_method_type: z.enum(methodTypes).optional(),
    payment_method_data: methodData.optional(),
    billing: address.optional(),
    browser_info: browserInfo.optional(),
    customer: customer.optional(),
    customer_id: text(64).optional(),
    description: text(255).optional(),
    merchant_order_reference_id: text(255).optional(),
    metadata: stringMap.optional(),
    profile_id: text(64).optional(),
    return_url: webAddress.max(2048).optional(),
    session_expiry: z.int().positive().optional(),
    statement_descriptor_name: text(255).optional(),
  })
  .refine(({ confirm, payment_method, payment_method_data }) => !confirm || (payment_method && payment_method_data), {
    error: 'a confirmed payment needs payment_method and payment_method_data',
  })
  .refine(({ authentication_type, return_url }) => authentication_type !== 'three_ds' || return_url, {
    error: '3-D Secure needs return_url',
  })
  .refine(({ payment_method: method, payment_method_data: data }) => !method || !data || method in data, {
    error: 'payment_method and payment_method_data differ',
  });

/** The server wraps errors in `error`. The official document has them at the top, with `error_type`. */
const details = { message: z.string(), code: z.string() };
const error = z.union([
  z.strictObject({ error: z.strictObject({ type: z.string(), ...details }) }),
  z.strictObject({ error_type: z.string(), ...details }),
]);
const errors = { 400: error, 401: error, 404: error, 422: error, 429: error, 500: error, 503: error };

const head = headers({ 'api-key': z.string() }, { hasBody: false });
const post = headers({ 'api-key': z.string() });
const sync = z.strictObject({ force_sync: z.enum(['true', 'false']).optional() });

export const hyperswitchContract = {
  charge: operation({
    name: 'charge',
    method: 'POST',
    path: '/payments',
    headers: post,
    body: creation,
    responses: { 200: createdPayment, ...errors },
  }),
  fetch: operation({
    name: 'fetch',
    method: 'GET',
    path: '/payments/{payment_id}',
    headers: head,
    query: sync,
    responses: { 200: payment, ...errors },
  }),
  capture: operation({
    name: 'capture',
    method: 'POST',
    path: '/payments/{payment_id}/capture',
    headers: post,
    body: z.strictObject({ amount_to_capture: minorUnits.min(1).optional() }),
    responses: { 200: payment, ...errors },
  }),
  cancel: operation({
    name: 'cancel',
    method: 'POST',
    path: '/payments/{payment_id}/cancel',
    headers: post,
    body: z.strictObject({ cancellation_reason: text(255).optional() }),
    responses: { 200: payment, ...errors },
  }),
  refund: operation({
    name: 'refund',
    method: 'POST',
    path: '/refunds',
    headers: post,
    body: z.strictObject({
      payment_id: id30,
      refund_id: id30,
      /** The documented minimum, in minor units of every currency. */
      amount: z.int().min(100).optional(),
      reason: text(255).optional(),
      refund_type: z.enum(['instant', 'scheduled']).optional(),
      metadata: stringMap.optional(),
    }),
    responses: { 200: refund, ...errors },
  }),
  fetchRefund: operation({
    name: 'fetchRefund',
    method: 'GET',
    path: '/refunds/{refund_id}',
    headers: head,
    responses: { 200: refund, ...errors },
  }),
  fetchDispute: operation({
    name: 'fetchDispute',
    method: 'GET',
    path: '/disputes/{dispute_id}',
    headers: head,
    query: sync,
    responses: { 200: dispute, ...errors },
  }),
};
