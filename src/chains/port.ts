/*
 * The port for blockchains. `bitcoin/` and `ethereum/` implement `Chain` with a node, `simulated/` with the database.
 * `family.ts` defines the interface that each protocol family implements, and `families.ts` lists all families;
 * `connect.ts` creates the configured chains. `cursor.ts` and `blocks.ts` store how far each chain has been scanned;
 * `src/deposits/scan.ts` moves that position. `spender.ts` is the port that builds and signs withdrawals.
 * Reasons: docs/decisions/chains.md, chains-ethereum.md and chains-simulated.md.
 */

import type { Expression } from 'kysely';
import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { Instant } from '../shared/time.ts';

/** A block. Two chains agree up to a height if they have the same hash there. */
export interface BlockRef {
  height: number;
  hash: string;
}

/** A payment to one of our addresses. Amounts are in the currency's smallest unit. */
export interface ChainDeposit {
  /**
   * Identifies the deposit within its chain, in the mempool and in blocks: `TXID:VOUT`, `TXHASH:native`,
   * `TXHASH:LOGINDEX:AMOUNT`, `balance:ADDRESS:HEIGHT:AMOUNT`. The log index counts within the transaction, because a
   * reorg changes the index within the block. A reorg may also change the amount, which makes it a different deposit.
   */
  paymentKey: string;
  /** Empty if only a balance shows the deposit. */
  txHash: string;
  /** In the format of `ChainAddresses.normalize`. */
  address: string;
  code: CryptoCurrencyCode;
  amount: bigint;
  /**
   * Height of the first block that may spend it, for immature outputs. Other outputs may be spent in any later block.
   */
  spendableFrom?: number;
}

/** A block with the deposits to our addresses. */
export interface ChainBlock extends BlockRef {
  parentHash: string;
  /** The miner's timestamp, which may be hours off. */
  minedAt: Instant;
  deposits: readonly ChainDeposit[];
}

/** Returns the given addresses that belong to us. Called once per block, with all its addresses. */
export type FindOwnAddresses = (addresses: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Current fee per unit of size: satoshi per virtual byte, or wei per unit of gas. On Ethereum, `priority` is paid to
 * the block's proposer, and the rest is the base fee of the next block (EIP-1559).
 */
export type FeeRate = ({ unit: 'sat/vB'; amount: bigint } | { unit: 'wei/gas'; amount: bigint; priority: bigint }) & {
  /** Describes a disagreement between independent estimates. Such a rate is not used for any transaction. */
  disagreement?: string;
};

/**
 * State of a sent transaction: `mined` in a block of the current chain, `failed` in one (Ethereum: it paid its fee and
 * moved nothing), `waiting` in the mempool, or `unknown` to the node.
 */
export type TransactionState =
  | { state: 'mined' | 'failed'; block: BlockRef }
  | { state: 'waiting' }
  | { state: 'unknown' };

/** The node's response to a broadcast: `sent` also if it had the transaction already, in the mempool or a block. */
export type BroadcastResult = { kind: 'sent' } | { kind: 'refused'; reason: string; cause?: RejectionCause };

/**
 * Cause of a node's rejection, if a different transaction could be accepted: `fee` (its fee is too low or too high),
 * `inputs` (an output that it spends is spent or missing), `nonce` (another transaction used its nonce).
 */
export type RejectionCause = 'fee' | 'inputs' | 'nonce';

/**
 * State of an output: `spending` if a mempool transaction spends it; `spent` if a block spends it, or if no block
 * contains it.
 */
export type OutputState = 'unspent' | 'spending' | 'spent';

/** An unspent output in a block. */
export interface UnspentOutput {
  paymentKey: string;
  address: string;
  amount: bigint;
  /** Height of its block. */
  height: number;
}

/**
 * Reason why a node's data cannot be used: it does not respond (`down`), lacks blocks (`behind`), or is on a
 * network other than the configured one (`wrong_network`).
 */
export type ChainErrorKind = 'down' | 'behind' | 'wrong_network';

/** Thrown by every method of `Chain` without a reliable result, so that nothing is credited on a guess. */
export class ChainError extends Error {
  readonly kind: ChainErrorKind;
  /** True if the node reported that it no longer has the state of a block. False for a failed call. */
  isStateMissing = false;
  constructor(kind: ChainErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ChainError';
    this.kind = kind;
  }
}

/** Addresses, payment URIs and public pages of a chain. Pure: no node is called. */
export interface ChainAddresses {
  /** The network and the prefix of its addresses, as text for error messages. */
  readonly formatHint: string;
  /** Derives the address at `/0/INDEX` below an account's extended public key (BIP 32). */
  derive(accountKey: string, index: number): string;
  /** Returns the canonical form of an address, for storage and comparison; null if it is not of this network. */
  normalize(text: string): string | null;
  /** Explains why an address is invalid here: it is of another network of the same family. Null if it matches none. */
  explainMismatch?(text: string): string | null;
  /** Explains why funds sent to a valid address would be lost; null for other addresses. */
  explainUnspendable?(address: string): string | null;
  /** Payment URI: BIP 21 or EIP-681. */
  paymentUri(payment: { code: CryptoCurrencyCode; address: string; amount: bigint | null }): string;
  /** A transaction's page in a block explorer; null if the network has none. */
  explorerUrl(txHash: string): string | null;
}

/** A blockchain. */
export interface Chain {
  /** Only for chains stored in the service's own database: detects changes without a call. */
  readonly changeSignal?: {
    /** Announced with each change. */
    topic: string;
    /** Subquery for a text that differs after each change. */
    version: Expression<string>;
  };
  readonly currencies: readonly CryptoCurrencyCode[];
  readonly addresses: ChainAddresses;
  /** Last block. Throws `ChainError` if the node is down, behind or on the wrong network. */
  tip(): Promise<BlockRef>;
  /** Block at a height of the current chain; null if there is none (yet). */
  block(height: number, findOwnAddresses: FindOwnAddresses): Promise<ChainBlock | null>;
  /** Hash of the block at a height; null if there is none (yet). */
  blockHash(height: number): Promise<string | null>;
  /** All deposits in the mempool; empty if nodes do not report the mempool. */
  unconfirmedDeposits(findOwnAddresses: FindOwnAddresses): Promise<readonly ChainDeposit[]>;
  /**
   * Balances of addresses after a block, for chains where funds can arrive without a transaction that shows it
   * (ether sent by contracts). Null on other chains.
   */
  balances(
    code: CryptoCurrencyCode,
    addresses: readonly string[],
    at: BlockRef,
  ): Promise<ReadonlyMap<string, bigint>> | null;
  /** Number of transactions that addresses have sent up to a block. Null if `balances` returns null. */
  transactionCounts(addresses: readonly string[], at: BlockRef): Promise<ReadonlyMap<string, number>> | null;
  /**
   * Fee that a transaction cost its sender, and its block. Null if it is in no block, or if `balances` returns
   * null on this chain.
   */
  feePaid(txHash: string): Promise<{ block: BlockRef; fee: bigint } | null>;
  feeRate(): Promise<FeeRate>;
  /**
   * States of outputs by payment key; null on account-based chains. Throws `ChainError` if the queried node's chain
   * does not contain the block `at`.
   */
  outputStates(paymentKeys: readonly string[], at: BlockRef): Promise<ReadonlyMap<string, OutputState>> | null;
  /**
   * Finds all unspent outputs of addresses in the node's UTXO set, as of one block. Takes minutes on a main network;
   * `onProgress` receives the percentage. Null on account-based chains.
   */
  scanUtxoSet(
    addresses: readonly string[],
    onProgress: (percent: number) => void,
  ): Promise<{ at: BlockRef; outputs: readonly UnspentOutput[] }> | null;
  /** Broadcasts a signed transaction in hexadecimal. */
  broadcast(raw: string): Promise<BroadcastResult>;
  /**
   * State of a sent transaction. `sentAtHeight` is the last height before its first broadcast: nodes without a
   * transaction index are searched from there. `unsigned`: its data before signing, by which a pruned node proves that
   * no deleted block contains it.
   */
  findTransaction(txHash: string, sentAtHeight: number, unsigned?: string): Promise<TransactionState>;
  close(): Promise<void>;
}
