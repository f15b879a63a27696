import { crossRate, productOf } from '../shared/rate-arithmetic.ts';
import { cryptoCurrencies, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { CurrencyCode } from '../shared/currencies.ts';
import { SANDBOX_RATES_DATE, SANDBOX_RATES_SOURCE } from '../shared/sandbox-rates.ts';
import { parseMoment } from '../shared/time.ts';
import { codesOf, isCoinPair } from './pairs.ts';
import type { ReadPair } from './port.ts';

/** US dollars per unit of each currency on the table's date. */
const usdPerUnit: Readonly<Record<CurrencyCode, string>> = {
  ARS: '0.00069',
  AUD: '0.6541',
  BDT: '0.00819',
  BRL: '0.1857',
  EUR: '1.1534',
  IDR: '0.0000601',
  INR: '0.01127',
  KES: '0.00774',
  MXN: '0.05386',
  MYR: '0.2387',
  NGN: '0.000694',
  NZD: '0.5724',
  PHP: '0.01702',
  THB: '0.03088',
  USD: '1',
  VND: '0.000038',
};

const at = parseMoment(SANDBOX_RATES_DATE)?.at ?? 0;

/** The sandbox's rates: a table with a date. They are not real prices, and tests can rely on them. */
export const readSandboxPair: ReadPair = (pair) => {
  const { base, quote } = codesOf(pair);
  const rate = isCoinPair(pair)
    ? productOf(
        cryptoCurrencies[base.toLowerCase() as CryptoCurrencyCode].usdPrice,
        crossRate(usdPerUnit.USD, usdPerUnit[quote]),
      )
    : usdPerUnit[base as CurrencyCode];
  return { pair, rate, at, quotes: [{ pair, rate, at, source: SANDBOX_RATES_SOURCE }], unavailable: null };
};
