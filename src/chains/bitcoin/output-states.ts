import { z } from 'zod';
import { type BlockRef, ChainError, type OutputState } from '../port.ts';
import * as schemas from './schemas.ts';
import { requireLoadedMempool } from './mempool.ts';
import { isBeyondTip } from './rpc-errors.ts';
import type { Rpc } from './rpc.ts';

/** Outputs per request. */
const BATCH = 100;

const resultSchema = z.union([schemas.hash, schemas.unspentOutput]);

/**
 * Reads the states of outputs from the node's UTXO set, without and with its mempool. A URL may serve several nodes,
 * and one that lags or follows another branch lacks outputs. So each request, which a single node serves, also asks for
 * the block `at` before and after the outputs.
 */
export async function readOutputStates(
  rpc: Rpc,
  paymentKeys: readonly string[],
  at: BlockRef,
): Promise<ReadonlyMap<string, OutputState>> {
  const method = 'gettxout';
  const block = { method: 'getblockhash', params: [at.height] };
  const requestUnspent = async (keys: readonly string[], withMempool: boolean) => {
    const calls = keys.map((key) => {
      const [txid = '', vout = ''] = key.split(':');
      return { method, params: [txid, Number(vout), withMempool] };
    });
    const results = await rpc.requestBatch([block, ...calls, block], resultSchema);
    for (const result of [results.at(0), results.at(-1)]) {
      if (result && !result.ok && !isBeyondTip(result)) throw rpc.unexpectedError(block.method, result);
      if (!result?.ok || result.value !== at.hash)
        throw new ChainError(
          'behind',
          `The node does not have block ${at.height} (${at.hash}), which was already scanned.`,
        );
    }
    return results.slice(1, -1).map((result) => {
      if (result.ok) return result.value !== null;
      throw rpc.unexpectedError(method, result);
    });
  };
  const states = new Map<string, OutputState>();
  for (let start = 0; start < paymentKeys.length; start += BATCH) {
    const keys = paymentKeys.slice(start, start + BATCH);
    await requireLoadedMempool(rpc);
    const [confirmed, withUnconfirmed] = [await requestUnspent(keys, false), await requestUnspent(keys, true)];
    for (const [index, key] of keys.entries())
      states.set(key, confirmed[index] ? (withUnconfirmed[index] ? 'unspent' : 'spending') : 'spent');
  }
  return states;
}
