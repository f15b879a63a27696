import type { ChainDeposit } from '../chains/port.ts';
import type { Instant } from '../shared/time.ts';

/** A deposit as observed on the chain: in a block or in the mempool. */
export interface ObservedDeposit {
  deposit: ChainDeposit;
  block: { height: number; hash: string } | null;
  /** Best known time at which it was sent. */
  seenAt: Instant;
}

/** Changes to the deposits of a wallet, as read from a chain. Numbers are row IDs. */
export interface WalletChanges {
  observed: readonly ObservedDeposit[];
  /** Deposits that are no longer in a block or the mempool. */
  dropped: readonly number[];
  /** Deposits whose block was orphaned. */
  unmined: readonly number[];
  /** Crypto transactions with a deposit that gained or lost its required confirmations. */
  depthChanged: readonly number[];
  /** Deposits that were spent outside the service. */
  writtenOff: readonly number[];
  /** Deposits of which a part was spent outside the service, and that part. */
  partlyWrittenOff: readonly { id: number; amount: bigint }[];
  /** Deposits that were written off, and whose external spend was undone by a reorg. */
  restored: readonly number[];
}

export const noChanges: WalletChanges = {
  ...{ observed: [], dropped: [], unmined: [], depthChanged: [] },
  ...{ writtenOff: [], partlyWrittenOff: [], restored: [] },
};
