import type { CurrencyCode } from '../api/currency.ts';
import { crossRate } from '../shared/rate-arithmetic.ts';

/** Source of exchange rates. A transaction's rate is fixed at its creation. */
export interface RateSource {
  /** Units of `to` per unit of `from`, as a decimal. */
  rate(from: CurrencyCode, to: CurrencyCode): string;
}

/** US dollars per unit of each currency on 2026-11-02. */
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
  VND: '0.0000380',
};

/** Rates from the bundled table. */
export const tableRates: RateSource = { rate: (from, to) => crossRate(usdPerUnit[from], usdPerUnit[to]) };
