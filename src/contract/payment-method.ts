import { z } from 'zod';
import { countryAlpha3 } from './country.ts';
import { currencyCode } from './currency.ts';

/** Body of `POST /fiat/v1/merchant/payment-methods`. */
export const paymentMethodsRequest = z.strictObject({ country: countryAlpha3, currency: currencyCode });

/** Whether this merchant may use a method; `message` tells how to get a disabled one turned on. */
export const paymentMethodAvailability = z.object({
  payment_method: z.string(),
  currency: z.string(),
  status: z.enum(['enable', 'disable']),
  message: z.string().optional(),
});
export type PaymentMethodAvailability = z.infer<typeof paymentMethodAvailability>;

export const paymentMethodsResponse = z.object({ payment_methods: z.array(paymentMethodAvailability) });

/** What the buyer must do next; one shape for every method, so that a method needs no page of its own. */
export type NextAction = 'card' | 'qr' | 'bank_details' | 'redirect' | 'app_intent' | 'crypto';
