import type { ChainPayment } from '../chains/port.ts';
import type { Instant } from '../shared/time.ts';

/** A deposit as the chain has it now: in a block, or waiting for one. */
export interface ObservedDeposit {
  payment: ChainPayment;
  block: { height: number; hash: string } | null;
  /** When it was sent, as far as that can be told. */
  seenAt: Instant;
}

/** Changes of a wallet's deposits, as read from a chain. */
export interface WalletChanges {
  observed: readonly ObservedDeposit[];
  /** Rows of payments that are neither in a block nor wait for one any more. */
  gone: readonly number[];
  /** Rows of payments whose block was taken back. */
  unmined: readonly number[];
  /** Rows of transactions with money that became deep enough, or is so no more. */
  moved: readonly number[];
  /** Rows of payments that were found spent outside the service. */
  writtenOff: readonly number[];
  /** Rows of payments of which a part was, and that part. */
  reduced: readonly { id: number; amount: bigint }[];
  /** Rows of payments written off whose spending a reorg has undone. */
  restored: readonly number[];
}

export const noChanges: WalletChanges = {
  ...{ observed: [], gone: [], unmined: [], moved: [] },
  ...{ writtenOff: [], reduced: [], restored: [] },
};
