import type { TokenRole } from '../shared/scopes.ts';
import type { Withdrawal as ApiWithdrawal } from '../api/withdrawal.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { StoreResponse } from '../operations/serve.ts';
import { Problem } from '../api/problem-error.ts';
import { ChainError } from '../chains/port.ts';
import type { WithdrawalsContext } from './context.ts';
import { chainUnavailable, readLastBlock } from '../chains/cursor.ts';
import { assignDeposits, findDepositsByWithdrawal, type RemainingDeposit } from '../deposits/deposit.ts';
import { findWallets } from '../wallets/wallet.ts';
import type { Wallet } from '../wallets/schema.ts';
import { readApiWithdrawal } from './api-withdrawal.ts';
import { depositIds } from './plan.ts';
import { prepareCancel, chooseCancelFeeRate } from './prepare-cancel.ts';
import { releaseTransactions } from './release.ts';
import { findVersions, findWithdrawal, withLockedFunds } from './store.ts';
import type { Version, Withdrawal } from './withdrawal.ts';
import { updateWithdrawal } from './write.ts';

/**
 * Cancels a withdrawal. It ends immediately if it is held for a new destination or, for managers, if no transaction is
 * signed yet. A signed transaction may have been sent: a replacement then returns the funds, and the withdrawal ends
 * with the transaction that is mined.
 */
export async function cancelWithdrawal(
  context: WithdrawalsContext,
  { merchantId, role }: { merchantId: number; role: TokenRole },
  id: string,
  storeResponse: StoreResponse<ApiWithdrawal>,
): Promise<ApiWithdrawal> {
  const withdrawal = await findWithdrawal(context.database, merchantId, id);
  if (!withdrawal) throw new Problem('not_found', 'No withdrawal has this ID.');
  const versions = (await findVersions(context.database, [withdrawal.id])).get(withdrawal.id) ?? [];
  const needsReplacement =
    role === 'manager' && hasReplaceableTransaction(withdrawal, versions) && withdrawal.cancelRequestedAt === null;
  if (needsReplacement) await requireReplacement(context, withdrawal, versions);
  const response = await withLockedFunds(context, withdrawal, async (unit, locked, { wallets, funds }) => {
    const isHeld = locked.status === 'waiting' && locked.heldUntil !== null && context.clock.now() < locked.heldUntil;
    if (!isHeld) requireCancelable(locked, role);
    const current = (await findVersions(unit, [locked.id])).get(locked.id) ?? [];
    let canceled = locked;
    if (isHeld || !hasReplaceableTransaction(locked, current))
      canceled = await endUnsentWithdrawal(context, unit, locked, { wallets, funds });
    else if (locked.cancelRequestedAt === null) {
      if (!needsReplacement || current.length !== versions.length)
        throw new Problem(
          'withdrawal_not_cancellable',
          'Its transaction was created by a concurrent step. Repeat the request.',
        );
      canceled = await updateWithdrawal(context, unit, locked, { cancelRequestedAt: context.clock.now() });
    }
    const described = await readApiWithdrawal(unit, canceled);
    await storeResponse(unit, described);
    return described;
  });
  if (response === 0) throw new Error(`The wallets of withdrawal ${id} changed while it was being canceled.`);
  return response;
}

/** Ends a withdrawal that has no transaction to mine, and releases its deposits. */
export async function endUnsentWithdrawal(
  context: WithdrawalsContext,
  unit: UnitOfWork,
  locked: Withdrawal,
  { wallets, funds }: { wallets: ReadonlyMap<number, Wallet>; funds: readonly RemainingDeposit[] },
): Promise<Withdrawal> {
  await assignDeposits(unit, depositIds(funds), null);
  const failure = 'Canceled before it was sent.';
  const ended = await updateWithdrawal(context, unit, locked, {
    status: 'failed',
    waitsFor: null,
    failure,
    nonce: null,
  });
  await releaseTransactions(context, unit, wallets, funds, 'withdrawal_cancelled');
  return ended;
}

/** True if a signed transaction can still be mined. Without a nonce, none can. */
function hasReplaceableTransaction({ status, sender, nonce }: Withdrawal, versions: readonly Version[]): boolean {
  if (status === 'confirmed' || status === 'failed' || (sender !== null && nonce === null)) return false;
  return versions.some(({ raw }) => raw !== null);
}

function requireCancelable(locked: Withdrawal, role: TokenRole): void {
  const refuse = (reason: string) => {
    throw new Problem('withdrawal_not_cancellable', `The withdrawal is ${locked.status}${reason}`);
  };
  if (locked.status === 'confirmed' || locked.status === 'failed') refuse(' and can no longer be canceled.');
  if (role !== 'manager') refuse(' and not held. Only a manager can cancel it, until its transaction is in a block.');
  if (locked.purpose === 'gas') refuse(', and it funds gas. Cancel the withdrawal that needs the gas instead.');
  if (locked.block !== null && !locked.isCancelled) refuse(', and its transaction is already in a block.');
}

/** Throws if no transaction can replace the existing ones within the operator’s limits and the available funds. */
async function requireReplacement(
  context: WithdrawalsContext,
  withdrawal: Withdrawal,
  versions: readonly Version[],
): Promise<void> {
  const { database, chains } = context;
  requireCancelable(withdrawal, 'manager');
  const connected = chains.all.find(({ name }) => name === withdrawal.chain);
  const tip = await readLastBlock(database, withdrawal.chain);
  if (!connected || !tip) throw chainUnavailable(withdrawal.chain);
  const funds = await findDepositsByWithdrawal(database, [withdrawal.id]);
  const wallets = await findWallets(database, [...new Set(funds.map(({ walletId }) => walletId))]);
  try {
    const feeRate = await connected.chain.feeRate();
    const chosen = chooseCancelFeeRate(context, connected, versions, feeRate);
    const request = { withdrawal, versions, funds, wallets, tip, feeRate: async () => await Promise.resolve(feeRate) };
    const prepared =
      'waitsFor' in chosen
        ? chosen
        : await prepareCancel(context, connected, await connected.spender(), { ...request, ...chosen });
    if ('waitsFor' in prepared)
      throw new Problem(
        'withdrawal_not_cancellable',
        `No transaction can cancel the withdrawal now. ${prepared.waitsFor.detail}`,
      );
  } catch (error) {
    if (error instanceof ChainError) throw chainUnavailable(withdrawal.chain);
    throw error;
  }
}
