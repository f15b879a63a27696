import { z } from 'zod';
import { type BlockRef, ChainError, type CoinState } from '../port.ts';
import * as schemas from './schemas.ts';
import { requireLoadedMempool } from './mempool.ts';
import { isBeyondTip } from './rpc-errors.ts';
import type { Rpc } from './rpc.ts';

/** Outputs in one request. */
const BATCH = 100;

const resultSchema = z.union([schemas.hash, schemas.unspentOutput]);

/**
 * Asks the node's set of unspent outputs, in blocks alone and with what waits. Behind an address there may be several
 * nodes, and one that lags or follows another branch has not every output: only a node that has the block `at` in its
 * chain is believed. Each request is answered by one node, and asks for that block before and after the outputs.
 */
export async function readCoinStates(
  rpc: Rpc,
  paymentKeys: readonly string[],
  at: BlockRef,
): Promise<ReadonlyMap<string, CoinState>> {
  const method = 'gettxout';
  const block = { method: 'getblockhash', params: [at.height] };
  const requestUnspent = async (keys: readonly string[], withMempool: boolean) => {
    const calls = keys.map((key) => {
      const [txid = '', vout = ''] = key.split(':');
      return { method, params: [txid, Number(vout), withMempool] };
    });
    const answers = await rpc.requestBatch([block, ...calls, block], resultSchema);
    for (const answer of [answers.at(0), answers.at(-1)]) {
      if (answer && !answer.ok && !isBeyondTip(answer)) throw rpc.unexpectedError(block.method, answer);
      if (!answer?.ok || answer.value !== at.hash)
        throw new ChainError(
          'behind',
          `The node does not have block ${at.height} (${at.hash}), which was read before.`,
        );
    }
    return answers.slice(1, -1).map((answer) => {
      if (answer.ok) return answer.value !== null;
      throw rpc.unexpectedError(method, answer);
    });
  };
  const states = new Map<string, CoinState>();
  for (let start = 0; start < paymentKeys.length; start += BATCH) {
    const keys = paymentKeys.slice(start, start + BATCH);
    await requireLoadedMempool(rpc);
    const [confirmed, withUnconfirmed] = [await requestUnspent(keys, false), await requestUnspent(keys, true)];
    for (const [index, key] of keys.entries())
      states.set(key, confirmed[index] ? (withUnconfirmed[index] ? 'unspent' : 'spending') : 'spent');
  }
  return states;
}
