import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { BlockRef } from './port.ts';

/** Money at an address of ours that is to be moved. */
export interface Coin {
  /** As `ChainPayment` has it. */
  paymentKey: string;
  amount: bigint;
  /** Of its address, below `/0/` of the account. */
  index: number;
}

/** A transaction before it is signed. Amounts are of the smallest unit; the fee is of the chain's own currency. */
export interface Unsigned {
  /** As whoever signs it elsewhere takes it: BIP 174 in base64, or EIP-2718 in hexadecimal. */
  data: string;
  /** null where only the signature tells it. */
  txHash: string | null;
  /** What arrives. */
  amount: bigint;
  /** What it costs at most. */
  fee: bigint;
}

/** `too_little`: no more than its fee. */
export type Built = ({ kind: 'built' } & Unsigned) | { kind: 'too_little'; fee: bigint };

export interface Signed {
  /** What `Chain.send` takes. */
  raw: string;
  txHash: string;
}

/** What was given is not the transaction that was to be signed, or not rightly signed; in words for whoever signed it. */
export class NotThisTransaction extends Error {
  override readonly name = 'NotThisTransaction';
}

/** Builds and signs on chains whose transactions spend outputs: one of them may empty many wallets. */
export interface CoinSpender {
  readonly kind: 'coins';
  /** Whether the account's private key is here. */
  readonly canSign: boolean;
  /** How many coins one transaction spends at most. */
  readonly mostCoins: number;
  /** What one more coin adds to the fee; a coin of no more brings nothing. */
  costOfCoin(feeRate: bigint): bigint;
  build(order: { coins: readonly Coin[]; destination: string; feeRate: bigint }): Built;
  sign(unsigned: string): Promise<Signed>;
  /** Reads what somebody else has signed. Throws `NotThisTransaction`. */
  read(unsigned: string, given: string): Promise<Signed>;
}

/** A place below an account: 0 is the chain of addresses that payers get, 1 that of our own. */
export interface SenderPath {
  chain: 0 | 1;
  index: number;
}

/** What every transaction of an account is told. */
export interface AccountOrder {
  nonce: number;
  /** The most that a unit of gas may cost; what its block does not ask for stays with the sender. */
  feeRate: bigint;
  /** Of it, what the block's producer gets. */
  priority: bigint;
  gas: bigint;
  to: string;
}

/** Builds and signs on chains with accounts: each transaction is of one wallet, and has its number there. */
export interface AccountSpender {
  readonly kind: 'accounts';
  readonly canSign: boolean;
  /** Who pays for what moves tokens, and where its key is. */
  readonly gasWallet: { address: string; path: SenderPath };
  /** Gas that ether takes to an address without code, and that tokens may take. */
  readonly etherGas: bigint;
  readonly tokenGas: bigint;
  /** All of `spent`, of which the fee is taken. */
  buildEther(order: AccountOrder & { spent: bigint }): Built;
  buildToken(order: AccountOrder & { code: CryptoCurrencyCode; amount: bigint }): Built;
  /** Exactly this much, whatever it costs besides. */
  buildFunding(order: AccountOrder & { amount: bigint }): Built;
  /** Nothing, from `to` to itself: in place of another transaction of its nonce. */
  buildCancel(order: AccountOrder): Built;
  sign(unsigned: string, path: SenderPath): Promise<Signed>;
  /** Reads what somebody else has signed for an address. Throws `NotThisTransaction`. */
  read(unsigned: string, given: string, sender: string): Promise<Signed>;
  nextNonce(address: string): Promise<number>;
  /** Gas that moving so much from an address to another would use now. Throws `ChainTrouble` where it would fail. */
  gasFor(move: { code: CryptoCurrencyCode; from: string; to: string; amount: bigint }): Promise<bigint>;
  etherOf(addresses: readonly string[], at: BlockRef): Promise<ReadonlyMap<string, bigint>>;
}

export type Spender = CoinSpender | AccountSpender;
