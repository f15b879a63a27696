import { ETHER_GAS } from '../ethereum/transfers.ts';
import { readTip } from './blocks.ts';
import type { Books, Change } from './books.ts';
import {
  minedNonces,
  mostCost,
  nonceAfter,
  readHoldings,
  type WaitingCall,
  waitingCalls,
} from './ethereum-accounts.ts';
import { readCall, type SignedCall } from './ethereum-transaction.ts';
import { simulatedEthereumNetwork } from './kinds.ts';
import { addTransaction, takeAway } from './pool.ts';
import { isKnown, readable, Refusal } from './sending.ts';

/** Of a block, and so of a transaction. */
const MOST_GAS = 30_000_000n;

/** Takes a signed transaction into the pool, in the place of the one with its nonce whose fees it tops. */
export async function sendEthereum(books: Books, raw: string): Promise<void> {
  const call = await readable(async () => await readCall(raw));
  requireSound(call);
  await books.change(async (change) => {
    if (await isKnown(change, call.txHash)) return;
    const waiting = await waitingCalls(change, call.sender);
    requireNonce(call.nonce, await minedNonces(change, call.sender), waiting);
    const replaced = waiting.get(call.nonce);
    if (replaced) requireHigher(call, replaced);
    await requireFunds(change, call, waiting);
    if (replaced) await takeAway(change, [replaced.id], 'gone');
    const { txHash, output, sender, nonce } = call;
    await addTransaction(change, {
      txHash,
      outputs: change.kind.keep(txHash, output ? [output] : []),
      signed: {
        sender,
        nonce,
        gas_limit: Number(call.gas),
        max_fee_per_gas: String(call.maxFeePerGas),
        max_priority_fee_per_gas: String(call.maxPriorityFeePerGas),
      },
    });
  });
}

/** What can be said without the chain. */
function requireSound({ chainId, gas, maxFeePerGas, maxPriorityFeePerGas }: SignedCall): void {
  const { chainId: ours } = simulatedEthereumNetwork;
  if (chainId !== ours) throw new Refusal(`It is signed for chain ${chainId}; this is chain ${ours}.`);
  if (gas < ETHER_GAS) throw new Refusal(`Any transaction needs ${ETHER_GAS} gas; it may use ${gas}.`);
  if (gas > MOST_GAS) throw new Refusal(`A block has ${MOST_GAS} gas; it may use ${gas}.`);
  if (maxPriorityFeePerGas > maxFeePerGas) throw new Refusal('Its priority fee is higher than its whole fee.');
}

function requireNonce(nonce: number, mined: number, waiting: ReadonlyMap<number, WaitingCall>): void {
  const next = nonceAfter(mined, waiting);
  if (nonce < mined) throw new Refusal(`The nonce ${nonce} is used; the next one is ${next}.`, 'nonce');
  if (nonce > next && !waiting.has(nonce))
    throw new Refusal(`The nonce ${nonce} comes too early; the next one is ${next}.`);
}

/** Nodes take a replacement for both fees a tenth higher (Geth, unless told otherwise). */
function requireHigher(call: SignedCall, replaced: WaitingCall): void {
  const isTenthHigher = (one: bigint, other: bigint) => one * 10n >= other * 11n;
  const isHigher =
    isTenthHigher(call.maxFeePerGas, replaced.maxFeePerGas) &&
    isTenthHigher(call.maxPriorityFeePerGas, replaced.maxPriorityFeePerGas);
  if (!isHigher) throw new Refusal(`Another one with the nonce ${call.nonce} waits; both fees must be a tenth higher.`);
}

/** The last block must have what this and all that waits may cost, whatever it turns out to be. */
async function requireFunds(
  change: Change,
  call: SignedCall,
  waiting: ReadonlyMap<number, WaitingCall>,
): Promise<void> {
  const { height } = await readTip(change, change.kind.name);
  const has = (await readHoldings(change, [call.sender], height)).of(call.sender, 'eth');
  let needed = mostCost(call);
  for (const other of waiting.values()) if (other.nonce !== call.nonce) needed += mostCost(other);
  if (has < needed)
    throw new Refusal(`${call.sender} has ${has} wei; this and what waits may cost ${needed}.`, 'price');
}
