import { type BlockRef, ChainError } from '../port.ts';
import * as methods from './rpc-methods.ts';
import { RpcError, type Rpc } from './rpc.ts';
import { toQuantity } from './transaction.ts';

/** Questions about the state after a block, each with the block as its last parameter. */
type StateCalls<Answer> = (block: methods.BlockReference) => readonly methods.RpcCall<Answer>[];

/**
 * Reads the state after a block, and only while that block is in the chain. Nodes that implement EIP-1898 check that
 * themselves. Others (Ganache) are asked by the block's number, and for the block's hash before and after.
 */
export function createStateReader(rpc: Rpc) {
  let supportsBlockHash = true;

  /** Returns null where another block is at the height. */
  async function readByNumber<Answer>(block: BlockRef, calls: StateCalls<Answer>): Promise<Answer[] | null> {
    const isInChain = async () => (await rpc.request(methods.headerAt(block.height)))?.hash === block.hash;
    if (!(await isInChain())) return null;
    const answers = await rpc.requestBatch<Answer[]>([...calls(toQuantity(block.height))]);
    return (await isInChain()) ? answers : null;
  }

  async function readByHash<Answer>({ hash }: BlockRef, calls: StateCalls<Answer>): Promise<Answer[]> {
    return await rpc.requestBatch<Answer[]>([...calls({ blockHash: hash, requireCanonical: true })]);
  }

  /** After a refusal by hash: what the same questions are answered by number, if that is what the node needs. */
  async function retryByNumber<Answer>(
    block: BlockRef,
    calls: StateCalls<Answer>,
    rpcError: RpcError,
  ): Promise<Answer[] | null> {
    // Refused by number too: the state is gone, or the call itself fails.
    const rethrow = (error: unknown): never => {
      throw error instanceof RpcError ? rpcError : error;
    };
    const answers = await readByNumber(block, calls).catch(rethrow);
    if (!answers) return null;
    try {
      // The first refusal may have been one of the moment: of several nodes behind the address, one lags.
      return await readByHash(block, calls);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      supportsBlockHash = false;
      return answers;
    }
  }

  /** Throws a `RpcError` where the node no longer has that state, `ChainError` where the block is not in the chain. */
  return async function readState<Answer>(at: BlockRef, about: StateCalls<Answer>): Promise<Answer[]> {
    const answers = supportsBlockHash
      ? await readByHash(at, about).catch(async (error: unknown) => {
          if (!(error instanceof RpcError)) throw error;
          return await retryByNumber(at, about, error);
        })
      : await readByNumber(at, about);
    if (answers) return answers;
    throw new ChainError('behind', `${rpc.nodeName} does not have block ${at.height} (${at.hash}) in its chain.`);
  };
}
export type ReadState = ReturnType<typeof createStateReader>;
