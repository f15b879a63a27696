/** Currencies without decimals, and with three (ISO 4217). */
const noDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const threeDecimals = 'BHD IQD JOD KWD LYD OMR TND';

/** Decimals of a currency: 2 for USD, 0 for JPY, 3 for KWD. Separate from the list of currencies, which is longer. */
export function minorUnitsOf(currency: string): number {
  if (noDecimals.includes(currency)) return 0;
  return threeDecimals.includes(currency) ? 3 : 2;
}

/**
 * Currencies with decimals that are not used in practice (CLDR: none, or none in cash; without CZK, MUR, NOK and SEK,
 * whose decimals are usual in card prices). Payments can still have them: ISO 4217 and the acquirers do.
 */
const unusedDecimals = 'AFN ALL AMD COP CRC GYD HUF IDR IQD LAK LBP MGA MMK MNT PKR SOS TWD TZS UZS YER';

/**
 * True for `2500.00` IDR, which is shown as `Rp2,500`. Amounts with a fraction always show it: the defaults of `Intl`
 * would round it, and the shown amount would differ from the charged one.
 */
export function isShownWhole(value: string | number, currency: string): boolean {
  return unusedDecimals.includes(currency) && /^-?\d+(?:\.0*)?$/.test(String(value));
}
