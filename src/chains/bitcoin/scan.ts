import { type BlockRef, ChainTrouble, type UnspentCoin } from '../port.ts';
import * as forms from './forms.ts';
import { isScanning } from './refusals.ts';
import type { Rpc } from './rpc.ts';

const method = 'scantxoutset';
const REPORT_EVERY_MS = 5000;
/** A slow disk takes half an hour for the main network. */
const TIMEOUT_MS = 2 * 60 * 60 * 1000;

/**
 * Searches the node's set of unspent outputs for those of addresses (Bitcoin Core from 0.17.1 on). A node runs one scan
 * at a time, and finishes it after its caller has left.
 */
export async function scanUnspent(
  rpc: Rpc,
  addressOf: (script: Uint8Array) => string | null,
  addresses: readonly string[],
  onProgress: (percent: number) => void,
): Promise<{ at: BlockRef; coins: UnspentCoin[] }> {
  const status = async () => await rpc.askOptional({ method, params: ['status'] }, forms.scanStatus);
  const before = await status();
  if (!before)
    throw new ChainTrouble(
      'down',
      `The node cannot search its unspent outputs (${method}): Bitcoin Core from 0.17.1 on and Litecoin Core can`,
    );
  if (before.running) throw busy(before.running.progress);
  const timer = setInterval(() => {
    // The scan itself reports what is wrong with the node.
    status().then(
      (now) => now?.running && onProgress(now.running.progress),
      () => undefined,
    );
  }, REPORT_EVERY_MS);
  try {
    const params = ['start', addresses.map((address) => `addr(${address})`)];
    const answer = await rpc.ask({ method, params }, forms.scan, TIMEOUT_MS);
    if (!answer.ok) throw isScanning(answer) ? busy((await status())?.running?.progress) : rpc.refused(method, answer);
    const { success, height, bestblock: hash, unspents } = answer.value;
    if (!success) throw new ChainTrouble('down', 'The node has broken off the search of its unspent outputs');
    return {
      at: { height, hash },
      coins: unspents.map(({ txid, vout, scriptPubKey, amount, height: ownHeight }) => ({
        paymentKey: `${txid}:${vout}`,
        address: addressOf(Buffer.from(scriptPubKey, 'hex')) ?? '',
        amount: BigInt(Math.round(amount * 1e8)),
        height: ownHeight,
      })),
    };
  } finally {
    clearInterval(timer);
  }
}

function busy(progress: number | undefined): ChainTrouble {
  const far = progress === undefined ? '' : ` (${progress} %)`;
  return new ChainTrouble(
    'down',
    `The node is already searching its unspent outputs${far}: wait for its end, or stop it with bitcoin-cli ${method} abort`,
  );
}
