import { z } from 'zod';
import { MINUTE, SECOND } from '../../shared/time.ts';
import { coinPairs } from '../pairs.ts';
import type { RateSource } from '../port.ts';
import { decimalText, midPrice } from '../quotes.ts';

const tickers = z.array(z.looseObject({ pair: z.string() }));

/** https://www.bitstamp.net/api/#tag/Tickers: `timestamp` in seconds. */
const ticker = z.object({ bid: decimalText, ask: decimalText, timestamp: z.string().regex(/^\d{1,11}$/) });

/** Bitstamp: one response for all its markets. */
export const bitstamp: RateSource = {
  name: 'bitstamp',
  kind: 'coins',
  interval: MINUTE,
  async fetchQuotes(fetchText) {
    const listed = tickers.parse(JSON.parse(await fetchText('https://www.bitstamp.net/api/v2/ticker/')));
    return listed.flatMap((each) => {
      const pair = coinPairs.find((known) => known === each.pair);
      if (!pair) return [];
      const { bid, ask, timestamp } = ticker.parse(each);
      return [{ pair, rate: midPrice(bid, ask), at: Number(timestamp) * SECOND }];
    });
  },
};
