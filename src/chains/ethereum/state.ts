import { type BlockRef, ChainTrouble } from '../port.ts';
import * as questions from './questions.ts';
import { NodeRefusal, type Rpc } from './rpc.ts';
import { quantityOf } from './transaction.ts';

/** Questions about the state after a block, each with the block as its last parameter. */
type QuestionsAbout<Answer> = (block: questions.StateBlock) => readonly questions.Question<Answer>[];

/**
 * Reads the state after a block, and only while that block is in the chain. Nodes that implement EIP-1898 check that
 * themselves. Others (Ganache) are asked by the block's number, and for the block's hash before and after.
 */
export function createStateReader(rpc: Rpc) {
  let takesHashes = true;

  /** Returns null where another block is at the height. */
  async function readByNumber<Answer>(at: BlockRef, about: QuestionsAbout<Answer>): Promise<Answer[] | null> {
    const isInChain = async () => (await rpc.ask(questions.headerAt(at.height)))?.hash === at.hash;
    if (!(await isInChain())) return null;
    const answers = await rpc.askAll<Answer[]>([...about(quantityOf(at.height))]);
    return (await isInChain()) ? answers : null;
  }

  async function readByHash<Answer>({ hash }: BlockRef, about: QuestionsAbout<Answer>): Promise<Answer[]> {
    return await rpc.askAll<Answer[]>([...about({ blockHash: hash, requireCanonical: true })]);
  }

  /** After a refusal by hash: what the same questions are answered by number, if that is what the node needs. */
  async function readRefused<Answer>(
    at: BlockRef,
    about: QuestionsAbout<Answer>,
    refusal: NodeRefusal,
  ): Promise<Answer[] | null> {
    // Refused by number too: the state is gone, or the call itself fails.
    const orRefusal = (error: unknown): never => {
      throw error instanceof NodeRefusal ? refusal : error;
    };
    const answers = await readByNumber(at, about).catch(orRefusal);
    if (!answers) return null;
    try {
      // The first refusal may have been one of the moment: of several nodes behind the address, one lags.
      return await readByHash(at, about);
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error;
      takesHashes = false;
      return answers;
    }
  }

  /** Throws a `NodeRefusal` where the node no longer has that state, `ChainTrouble` where the block is not in the chain. */
  return async function readState<Answer>(at: BlockRef, about: QuestionsAbout<Answer>): Promise<Answer[]> {
    const answers = takesHashes
      ? await readByHash(at, about).catch(async (error: unknown) => {
          if (!(error instanceof NodeRefusal)) throw error;
          return await readRefused(at, about, error);
        })
      : await readByNumber(at, about);
    if (answers) return answers;
    throw new ChainTrouble('behind', `${rpc.node} does not have block ${at.height} (${at.hash}) in its chain.`);
  };
}
export type ReadState = ReturnType<typeof createStateReader>;
