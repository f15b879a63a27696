import { ChainError } from '../port.ts';
import * as schemas from './schemas.ts';
import { isNotFound } from './rpc-errors.ts';
import type { Rpc } from './rpc.ts';

/** Throws `ChainError` while the node loads its mempool: missing transactions would look dropped. */
export async function requireLoadedMempool(rpc: Rpc): Promise<schemas.MempoolInfo> {
  const info = await rpc.call({ method: 'getmempoolinfo', params: [] }, schemas.mempoolInfo);
  if (info.loaded) return info;
  throw new ChainError('behind', 'The node is still loading its mempool.');
}

/** Returns true if a transaction is in the mempool. */
export async function isInMempool(rpc: Rpc, txid: string): Promise<boolean> {
  const method = 'getmempoolentry';
  const result = await rpc.request({ method, params: [txid] }, schemas.mempoolEntry);
  if (result.ok) return true;
  if (isNotFound(result)) return false;
  throw rpc.unexpectedError(method, result);
}
