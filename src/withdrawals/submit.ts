import { ChainTrouble } from '../chains/port.ts';
import { NotThisTransaction, type Signed, type Spender } from '../chains/spender.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import type { WithdrawalsContext } from './context.ts';
import { readHeight } from '../chains/cursor.ts';
import { trackBroadcast } from './broadcast.ts';
import { takeSigned } from './make.ts';
import { findVersions, findWithdrawal } from './store.ts';
import type { Version, Withdrawal } from './withdrawal.ts';

/** Takes what was signed elsewhere, and sends it. It is written down first: whoever goes on sends it otherwise. */
export async function submitWithdrawal(
  context: WithdrawalsContext,
  merchantId: number,
  { id, signed: text }: { id: string; signed: string },
): Promise<Withdrawal> {
  const { database, chains } = context;
  const withdrawal = await find(context, merchantId, id);
  const versions = (await findVersions(database, [withdrawal.id])).get(withdrawal.id) ?? [];
  // Of a withdrawal that is being cancelled, what would send it is no longer wanted.
  const open = versions.filter(
    ({ raw, cancels }) => raw === null && (withdrawal.cancelRequestedAt === null || cancels),
  );
  const connected = chains.all.find(({ name }) => name === withdrawal.chain);
  if (withdrawal.status !== 'to_sign' || open.length === 0 || !connected)
    throw new Problem(
      'nothing_to_sign',
      `The withdrawal is ${withdrawal.status}: nothing of it waits for a signature.`,
    );
  const spender = await connected.spender();
  const { version, signed } = await readAny(spender, withdrawal, open, text);
  if ((await takeSigned(context, withdrawal, version, signed)) === 0)
    throw new Problem('nothing_to_sign', 'Somebody else has handed it in meanwhile.');

  const taken = await find(context, merchantId, id);
  const height = (await readHeight(database, withdrawal.chain)) ?? 0;
  try {
    await trackBroadcast(context, connected, spender, {
      withdrawal: taken,
      versions: (await findVersions(database, [taken.id])).get(taken.id) ?? [],
      // Nothing is decided by it here: what was just signed is not late.
      tip: { height, hash: '' },
      feeRate: async () => await connected.chain.feeRate(),
    });
  } catch (error) {
    // It is sent as soon as the node answers.
    if (!(error instanceof ChainTrouble)) throw error;
  }
  return await find(context, merchantId, id);
}

/** Any of what was to be signed may come. */
async function readAny(
  spender: Spender,
  { sender }: Withdrawal,
  versions: readonly Version[],
  text: string,
): Promise<{ version: Version; signed: Signed }> {
  let problem = '';
  for (const version of versions) {
    try {
      const signed =
        spender.kind === 'coins'
          ? await spender.read(version.unsigned, text)
          : await spender.read(version.unsigned, text, sender?.address ?? '');
      return { version, signed };
    } catch (error) {
      if (!(error instanceof NotThisTransaction)) throw error;
      // The newest is what was to be signed.
      problem ||= error.message;
    }
  }
  throw validationProblem([{ pointer: '/signed', code: 'not_this_transaction', detail: `is not right: ${problem}` }]);
}

async function find({ database }: WithdrawalsContext, merchantId: number, id: string): Promise<Withdrawal> {
  const found = await findWithdrawal(database, merchantId, id);
  if (!found) throw new Problem('not_found', 'There is no withdrawal with this id.');
  return found;
}
