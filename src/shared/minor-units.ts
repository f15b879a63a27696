/** Currencies without decimals, and with three (ISO 4217). */
const noDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const threeDecimals = 'BHD IQD JOD KWD LYD OMR TND';

/** Decimals of a currency: 2 for USD, 0 for JPY, 3 for KWD. Separate from the list of currencies, which is longer. */
export function minorUnitsOf(currency: string): number {
  if (noDecimals.includes(currency)) return 0;
  return threeDecimals.includes(currency) ? 3 : 2;
}
