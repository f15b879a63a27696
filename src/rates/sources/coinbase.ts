import { z } from 'zod';
import { MINUTE } from '../../shared/time.ts';
import type { Pair } from '../pairs.ts';
import type { Quote, RateSource } from '../port.ts';
import { decimalText, midPrice } from '../quotes.ts';

/** https://docs.cdp.coinbase.com/exchange/reference/exchangerestapi_getproductticker */
const ticker = z.object({ bid: decimalText, ask: decimalText });

/** There is no USDC market in dollars: Coinbase converts them one to one. */
const products: Readonly<Record<string, Pair>> = {
  'BTC-USD': 'BTC/USD',
  'BTC-EUR': 'BTC/EUR',
  'ETH-USD': 'ETH/USD',
  'ETH-EUR': 'ETH/EUR',
  'LTC-USD': 'LTC/USD',
  'LTC-EUR': 'LTC/EUR',
  'USDT-USD': 'USDT/USD',
  'USDT-EUR': 'USDT/EUR',
  'USDC-EUR': 'USDC/EUR',
};

/** The Coinbase exchange. It reports the time of the last trade, but not that of bid and ask. */
export const coinbase: RateSource = {
  name: 'coinbase',
  kind: 'coins',
  interval: MINUTE,
  async fetchQuotes(fetchText, now) {
    const results = await Promise.allSettled(
      Object.entries(products).map(async ([product, pair]): Promise<Quote> => {
        const body = await fetchText(`https://api.exchange.coinbase.com/products/${product}/ticker`);
        const { bid, ask } = ticker.parse(JSON.parse(body));
        return { pair, rate: midPrice(bid, ask), at: now };
      }),
    );
    const quotes = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    // One delisted market must not affect the others.
    if (quotes.length > 0) return quotes;
    throw results.find((result) => result.status === 'rejected')?.reason;
  },
};
