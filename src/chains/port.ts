import type { Expression } from 'kysely';
import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { Instant } from '../shared/time.ts';

/** A block, by its place and its name. Two chains agree up to a height when they have the same hash there. */
export interface BlockRef {
  height: number;
  hash: string;
}

/** Money that came to an address, once. Amounts are whole numbers of the currency's smallest unit, of any length. */
export interface ChainDeposit {
  /**
   * Names it within its chain for ever, before it is in a block and after: `TXID:VOUT`, `TXHASH:native`,
   * `TXHASH:LOGINDEX:AMOUNT`, `balance:ADDRESS:HEIGHT:AMOUNT`. A log is counted within its own transaction: its number
   * within the block is another one after a reorganisation, and so may be the amount, which makes it another payment.
   */
  paymentKey: string;
  /** Empty where a balance alone tells of it. */
  txHash: string;
  /** In the form in which `ChainAddresses.normalise` answers it. */
  address: string;
  code: CryptoCurrencyCode;
  amount: bigint;
  /**
   * The height of the first block in which it may be spent, where a chain makes newly made coins wait;
   * any later block where it is not there.
   */
  spendableFrom?: number;
}

/** A block with what came to addresses of ours. */
export interface ChainBlock extends BlockRef {
  parentHash: string;
  /** What its miner says; it may be hours off. */
  minedAt: Instant;
  deposits: readonly ChainDeposit[];
}

/** Which of some addresses are ours; asked once for each block, with all that are in it. */
export type FindOwnAddresses = (addresses: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * What a transaction costs now, for each unit of its size: satoshi for a virtual byte, wei for a unit of gas.
 * Of a unit of gas, `priority` goes to whoever makes the block, and the rest is the next block's base fee (EIP-1559).
 */
export type FeeRate = ({ unit: 'sat/vB'; amount: bigint } | { unit: 'wei/gas'; amount: bigint; priority: bigint }) & {
  /** How independent estimates disagree, in words. No transaction is priced by such a rate. */
  implausibility?: string;
};

/**
 * What has become of a transaction that was sent: `mined` in a block of the chain as it is now, `failed` in one
 * (it cost its fee and moved nothing; not on Bitcoin), `waiting` for one, or `unknown` to the node.
 */
export type TransactionState =
  | { state: 'mined' | 'failed'; block: BlockRef }
  | { state: 'waiting' }
  | { state: 'unknown' };

/** What the node answered to a transaction: `sent` also when it had it already, in the pool or in a block. */
export type BroadcastResult = { kind: 'sent' } | { kind: 'refused'; reason: string; cause?: RejectionCause };

/**
 * Why a node refuses a transaction, where another transaction would be accepted: `price` (its fee is too low or too
 * high), `inputs` (an output that it spends is spent or missing), `nonce` (its number was used by another transaction).
 */
export type RejectionCause = 'price' | 'inputs' | 'nonce';

/** An output in the chain: `spending` where a transaction that waits for a block spends it, `spent` also where no block has it. */
export type CoinState = 'unspent' | 'spending' | 'spent';

/** An unspent output in a block. */
export interface UnspentCoin {
  paymentKey: string;
  address: string;
  amount: bigint;
  /** Of its block. */
  height: number;
}

/**
 * Why a node cannot be believed: it does not answer (`down`), it has not the blocks that there must be
 * (`behind`), or it follows another chain than the one that is set up (`wrong_network`).
 */
export type ChainErrorKind = 'down' | 'behind' | 'wrong_network';

/** Thrown by every method of `Chain` where nothing is known; nothing is ever credited on a guess. */
export class ChainError extends Error {
  readonly kind: ChainErrorKind;
  constructor(kind: ChainErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ChainError';
    this.kind = kind;
  }
}

/** What a chain is, without a node: its addresses and the words for paying to one. Pure. */
export interface ChainAddresses {
  /** The network and how its addresses begin, in words. */
  readonly formatHint: string;
  /** The address at an index of the external chain (`/0/INDEX`) below an account's extended public key (BIP 32). */
  derive(accountKey: string, index: number): string;
  /** An address in the one form in which it is kept and compared; null where it is none of this network. */
  normalize(text: string): string | null;
  /** Says which other network of the same family an address belongs to; null where it is none of those. */
  explainMismatch?(text: string): string | null;
  /** BIP 21 or EIP-681. */
  paymentUri(payment: { code: CryptoCurrencyCode; address: string; amount: bigint | null }): string;
}

/** A chain as its node tells of it. */
export interface Chain {
  /** Of a chain that is kept in the service's own database: how its changes are noticed without asking it. */
  readonly changeSignal?: {
    /** Announced with each change. */
    topic: string;
    /** As a subquery: another text after each change. */
    version: Expression<string>;
  };
  readonly currencies: readonly CryptoCurrencyCode[];
  readonly addresses: ChainAddresses;
  /** The last block. Throws `ChainError` where the node is down, behind or on the wrong network. */
  tip(): Promise<BlockRef>;
  /** The block at a height of the chain as it is now; null where there is none (yet). */
  block(height: number, findOurs: FindOwnAddresses): Promise<ChainBlock | null>;
  /** Only its hash; null where there is none (yet). */
  blockHash(height: number): Promise<string | null>;
  /** All that waits for a block and comes to us; none where nodes do not tell. */
  unconfirmedDeposits(findOurs: FindOwnAddresses): Promise<readonly ChainDeposit[]>;
  /**
   * What addresses hold in a block, where money can come without a transaction of its own to be seen in a
   * block (what a contract sends); null where a chain has no such money.
   */
  balances(
    code: CryptoCurrencyCode,
    addresses: readonly string[],
    at: BlockRef,
  ): Promise<ReadonlyMap<string, bigint>> | null;
  /** How many transactions addresses have sent up to a block; null where `balances` answers so. */
  transactionCounts(addresses: readonly string[], at: BlockRef): Promise<ReadonlyMap<string, number>> | null;
  /**
   * What a transaction has cost its sender, besides what it sent, and the block in which it did; null where it is
   * in none, and on chains where `balances` answers so.
   */
  feePaid(txHash: string): Promise<{ block: BlockRef; fee: bigint } | null>;
  feeRate(): Promise<FeeRate>;
  /**
   * The states of outputs by their payment keys; null on chains with accounts. Throws `ChainError` where the chain
   * that they are of does not have the block `at`.
   */
  coinStates(paymentKeys: readonly string[], at: BlockRef): Promise<ReadonlyMap<string, CoinState>> | null;
  /**
   * Finds all unspent outputs of addresses in the node's set of unspent outputs, as of one block. It takes minutes on a
   * main network; `onProgress` gets a percentage now and then. Null on chains with accounts.
   */
  scanUtxoSet(
    addresses: readonly string[],
    onProgress: (percent: number) => void,
  ): Promise<{ at: BlockRef; coins: readonly UnspentCoin[] }> | null;
  /** Sends what is signed, in the chain's own form in hex. */
  broadcast(raw: string): Promise<BroadcastResult>;
  /**
   * What has become of a transaction. `since` is the height of the last block before it was first sent:
   * nodes that keep no index of transactions are searched from there.
   */
  findTransaction(txHash: string, since: number): Promise<TransactionState>;
  close(): Promise<void>;
}
