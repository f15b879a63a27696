import { ChainError } from '../port.ts';
import * as schemas from './schemas.ts';
import { isNotFound } from './rpc-errors.ts';
import type { Rpc } from './rpc.ts';

/** Throws `ChainError` while the pool is being loaded: what is not in it yet would be taken to have left it. */
export async function requireLoadedMempool(rpc: Rpc): Promise<schemas.MempoolInfo> {
  const info = await rpc.call({ method: 'getmempoolinfo', params: [] }, schemas.mempoolInfo);
  if (info.loaded) return info;
  throw new ChainError('behind', 'The node is still loading the transactions that wait for a block');
}

/** Whether a transaction waits for a block. */
export async function isInMempool(rpc: Rpc, txid: string): Promise<boolean> {
  const method = 'getmempoolentry';
  const answer = await rpc.request({ method, params: [txid] }, schemas.mempoolEntry);
  if (answer.ok) return true;
  if (isNotFound(answer)) return false;
  throw rpc.unexpectedError(method, answer);
}
