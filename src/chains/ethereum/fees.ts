import type { FeeRate } from '../port.ts';

/** The two caps of a transaction (EIP-1559), in wei for a unit of gas. The priority fee is within the whole. */
export interface FeeCaps {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/**
 * Caps for a transaction that is sent now. The base fee may grow by an eighth with each block: twice the
 * next block's holds for six full ones. What is not needed of it stays with the sender.
 */
export function feeCaps(rate: Extract<FeeRate, { unit: 'wei/gas' }>): FeeCaps {
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
