import { formatInstant } from '../shared/time.ts';
import { isExpected, pairs } from './pairs.ts';
import type { ReadPair } from './port.ts';

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
