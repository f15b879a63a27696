import { ChainError, type RejectionCause, type BroadcastResult, type TransactionState } from '../port.ts';
import { TransferWouldFail } from '../spender.ts';
import * as methods from './rpc-methods.ts';
import { RpcError, type Rpc } from './rpc.ts';
import { keccak256 } from './transaction.ts';

/**
 * Error codes that reject the transaction itself: the node's own (-32000), rejected (-32003 of EIP-1474, -32010 of
 * Nethermind), malformed (-32602). Other codes describe the node or its rate limits, unless the message names a cause:
 * Besu has a code for each, such as -32001 for a used nonce, which means something else in EIP-1474.
 */
const rejectionCodes = new Set([-32_000, -32_003, -32_010, -32_602]);

/** Messages for a known transaction: Geth and its forks, Nethermind, Besu, Anvil. */
const alreadyKnownPattern = /\b(?:already known|alreadyknown|known transaction|already imported)\b/i;

/** Providers' own failures that use -32000 too. */
export const providerFailurePattern = /time[ds]? ?out|deadline exceeded|too many requests|rate.?limit|request limit/i;

/**
 * Errors of a call that fails: reverted (3), the node's own (-32000), insufficient funds (-32003 of Anvil), execution
 * error (-32015 of Nethermind). Hardhat uses the code of internal errors.
 */
const failedCallCodes = new Set([3, -32_000, -32_003, -32_015]);
const revertPattern = /\brevert/i;

/** Messages of Geth and its forks, Nethermind, Besu, Erigon, Hardhat and Anvil. */
const causePatterns: readonly [RejectionCause, RegExp][] = [
  ['nonce', /nonce (?:is )?too low|nonce_?too_?low|old ?nonce|invalid nonce|expected nonce to be/i],
  [
    'fee',
    /^(?!.*replacement).*underpriced|below (?:current|configured)|fee ?per ?gas.*(?:too low|less than|lower than)|fee ?cap|feetoolow|gas price.*too low|tx fee .* exceeds|insufficient funds|upfront cost exceeds|insufficientfunds|doesn't have enough funds/i,
  ],
];

function rejectionCause(reason: string): RejectionCause | null {
  return causePatterns.find(([, pattern]) => pattern.test(reason))?.[0] ?? null;
}

const rawTransactionPattern = /^0x(?:[0-9a-f]{2})+$/i;

/** Broadcasts a signed transaction. If the node has it, in the mempool or a block, it counts as sent despite an error. */
export async function broadcastTransaction(rpc: Rpc, raw: string): Promise<BroadcastResult> {
  if (!rawTransactionPattern.test(raw))
    return { kind: 'refused', reason: 'The transaction must be in hexadecimal, with 0x.' };
  const txHash = keccak256(raw);
  try {
    const nodeHash = await rpc.request(methods.sendRawTransaction(raw));
    if (nodeHash === txHash) return { kind: 'sent' };
    throw new ChainError('down', `${rpc.nodeName} returned ${nodeHash} as the hash of transaction ${txHash}.`);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (alreadyKnownPattern.test(error.reason) || (await rpc.request(methods.transaction(txHash))))
      return { kind: 'sent' };
    const cause = rejectionCause(error.reason);
    if ((cause !== null || rejectionCodes.has(error.code)) && !providerFailurePattern.test(error.reason))
      return { kind: 'refused', reason: error.reason, ...(cause && { cause }) };
    throw error;
  }
}

/** Estimates the gas of a transfer. Some tokens return false instead of failing. */
export async function estimateGas(rpc: Rpc, transfer: Parameters<typeof methods.estimateGas>[0]): Promise<bigint> {
  try {
    const gas = await rpc.request(methods.estimateGas(transfer));
    const output = transfer.data === '0x' ? '0x' : await rpc.request(methods.simulate(transfer));
    if (/^0x0{64}$/.test(output)) throw new TransferWouldFail('The token’s contract returns false.');
    return gas;
  } catch (error) {
    if (!(error instanceof RpcError) || providerFailurePattern.test(error.reason)) throw error;
    const isFailure = failedCallCodes.has(error.code) || revertPattern.test(error.reason);
    throw isFailure ? new TransferWouldFail(error.message) : error;
  }
}

/** State of a sent transaction. */
export async function findTransaction(rpc: Rpc, txHash: string): Promise<TransactionState> {
  const [transaction, receipt] = await rpc.requestBatch([methods.transaction(txHash), methods.receipt(txHash)]);
  if (receipt) {
    const block = { height: receipt.blockNumber, hash: receipt.blockHash };
    return { state: receipt.status === 1 ? 'mined' : 'failed', block };
  }
  // Without a receipt it is in the mempool, or entering or leaving a block right now.
  return { state: transaction ? 'waiting' : 'unknown' };
}
