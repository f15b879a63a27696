import { ETHER_GAS_LIMIT } from '../ethereum/transfers.ts';
import { readTip } from './blocks.ts';
import type { ChainStore, ChainChange } from './store.ts';
import {
  readNextMinedNonce,
  maxCost,
  nextFreeNonce,
  readBalances,
  type PendingTransfer,
  readPendingTransfers,
} from './ethereum-accounts.ts';
import { parseRawTransfer, type SignedTransfer } from './ethereum-transaction.ts';
import { simulatedEthereumNetwork } from './chain-kinds.ts';
import { insertTransaction, removeTransactions } from './mempool.ts';
import { isAlreadyKnown, parseOrReject, TransactionRejected } from './broadcast.ts';

/** Of a block, and so of a transaction. */
const BLOCK_GAS_LIMIT = 30_000_000n;

/** Takes a signed transaction into the pool, in the place of the one with its nonce whose fees it tops. */
export async function acceptEthereumTransaction(store: ChainStore, raw: string): Promise<void> {
  const transaction = await parseOrReject(async () => await parseRawTransfer(raw));
  requireValidFields(transaction);
  await store.change(async (change) => {
    if (await isAlreadyKnown(change, transaction.txHash)) return;
    const pending = await readPendingTransfers(change, transaction.sender);
    requireUsableNonce(transaction.nonce, await readNextMinedNonce(change, transaction.sender), pending);
    const replaced = pending.get(transaction.nonce);
    if (replaced) requireRaisedFees(transaction, replaced);
    await requireFunds(change, transaction, pending);
    if (replaced) await removeTransactions(change, [replaced.id], 'gone');
    const { txHash, output, sender, nonce } = transaction;
    await insertTransaction(change, {
      txHash,
      outputs: change.kind.toStoredOutputs(txHash, output ? [output] : []),
      signed: {
        sender,
        nonce,
        gas_limit: Number(transaction.gasLimit),
        max_fee_per_gas: String(transaction.maxFeePerGas),
        max_priority_fee_per_gas: String(transaction.maxPriorityFeePerGas),
      },
    });
  });
}

/** What can be said without the chain. */
function requireValidFields({ chainId, gasLimit, maxFeePerGas, maxPriorityFeePerGas }: SignedTransfer): void {
  const { chainId: ours } = simulatedEthereumNetwork;
  if (chainId !== ours) throw new TransactionRejected(`It is signed for chain ${chainId}; this is chain ${ours}.`);
  if (gasLimit < ETHER_GAS_LIMIT)
    throw new TransactionRejected(`Any transaction needs ${ETHER_GAS_LIMIT} gas; it may use ${gasLimit}.`);
  if (gasLimit > BLOCK_GAS_LIMIT)
    throw new TransactionRejected(`A block has ${BLOCK_GAS_LIMIT} gas; it may use ${gasLimit}.`);
  if (maxPriorityFeePerGas > maxFeePerGas)
    throw new TransactionRejected('Its priority fee is higher than its whole fee.');
}

function requireUsableNonce(nonce: number, minedNonce: number, pending: ReadonlyMap<number, PendingTransfer>): void {
  const next = nextFreeNonce(minedNonce, pending);
  if (nonce < minedNonce)
    throw new TransactionRejected(`The nonce ${nonce} is used; the next one is ${next}.`, 'nonce');
  if (nonce > next && !pending.has(nonce))
    throw new TransactionRejected(`The nonce ${nonce} comes too early; the next one is ${next}.`);
}

/** Nodes take a replacement for both fees a tenth higher (Geth, unless told otherwise). */
function requireRaisedFees(replacement: SignedTransfer, replaced: PendingTransfer): void {
  const isRaised = (one: bigint, other: bigint) => one * 10n >= other * 11n;
  const isHigher =
    isRaised(replacement.maxFeePerGas, replaced.maxFeePerGas) &&
    isRaised(replacement.maxPriorityFeePerGas, replaced.maxPriorityFeePerGas);
  if (!isHigher)
    throw new TransactionRejected(
      `Another one with the nonce ${replacement.nonce} waits; both fees must be a tenth higher.`,
    );
}

/** The last block must have what this and all that waits may cost, whatever it turns out to be. */
async function requireFunds(
  change: ChainChange,
  transaction: SignedTransfer,
  pending: ReadonlyMap<number, PendingTransfer>,
): Promise<void> {
  const { height } = await readTip(change, change.kind.name);
  const balance = (await readBalances(change, [transaction.sender], height)).get(transaction.sender, 'eth');
  let needed = maxCost(transaction);
  for (const other of pending.values()) if (other.nonce !== transaction.nonce) needed += maxCost(other);
  if (balance < needed)
    throw new TransactionRejected(
      `${transaction.sender} has ${balance} wei; this and what waits may cost ${needed}.`,
      'price',
    );
}
