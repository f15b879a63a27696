import { millionthsOf } from './money.ts';

export const feeCalculations = ['forward_without_fee', 'forward_with_fee'] as const;
export type FeeCalculation = (typeof feeCalculations)[number];

/** The merchant's fee for a method in a currency. */
export interface MethodFee {
  fixedMinor: bigint;
  /** Millionths of the amount. */
  percentMillionths: number;
}

/** An amount, its fee and the net amount; `chargedMinor - feeMinor === netMinor` always. */
export interface FeeSplit {
  /** Amount that the buyer pays. */
  chargedMinor: bigint;
  feeMinor: bigint;
  /** Net amount for the merchant. */
  netMinor: bigint;
}

/** Adds the fee to the amount (`forward_with_fee`) or deducts it (`forward_without_fee`), rounded half to even. */
export function splitFee(amountMinor: bigint, fee: MethodFee, calculation: FeeCalculation): FeeSplit {
  const feeMinor = fee.fixedMinor + percentFee(amountMinor, fee);
  return calculation === 'forward_with_fee'
    ? { chargedMinor: amountMinor + feeMinor, feeMinor, netMinor: amountMinor }
    : { chargedMinor: amountMinor, feeMinor, netMinor: amountMinor - feeMinor };
}

/** The percentage part of the fee, rounded half to even. It is the only fee on an overpaid amount. */
export function percentFee(amountMinor: bigint, { percentMillionths }: MethodFee): bigint {
  return millionthsOf(amountMinor, percentMillionths);
}
