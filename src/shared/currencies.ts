export { minorUnitsOf } from './minor-units.ts';

/**
 * Codes of ISO 4217 that payments can use, by the power of ten of their maximum amount: the largest one worth at most 50
 * million US dollars in 2026, at the rates of the sandbox (a test compares them). List one of ISO 4217 without funds,
 * metals and test codes, and without CUP, IRR, KPW and SYP, which card networks do not settle.
 */
const codesByMaximum = {
  7: 'AUD AWG AZN BAM BHD BMD BND BSD CAD CHF EUR FKP GBP GIP JOD KWD KYD NZD OMR PAB SGD SHP USD XCG',
  8: 'AED BBD BOB BRL BWP BYN BZD CNY DKK ERN FJD GEL GHS GTQ HKD ILS LSL LYD MAD MDL MOP MVR MXN MYR NAD NOK PEN PGK PLN QAR RON SAR SBD SCR SEK SVC SZL TJS TMT TND TOP TTD WST XCD ZAR',
  9: 'AFN ALL BDT BTN CVE CZK DJF DOP DZD EGP ETB GMD HNL HTG INR ISK JMD JPY KES KGS LRD MKD MRU MUR MZN NIO NPR PHP RSD RUB SLE SRD STN THB TRY TWD UAH UYU VUV XPF ZMW ZWG',
  10: 'AMD AOA ARS CLP CRC GYD HUF IQD KMF KRW KZT LKR MWK NGN PKR RWF SDG SOS VES XAF XOF YER',
  11: 'BIF CDF COP GNF IDR KHR MGA MMK MNT PYG SSP TZS UGX UZS',
  12: 'LAK LBP VND',
} as const;

type Split<List, Found = never> = List extends `${infer Code} ${infer Rest}` ? Split<Rest, Found | Code> : Found | List;

export type CurrencyCode = Split<(typeof codesByMaximum)[keyof typeof codesByMaximum]>;

const maximumExponents = new Map(
  Object.entries(codesByMaximum).flatMap(([exponent, codes]) =>
    codes.split(' ').map((code) => [code, Number(exponent)] as const),
  ),
);

/** All currencies that payments can use. The method catalog has fewer; routes of acquirer accounts add the others. */
export const currencyCodes = [...maximumExponents.keys()].sort() as CurrencyCode[];

/** Maximum amount of a payment in a currency, in whole units. */
export function maximumAmountOf(currency: CurrencyCode): number {
  return 10 ** (maximumExponents.get(currency) ?? 7);
}
