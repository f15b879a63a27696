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
import type { EthereumKind } from './chain-kinds.ts';
import { insertMempoolTransaction, removeTransactions } from './mempool.ts';
import { isAlreadyKnown, parseOrReject, TransactionRejected } from './broadcast.ts';

/** Gas limit of a block, and so of a transaction. */
const BLOCK_GAS_LIMIT = 30_000_000n;

/** Adds a signed transaction to the mempool. It replaces one with the same nonce and lower fees. */
export async function acceptEthereumTransaction(store: ChainStore, kind: EthereumKind, raw: string): Promise<void> {
  const transaction = await parseOrReject(async () => await parseRawTransfer(kind.network, raw));
  requireValidFields(kind, transaction);
  await store.change(async (change) => {
    if (await isAlreadyKnown(change, transaction.txHash)) return;
    const pending = await readPendingTransfers(change, kind, transaction.sender);
    requireUsableNonce(transaction.nonce, await readNextMinedNonce(change, kind.name, transaction.sender), pending);
    const replaced = pending.get(transaction.nonce);
    if (replaced) requireRaisedFees(transaction, replaced);
    await requireFunds(change, transaction, pending);
    if (replaced) await removeTransactions(change, [replaced.id], 'removed');
    const { txHash, output, sender, nonce } = transaction;
    await insertMempoolTransaction(change, {
      txHash,
      outputs: kind.toStoredOutputs(txHash, output ? [output] : []),
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

/** Checks that need no chain state. */
function requireValidFields(
  { network: { chainId: expectedChainId } }: EthereumKind,
  { chainId, gasLimit, maxFeePerGas, maxPriorityFeePerGas }: SignedTransfer,
): void {
  if (chainId !== expectedChainId)
    throw new TransactionRejected(`It is signed for chain ${chainId} instead of ${expectedChainId}.`);
  if (gasLimit < ETHER_GAS_LIMIT)
    throw new TransactionRejected(`Its gas limit is ${gasLimit}; the minimum is ${ETHER_GAS_LIMIT}.`);
  if (gasLimit > BLOCK_GAS_LIMIT)
    throw new TransactionRejected(`Its gas limit is ${gasLimit}; that of a block is ${BLOCK_GAS_LIMIT}.`);
  if (maxPriorityFeePerGas > maxFeePerGas) throw new TransactionRejected('Its priority fee exceeds its maximum fee.');
}

function requireUsableNonce(nonce: number, minedNonce: number, pending: ReadonlyMap<number, PendingTransfer>): void {
  const next = nextFreeNonce(minedNonce, pending);
  if (nonce < minedNonce)
    throw new TransactionRejected(`The nonce ${nonce} is too low; the next one is ${next}.`, 'nonce');
  if (nonce > next && !pending.has(nonce))
    throw new TransactionRejected(`The nonce ${nonce} is too high; the next one is ${next}.`);
}

/** Nodes accept a replacement whose fees are both at least a tenth higher (Geth's default). */
function requireRaisedFees(replacement: SignedTransfer, replaced: PendingTransfer): void {
  const isRaised = (fee: bigint, previous: bigint) => fee * 10n >= previous * 11n;
  const isHigher =
    isRaised(replacement.maxFeePerGas, replaced.maxFeePerGas) &&
    isRaised(replacement.maxPriorityFeePerGas, replaced.maxPriorityFeePerGas);
  if (!isHigher)
    throw new TransactionRejected(
      `A transaction with nonce ${replacement.nonce} is pending; both fees must be at least 10% higher.`,
    );
}

/** The balance must cover the maximum cost of this and all pending transactions. */
async function requireFunds(
  change: ChainChange,
  transaction: SignedTransfer,
  pending: ReadonlyMap<number, PendingTransfer>,
): Promise<void> {
  const { kind } = change;
  const { height } = await readTip(change, kind.name);
  const balances = await readBalances(change, kind, [transaction.sender], height);
  const balance = balances.get(transaction.sender, kind.feeCode);
  let needed = maxCost(transaction);
  for (const other of pending.values()) if (other.nonce !== transaction.nonce) needed += maxCost(other);
  if (balance < needed)
    throw new TransactionRejected(
      `${transaction.sender} has ${balance} wei; this and its pending transactions may cost ${needed}.`,
      'fee',
    );
}
