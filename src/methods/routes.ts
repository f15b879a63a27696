import { Hono } from 'hono';
import { listPaymentMethods, setPaymentMethods } from '../api/operations/payment-methods.ts';
import type { ServeApi } from '../operations/principal.ts';
import type { Clock } from '../system/clock.ts';
import type { Database } from '../database/database.ts';
import type { HttpEnv } from '../http/context.ts';
import { type SupportsMethod, listAvailability } from './availability.ts';
import { setMethods } from './set-methods.ts';

/** Routes to list and set a merchant's payment methods. */
export function methodRoutes(options: {
  database: Database;
  clock: Clock;
  serve: ServeApi;
  supportsMethod: SupportsMethod;
}): Hono<HttpEnv> {
  const { database, supportsMethod, serve } = options;
  const routes = new Hono<HttpEnv>();

  serve(routes, listPaymentMethods, async ({ caller, body: { country, currency } }) => ({
    payment_methods: await listAvailability(database, supportsMethod, {
      ...{ merchantId: caller.merchantId, country, currency, isManager: caller.role === 'manager' },
    }),
  }));

  serve(routes, setPaymentMethods, async ({ caller, body }) => ({
    payment_methods: await setMethods(options, caller.merchantId, body.payment_methods),
  }));
  return routes;
}
