import type { RefusalCause, SendAnswer } from '../port.ts';
import type { Change } from './books.ts';

/** Why a transaction is not taken. Whatever of it was written goes with the unit in which this is thrown. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly refusalCause: RefusalCause | undefined;
  constructor(message: string, cause?: RefusalCause) {
    super(message);
    this.refusalCause = cause;
  }
}

/** What a node answers to one who sends. */
export async function answerTo(send: () => Promise<void>): Promise<SendAnswer> {
  try {
    await send();
    return { kind: 'sent' };
  } catch (error) {
    if (error instanceof Refusal)
      return { kind: 'refused', reason: error.message, ...(error.refusalCause && { cause: error.refusalCause }) };
    throw error;
  }
}

/** Reads what was sent: whatever a library has against it is a refusal. */
export async function readable<Read>(read: () => Read | Promise<Read>): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const [words] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new Refusal(`The transaction cannot be read: ${words}`);
  }
}

/** Whether it is there already, waiting or in a block. */
export async function isKnown({ tables, kind }: Change, txHash: string): Promise<boolean> {
  const found = await tables
    .selectFrom('simulated_transactions')
    .select('state')
    .where('chain', '=', kind.name)
    .where('tx_hash', '=', txHash)
    .executeTakeFirst();
  if (found?.state === 'dropped')
    throw new Refusal('It was dropped in a reorganisation: what it spends was spent by another transaction.');
  return found !== undefined;
}
