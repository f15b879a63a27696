import { z } from 'zod';
import { countryAlpha3 } from './country.ts';
import { currencyCode } from './currency.ts';
import { parseAmount } from '../shared/money.ts';

/** Body of `POST /fiat/v1/merchant/payment-methods`. */
export const paymentMethodsRequest = z.strictObject({ country: countryAlpha3, currency: currencyCode });

/** Whether this merchant may use a method; `message` tells how to get a disabled one turned on. */
export const paymentMethodAvailability = z.object({
  payment_method: z.string(),
  currency: z.string(),
  status: z.enum(['enable', 'disable']),
  message: z.string().optional().describe('How to have a disabled one turned on'),
  fee_fix: z.number().optional().describe('What an enabled one costs the merchant: in the currency’s own decimals'),
  fee_percent: z.number().optional().describe('And percent of the amount'),
});
export type PaymentMethodAvailability = z.infer<typeof paymentMethodAvailability>;

export const paymentMethodsResponse = z.object({ payment_methods: z.array(paymentMethodAvailability) });

/** What a method costs the merchant: a fixed part in the currency, and percent of the amount with at most 4 decimals. */
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
    .describe('Of the amount, with at most 4 decimals'),
};

/**
 * Body of `PATCH /fiat/v1/merchant/payment-methods`: what a manager lets the merchant use, all of it or
 * none. A fee that is not given stays as it was, and is 0 at first.
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

/** What has become of it. */
export const setPaymentMethodsResponse = z.object({
  payment_methods: z.array(
    z.object({
      payment_method: z.string(),
      currency: z.string(),
      status: z.enum(['enable', 'disable']),
      fee_fix: z.number().optional(),
      fee_percent: z.number().optional(),
      message: z.string().optional().describe('Why an enabled method cannot be used yet: no provider carries it'),
    }),
  ),
});
export type SetPaymentMethodsResponse = z.infer<typeof setPaymentMethodsResponse>;
