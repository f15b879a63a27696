import { Hono } from 'hono';
import { paymentMethodsRequest, setPaymentMethodsRequest } from '../contract/payment-method.ts';
import type { Authenticate } from '../merchants/authentication.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { readBody } from '../platform/http/body.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { type CanCarry, listAvailability } from './availability.ts';
import { setMethods } from './set-methods.ts';

export function methodRoutes(options: {
  database: Database;
  clock: Clock;
  authenticate: Authenticate;
  canCarry: CanCarry;
}): Hono<HttpEnv> {
  const { database, canCarry, authenticate } = options;
  return new Hono<HttpEnv>()
    .post('/fiat/v1/merchant/payment-methods', async (context) => {
      const { merchantId } = await authenticate(context.req.header('authorization'), 'transaction:read');
      const { country, currency } = await readBody(context, paymentMethodsRequest);
      const methods = await listAvailability(database, canCarry, merchantId, country, currency);
      return context.json({ payment_methods: methods });
    })

    .patch('/fiat/v1/merchant/payment-methods', async (context) => {
      const who = await authenticate(context.req.header('authorization'), 'preference:write');
      const { payment_methods } = await readBody(context, setPaymentMethodsRequest);
      return context.json({ payment_methods: await setMethods(options, who, payment_methods) });
    });
}
