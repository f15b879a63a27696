export const feeCalculations = ['forward_without_fee', 'forward_with_fee'] as const;
export type FeeCalculation = (typeof feeCalculations)[number];

/** The merchant's fee for a method in a currency. */
export interface MethodFee {
  fixedMinor: bigint;
  /** Millionths of the amount. */
  percentMillionths: number;
}

/** What a fee can depend on: an amount in minor units of its currency, and who pays the fee. */
export interface FeeBasis {
  amountMinor: bigint;
  currency: string;
  feeCalculation: FeeCalculation;
}

/** An amount, its fee and the net amount; `chargedMinor - feeMinor === netMinor` always. */
export interface FeeSplit {
  /** Amount that the buyer pays. */
  chargedMinor: bigint;
  feeMinor: bigint;
  /** Net amount for the merchant. */
  netMinor: bigint;
}

/** Adds the fee to the amount (`forward_with_fee`) or deducts it (`forward_without_fee`). */
export function splitFee(basis: FeeBasis, fee: MethodFee): FeeSplit {
  const { amountMinor, feeCalculation } = basis;
  const feeMinor = fee.fixedMinor + percentFee(basis, fee);
  return feeCalculation === 'forward_with_fee'
    ? { chargedMinor: amountMinor + feeMinor, feeMinor, netMinor: amountMinor }
    : { chargedMinor: amountMinor, feeMinor, netMinor: amountMinor - feeMinor };
}

/**
 * The percentage part of the fee, of the amount without the fee, rounded half to even (IEEE 754 roundTiesToEven). It is
 * the only fee on an overpaid amount.
 */
export function percentFee(
  { amountMinor }: Omit<FeeBasis, 'feeCalculation'>,
  { percentMillionths }: MethodFee,
): bigint {
  const scaled = amountMinor * BigInt(percentMillionths);
  const whole = scaled / 1_000_000n;
  const remainder = scaled % 1_000_000n;
  if (remainder > 500_000n || (remainder === 500_000n && whole % 2n === 1n)) return whole + 1n;
  return whole;
}
