import type { RejectionCause, BroadcastResult } from '../port.ts';
import type { ChainChange } from './store.ts';

/** Why a transaction is not taken. Whatever of it was written goes with the unit in which this is thrown. */
export class TransactionRejected extends Error {
  override readonly name = 'TransactionRejected';
  readonly rejectionCause: RejectionCause | undefined;
  constructor(message: string, cause?: RejectionCause) {
    super(message);
    this.rejectionCause = cause;
  }
}

/** What a node answers to one who sends. */
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

/** Reads what was sent: whatever a library has against it is a refusal. */
export async function parseOrReject<Read>(parse: () => Read | Promise<Read>): Promise<Read> {
  try {
    return await parse();
  } catch (error) {
    if (error instanceof TransactionRejected) throw error;
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new TransactionRejected(`The transaction cannot be read: ${reason}`);
  }
}

/** Whether it is there already, waiting or in a block. */
export async function isAlreadyKnown({ tables, kind }: ChainChange, txHash: string): Promise<boolean> {
  const transaction = await tables
    .selectFrom('simulated_transactions')
    .select('state')
    .where('chain', '=', kind.name)
    .where('tx_hash', '=', txHash)
    .executeTakeFirst();
  if (transaction?.state === 'dropped')
    throw new TransactionRejected(
      'It was dropped in a reorganisation: what it spends was spent by another transaction.',
    );
  return transaction !== undefined;
}
