import type { Address } from './checksum.ts';
import { toChecksumAddress } from './checksum.ts';
import type { Hex } from './transaction.ts';

/** Function selectors of ERC-20. USDT's `transfer` returns nothing, so its result is never used. */
const TRANSFER_SELECTOR = '0xa9059cbb';
const BALANCE_OF_SELECTOR = '0x70a08231';
const DECIMALS_SELECTOR = '0x313ce567';

/** Arguments are words of 32 bytes (Solidity contract ABI, section "Formal Specification of the Encoding"). */
const WORD_DIGITS = 64;
const MAX_UINT256 = 2n ** 256n - 1n;
const transferCallPattern = /^0xa9059cbb0{24}(?<to>[0-9a-f]{40})(?<amount>[0-9a-f]{64})$/;

export function encodeTransfer(to: Address, amount: bigint): Hex {
  if (amount < 0n || amount > MAX_UINT256) throw new RangeError(`${amount} does not fit into a uint256.`);
  return `${TRANSFER_SELECTOR}${encodeAddress(to)}${amount.toString(16).padStart(WORD_DIGITS, '0')}`;
}

/** Parses a token transfer call; null if it is a different call or not encoded in the standard way. */
export function parseTransferCall(data: Hex): { to: Address; amount: bigint } | null {
  const { to, amount } = transferCallPattern.exec(data)?.groups ?? {};
  return to && amount ? { to: toChecksumAddress(`0x${to}`), amount: BigInt(`0x${amount}`) } : null;
}

export const encodeBalanceOf = (owner: Address): Hex => `${BALANCE_OF_SELECTOR}${encodeAddress(owner)}`;

export const encodeDecimals = (): Hex => DECIMALS_SELECTOR;

function encodeAddress(address: Address): string {
  return address.slice(2).toLowerCase().padStart(WORD_DIGITS, '0');
}
