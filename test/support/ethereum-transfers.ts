import type { FeeCaps } from '../../src/chains/ethereum/fees.ts';
import { createSignerAt, type Signer } from '../../src/chains/ethereum/signing.ts';
import type { TransactionFields } from '../../src/chains/ethereum/transaction.ts';
import type { FeeRate } from '../../src/chains/port.ts';

/** The signer of the wallet at `/0/INDEX` below an account's extended private key. */
export function createWalletSigner(accountKey: string, index: number): Signer {
  return createSignerAt(accountKey, { chain: 0, index });
}

/** Fee caps of a new transfer: they suffice for six full blocks, while the base fee doubles. */
export function feeCaps({ amount, priority }: Extract<FeeRate, { unit: 'wei/gas' }>): FeeCaps {
  return { maxFeePerGas: 2n * (amount - priority) + priority, maxPriorityFeePerGas: priority };
}

/** Replaces a transfer: both fees are doubled, and at least the current ones. A sweep sends less. */
export function bumpFees(transfer: TransactionFields, current: FeeCaps): TransactionFields {
  const bump = (name: keyof FeeCaps) => (2n * transfer[name] > current[name] ? 2n * transfer[name] : current[name]);
  const caps = { maxFeePerGas: bump('maxFeePerGas'), maxPriorityFeePerGas: bump('maxPriorityFeePerGas') };
  const raise = transfer.gasLimit * (caps.maxFeePerGas - transfer.maxFeePerGas);
  return { ...transfer, ...caps, value: transfer.value === 0n ? 0n : transfer.value - raise };
}

/** Maximum cost of a transfer, in wei. */
export function maxCostOf({ value, gasLimit, maxFeePerGas }: TransactionFields): bigint {
  return value + gasLimit * maxFeePerGas;
}
