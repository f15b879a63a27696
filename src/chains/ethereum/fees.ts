import type { FeeRate } from '../port.ts';
import type { FeeHistory } from './forms.ts';

type GasRate = Extract<FeeRate, { unit: 'wei/gas' }>;

const GWEI = 10n ** 9n;
/** How many times an independent figure a plausible estimate may be. */
const MOST_TIMES = 10n;
/** Below this price of a unit of gas estimates may differ by any factor: the fee is small by any of them. */
const ALWAYS_PLAUSIBLE = GWEI;

/**
 * The current rate: the next block's base fee and the median priority fee of recent blocks. The base fee changes by an
 * eighth at most from block to block, and a node pays about as much itself: where the history says something else,
 * the rate is in doubt.
 */
export function feeRateOf(
  { baseFeePerGas, gasUsedRatio, reward }: FeeHistory,
  { baseFee, gasPrice }: { baseFee: bigint | null; gasPrice: bigint },
): GasRate {
  // A block without transactions tells nothing of what they give.
  const rewards = (reward ?? []).flatMap((ofBlock, place) => (gasUsedRatio?.[place] === 0 ? [] : ofBlock));
  const middle = rewards.sort((one, other) => (one < other ? -1 : Number(one > other)))[rewards.length >> 1] ?? 0n;
  const priority = middle > 0n ? middle : 1n;
  const next = baseFeePerGas.at(-1) ?? 0n;
  const rate: GasRate = { unit: 'wei/gas', amount: next + priority, priority };
  if (rate.amount <= ALWAYS_PLAUSIBLE) return rate;
  // Two blocks may have come between the answers.
  if (baseFee !== null && next > 2n * baseFee)
    return { ...rate, doubt: `the fee history says ${next} wei for the base fee, the last block ${baseFee}` };
  const shown = larger(gasPrice, baseFee ?? 0n);
  if (rate.amount > MOST_TIMES * shown)
    return { ...rate, doubt: `the fee history says ${rate.amount} wei for a unit of gas, the node itself ${shown}` };
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
export function raisedCaps(before: FeeCaps, atLeast: FeeCaps): FeeCaps {
  return {
    maxFeePerGas: larger(raised(before.maxFeePerGas), atLeast.maxFeePerGas),
    maxPriorityFeePerGas: larger(raised(before.maxPriorityFeePerGas), atLeast.maxPriorityFeePerGas),
  };
}

const raised = (fee: bigint) => (fee * 9n + 7n) / 8n;
const larger = (one: bigint, other: bigint) => (one > other ? one : other);
