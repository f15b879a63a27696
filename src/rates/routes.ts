import { Hono } from 'hono';
import { listRates as listRatesOperation } from '../api/operations/rates.ts';
import type { HttpEnv } from '../http/context.ts';
import type { ServeApi } from '../operations/principal.ts';
import { listRates } from './list.ts';
import type { ReadPair } from './port.ts';

/** API route of exchange rates. */
export function ratesRoutes({ read, serve }: { read: ReadPair; serve: ServeApi }): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  serve(routes, listRatesOperation, ({ query }) => Promise.resolve(listRates(read, query.currency ?? 'USD')));
  return routes;
}
