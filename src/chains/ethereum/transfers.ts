import { requireAddress } from './checksum.ts';
import { encodeTransfer } from './erc20.ts';
import { type FeeCaps, replacementCaps } from './fees.ts';
import { type EthereumNetwork, findToken } from './networks.ts';
import type { TokenCode } from './tokens.ts';
import type { TransactionFields } from './transaction.ts';

/** A transaction that moves money of ours. */
export interface Transfer extends TransactionFields {
  /** A `sweep` sends all that is left after the fee: when the fee grows, its value shrinks. */
  kind: 'sweep' | 'token' | 'gas';
}

/** What every transfer needs to be told. */
interface TransferOptions {
  network: EthereumNetwork;
  /** How many transactions the sender has sent before. */
  nonce: number;
  caps: FeeCaps;
  /** The most gas that it may use; the usual for its kind unless given. */
  gasLimit?: bigint;
}

/** What ether costs that goes to an address without code (`G_transaction` of the yellow paper). One with code may need more. */
export const ETHER_GAS_LIMIT = 21_000n;

/**
 * Enough for `transfer` of USDT and USDC, also to an address that had none (about 65,000), with room. What is
 * not used is not paid.
 */
export const TOKEN_GAS_LIMIT = 100_000n;

/** All ether of a wallet but the most that this may cost; null where nothing would be left of it. */
export function buildEtherSweep({
  network,
  nonce,
  caps,
  gasLimit = ETHER_GAS_LIMIT,
  to,
  balance,
}: TransferOptions & { to: string; balance: bigint }): Transfer | null {
  const value = balance - gasLimit * caps.maxFeePerGas;
  if (value <= 0n) return null;
  return {
    kind: 'sweep',
    chainId: network.chainId,
    nonce,
    to: requireAddress(to),
    value,
    data: '0x',
    gasLimit,
    ...caps,
  };
}

/** Tokens, in their smallest unit. Its sender pays the gas in ether: see `missingForGas`. */
export function buildTokenTransfer({
  network,
  nonce,
  caps,
  gasLimit = TOKEN_GAS_LIMIT,
  code,
  to,
  amount,
}: TransferOptions & { code: TokenCode; to: string; amount: bigint }): Transfer {
  const token = findToken(network, code);
  if (!token) throw new RangeError(`There is no ${code} on ${network.name}`);
  const data = encodeTransfer(requireAddress(to), requirePositive(amount));
  return { kind: 'token', chainId: network.chainId, nonce, to: token.address, value: 0n, data, gasLimit, ...caps };
}

/** Ether from the gas wallet to a wallet that is to send tokens. */
export function buildGasFunding({
  network,
  nonce,
  caps,
  gasLimit = ETHER_GAS_LIMIT,
  to,
  amount,
}: TransferOptions & { to: string; amount: bigint }): Transfer {
  const value = requirePositive(amount);
  return { kind: 'gas', chainId: network.chainId, nonce, to: requireAddress(to), value, data: '0x', gasLimit, ...caps };
}

/** Nothing, to its own sender: cancels another transaction of the same nonce. */
export function buildCancellation({ network, nonce, caps, to }: TransferOptions & { to: string }): Transfer {
  return {
    kind: 'gas',
    chainId: network.chainId,
    nonce,
    to: requireAddress(to),
    value: 0n,
    data: '0x',
    gasLimit: ETHER_GAS_LIMIT,
    ...caps,
  };
}

/** Wei that a sender must have more than it has, so that a transfer is taken: nodes ask for the most that it may cost. */
export function missingForGas(transfer: Transfer, balance: bigint): bigint {
  const missing = transfer.value + transfer.gasLimit * transfer.maxFeePerGas - balance;
  return missing > 0n ? missing : 0n;
}

/**
 * The transfer that takes the place of one which waits for too long: the same nonce, both fees at least an
 * eighth higher and no lower than what is usual now. Null where a sweep would have nothing left to send.
 */
export function bumpFees(transfer: Transfer, currentCaps: FeeCaps): Transfer | null {
  const caps = replacementCaps(transfer, currentCaps);
  if (transfer.kind !== 'sweep') return { ...transfer, ...caps };
  const value = transfer.value - transfer.gasLimit * (caps.maxFeePerGas - transfer.maxFeePerGas);
  return value > 0n ? { ...transfer, ...caps, value } : null;
}

function requirePositive(amount: bigint): bigint {
  if (amount <= 0n) throw new RangeError(`Nothing to send: ${amount}`);
  return amount;
}
