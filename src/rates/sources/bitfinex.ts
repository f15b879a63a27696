import { z } from 'zod';
import { MINUTE } from '../../shared/time.ts';
import type { Pair } from '../pairs.ts';
import type { RateSource } from '../port.ts';
import { decimalNumber, midPrice } from '../quotes.ts';

/** https://docs.bitfinex.com/reference/rest-public-tickers: symbol, bid, size of the bid, ask, and more. */
const tickers = z.array(z.tuple([z.string(), decimalNumber, z.number(), decimalNumber], z.unknown()));

/** `UST` is Tether USD and `UDC` USD Coin. */
const symbols: Readonly<Record<string, Pair>> = {
  tBTCUSD: 'BTC/USD',
  tBTCEUR: 'BTC/EUR',
  tETHUSD: 'ETH/USD',
  tETHEUR: 'ETH/EUR',
  tLTCUSD: 'LTC/USD',
  tUSTUSD: 'USDT/USD',
  tUDCUSD: 'USDC/USD',
};

/** Bitfinex. It does not report the time of the bid and ask. */
export const bitfinex: RateSource = {
  name: 'bitfinex',
  kind: 'coins',
  interval: MINUTE,
  async fetchQuotes(fetchText, now) {
    const names = Object.keys(symbols).join(',');
    const body = await fetchText(`https://api-pub.bitfinex.com/v2/tickers?symbols=${names}`);
    return tickers.parse(JSON.parse(body)).flatMap(([symbol, bid, , ask]) => {
      const pair = symbols[symbol];
      return pair ? [{ pair, rate: midPrice(bid, ask), at: now }] : [];
    });
  },
};
