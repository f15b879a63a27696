import type { CoinState } from '../port.ts';
import * as forms from './forms.ts';
import { requireWholePool } from './pool.ts';
import type { Rpc } from './rpc.ts';

/** Outputs in one request. */
const AT_ONCE = 100;

/** Asks the node's set of unspent outputs, in blocks alone and with what waits. */
export async function readCoinStates(
  rpc: Rpc,
  paymentKeys: readonly string[],
): Promise<ReadonlyMap<string, CoinState>> {
  const method = 'gettxout';
  const unspent = async (keys: readonly string[], withPool: boolean) => {
    const calls = keys.map((key) => {
      const [txid = '', vout = ''] = key.split(':');
      return { method, params: [txid, Number(vout), withPool] };
    });
    return (await rpc.askAll(calls, forms.unspentOutput)).map((answer) => {
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
