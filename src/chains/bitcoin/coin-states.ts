import type { CoinState } from '../port.ts';
import * as forms from './forms.ts';
import { requireWholePool } from './pool.ts';
import type { Rpc } from './rpc.ts';

/** Asks the node's set of unspent outputs, in blocks alone and with what waits. */
export async function readCoinStates(
  rpc: Rpc,
  paymentKeys: readonly string[],
): Promise<ReadonlyMap<string, CoinState>> {
  const method = 'gettxout';
  const unspent = async (withPool: boolean) => {
    const calls = paymentKeys.map((key) => {
      const [txid = '', vout = ''] = key.split(':');
      return { method, params: [txid, Number(vout), withPool] };
    });
    return (await rpc.askAll(calls, forms.unspentOutput)).map((answer) => {
      if (answer.ok) return answer.value !== null;
      throw rpc.refused(method, answer);
    });
  };
  await requireWholePool(rpc);
  const [inBlocks, inPool] = [await unspent(false), await unspent(true)];
  return new Map(
    paymentKeys.map((key, place) => [key, inBlocks[place] ? (inPool[place] ? 'unspent' : 'spending') : 'spent']),
  );
}
