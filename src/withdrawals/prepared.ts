import type { WaitsFor } from './schema.ts';
import type { BlockRef, FeeRate } from '../chains/port.ts';
import type { Coin, Unsigned } from '../chains/spender.ts';
import type { Wallet } from '../wallets/schema.ts';
import type { HeldDeposit } from '../deposits/deposit.ts';
import type { Version, Withdrawal } from './withdrawal.ts';

/** How things stand while withdrawals are looked at. */
export interface Circumstances {
  /** The last block that was read. */
  tip: BlockRef;
  /** Asked of the node once. */
  feeRate(): Promise<FeeRate>;
}

/** All that there is to know about a withdrawal that is to have a transaction. */
export interface Order extends Circumstances {
  withdrawal: Withdrawal;
  funds: readonly HeldDeposit[];
  wallets: ReadonlyMap<number, Wallet>;
  /** Newest first; it is to replace them. */
  versions: readonly Version[];
  /** Of the rate, the part that the block's producer gets; null on Bitcoin. */
  priority: bigint | null;
  rate: bigint;
}

/** What is made of a withdrawal's money, or why nothing is yet. */
export type Prepared =
  | { kind: 'ready'; transaction: Unsigned; rate: bigint; nonce: number | null; writtenOff?: bigint }
  | { kind: 'wait'; waitsFor: WaitsFor }
  /** Its money was no longer there, which is written down. */
  | { kind: 'written_off' };

/** What a transaction on chains of coins spends. */
export function coinsOf({ withdrawal, funds, wallets }: Pick<Order, 'withdrawal' | 'funds' | 'wallets'>): Coin[] {
  if (funds.length === 0) throw new Error(`Withdrawal ${withdrawal.publicId} has no money`);
  return funds.map(({ paymentKey, amount, walletId }) => {
    const wallet = wallets.get(walletId);
    if (!wallet) throw new Error('Money has no wallet');
    return { paymentKey, amount, index: wallet.derivationIndex };
  });
}

export function waitFor(reason: WaitsFor['reason'], detail: string): Extract<Prepared, { kind: 'wait' }> {
  return { kind: 'wait', waitsFor: { reason, detail, feeNow: null, limit: null } };
}

export function tooLittle({ spent }: Withdrawal, fee: bigint): Extract<Prepared, { kind: 'wait' }> {
  const detail = `It is ${spent}, and would cost ${fee}: nothing would arrive. It goes on once the fee is lower.`;
  return waitFor('amount', detail);
}
