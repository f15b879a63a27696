/** Currencies without decimals, and with three (ISO 4217). */
const noDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const threeDecimals = 'BHD IQD JOD KWD LYD OMR TND';

const decimals = new Map([
  ...noDecimals.split(' ').map((code) => [code, 0] as const),
  ...threeDecimals.split(' ').map((code) => [code, 3] as const),
]);

/** Decimals of a currency: 2 for USD, 0 for JPY, 3 for KWD. Separate from the list of currencies, which is longer. */
export function minorUnitsOf(currency: string): number {
  return decimals.get(currency) ?? 2;
}
