import { Decimal } from '@scure/btc-signer';

const VIRTUAL_BYTES_PER_KILOBYTE = 1000n;
/** What nodes relay by default; less is taken by few of them. */
const LEAST = 1n;

/**
 * Satoshi for a virtual byte out of a rate in whole coins for a thousand of them, rounded up, at least 1.
 * Exact: a number that JSON gave for eight decimals is turned into those eight again.
 */
export function satPerVirtualByte(coinsPerKilobyte: number): bigint {
  const satPerKilobyte = Decimal.decode(coinsPerKilobyte.toFixed(8));
  const rate = (satPerKilobyte + VIRTUAL_BYTES_PER_KILOBYTE - 1n) / VIRTUAL_BYTES_PER_KILOBYTE;
  return rate > LEAST ? rate : LEAST;
}
