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
export interface UnsignedTransaction {
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
export type BuildResult = ({ kind: 'built' } & UnsignedTransaction) | { kind: 'too_little'; fee: bigint };

export interface SignedTransaction {
  /** What `Chain.send` takes. */
  raw: string;
  txHash: string;
}

/** What was given is not the transaction that was to be signed, or not rightly signed; in words for whoever signed it. */
export class SignedTransactionMismatch extends Error {
  override readonly name = 'SignedTransactionMismatch';
}

/** Builds and signs on chains whose transactions spend outputs: one of them may empty many wallets. */
export interface CoinSpender {
  readonly kind: 'coins';
  /** Whether the account's private key is here. */
  readonly canSign: boolean;
  /** How many coins one transaction spends at most. */
  readonly maxCoins: number;
  /** What one more coin adds to the fee; a coin of no more brings nothing. */
  feePerCoin(feeRate: bigint): bigint;
  build(sweep: { coins: readonly Coin[]; destination: string; feeRate: bigint }): BuildResult;
  sign(unsigned: string): Promise<SignedTransaction>;
  /** Reads what somebody else has signed. Throws `SignedTransactionMismatch`. */
  verifySigned(unsigned: string, signed: string): Promise<SignedTransaction>;
}

/** A place below an account: 0 is the chain of addresses that payers get, 1 that of our own. */
export interface AddressPath {
  chain: 0 | 1;
  index: number;
}

/** What every transaction of an account is told. */
export interface TransferRequest {
  nonce: number;
  /** The most that a unit of gas may cost; what its block does not ask for stays with the sender. */
  feeRate: bigint;
  /** Of it, what the block's producer gets. */
  priorityFee: bigint;
  gasLimit: bigint;
  to: string;
}

/** Builds and signs on chains with accounts: each transaction is of one wallet, and has its number there. */
export interface AccountSpender {
  readonly kind: 'accounts';
  readonly canSign: boolean;
  /** Who pays for what moves tokens, and where its key is. */
  readonly gasWallet: { address: string; path: AddressPath };
  /** Gas that ether takes to an address without code, and that tokens may take. */
  readonly etherGasLimit: bigint;
  readonly tokenGasLimit: bigint;
  /** All of `spent`, of which the fee is taken. */
  buildEtherSweep(order: TransferRequest & { spent: bigint }): BuildResult;
  buildTokenTransfer(order: TransferRequest & { code: CryptoCurrencyCode; amount: bigint }): BuildResult;
  /** Exactly this much, whatever it costs besides. */
  buildGasFunding(order: TransferRequest & { amount: bigint }): BuildResult;
  /** Nothing, from `to` to itself: in place of another transaction of its nonce. */
  buildCancellation(order: TransferRequest): BuildResult;
  sign(unsigned: string, path: AddressPath): Promise<SignedTransaction>;
  /** Reads what somebody else has signed for an address. Throws `SignedTransactionMismatch`. */
  verifySigned(unsigned: string, given: string, sender: string): Promise<SignedTransaction>;
  nextNonce(address: string): Promise<number>;
  /** Gas that moving so much from an address to another would use now. Throws `ChainError` where it would fail. */
  estimateGas(transfer: { code: CryptoCurrencyCode; from: string; to: string; amount: bigint }): Promise<bigint>;
  etherBalances(addresses: readonly string[], at: BlockRef): Promise<ReadonlyMap<string, bigint>>;
}

export type Spender = CoinSpender | AccountSpender;
