import type { FeeRate } from '../port.ts';
import type { FeeHistory } from './schemas.ts';

type GasRate = Extract<FeeRate, { unit: 'wei/gas' }>;

const GWEI = 10n ** 9n;
/** Maximum ratio of a plausible estimate to an independent figure. */
const MAX_RATIO = 10n;
/** Up to this gas price an estimate may differ by any factor, because the fee is small. */
const PLAUSIBLE_UP_TO = GWEI;

/**
 * Current rate: the next block's base fee plus the median priority fee of recent blocks. The base fee changes by at most
 * an eighth per block, and `eth_gasPrice` is about the same. If the fee history differs from both, the rate is marked
 * as implausible.
 */
export function toFeeRate(
  { baseFeePerGas, gasUsedRatio, reward }: FeeHistory,
  { baseFee, gasPrice }: { baseFee: bigint | null; gasPrice: bigint },
): GasRate {
  // Empty blocks have no priority fees.
  const rewards = (reward ?? []).flatMap((blockRewards, index) => (gasUsedRatio?.[index] === 0 ? [] : blockRewards));
  const median = rewards.sort((a, b) => (a < b ? -1 : Number(a > b)))[rewards.length >> 1] ?? 0n;
  const priority = median > 0n ? median : 1n;
  const nextBaseFee = baseFeePerGas.at(-1) ?? 0n;
  const rate: GasRate = { unit: 'wei/gas', amount: nextBaseFee + priority, priority };
  if (rate.amount <= PLAUSIBLE_UP_TO) return rate;
  // Two blocks may arrive between the responses.
  if (baseFee !== null && nextBaseFee > 2n * baseFee)
    return {
      ...rate,
      disagreement: `the fee history has a base fee of ${nextBaseFee} wei, the last block ${baseFee}`,
    };
  const reference = max(gasPrice, baseFee ?? 0n);
  if (rate.amount > MAX_RATIO * reference)
    return {
      ...rate,
      disagreement: `the fee history has ${rate.amount} wei per unit of gas, the node itself ${reference}`,
    };
  return rate;
}

/** Fee caps of a transaction (EIP-1559), in wei per unit of gas. `maxFeePerGas` includes the priority fee. */
export interface FeeCaps {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

const max = (a: bigint, b: bigint) => (a > b ? a : b);
