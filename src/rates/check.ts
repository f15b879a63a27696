import type { Database } from '../database/database.ts';
import { formatInstant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { type Check, ok, problem, warning } from '../system/diagnosis.ts';
import { createMetrics } from '../system/metrics.ts';
import { createLiveRates } from './live.ts';
import { isCoinPair, isExpected, pairs } from './pairs.ts';
import type { ReadPair } from './port.ts';
import type { RateOptions } from './settings.ts';

/** Checks that exchange rates are current. Prices in coins depend on the rates of coins. */
export function checkRates(
  options: { database: Database; clock: Clock; isSandbox: boolean; pricesCoins: boolean } & RateOptions,
): Check {
  return {
    name: 'rates',
    run: async () => {
      if (options.isSandbox) return ok('The sandbox has fixed rates.');
      if (options.sources.length === 0)
        return warning('No source of exchange rates is set.', 'Set RATES_SOURCES, or accept that no rate is shown.');
      const rates = createLiveRates({ ...options, metrics: createMetrics() });
      await rates.load(options.database);
      const { unavailable } = ratesHealth(rates.read);
      if (unavailable.length === 0) return ok(`All ${pairs.length} rates are current.`);
      const found = `${unavailable.length} of ${pairs.length} rates are unavailable: ${unavailable
        .map(({ pair, detail }) => `${pair}, ${detail}`)
        .slice(0, 3)
        .join(' ')}`;
      const action = 'Check outgoing connections and RATES_SOURCES; the log names the failed sources.';
      const affectsPrices = pairs.some((pair) => isCoinPair(pair) && rates.read(pair).unavailable !== null);
      return options.pricesCoins && affectsPrices ? problem(found, action) : warning(found, action);
    },
  };
}

/** Pairs whose rate cannot be used, for checks by an operator. */
export interface RatesHealth {
  status: 'available' | 'unavailable';
  unavailable: readonly { pair: string; reason: string; detail: string; since: string | null }[];
}

/** Lists the exchange rates that cannot be used, with the reasons. */
export function ratesHealth(read: ReadPair): RatesHealth {
  const unavailable = pairs.flatMap((pair) => {
    const { unavailable: state, rate } = read(pair);
    if (!state || !isExpected(pair, rate)) return [];
    const { reason, detail, since } = state;
    return [{ pair, reason, detail, since: since === null ? null : formatInstant(since) }];
  });
  return { status: unavailable.length === 0 ? 'available' : 'unavailable', unavailable };
}
