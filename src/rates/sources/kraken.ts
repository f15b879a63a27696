import { z } from 'zod';
import { MINUTE } from '../../shared/time.ts';
import type { Pair } from '../pairs.ts';
import type { RateSource } from '../port.ts';
import { decimalText, midPrice } from '../quotes.ts';

const best = z.tuple([decimalText], z.unknown());

/** https://docs.kraken.com/api/docs/rest-api/get-ticker-information: `a` is the best ask, `b` the best bid. */
const responseSchema = z.object({
  error: z.array(z.string()).max(0),
  result: z.record(z.string(), z.object({ a: best, b: best })),
});

/** Keyed by the names that responses use. */
const markets: Readonly<Record<string, Pair>> = {
  XXBTZUSD: 'BTC/USD',
  XXBTZEUR: 'BTC/EUR',
  XETHZUSD: 'ETH/USD',
  XETHZEUR: 'ETH/EUR',
  XLTCZUSD: 'LTC/USD',
  XLTCZEUR: 'LTC/EUR',
  USDTZUSD: 'USDT/USD',
  USDTEUR: 'USDT/EUR',
  USDCUSD: 'USDC/USD',
  USDCEUR: 'USDC/EUR',
};

/** Kraken. It does not report the time of bid and ask. */
export const kraken: RateSource = {
  name: 'kraken',
  kind: 'coins',
  interval: MINUTE,
  async fetchQuotes(fetchText, now) {
    const names = Object.keys(markets).join(',');
    const body = await fetchText(`https://api.kraken.com/0/public/Ticker?pair=${names}`);
    const { result } = responseSchema.parse(JSON.parse(body));
    return Object.entries(result).flatMap(([name, { a, b }]) => {
      const pair = markets[name];
      return pair ? [{ pair, rate: midPrice(b[0], a[0]), at: now }] : [];
    });
  },
};
