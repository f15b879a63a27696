import { ChainTrouble } from '../port.ts';
import * as forms from './forms.ts';
import { isAbsent } from './refusals.ts';
import type { Rpc } from './rpc.ts';

/** Throws `ChainTrouble` while the pool is being loaded: what is not in it yet would be taken to have left it. */
export async function requireWholePool(rpc: Rpc): Promise<forms.MempoolInfo> {
  const info = await rpc.call({ method: 'getmempoolinfo', params: [] }, forms.mempoolInfo);
  if (info.loaded) return info;
  throw new ChainTrouble('behind', 'The node is still loading the transactions that wait for a block');
}

/** Whether a transaction waits for a block. */
export async function isInPool(rpc: Rpc, txid: string): Promise<boolean> {
  const method = 'getmempoolentry';
  const answer = await rpc.ask({ method, params: [txid] }, forms.mempoolEntry);
  if (answer.ok) return true;
  if (isAbsent(answer)) return false;
  throw rpc.refused(method, answer);
}
