import { minorUnitsOf } from '../../../src/shared/currencies.ts';

/** The vendor's record of one charge or push payment. Amounts are in minor units of ISO 4217. */
export interface SimulatorCharge {
  /** Our reference. Some vendors accept the same one twice, which is then a double charge. */
  reference: string;
  /** The vendor's ID. */
  id: string;
  currency: string;
  /** The requested amount. */
  amountMinor: bigint;
  /** The amount that the buyer has paid. */
  paidMinor: bigint;
  /** The amount that went back to the buyer. */
  refundedMinor: bigint;
  state: 'open' | 'authorized' | 'paid' | 'declined' | 'cancelled' | 'expired';
}

/** References that were paid more than once; must be empty. */
export function paidTwice(charges: readonly SimulatorCharge[]): string[] {
  const paid = charges.filter(({ state }) => state === 'paid').map(({ reference }) => reference);
  return [...new Set(paid.filter((reference, index) => paid.indexOf(reference) !== index))];
}

/** Decimals of a currency by ISO 4217. */
export function isoDecimals(currency: string): number {
  return minorUnitsOf(currency);
}

/** Converts a whole amount between numbers of decimals. A remainder is an error of the test. */
export function rescale(amount: bigint, from: number, to: number): bigint {
  if (to >= from) return amount * 10n ** BigInt(to - from);
  const divisor = 10n ** BigInt(from - to);
  if (amount % divisor !== 0n) throw new Error(`${amount} has more than ${to} decimals`);
  return amount / divisor;
}
