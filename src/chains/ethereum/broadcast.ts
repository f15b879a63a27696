import { ChainError, type RejectionCause, type BroadcastResult, type TransactionState } from '../port.ts';
import * as methods from './rpc-methods.ts';
import { RpcError, type Rpc } from './rpc.ts';
import { keccak256 } from './transaction.ts';

/**
 * Codes with which nodes refuse a transaction for good: their own (-32000), rejected (-32003 of EIP-1474;
 * -32010 of Nethermind), not readable (-32602). All others say nothing of the transaction: too many
 * questions, an error within the node.
 */
const rejectionCodes = new Set([-32_000, -32_003, -32_010, -32_602]);

/** How Geth and its kin, Nethermind, Besu and Anvil say that they have it; each in its own words. */
const alreadyKnownPattern = /\b(?:already known|alreadyknown|known transaction|already imported)\b/i;

/** What providers put under -32000 as well, though it says nothing of the transaction. */
const providerFailurePattern = /time[ds]? ?out|deadline exceeded/i;

/** Geth and its kin, Nethermind, Besu, Erigon, Hardhat and Anvil, each in its own words. */
const causePatterns: readonly [RejectionCause, RegExp][] = [
  ['nonce', /nonce (?:is )?too low|nonce_?too_?low|old ?nonce|invalid nonce|expected nonce to be/i],
  [
    'price',
    /^(?!.*replacement).*underpriced|below (?:current|configured)|fee ?per ?gas.*(?:too low|less than|lower than)|fee ?cap|feetoolow|gas price.*too low|tx fee .* exceeds|insufficient funds|insufficientfunds|doesn't have enough funds/i,
  ],
];

function rejectionCause(reason: string): RejectionCause | null {
  return causePatterns.find(([, words]) => words.test(reason))?.[0] ?? null;
}

const rawTransactionPattern = /^0x(?:[0-9a-f]{2})+$/i;

/** Sends what is signed. A node that has it, waiting or in a block, has been sent it, whatever it says now. */
export async function broadcastTransaction(rpc: Rpc, raw: string): Promise<BroadcastResult> {
  if (!rawTransactionPattern.test(raw))
    return { kind: 'refused', reason: 'It is not in hexadecimal, with 0x before it.' };
  const txHash = keccak256(raw);
  try {
    const nodeHash = await rpc.request(methods.sendRawTransaction(raw));
    if (nodeHash === txHash) return { kind: 'sent' };
    throw new ChainError('down', `${rpc.nodeName} took transaction ${txHash} and calls it ${nodeHash}.`);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (alreadyKnownPattern.test(error.reason) || (await rpc.request(methods.transaction(txHash))))
      return { kind: 'sent' };
    const cause = rejectionCause(error.reason);
    if (rejectionCodes.has(error.code) && !providerFailurePattern.test(error.reason))
      return { kind: 'refused', reason: error.reason, ...(cause && { cause }) };
    throw error;
  }
}

/** What has become of a transaction. */
export async function findTransaction(rpc: Rpc, txHash: string): Promise<TransactionState> {
  const [transaction, receipt] = await rpc.requestBatch([methods.transaction(txHash), methods.receipt(txHash)]);
  if (receipt) {
    const block = { height: receipt.blockNumber, hash: receipt.blockHash };
    return { state: receipt.status === 1 ? 'mined' : 'failed', block };
  }
  // In a block and without a receipt: it has just come there, or is just going.
  return { state: transaction ? 'waiting' : 'unknown' };
}
