import { Hono } from 'hono';
import { paymentMethodsRequest } from '../contract/payment-method.ts';
import type { Authenticate } from '../merchants/authentication.ts';
import type { Database } from '../platform/database/database.ts';
import { readBody } from '../platform/http/body.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { type CanCarry, listAvailability } from './availability.ts';

export function methodRoutes(options: {
  database: Database;
  authenticate: Authenticate;
  canCarry: CanCarry;
}): Hono<HttpEnv> {
  return new Hono<HttpEnv>().post('/fiat/v1/merchant/payment-methods', async (context) => {
    const { merchantId } = await options.authenticate(context.req.header('authorization'), 'transaction:read');
    const { country, currency } = await readBody(context, paymentMethodsRequest);
    const { database, canCarry } = options;
    return context.json({ payment_methods: await listAvailability(database, canCarry, merchantId, country, currency) });
  });
}
