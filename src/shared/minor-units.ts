/** Currencies without decimals, and with three (ISO 4217). */
const noDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const threeDecimals = 'BHD IQD JOD KWD LYD OMR TND';

/** Decimals of a currency: 2 for USD, 0 for JPY, 3 for KWD. Separate from the list of currencies, which is longer. */
export function minorUnitsOf(currency: string): number {
  if (noDecimals.includes(currency)) return 0;
  return threeDecimals.includes(currency) ? 3 : 2;
}

/** Currencies with decimals (ISO 4217) that are rarely used in practice (CLDR: none in cash). Few: each costs bytes. */
const unusedDecimals = 'COP HUF IDR LAK MMK PKR TWD TZS UZS';

/**
 * True for `2500.00` IDR, which is shown as `Rp2,500`. Amounts with a fraction always show it: the defaults of `Intl`
 * would round it, and the shown amount would differ from the charged one.
 */
export function isShownWhole(value: string | number, currency: string): boolean {
  return unusedDecimals.includes(currency) && Number(value) % 1 === 0;
}
