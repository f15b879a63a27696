import { z } from 'zod';
import { cryptoCurrencyCode } from './crypto-transaction.ts';
import { currencyCode } from './currency.ts';
import { instantText } from './text.ts';

/** Query of `GET /v1/rates`. */
export const ratesQuery = z.strictObject({
  currency: currencyCode.optional().describe('Currency of the prices; `USD` by default'),
});

const rateQuote = z
  .object({
    source: z.string().describe('`sandbox-table` for the fixed table of the sandbox, whose rates are not real prices'),
    pair: z.string().describe('`BTC/USD` is the price of one bitcoin in US dollars'),
    rate: z.string(),
    at: instantText.describe('Time reported by the source, or the time of the response if the source reports none'),
  })
  .meta({ id: 'RateQuote' });

const exchangeRate = z
  .object({
    code: z.union([cryptoCurrencyCode, currencyCode]).describe('Cryptocurrency or currency'),
    rate: z.string().nullable().describe('Price of one whole unit, a decimal; null while unavailable'),
    at: instantText.nullable().describe('Time of the oldest quote in the rate; null while unavailable'),
    quotes: z.array(rateQuote).describe('Quotes whose median is the rate. Some rates are calculated from two pairs'),
    unavailable: z.string().nullable().describe('Reason why no rate is within the limits; null otherwise'),
  })
  .meta({ id: 'ExchangeRate' });

/** Response of `GET /v1/rates`. */
export const ratesResponse = z.object({ currency: z.string(), rates: z.array(exchangeRate) });
export type RatesResponse = z.infer<typeof ratesResponse>;
