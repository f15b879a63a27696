import { z } from 'zod';
import { MINUTE } from '../../shared/time.ts';
import { coinPairs } from '../pairs.ts';
import type { Quote, RateSource } from '../port.ts';
import { decimalText, midPrice } from '../quotes.ts';

/** https://docs.cdp.coinbase.com/exchange/reference/exchangerestapi_getproductticker */
const ticker = z.object({ bid: decimalText, ask: decimalText });

/** Every pair is tried. There is no USDC market in dollars: Coinbase converts them one to one. */
const products = coinPairs.filter((pair) => pair !== 'USDC/USD');

/** The Coinbase exchange. It reports the time of the last trade, but not that of bid and ask. */
export const coinbase: RateSource = {
  name: 'coinbase',
  kind: 'coins',
  interval: MINUTE,
  async fetchQuotes(fetchText, now) {
    const results = await Promise.allSettled(
      products.map(async (pair): Promise<Quote> => {
        const product = pair.replace('/', '-');
        const body = await fetchText(`https://api.exchange.coinbase.com/products/${product}/ticker`);
        const { bid, ask } = ticker.parse(JSON.parse(body));
        return { pair, rate: midPrice(bid, ask), at: now };
      }),
    );
    const quotes = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    // A market that does not exist must not affect the others.
    if (quotes.length > 0) return quotes;
    throw results.find((result) => result.status === 'rejected')?.reason;
  },
};
