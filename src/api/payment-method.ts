import { z } from 'zod';
import { countryAlpha3 } from './country.ts';
import { currencyCode } from './currency.ts';
import { parseAmount } from '../shared/money.ts';

/** Body of `POST /fiat/v1/merchant/payment-methods`. */
export const paymentMethodsRequest = z.strictObject({
  country: countryAlpha3,
  currency: currencyCode
    .optional()
    .describe('If omitted: every currency of the country, and those in which the merchant has a method'),
});

/** A method and whether the merchant can use it. */
const paymentMethodAvailability = z.object({
  payment_method: z.string(),
  currency: z.string(),
  status: z.enum(['enable', 'disable']),
  message: z.string().optional().describe('Instructions to enable a disabled method'),
  fee_fix: z.number().optional().describe('Fixed fee of an enabled method, in the currency’s decimals'),
  fee_percent: z.number().optional().describe('Fee as a percentage of the amount'),
  manual_capture: z
    .literal(true)
    .optional()
    .describe('True if payments with this method support `capture: "manual"`; absent otherwise'),
});
export type PaymentMethodAvailability = z.infer<typeof paymentMethodAvailability>;

export const paymentMethodsResponse = z.object({ payment_methods: z.array(paymentMethodAvailability) });

/** Fee of a method: a fixed part in the currency, and a percentage with at most 4 decimals. */
const fees = {
  fee_fix: z.number().min(0).optional().describe('In the currency’s own decimals'),
  fee_percent: z
    .number()
    .min(0)
    .lt(100)
    .refine((percent) => percent === 0 || typeof parseAmount(percent, 4) === 'bigint', {
      error: 'must have at most 4 decimals',
      params: { code: 'too_many_decimals' },
    })
    .optional()
    .describe('Percentage of the amount, with at most 4 decimals'),
};

/**
 * Body of `PATCH /fiat/v1/merchant/payment-methods`: sets the methods that the merchant can use, all or
 * nothing. An omitted fee stays unchanged; it is 0 at first.
 */
export const setPaymentMethodsRequest = z.strictObject({
  payment_methods: z
    .array(
      z.strictObject({
        payment_method: z.string().max(64),
        currency: currencyCode,
        status: z.enum(['enable', 'disable']),
        ...fees,
      }),
    )
    .min(1)
    .max(200),
});
export type SetPaymentMethodsRequest = z.infer<typeof setPaymentMethodsRequest>;

/** The stored methods. */
export const setPaymentMethodsResponse = z.object({
  payment_methods: z.array(
    z.object({
      payment_method: z.string(),
      currency: z.string(),
      status: z.enum(['enable', 'disable']),
      fee_fix: z.number().optional(),
      fee_percent: z.number().optional(),
      message: z
        .string()
        .optional()
        .describe('Reason why an enabled method cannot be used yet: no acquirer supports it'),
    }),
  ),
});
export type SetPaymentMethodsResponse = z.infer<typeof setPaymentMethodsResponse>;
