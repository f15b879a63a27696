import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { type BlockRef, ChainError } from './port.ts';

/** An unspent output to send. */
export interface SpendableOutput {
  /** As in `ChainDeposit`. */
  paymentKey: string;
  amount: bigint;
  /** Index of its address below `/0/` of the account. */
  index: number;
}

/** A transaction before signing. Amounts are in the smallest unit, the fee in the chain's fee coin. */
export interface UnsignedTransaction {
  /** For external signers: BIP 174 in base64, or EIP-2718 in hexadecimal. */
  data: string;
  /** Null if the hash depends on the signature. */
  txHash: string | null;
  /** Amount received at the destination. */
  amount: bigint;
  /** Maximum fee. */
  fee: bigint;
}

/** `too_little`: the amount does not exceed its fee. */
export type BuildResult = ({ kind: 'built' } & UnsignedTransaction) | { kind: 'too_little'; fee: bigint };

export interface SignedTransaction {
  /** Input of `Chain.broadcast`. */
  raw: string;
  txHash: string;
}

/** The submitted transaction differs from the one to sign, or its signature is invalid. The message is for the signer. */
export class SignedTransactionMismatch extends Error {
  override readonly name = 'SignedTransactionMismatch';
}

/** A transfer would fail in its block. The message is the node's reason. */
export class TransferWouldFail extends ChainError {
  constructor(message: string) {
    super('down', message);
    this.name = 'TransferWouldFail';
  }
}

/** Builds and signs transactions on UTXO chains, where one transaction can empty many wallets. */
export interface UtxoSpender {
  readonly kind: 'utxo';
  /** True if the account's private key is available. */
  readonly canSign: boolean;
  /** Maximum number of inputs of a transaction. */
  readonly maxInputs: number;
  /** Fee of one more input. Outputs worth less are uneconomic to spend. */
  feePerInput(feeRate: bigint): bigint;
  build(request: { outputs: readonly SpendableOutput[]; destination: string; feeRate: bigint }): BuildResult;
  sign(unsigned: string): Promise<SignedTransaction>;
  /** Verifies a transaction from an external signer. Throws `SignedTransactionMismatch`. */
  verifySigned(unsigned: string, signed: string): Promise<SignedTransaction>;
}

/** A path below an account (BIP 44): chain 0 has the deposit addresses, chain 1 the operator's own. */
export interface AddressPath {
  chain: 0 | 1;
  index: number;
}

/** Fields that every transaction of an account has. */
export interface TransferRequest {
  nonce: number;
  /** Maximum price per unit of gas. Unused amounts stay with the sender. */
  feeRate: bigint;
  /** The proposer's part of `feeRate`. */
  priorityFee: bigint;
  gasLimit: bigint;
  to: string;
}

/** Builds and signs transactions on account-based chains, where each transaction has one wallet and one nonce. */
export interface AccountSpender {
  readonly kind: 'account';
  readonly canSign: boolean;
  /** Wallet that pays the gas of token transfers, and the path of its key. */
  readonly gasWallet: { address: string; path: AddressPath };
  /** Gas limit of ether sent to an address without code, and usual gas limit of a token transfer. */
  readonly etherGasLimit: bigint;
  readonly tokenGasLimit: bigint;
  /** Sends `spent` minus the fee. */
  buildEtherSweep(request: TransferRequest & { spent: bigint }): BuildResult;
  buildTokenTransfer(request: TransferRequest & { code: CryptoCurrencyCode; amount: bigint }): BuildResult;
  /** Sends exactly `amount`; the fee is extra. */
  buildGasFunding(request: TransferRequest & { amount: bigint }): BuildResult;
  /** Sends 0 from `to` to itself, to replace another transaction with the same nonce. */
  buildCancellation(request: TransferRequest): BuildResult;
  sign(unsigned: string, path: AddressPath): Promise<SignedTransaction>;
  /** Verifies a transaction from an external signer of `sender`. Throws `SignedTransactionMismatch`. */
  verifySigned(unsigned: string, signed: string, sender: string): Promise<SignedTransaction>;
  nextNonce(address: string): Promise<number>;
  /** Estimates the gas of a transfer. Throws `TransferWouldFail`, or `ChainError` without a reliable result. */
  estimateGas(transfer: { code: CryptoCurrencyCode; from: string; to: string; amount: bigint }): Promise<bigint>;
  etherBalances(addresses: readonly string[], at: BlockRef): Promise<ReadonlyMap<string, bigint>>;
}

export type Spender = UtxoSpender | AccountSpender;
