import { crossRate, productOf } from '../shared/rate-arithmetic.ts';
import { cryptoCurrencies, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { CurrencyCode } from '../shared/currencies.ts';
import { SANDBOX_RATES_DATE, SANDBOX_RATES_SOURCE } from '../shared/sandbox-rates.ts';
import { parseMoment } from '../shared/time.ts';
import { codesOf, isCoinPair } from './pairs.ts';
import type { ReadPair } from './port.ts';

/** US dollars per unit of each currency on the table's date. */
const usdPerUnit: Readonly<Record<CurrencyCode, string>> = {
  ...{ AED: '0.2723', AFN: '0.0151', ALL: '0.0119', AMD: '0.00261', AOA: '0.00109', ARS: '0.00069' },
  ...{ AUD: '0.6541', AWG: '0.5587', AZN: '0.5882', BAM: '0.5897', BBD: '0.5', BDT: '0.00819', BHD: '2.6596' },
  ...{ BIF: '0.000338', BMD: '1', BND: '0.7695', BOB: '0.1447', BRL: '0.1857', BSD: '1', BTN: '0.01127' },
  ...{ BWP: '0.0745', BYN: '0.3345', BZD: '0.4969', CAD: '0.7132', CDF: '0.00045', CHF: '1.2413', CLP: '0.00106' },
  ...{ CNY: '0.1405', COP: '0.00026', CRC: '0.00199', CVE: '0.01046', CZK: '0.0476', DJF: '0.00562' },
  ...{ DKK: '0.1546', DOP: '0.0156', DZD: '0.00767', EGP: '0.0211', ERN: '0.0667', ETB: '0.0066', EUR: '1.1534' },
  ...{ FJD: '0.439', FKP: '1.3105', GBP: '1.3105', GEL: '0.3697', GHS: '0.0916', GIP: '1.3105', GMD: '0.0137' },
  ...{ GNF: '0.000115', GTQ: '0.1305', GYD: '0.00478', HKD: '0.1286', HNL: '0.038', HTG: '0.00764' },
  ...{ HUF: '0.00298', IDR: '0.0000601', ILS: '0.3052', INR: '0.01127', IQD: '0.000763', ISK: '0.0079' },
  ...{ JMD: '0.00623', JOD: '1.4104', JPY: '0.00645', KES: '0.00774', KGS: '0.01144', KHR: '0.000249' },
  ...{ KMF: '0.002345', KRW: '0.000688', KWD: '3.257', KYD: '1.2', KZT: '0.0019', LAK: '0.000046' },
  ...{ LBP: '0.0000112', LKR: '0.00328', LRD: '0.00549', LSL: '0.0577', LYD: '0.1833', MAD: '0.1079' },
  ...{ MDL: '0.0589', MGA: '0.000223', MKD: '0.01875', MMK: '0.000476', MNT: '0.00028', MOP: '0.1249' },
  ...{ MRU: '0.0251', MUR: '0.0217', MVR: '0.0649', MWK: '0.000577', MXN: '0.05386', MYR: '0.2387' },
  ...{ MZN: '0.01565', NAD: '0.0577', NGN: '0.000694', NIO: '0.0272', NOK: '0.0988', NPR: '0.00704' },
  ...{ NZD: '0.5724', OMR: '2.6008', PAB: '1', PEN: '0.2969', PGK: '0.2365', PHP: '0.01702', PKR: '0.00356' },
  ...{ PLN: '0.2717', PYG: '0.000141', QAR: '0.2747', RON: '0.2267', RSD: '0.00984', RUB: '0.0123' },
  ...{ RWF: '0.000688', SAR: '0.2666', SBD: '0.1215', SCR: '0.0727', SDG: '0.00166', SEK: '0.1056' },
  ...{ SGD: '0.7695', SHP: '1.3105', SLE: '0.0431', SOS: '0.00175', SRD: '0.0259', SSP: '0.00022', STN: '0.0471' },
  ...{ SVC: '0.1143', SZL: '0.0577', THB: '0.03088', TJS: '0.1084', TMT: '0.2857', TND: '0.3397', TOP: '0.4206' },
  ...{ TRY: '0.0237', TTD: '0.1475', TWD: '0.0322', TZS: '0.000406', UAH: '0.0238', UGX: '0.000276', USD: '1' },
  ...{ UYU: '0.0252', UZS: '0.0000833', VES: '0.0045', VND: '0.000038', VUV: '0.00819', WST: '0.3582' },
  ...{ XAF: '0.001758', XCD: '0.3704', XCG: '0.5587', XOF: '0.001758', XPF: '0.009665', YER: '0.00419' },
  ...{ ZAR: '0.0577', ZMW: '0.0443', ZWG: '0.0376' },
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
