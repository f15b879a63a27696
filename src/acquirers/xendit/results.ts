import { z } from 'zod';
import type { CurrencyCode } from '../../api/currency.ts';
import { fromXenditAmount } from './amounts.ts';

const text = z.string().min(1);
/** An informational field: an invalid value counts as missing. */
const detail = z.string().nullish().catch(null);

const action = z.object({ type: z.string(), descriptor: z.string().nullish(), value: z.string() });
export type Action = z.infer<typeof action>;

/** A payment request: one charge or push payment (API reference "Get payment request"). */
export const paymentRequest = z.object({
  payment_request_id: text,
  reference_id: text,
  latest_payment_id: z.string().min(1).nullish(),
  currency: z.string(),
  request_amount: z.number(),
  capture_method: detail,
  status: z.string(),
  failure_code: detail,
  actions: z.array(action).nullish(),
  channel_properties: z.object({ expires_at: detail }).nullish().catch(null),
});
export type PaymentRequest = z.infer<typeof paymentRequest>;

/** The issuer's response data. The API reference and the page "Card declines" use different names for the codes. */
const authorization = z.object({
  authorization_code: detail,
  cvn_verification_result: detail,
  address_verification_result: detail,
  network_response_code: detail,
  card_network_response_code: detail,
  merchant_advice_code: detail,
  three_ds_flow: detail,
});

/** A payment of a payment request (API reference "Get payment"). */
export const payment = z.object({
  payment_id: text,
  payment_request_id: text,
  reference_id: text,
  currency: z.string(),
  request_amount: z.number(),
  status: z.string(),
  captures: z.array(z.object({ capture_amount: z.number(), capture_timestamp: detail })).nullish(),
  payment_details: authorization
    .extend({ authorization_data: authorization.nullish().catch(null) })
    .nullish()
    .catch(null),
  created: detail,
  updated: detail,
});
export type Payment = z.infer<typeof payment>;

/** API reference "Refund a payment request". */
export const refund = z.object({
  id: text,
  payment_request_id: z.string().nullish(),
  reference_id: text,
  currency: z.string(),
  amount: z.number(),
  status: z.string(),
  failure_code: detail,
});
export type Refund = z.infer<typeof refund>;

/** API reference "List transactions". */
export const transactions = z.object({
  data: z.array(
    z.object({
      product_id: z.string(),
      reference_id: z.string(),
      type: z.string(),
      status: z.string(),
      product_data: z.object({ payment_request_id: z.string().nullish() }).nullish(),
    }),
  ),
});

/** Expected properties of a payment request or refund. Its outcome is used only if all of them match. */
export interface ExpectedProperties {
  /** Our key, which is Xendit's `reference_id`. */
  key: string;
  amountMinor: bigint;
  currency: CurrencyCode;
}

/** Throws if the response is for another payment, whose outcome must not be used for ours. */
export function requireRequest(response: PaymentRequest, expected: ExpectedProperties): PaymentRequest {
  if (!isExpected(response, response.request_amount, expected))
    throw new Error('Xendit returned another reference, amount or currency');
  return response;
}

/** Throws if the response is for another refund. */
export function requireRefund(response: Refund, expected: ExpectedProperties): Refund {
  if (!isExpected(response, response.amount, expected))
    throw new Error('Xendit returned a refund with another reference, amount or currency');
  return response;
}

function isExpected(
  { reference_id, currency }: { reference_id: string; currency: string },
  amount: number,
  expected: ExpectedProperties,
): boolean {
  return (
    reference_id === expected.key &&
    currency === expected.currency &&
    fromXenditAmount(amount, expected.currency) === expected.amountMinor
  );
}
