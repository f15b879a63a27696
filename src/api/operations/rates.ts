import { cryptoCurrencies, cryptoCurrencyCodes } from '../../shared/crypto-currency.ts';
import { currencyCodes } from '../../shared/currencies.ts';
import { sandboxUsdPrices } from '../../shared/sandbox-prices.ts';
import { SANDBOX_RATES_DATE, SANDBOX_RATES_SOURCE } from '../../shared/sandbox-rates.ts';
import { operation } from '../operation.ts';
import { ratesQuery, ratesResponse } from '../rates.ts';

const at = `${SANDBOX_RATES_DATE}T00:00:00.000000Z`;

function example(code: string, rate: string) {
  const pair = `${code.toUpperCase()}/USD`;
  return { code, rate, at, quotes: [{ source: SANDBOX_RATES_SOURCE, pair, rate, at }], unavailable: null };
}

export const listRates = operation({
  id: 'listRates',
  method: 'GET',
  path: '/v1/rates',
  group: 'rates',
  summary: 'List exchange rates',
  description:
    'Prices of all cryptocurrencies and currencies, with the quotes of each source and their times. A price outside the operator’s limits is unavailable: payment links then do not offer the cryptocurrency, and invoices return `rate_unavailable`.',
  scope: 'transaction:read',
  query: ratesQuery,
  response: ratesResponse,
  problems: [],
  examples: [
    {
      summary: 'Prices in US dollars',
      response: {
        currency: 'USD',
        rates: [
          ...cryptoCurrencyCodes.map((code) => example(code, cryptoCurrencies[code].usdPrice)),
          ...currencyCodes.filter((code) => code !== 'USD').map((code) => example(code, sandboxUsdPrices[code])),
        ],
      },
    },
  ],
});
