import { requireAddress } from './checksum.ts';
import { encodeTransfer } from './erc20.ts';
import { type FeeCaps, replacementCaps } from './fees.ts';
import { type EthereumNetwork, findToken } from './networks.ts';
import type { TokenCode } from './tokens.ts';
import type { TransactionFields } from './transaction.ts';

/** A transaction of one of our wallets. */
export interface Transfer extends TransactionFields {
  /** A `sweep` sends the balance minus the fee, so a higher fee reduces its value. */
  kind: 'sweep' | 'token' | 'gas';
}

/** Options of every transfer. */
interface TransferOptions {
  network: EthereumNetwork;
  /** Number of transactions that the sender has sent before. */
  nonce: number;
  caps: FeeCaps;
  /** Defaults to the usual limit of its kind. */
  gasLimit?: bigint;
}

/** Gas of ether sent to an address without code (`G_transaction` of the yellow paper). Contracts may need more. */
export const ETHER_GAS_LIMIT = 21_000n;

/**
 * Enough for `transfer` of USDT and USDC, even to an address without a balance (about 65,000), with a margin. Unused gas
 * is not paid.
 */
export const TOKEN_GAS_LIMIT = 100_000n;

/** Sends a wallet's ether minus the maximum fee; null if nothing remains. */
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

/** Sends tokens, in their smallest unit. The sender pays gas in ether: see `missingForGas`. */
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
  if (!token) throw new RangeError(`${network.name} has no ${code}.`);
  const data = encodeTransfer(requireAddress(to), requirePositive(amount));
  return { kind: 'token', chainId: network.chainId, nonce, to: token.address, value: 0n, data, gasLimit, ...caps };
}

/** Sends ether from the gas wallet to a wallet that needs it to send tokens. */
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

/** Sends 0 to its own sender, to cancel another transaction with the same nonce. */
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

/** Wei that the sender lacks for the transfer's maximum cost, which nodes require. */
export function missingForGas(transfer: Transfer, balance: bigint): bigint {
  const missing = transfer.value + transfer.gasLimit * transfer.maxFeePerGas - balance;
  return missing > 0n ? missing : 0n;
}

/**
 * Builds the replacement of a stuck transfer: same nonce, both fees at least an eighth higher and at least the current
 * ones. Null if a sweep would have nothing left to send.
 */
export function bumpFees(transfer: Transfer, currentCaps: FeeCaps): Transfer | null {
  const caps = replacementCaps(transfer, currentCaps);
  if (transfer.kind !== 'sweep') return { ...transfer, ...caps };
  const value = transfer.value - transfer.gasLimit * (caps.maxFeePerGas - transfer.maxFeePerGas);
  return value > 0n ? { ...transfer, ...caps, value } : null;
}

function requirePositive(amount: bigint): bigint {
  if (amount <= 0n) throw new RangeError(`The amount must be greater than 0, not ${amount}.`);
  return amount;
}
