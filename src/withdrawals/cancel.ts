import type { TokenRole } from '../shared/scopes.ts';
import type { Withdrawal as WireWithdrawal } from '../api/withdrawal.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { StoreResponse } from '../operations/serve.ts';
import { Problem } from '../api/problem-error.ts';
import { ChainTrouble } from '../chains/port.ts';
import type { WithdrawalsContext } from './context.ts';
import { chainUnavailable, readTip } from '../chains/cursor.ts';
import { assignFunds, findFunds, type HeldDeposit } from '../deposits/deposit.ts';
import { findWallets } from '../wallets/wallet.ts';
import type { Wallet } from '../wallets/schema.ts';
import { describeWithdrawal } from './describe.ts';
import { idsOf } from './plan.ts';
import { prepareCancel, priceOfCancel } from './prepare-cancel.ts';
import { releaseTransactions } from './release.ts';
import { findVersions, findWithdrawal, withFunds } from './store.ts';
import type { Version, Withdrawal } from './withdrawal.ts';
import { updateWithdrawal } from './write.ts';

/**
 * Cancels a withdrawal. One that is held because its destination is new, or for a manager one whose transaction is not
 * signed yet, ends at once. A signed transaction may have been sent: a manager has another one take its place, which
 * returns the money, and the withdrawal ends with the one that is mined.
 */
export async function cancelWithdrawal(
  context: WithdrawalsContext,
  { merchantId, role }: { merchantId: number; role: TokenRole },
  id: string,
  keepAnswer: StoreResponse<WireWithdrawal>,
): Promise<WireWithdrawal> {
  const found = await findWithdrawal(context.database, merchantId, id);
  if (!found) throw new Problem('not_found', 'There is no withdrawal with this id.');
  const versions = (await findVersions(context.database, [found.id])).get(found.id) ?? [];
  const isAsked = role === 'manager' && isReplaceable(found, versions) && found.cancelRequestedAt === null;
  if (isAsked) await requireReplacement(context, found, versions);
  const answer = await withFunds(context, found, async (unit, locked, { wallets, funds }) => {
    const isHeld = locked.status === 'waiting' && locked.heldUntil !== null && context.clock.now() < locked.heldUntil;
    if (!isHeld) requireOpen(locked, role);
    const made = (await findVersions(unit, [locked.id])).get(locked.id) ?? [];
    let cancelled = locked;
    if (isHeld || !isReplaceable(locked, made)) cancelled = await endUnsent(context, unit, locked, { wallets, funds });
    else if (locked.cancelRequestedAt === null) {
      if (!isAsked || made.length !== versions.length)
        throw new Problem('nothing_to_cancel', 'Its transaction was made at this moment. Ask again.');
      cancelled = await updateWithdrawal(context, unit, locked, { cancelRequestedAt: context.clock.now() });
    }
    const described = await describeWithdrawal(unit, cancelled);
    await keepAnswer(unit, described);
    return described;
  });
  if (answer === 0) throw new Error('Money was added to a held withdrawal');
  return answer;
}

/** Ends a withdrawal of which nothing can be mined, and frees its money. */
export async function endUnsent(
  context: WithdrawalsContext,
  unit: UnitOfWork,
  locked: Withdrawal,
  { wallets, funds }: { wallets: ReadonlyMap<number, Wallet>; funds: readonly HeldDeposit[] },
): Promise<Withdrawal> {
  await assignFunds(unit, idsOf(funds), null);
  const failure = 'Cancelled before it left.';
  const ended = await updateWithdrawal(context, unit, locked, {
    status: 'failed',
    waitsFor: null,
    failure,
    nonce: null,
  });
  await releaseTransactions(context, unit, wallets, funds, 'withdrawal_cancelled');
  return ended;
}

/** Whether one of its transactions is signed, and could be mined: of a wallet whose nonce was used otherwise none can. */
function isReplaceable({ status, sender, nonce }: Withdrawal, versions: readonly Version[]): boolean {
  if (status === 'confirmed' || status === 'failed' || (sender !== null && nonce === null)) return false;
  return versions.some(({ raw }) => raw !== null);
}

function requireOpen(locked: Withdrawal, role: TokenRole): void {
  const refuse = (words: string) => {
    throw new Problem('nothing_to_cancel', `The withdrawal is ${locked.status}${words}`);
  };
  if (locked.status === 'confirmed' || locked.status === 'failed') refuse(': it is over.');
  if (role !== 'manager') refuse(' and not held. A manager can cancel it until its transaction is in a block.');
  if (locked.purpose === 'gas') refuse(', and another one would be made: cancel the withdrawal that it is for.');
  if (locked.block !== null && !locked.isCancelled) refuse(': its transaction is in a block.');
}

/** Throws where no transaction can take the place of those made, within the operator’s bounds and with the money there. */
async function requireReplacement(
  context: WithdrawalsContext,
  withdrawal: Withdrawal,
  versions: readonly Version[],
): Promise<void> {
  const { database, chains } = context;
  requireOpen(withdrawal, 'manager');
  const connected = chains.all.find(({ name }) => name === withdrawal.chain);
  const tip = await readTip(database, withdrawal.chain);
  if (!connected || !tip) throw chainUnavailable(withdrawal.chain);
  const funds = await findFunds(database, [withdrawal.id]);
  const wallets = await findWallets(database, [...new Set(funds.map(({ walletId }) => walletId))]);
  try {
    const now = await connected.chain.feeRate();
    const price = priceOfCancel(context, connected, versions, now);
    const order = { withdrawal, versions, funds, wallets, tip, feeRate: async () => await Promise.resolve(now) };
    const prepared =
      'waitsFor' in price
        ? price
        : await prepareCancel(context, connected, await connected.spender(), { ...order, ...price });
    if ('waitsFor' in prepared)
      throw new Problem('nothing_to_cancel', `No transaction can cancel it now. ${prepared.waitsFor.detail}`);
  } catch (error) {
    if (error instanceof ChainTrouble) throw chainUnavailable(withdrawal.chain);
    throw error;
  }
}
