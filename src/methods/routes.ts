import { Hono } from 'hono';
import { listPaymentMethods, setPaymentMethods } from '../contract/operations/payment-methods.ts';
import type { ServeApi } from '../merchants/authentication.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { type CanCarry, listAvailability } from './availability.ts';
import { setMethods } from './set-methods.ts';

/** What can be paid with, and what of it a merchant may use. */
export function methodRoutes(options: {
  database: Database;
  clock: Clock;
  serve: ServeApi;
  canCarry: CanCarry;
}): Hono<HttpEnv> {
  const { database, canCarry, serve } = options;
  const routes = new Hono<HttpEnv>();

  serve(routes, listPaymentMethods, async ({ caller, body: { country, currency } }) => ({
    payment_methods: await listAvailability(database, canCarry, caller.merchantId, country, currency),
  }));

  serve(routes, setPaymentMethods, async ({ caller, body }) => ({
    payment_methods: await setMethods(options, caller, body.payment_methods),
  }));
  return routes;
}
