import type { RejectionCause, BroadcastResult } from '../port.ts';
import type { ChainChange } from './store.ts';

/** Thrown for a rejected transaction. The database transaction in which it is thrown is rolled back. */
export class TransactionRejected extends Error {
  override readonly name = 'TransactionRejected';
  readonly rejectionCause: RejectionCause | undefined;
  constructor(message: string, cause?: RejectionCause) {
    super(message);
    this.rejectionCause = cause;
  }
}

/** Converts a rejection to the response of a node. */
export async function toBroadcastResult(accept: () => Promise<void>): Promise<BroadcastResult> {
  try {
    await accept();
    return { kind: 'sent' };
  } catch (error) {
    if (error instanceof TransactionRejected)
      return { kind: 'refused', reason: error.message, ...(error.rejectionCause && { cause: error.rejectionCause }) };
    throw error;
  }
}

/** Converts parse errors of libraries to rejections. */
export async function parseOrReject<Read>(parse: () => Read | Promise<Read>): Promise<Read> {
  try {
    return await parse();
  } catch (error) {
    if (error instanceof TransactionRejected) throw error;
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new TransactionRejected(`The transaction is malformed: ${reason}`);
  }
}

/** Returns true if the transaction is in the mempool or a block. */
export async function isAlreadyKnown({ tables, kind }: ChainChange, txHash: string): Promise<boolean> {
  const transaction = await tables
    .selectFrom('simulated_transactions')
    .select('state')
    .where('chain', '=', kind.name)
    .where('tx_hash', '=', txHash)
    .executeTakeFirst();
  if (transaction?.state === 'dropped')
    throw new TransactionRejected('It was dropped in a reorg: another transaction spent its inputs.');
  return transaction !== undefined;
}
