import type { FeeRate } from '../port.ts';
import type { FeeHistory } from './schemas.ts';

type GasRate = Extract<FeeRate, { unit: 'wei/gas' }>;

const GWEI = 10n ** 9n;
/** How many times an independent figure a plausible estimate may be. */
const MAX_RATIO = 10n;
/** Below this price of a unit of gas estimates may differ by any factor: the fee is small by any of them. */
const PLAUSIBLE_UP_TO = GWEI;

/**
 * The current rate: the next block's base fee and the median priority fee of recent blocks. The base fee changes by an
 * eighth at most from block to block, and a node pays about as much itself: where the history says something else,
 * the rate is in doubt.
 */
export function toFeeRate(
  { baseFeePerGas, gasUsedRatio, reward }: FeeHistory,
  { baseFee, gasPrice }: { baseFee: bigint | null; gasPrice: bigint },
): GasRate {
  // A block without transactions tells nothing of what they give.
  const rewards = (reward ?? []).flatMap((ofBlock, index) => (gasUsedRatio?.[index] === 0 ? [] : ofBlock));
  const median = rewards.sort((one, other) => (one < other ? -1 : Number(one > other)))[rewards.length >> 1] ?? 0n;
  const priority = median > 0n ? median : 1n;
  const nextBaseFee = baseFeePerGas.at(-1) ?? 0n;
  const rate: GasRate = { unit: 'wei/gas', amount: nextBaseFee + priority, priority };
  if (rate.amount <= PLAUSIBLE_UP_TO) return rate;
  // Two blocks may have come between the answers.
  if (baseFee !== null && nextBaseFee > 2n * baseFee)
    return {
      ...rate,
      implausibility: `the fee history says ${nextBaseFee} wei for the base fee, the last block ${baseFee}`,
    };
  const reference = max(gasPrice, baseFee ?? 0n);
  if (rate.amount > MAX_RATIO * reference)
    return {
      ...rate,
      implausibility: `the fee history says ${rate.amount} wei for a unit of gas, the node itself ${reference}`,
    };
  return rate;
}

/** The two caps of a transaction (EIP-1559), in wei for a unit of gas. The priority fee is within the whole. */
export interface FeeCaps {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/**
 * Caps for a transaction that is sent now. The base fee may grow by an eighth with each block: twice the
 * next block's holds for six full ones. What is not needed of it stays with the sender.
 */
export function feeCaps(rate: GasRate): FeeCaps {
  const baseFee = rate.amount - rate.priority;
  return { maxFeePerGas: 2n * baseFee + rate.priority, maxPriorityFeePerGas: rate.priority };
}

/**
 * Caps for a transaction that is to take the place of another one: both at least an eighth higher, rounded
 * up. How much a node asks for is its own setting; a tenth is what Geth asks for unless told otherwise.
 */
export function replacementCaps(previous: FeeCaps, minimum: FeeCaps): FeeCaps {
  return {
    maxFeePerGas: max(raiseByEighth(previous.maxFeePerGas), minimum.maxFeePerGas),
    maxPriorityFeePerGas: max(raiseByEighth(previous.maxPriorityFeePerGas), minimum.maxPriorityFeePerGas),
  };
}

const raiseByEighth = (fee: bigint) => (fee * 9n + 7n) / 8n;
const max = (one: bigint, other: bigint) => (one > other ? one : other);
