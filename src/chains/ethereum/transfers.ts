import { addressFrom } from './checksum.ts';
import { transferCall } from './erc20.ts';
import { type FeeCaps, raisedCaps } from './fees.ts';
import { type EthereumNetwork, tokenOf } from './networks.ts';
import type { TokenCode } from './tokens.ts';
import type { TransactionFields } from './transaction.ts';

/** A transaction that moves money of ours. */
export interface Transfer extends TransactionFields {
  /** A `sweep` sends all that is left after the fee: when the fee grows, its value shrinks. */
  kind: 'sweep' | 'token' | 'gas';
}

/** What every transfer needs to be told. */
interface Circumstances {
  network: EthereumNetwork;
  /** How many transactions the sender has sent before. */
  nonce: number;
  caps: FeeCaps;
  /** The most gas that it may use; the usual for its kind unless given. */
  gas?: bigint;
}

/** What ether costs that goes to an address without code (`G_transaction` of the yellow paper). One with code may need more. */
export const ETHER_GAS = 21_000n;

/**
 * Enough for `transfer` of USDT and USDC, also to an address that had none (about 65,000), with room. What is
 * not used is not paid.
 */
export const TOKEN_GAS = 100_000n;

/** All ether of a wallet but the most that this may cost; null where nothing would be left of it. */
export function sweepEther({
  network,
  nonce,
  caps,
  gas = ETHER_GAS,
  to,
  balance,
}: Circumstances & { to: string; balance: bigint }): Transfer | null {
  const value = balance - gas * caps.maxFeePerGas;
  if (value <= 0n) return null;
  return { kind: 'sweep', chainId: network.chainId, nonce, to: addressFrom(to), value, data: '0x', gas, ...caps };
}

/** Tokens, in their smallest unit. Its sender pays the gas in ether: see `missingForGas`. */
export function transferToken({
  network,
  nonce,
  caps,
  gas = TOKEN_GAS,
  code,
  to,
  amount,
}: Circumstances & { code: TokenCode; to: string; amount: bigint }): Transfer {
  const token = tokenOf(network, code);
  if (!token) throw new RangeError(`There is no ${code} on ${network.name}`);
  const data = transferCall(addressFrom(to), positive(amount));
  return { kind: 'token', chainId: network.chainId, nonce, to: token.address, value: 0n, data, gas, ...caps };
}

/** Ether from the gas wallet to a wallet that is to send tokens. */
export function fundGas({
  network,
  nonce,
  caps,
  gas = ETHER_GAS,
  to,
  amount,
}: Circumstances & { to: string; amount: bigint }): Transfer {
  const value = positive(amount);
  return { kind: 'gas', chainId: network.chainId, nonce, to: addressFrom(to), value, data: '0x', gas, ...caps };
}

/** Nothing, to its own sender: cancels another transaction of the same nonce. */
export function cancelTransfer({ network, nonce, caps, to }: Circumstances & { to: string }): Transfer {
  return {
    kind: 'gas',
    chainId: network.chainId,
    nonce,
    to: addressFrom(to),
    value: 0n,
    data: '0x',
    gas: ETHER_GAS,
    ...caps,
  };
}

/** Wei that a sender must have more than it has, so that a transfer is taken: nodes ask for the most that it may cost. */
export function missingForGas(transfer: Transfer, balance: bigint): bigint {
  const missing = transfer.value + transfer.gas * transfer.maxFeePerGas - balance;
  return missing > 0n ? missing : 0n;
}

/**
 * The transfer that takes the place of one which waits for too long: the same nonce, both fees at least an
 * eighth higher and no lower than what is usual now. Null where a sweep would have nothing left to send.
 */
export function bumpFees(transfer: Transfer, now: FeeCaps): Transfer | null {
  const caps = raisedCaps(transfer, now);
  if (transfer.kind !== 'sweep') return { ...transfer, ...caps };
  const value = transfer.value - transfer.gas * (caps.maxFeePerGas - transfer.maxFeePerGas);
  return value > 0n ? { ...transfer, ...caps, value } : null;
}

function positive(amount: bigint): bigint {
  if (amount <= 0n) throw new RangeError(`Nothing to send: ${amount}`);
  return amount;
}
