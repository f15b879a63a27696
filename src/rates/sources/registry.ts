import type { RateSource } from '../port.ts';
import { bitfinex } from './bitfinex.ts';
import { bitstamp } from './bitstamp.ts';
import { coinbase } from './coinbase.ts';
import { coinbaseFiat } from './coinbase-fiat.ts';
import { ecb } from './ecb.ts';
import { kraken } from './kraken.ts';
import { nbp, nbpWeekly } from './nbp.ts';

/** One line for each source. */
export const rateSources: readonly RateSource[] = [
  ...[coinbase, kraken, bitstamp, bitfinex],
  ...[ecb, nbp, nbpWeekly, coinbaseFiat],
];
