import type { Address } from './checksum.ts';
import { checksummed } from './checksum.ts';
import type { Hex } from './transaction.ts';

/** Function selectors of ERC-20. USDT's `transfer` returns nothing, so nothing may depend on what it returns. */
const TRANSFER = '0xa9059cbb';
const BALANCE_OF = '0x70a08231';
const DECIMALS = '0x313ce567';

/** Arguments are words of 32 bytes (Solidity contract ABI, section "Formal Specification of the Encoding"). */
const WORD_DIGITS = 64;
const MAX_UINT256 = 2n ** 256n - 1n;
const transferForm = /^0xa9059cbb0{24}(?<to>[0-9a-f]{40})(?<amount>[0-9a-f]{64})$/;

export function transferCall(to: Address, amount: bigint): Hex {
  if (amount < 0n || amount > MAX_UINT256) throw new RangeError(`${amount} does not fit into a uint256`);
  return `${TRANSFER}${wordOf(to)}${amount.toString(16).padStart(WORD_DIGITS, '0')}`;
}

/** What a call asks a token's contract to move; null where it asks for something else, or is written otherwise. */
export function readTransferCall(data: Hex): { to: Address; amount: bigint } | null {
  const { to, amount } = transferForm.exec(data)?.groups ?? {};
  return to && amount ? { to: checksummed(`0x${to}`), amount: BigInt(`0x${amount}`) } : null;
}

export const balanceCall = (owner: Address): Hex => `${BALANCE_OF}${wordOf(owner)}`;

export const decimalsCall = (): Hex => DECIMALS;

function wordOf(address: Address): string {
  return address.slice(2).toLowerCase().padStart(WORD_DIGITS, '0');
}
