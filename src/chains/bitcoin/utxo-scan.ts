import { type BlockRef, ChainError, type UnspentOutput } from '../port.ts';
import * as schemas from './schemas.ts';
import { isScanInProgress } from './rpc-errors.ts';
import type { Rpc } from './rpc.ts';

const method = 'scantxoutset';
const REPORT_EVERY_MS = 5000;
/** On a slow disk a scan of the main network takes half an hour. */
const TIMEOUT_MS = 2 * 60 * 60 * 1000;

/**
 * Finds unspent outputs of addresses in the node's UTXO set (Bitcoin Core 0.17.1 or later). A node runs one scan at a
 * time, and continues it after its caller has disconnected.
 */
export async function scanUtxoSet(
  rpc: Rpc,
  scriptToAddress: (script: Uint8Array) => string | null,
  addresses: readonly string[],
  onProgress: (percent: number) => void,
): Promise<{ at: BlockRef; outputs: UnspentOutput[] }> {
  const status = async () => await rpc.requestOptional({ method, params: ['status'] }, schemas.scanStatus);
  const before = await status();
  if (!before)
    throw new ChainError(
      'down',
      `The node does not support ${method}. Use Bitcoin Core 0.17.1 or later, or Litecoin Core.`,
    );
  if (before.running) throw scanInProgress(before.running.progress);
  const timer = setInterval(() => {
    // The scan itself reports node errors.
    status().then(
      (now) => now?.running && onProgress(now.running.progress),
      () => undefined,
    );
  }, REPORT_EVERY_MS);
  try {
    const params = ['start', addresses.map((address) => `addr(${address})`)];
    const result = await rpc.request({ method, params }, schemas.scan, TIMEOUT_MS);
    if (!result.ok)
      throw isScanInProgress(result)
        ? scanInProgress((await status())?.running?.progress)
        : rpc.unexpectedError(method, result);
    const { success, height, bestblock: hash, unspents } = result.value;
    if (!success) throw new ChainError('down', 'The node aborted the scan of its UTXO set.');
    return {
      at: { height, hash },
      outputs: unspents.map(({ txid, vout, scriptPubKey, amount, height: outputHeight }) => ({
        paymentKey: `${txid}:${vout}`,
        address: scriptToAddress(Buffer.from(scriptPubKey, 'hex')) ?? '',
        amount: BigInt(Math.round(amount * 1e8)),
        height: outputHeight,
      })),
    };
  } finally {
    clearInterval(timer);
  }
}

function scanInProgress(progress: number | undefined): ChainError {
  const percent = progress === undefined ? '' : ` (${progress}%)`;
  return new ChainError(
    'down',
    `The node is already scanning its UTXO set${percent}. Wait for the scan, or stop it with: bitcoin-cli ${method} abort`,
  );
}
