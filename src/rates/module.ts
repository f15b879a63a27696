/*
 * Map of this module: `job.ts` fetches quotes from `sources/`, `combine.ts` combines them into the rate of each pair,
 * and `store.ts` stores both. `live.ts` keeps the rates in memory, and `convert.ts` derives prices and rates from
 * them. `sandbox.ts` has the sandbox's fixed rates. Reasons: docs/decisions/rates.md.
 */

import { Hono } from 'hono';
import { listRates as listRatesOperation } from '../api/operations/rates.ts';
import type { Database } from '../database/database.ts';
import type { HttpEnv, Module } from '../http/context.ts';
import type { Job } from '../jobs/runner.ts';
import type { ServeApi } from '../operations/principal.ts';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import { createCoinRates, createCurrencyRates } from './convert.ts';
import { createRatesJob } from './job.ts';
import { listRates } from './list.ts';
import { createLiveRates } from './live.ts';
import type { CoinRates, CurrencyRates, FetchText, ReadPair } from './port.ts';
import { readSandboxPair } from './sandbox.ts';
import type { RateOptions } from './settings.ts';
import { scheduleSources } from './store.ts';

/** Exchange rates of the process. */
export interface Rates {
  read: ReadPair;
  coins: CoinRates;
  currencies: CurrencyRates;
  jobs: readonly Job[];
}

/** The sandbox's fixed rates. */
export function openSandboxRates(): Rates {
  return withConversions(readSandboxPair, []);
}

/** Rates from live sources: starts with the stored ones, and the job keeps them current. */
export async function openLiveRates(
  options: { database: Database; clock: Clock; log: Log; metrics: Metrics; fetchText: FetchText } & RateOptions,
): Promise<Rates> {
  const { database, clock, sources } = options;
  const live = createLiveRates(options);
  await database.inTransaction(
    async (unit) =>
      await scheduleSources(
        unit,
        sources.map(({ name }) => name),
        clock.now(),
      ),
  );
  await live.load(database);
  return withConversions(live.read, [createRatesJob({ ...options, live })]);
}

function withConversions(read: ReadPair, jobs: readonly Job[]): Rates {
  return { read, coins: createCoinRates(read), currencies: createCurrencyRates(read), jobs };
}

export function ratesModule({ read, jobs }: Rates, serve: ServeApi): Module {
  const routes = new Hono<HttpEnv>();
  serve(routes, listRatesOperation, ({ query }) => Promise.resolve(listRates(read, query.currency ?? 'USD')));
  return { routes: [routes], jobs };
}
