import { MAX_MINOR, parseAmount } from './money.ts';

/** Quantity and price of an item; a discount has a negative price. */
export interface PricedItem {
  quantity?: number | undefined;
  unit_amount: number;
}

/** Returns an item's amount in minor units, or null if the currency cannot express it. */
export function lineItemMinor({ quantity = 1, unit_amount: unit }: PricedItem, minorUnits: number): bigint | null {
  if (unit === 0) return 0n;
  const minor = parseAmount(Math.abs(unit), minorUnits);
  if (typeof minor !== 'bigint') return null;
  const total = minor * BigInt(quantity);
  return total > MAX_MINOR ? null : unit < 0 ? -total : total;
}
