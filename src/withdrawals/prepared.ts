import type { WaitsFor } from './schema.ts';
import type { BlockRef, FeeRate } from '../chains/port.ts';
import type { SpendableOutput, UnsignedTransaction } from '../chains/spender.ts';
import type { Wallet } from '../wallets/schema.ts';
import type { RemainingDeposit } from '../deposits/deposit.ts';
import type { Version, Withdrawal } from './withdrawal.ts';

/** State of the chain for one round of withdrawals. */
export interface ChainConditions {
  /** The last scanned block. */
  tip: BlockRef;
  /** Network fee rate; requested from the node once. */
  feeRate(): Promise<FeeRate>;
}

/** Inputs for creating a transaction of a withdrawal. */
export interface TransactionRequest extends ChainConditions {
  withdrawal: Withdrawal;
  funds: readonly RemainingDeposit[];
  wallets: ReadonlyMap<number, Wallet>;
  /** Existing versions, newest first, which the transaction replaces. */
  versions: readonly Version[];
  /** Priority fee per unit of gas, part of the rate; null on chains without one. */
  priority: bigint | null;
  rate: bigint;
}

/** A prepared transaction, or the reason to wait. */
export type Prepared =
  | { kind: 'ready'; transaction: UnsignedTransaction; rate: bigint; nonce: number | null; writtenOff?: bigint }
  | { kind: 'wait'; waitsFor: WaitsFor }
  /** Its funds are missing and were written off. */
  | { kind: 'written_off' };

/** Outputs that a transaction spends, on UTXO chains. */
export function outputsToSpend({
  withdrawal,
  funds,
  wallets,
}: Pick<TransactionRequest, 'withdrawal' | 'funds' | 'wallets'>): SpendableOutput[] {
  if (funds.length === 0) throw new Error(`Withdrawal ${withdrawal.publicId} has no deposits.`);
  return funds.map(({ paymentKey, amount, walletId }) => {
    const wallet = wallets.get(walletId);
    if (!wallet) throw new Error(`Deposit ${paymentKey} has no wallet.`);
    return { paymentKey, amount, index: wallet.derivationIndex };
  });
}

export function waitResult(reason: WaitsFor['reason'], detail: string): Extract<Prepared, { kind: 'wait' }> {
  return { kind: 'wait', waitsFor: { reason, detail, feeNow: null, limit: null } };
}

export function amountTooSmall({ spent }: Withdrawal, fee: bigint): Extract<Prepared, { kind: 'wait' }> {
  const detail = `The amount is ${spent} and the fee is ${fee}: nothing would arrive. The withdrawal is sent once the fee is lower.`;
  return waitResult('amount_too_small', detail);
}
