import { z } from 'zod';
import { type BlockRef, ChainTrouble, type CoinState } from '../port.ts';
import * as forms from './forms.ts';
import { requireWholePool } from './pool.ts';
import { isBeyondTip } from './refusals.ts';
import type { Rpc } from './rpc.ts';

/** Outputs in one request. */
const AT_ONCE = 100;

const answerForm = z.union([forms.hash, forms.unspentOutput]);

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
  const unspent = async (keys: readonly string[], withPool: boolean) => {
    const calls = keys.map((key) => {
      const [txid = '', vout = ''] = key.split(':');
      return { method, params: [txid, Number(vout), withPool] };
    });
    const answers = await rpc.askAll([block, ...calls, block], answerForm);
    for (const answer of [answers.at(0), answers.at(-1)]) {
      if (answer && !answer.ok && !isBeyondTip(answer)) throw rpc.refused(block.method, answer);
      if (!answer?.ok || answer.value !== at.hash)
        throw new ChainTrouble(
          'behind',
          `The node does not have block ${at.height} (${at.hash}), which was read before.`,
        );
    }
    return answers.slice(1, -1).map((answer) => {
      if (answer.ok) return answer.value !== null;
      throw rpc.refused(method, answer);
    });
  };
  const states = new Map<string, CoinState>();
  for (let start = 0; start < paymentKeys.length; start += AT_ONCE) {
    const keys = paymentKeys.slice(start, start + AT_ONCE);
    await requireWholePool(rpc);
    const [inBlocks, inPool] = [await unspent(keys, false), await unspent(keys, true)];
    for (const [place, key] of keys.entries())
      states.set(key, inBlocks[place] ? (inPool[place] ? 'unspent' : 'spending') : 'spent');
  }
  return states;
}
