import { ChainError } from '../chains/port.ts';
import { SignedTransactionMismatch, type SignedTransaction, type Spender } from '../chains/spender.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import type { WithdrawalsContext } from './context.ts';
import { readLastHeight } from '../chains/cursor.ts';
import { trackBroadcast } from './broadcast.ts';
import { recordSigned } from './create-version.ts';
import { findVersions, findWithdrawal } from './store.ts';
import type { Version, Withdrawal } from './withdrawal.ts';

/** Accepts an externally signed transaction and sends it. It is recorded first, so the job sends it after a crash. */
export async function submitWithdrawal(
  context: WithdrawalsContext,
  merchantId: number,
  { id, signed: text }: { id: string; signed: string },
): Promise<Withdrawal> {
  const { database, chains } = context;
  const withdrawal = await requireWithdrawal(context, merchantId, id);
  const versions = (await findVersions(database, [withdrawal.id])).get(withdrawal.id) ?? [];
  // During a cancellation, only the canceling transaction is accepted.
  const open = versions.filter(
    ({ raw, cancels }) => raw === null && (withdrawal.cancelRequestedAt === null || cancels),
  );
  const connected = chains.all.find(({ name }) => name === withdrawal.chain);
  if (withdrawal.status !== 'to_sign' || open.length === 0 || !connected)
    throw new Problem('nothing_to_sign', `The withdrawal is ${withdrawal.status}: it has no transaction to sign.`);
  const spender = await connected.spender();
  const { version, signed } = await readSigned(spender, withdrawal, open, text);
  if ((await recordSigned(context, withdrawal, version, signed)) === 0)
    throw new Problem('nothing_to_sign', 'A signed transaction was submitted in the meantime.');

  const recorded = await requireWithdrawal(context, merchantId, id);
  const height = (await readLastHeight(database, withdrawal.chain)) ?? 0;
  try {
    await trackBroadcast(context, connected, spender, {
      withdrawal: recorded,
      versions: (await findVersions(database, [recorded.id])).get(recorded.id) ?? [],
      // The hash is not used here: a transaction that was just signed is not late.
      tip: { height, hash: '' },
      feeRate: async () => await connected.chain.feeRate(),
    });
  } catch (error) {
    // The job sends it as soon as the node responds.
    if (!(error instanceof ChainError)) throw error;
  }
  return await requireWithdrawal(context, merchantId, id);
}

/** Reads a signed transaction; it may be any of the unsigned versions. */
async function readSigned(
  spender: Spender,
  { sender }: Withdrawal,
  versions: readonly Version[],
  text: string,
): Promise<{ version: Version; signed: SignedTransaction }> {
  let problem = '';
  for (const version of versions) {
    try {
      const signed =
        spender.kind === 'utxo'
          ? await spender.verifySigned(version.unsigned, text)
          : await spender.verifySigned(version.unsigned, text, sender?.address ?? '');
      return { version, signed };
    } catch (error) {
      if (!(error instanceof SignedTransactionMismatch)) throw error;
      // Report the mismatch with the newest version.
      problem ||= error.message;
    }
  }
  throw validationProblem([
    { pointer: '/signed', code: 'transaction_mismatch', detail: `is not the transaction to sign: ${problem}` },
  ]);
}

async function requireWithdrawal(
  { database }: WithdrawalsContext,
  merchantId: number,
  id: string,
): Promise<Withdrawal> {
  const withdrawal = await findWithdrawal(database, merchantId, id);
  if (!withdrawal) throw new Problem('not_found', 'No withdrawal has this ID.');
  return withdrawal;
}
