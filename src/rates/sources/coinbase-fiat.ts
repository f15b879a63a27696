import { z } from 'zod';
import { crossRate } from '../../shared/rate-arithmetic.ts';
import { HOUR } from '../../shared/time.ts';
import type { RateSource } from '../port.ts';
import { decimalText, dollarQuotes } from '../quotes.ts';

/**
 * https://docs.cdp.coinbase.com/coinbase-app/track-apis/exchange-rates: units of each currency for one US dollar. Only
 * currencies of our catalog are read; rates of some coins are not plain decimals.
 */
const responseSchema = z.object({
  data: z.object({ currency: z.literal('USD'), rates: z.record(z.string(), z.unknown()) }),
});

/** Rates of the Coinbase app. It does not report their time. */
export const coinbaseFiat: RateSource = {
  name: 'coinbase-fiat',
  kind: 'currencies',
  interval: HOUR,
  async fetchQuotes(fetchText, now) {
    const body = await fetchText('https://api.coinbase.com/v2/exchange-rates?currency=USD');
    const { rates } = responseSchema.parse(JSON.parse(body)).data;
    return dollarQuotes((code) => {
      if (code === 'USD') return '1';
      const perDollar = decimalText.safeParse(rates[code]);
      return perDollar.success ? crossRate('1', perDollar.data) : undefined;
    }, now);
  },
};
