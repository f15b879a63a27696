import { type BlockRef, ChainError } from '../port.ts';
import { providerFailurePattern } from './broadcast.ts';
import * as methods from './rpc-methods.ts';
import { RpcError, type Rpc } from './rpc.ts';
import { toQuantity } from './transaction.ts';

/**
 * Messages for a missing state: Geth ("missing trie node …", "historical state … is not available"), Nethermind, Besu,
 * Reth, Erigon ("old data not available due to pruning") and providers ("archive").
 */
const missingStatePattern = /\bstate\b|trie node|prun|archive/i;

/** Creates calls that read the state after a block. */
type StateCalls<Result> = (block: methods.BlockReference) => readonly methods.RpcCall<Result>[];

/**
 * Reads the state after a block, and only while that block is in the chain. Nodes with EIP-1898 check this themselves.
 * On others (Ganache) the state is read by block number, and the block's hash is compared before and after.
 */
export function createStateReader(rpc: Rpc) {
  let supportsBlockHash = true;

  /** Returns null if a different block is at this height. */
  async function readByNumber<Result>(block: BlockRef, calls: StateCalls<Result>): Promise<Result[] | null> {
    const isInChain = async () => (await rpc.request(methods.headerAt(block.height)))?.hash === block.hash;
    if (!(await isInChain())) return null;
    const results = await rpc.requestBatch<Result[]>([...calls(toQuantity(block.height))]).catch((error: unknown) => {
      if (error instanceof RpcError)
        error.isStateMissing = missingStatePattern.test(error.reason) && !providerFailurePattern.test(error.reason);
      throw error;
    });
    return (await isInChain()) ? results : null;
  }

  async function readByHash<Result>({ hash }: BlockRef, calls: StateCalls<Result>): Promise<Result[]> {
    return await rpc.requestBatch<Result[]>([...calls({ blockHash: hash, requireCanonical: true })]);
  }

  /** Repeats rejected calls by block number, and records whether the node needs that. */
  async function retryByNumber<Result>(block: BlockRef, calls: StateCalls<Result>): Promise<Result[] | null> {
    const results = await readByNumber(block, calls);
    if (!results) return null;
    try {
      // The first error may have been temporary: one of several nodes at the URL may lag.
      return await readByHash(block, calls);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      supportsBlockHash = false;
      return results;
    }
  }

  /**
   * Throws `RpcError` with `isStateMissing` if the node no longer has the state, `ChainError` if the block left the
   * chain.
   */
  return async function readState<Result>(block: BlockRef, calls: StateCalls<Result>): Promise<Result[]> {
    const results = supportsBlockHash
      ? await readByHash(block, calls).catch(async (error: unknown) => {
          if (!(error instanceof RpcError)) throw error;
          return await retryByNumber(block, calls);
        })
      : await readByNumber(block, calls);
    if (results) return results;
    throw new ChainError('behind', `${rpc.nodeName} does not have block ${block.height} (${block.hash}) in its chain.`);
  };
}
export type ReadState = ReturnType<typeof createStateReader>;
