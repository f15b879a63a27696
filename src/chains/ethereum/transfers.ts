import { requireAddress } from './checksum.ts';
import { encodeTransfer } from './erc20.ts';
import type { FeeCaps } from './fees.ts';
import { type EthereumNetwork, findToken } from './networks.ts';
import type { TokenCode } from './tokens.ts';
import type { TransactionFields } from './transaction.ts';

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
}: TransferOptions & { to: string; balance: bigint }): TransactionFields | null {
  const value = balance - gasLimit * caps.maxFeePerGas;
  if (value <= 0n) return null;
  return {
    chainId: network.chainId,
    nonce,
    to: requireAddress(to),
    value,
    data: '0x',
    gasLimit,
    ...caps,
  };
}

/** Sends tokens, in their smallest unit. The sender pays gas in ether. */
export function buildTokenTransfer({
  network,
  nonce,
  caps,
  gasLimit = TOKEN_GAS_LIMIT,
  code,
  to,
  amount,
}: TransferOptions & { code: TokenCode; to: string; amount: bigint }): TransactionFields {
  const token = findToken(network, code);
  if (!token) throw new RangeError(`${network.name} has no ${code}.`);
  const data = encodeTransfer(requireAddress(to), requirePositive(amount));
  return { chainId: network.chainId, nonce, to: token.address, value: 0n, data, gasLimit, ...caps };
}

/** Sends ether from the gas wallet to a wallet that needs it to send tokens. */
export function buildGasFunding({
  network,
  nonce,
  caps,
  gasLimit = ETHER_GAS_LIMIT,
  to,
  amount,
}: TransferOptions & { to: string; amount: bigint }): TransactionFields {
  const value = requirePositive(amount);
  return { chainId: network.chainId, nonce, to: requireAddress(to), value, data: '0x', gasLimit, ...caps };
}

/** Sends 0 to its own sender, to cancel another transaction with the same nonce. */
export function buildCancellation({ network, nonce, caps, to }: TransferOptions & { to: string }): TransactionFields {
  return {
    chainId: network.chainId,
    nonce,
    to: requireAddress(to),
    value: 0n,
    data: '0x',
    gasLimit: ETHER_GAS_LIMIT,
    ...caps,
  };
}

function requirePositive(amount: bigint): bigint {
  if (amount <= 0n) throw new RangeError(`The amount must be greater than 0, not ${amount}.`);
  return amount;
}
