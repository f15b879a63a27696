import { decodeFunctionData, encodeFunctionData, parseAbi } from 'viem/utils';
import { type Address, checksummed } from './checksum.ts';

/** Of ERC-20 what is needed. `transfer` is written without its answer: USDT's gives none, so nothing may depend on it. */
const erc20 = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function balanceOf(address owner) view returns (uint256)',
  'function decimals() view returns (uint8)',
]);

export const transferCall = (to: Address, amount: bigint) =>
  encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [to, amount] });

/** What a call asks a token's contract to move; null where it asks for something else, or is written otherwise. */
export function readTransferCall(data: `0x${string}`): { to: Address; amount: bigint } | null {
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20, data });
    if (functionName !== 'transfer') return null;
    const [to, amount] = args;
    return transferCall(to, amount) === data ? { to: checksummed(to), amount } : null;
  } catch {
    return null;
  }
}

export const balanceCall = (owner: Address) =>
  encodeFunctionData({ abi: erc20, functionName: 'balanceOf', args: [owner] });

export const decimalsCall = () => encodeFunctionData({ abi: erc20, functionName: 'decimals' });
