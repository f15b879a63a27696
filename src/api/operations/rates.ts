import { cryptoCurrencies, cryptoCurrencyCodes } from '../../shared/crypto-currency.ts';
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
          ...Object.entries({
            ...{ ARS: '0.00069', AUD: '0.6541', BDT: '0.00819', BRL: '0.1857', EUR: '1.1534', IDR: '0.0000601' },
            ...{ INR: '0.01127', KES: '0.00774', MXN: '0.05386', MYR: '0.2387', NGN: '0.000694', NZD: '0.5724' },
            ...{ PHP: '0.01702', THB: '0.03088', VND: '0.000038' },
          }).map(([code, rate]) => example(code, rate)),
        ],
      },
    },
  ],
});
