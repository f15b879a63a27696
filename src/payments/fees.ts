import type { FeeCalculation } from '../api/fiat-transaction.ts';
import type { MethodFee } from '../methods/availability.ts';
import { millionthsOf } from '../shared/rate-arithmetic.ts';

/** An amount and what becomes of it; `chargedMinor - feeMinor === deliveredMinor` always. */
export interface FeeSplit {
  /** What the buyer pays. */
  chargedMinor: bigint;
  feeMinor: bigint;
  /** What the merchant gets. */
  deliveredMinor: bigint;
}

/** The fee on top of the amount (`forward_with_fee`) or off it (`forward_without_fee`), rounded half to even. */
export function splitFee(amountMinor: bigint, fee: MethodFee, calculation: FeeCalculation): FeeSplit {
  const feeMinor = fee.fixMinor + millionthsOf(amountMinor, fee.percentMillionths);
  return calculation === 'forward_with_fee'
    ? { chargedMinor: amountMinor + feeMinor, feeMinor, deliveredMinor: amountMinor }
    : { chargedMinor: amountMinor, feeMinor, deliveredMinor: amountMinor - feeMinor };
}
