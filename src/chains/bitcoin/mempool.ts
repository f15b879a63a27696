import { ChainError } from '../port.ts';
import * as schemas from './schemas.ts';
import type { Rpc } from './rpc.ts';

/** Throws `ChainError` while the node loads its mempool: missing transactions would look dropped. */
export async function requireLoadedMempool(rpc: Rpc): Promise<schemas.MempoolInfo> {
  const info = await rpc.call({ method: 'getmempoolinfo', params: [] }, schemas.mempoolInfo);
  if (info.loaded) return info;
  throw new ChainError('behind', 'The node is still loading its mempool.');
}
