import { type BlockRef, ChainError, type UnspentCoin } from '../port.ts';
import * as schemas from './schemas.ts';
import { isScanInProgress } from './rpc-errors.ts';
import type { Rpc } from './rpc.ts';

const method = 'scantxoutset';
const REPORT_EVERY_MS = 5000;
/** A slow disk takes half an hour for the main network. */
const TIMEOUT_MS = 2 * 60 * 60 * 1000;

/**
 * Searches the node's set of unspent outputs for those of addresses (Bitcoin Core from 0.17.1 on). A node runs one scan
 * at a time, and finishes it after its caller has left.
 */
export async function scanUtxoSet(
  rpc: Rpc,
  addressOf: (script: Uint8Array) => string | null,
  addresses: readonly string[],
  onProgress: (percent: number) => void,
): Promise<{ at: BlockRef; coins: UnspentCoin[] }> {
  const status = async () => await rpc.requestOptional({ method, params: ['status'] }, schemas.scanStatus);
  const before = await status();
  if (!before)
    throw new ChainError(
      'down',
      `The node cannot search its unspent outputs (${method}): Bitcoin Core from 0.17.1 on and Litecoin Core can`,
    );
  if (before.running) throw scanInProgress(before.running.progress);
  const timer = setInterval(() => {
    // The scan itself reports what is wrong with the node.
    status().then(
      (now) => now?.running && onProgress(now.running.progress),
      () => undefined,
    );
  }, REPORT_EVERY_MS);
  try {
    const params = ['start', addresses.map((address) => `addr(${address})`)];
    const answer = await rpc.request({ method, params }, schemas.scan, TIMEOUT_MS);
    if (!answer.ok)
      throw isScanInProgress(answer)
        ? scanInProgress((await status())?.running?.progress)
        : rpc.unexpectedError(method, answer);
    const { success, height, bestblock: hash, unspents } = answer.value;
    if (!success) throw new ChainError('down', 'The node has broken off the search of its unspent outputs');
    return {
      at: { height, hash },
      coins: unspents.map(({ txid, vout, scriptPubKey, amount, height: coinHeight }) => ({
        paymentKey: `${txid}:${vout}`,
        address: addressOf(Buffer.from(scriptPubKey, 'hex')) ?? '',
        amount: BigInt(Math.round(amount * 1e8)),
        height: coinHeight,
      })),
    };
  } finally {
    clearInterval(timer);
  }
}

function scanInProgress(progress: number | undefined): ChainError {
  const percent = progress === undefined ? '' : ` (${progress} %)`;
  return new ChainError(
    'down',
    `The node is already searching its unspent outputs${percent}: wait for its end, or stop it with bitcoin-cli ${method} abort`,
  );
}
