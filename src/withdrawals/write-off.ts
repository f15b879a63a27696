import { db, type WaitsFor } from './schema.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { WithdrawalsContext } from './context.ts';
import { isBlockInChain, STORED_BLOCKS } from '../chains/blocks.ts';
import { readLastHeight, readLastBlock } from '../chains/cursor.ts';
import { noChanges } from '../deposits/changes.ts';
import { findDepositsByWithdrawal, findWrittenOffDeposits, type RemainingDeposit } from '../deposits/deposit.ts';
import { recordDeposits } from '../invoices/record-deposits.ts';
import { lockAffectedWallets } from '../invoices/store.ts';
import { releaseTransactions } from './release.ts';
import { sumOf } from './funds.ts';
import { findVersions, isMinedOrEnded, withLockedFunds } from './store.ts';
import type { Version, Withdrawal } from './withdrawal.ts';
import { updateWithdrawal } from './write.ts';

const SPENT_EXTERNALLY = 'Its deposits were spent by a transaction that this service did not create.';
const rebuilding: WaitsFor = {
  reason: 'queued',
  detail: 'Deposits spent outside the service are written off. Its transaction is being created again without them.',
  feeNow: null,
  limit: null,
};

/**
 * Writes off deposits of a withdrawal that are spent in blocks while the node knows none of its versions. Returns their
 * number, or `spending` if a transaction in the mempool spends one.
 */
export async function writeOffSpent(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  withdrawal: Withdrawal,
  versions: readonly Version[],
  isAnyVersionKnown: () => Promise<boolean>,
): Promise<number | 'spending'> {
  const mined = (await findDepositsByWithdrawal(context.database, [withdrawal.id])).filter(
    ({ state }) => state === 'mined',
  );
  const states = await readOutputStates(
    context,
    connected,
    mined.map(({ paymentKey }) => paymentKey),
  );
  if (!states) return 0;
  const spent = mined.filter(({ paymentKey }) => states.get(paymentKey) === 'spent');
  if (spent.length === 0) return [...states.values()].includes('spending') ? 'spending' : 0;
  // Deposits of orphaned blocks look spent as well, and our own transaction may have been mined in the meantime.
  if (await isAnyVersionKnown()) return 0;
  const lost: RemainingDeposit[] = [];
  for (const deposit of spent) if (await isInChain(context, connected, deposit)) lost.push(deposit);
  return await writeOffDeposits(context, withdrawal, versions, lost);
}

/** Reads the states of outputs at the last scanned block; null without one, and on account-based chains. */
async function readOutputStates(
  { database }: WithdrawalsContext,
  { chain, name }: ConnectedChain,
  keys: readonly string[],
) {
  const at = await readLastBlock(database, name);
  return at ? await chain.outputStates(keys, at) : null;
}

/** True if the block of a deposit is in the chain, according to the node and to the scanned blocks. */
export async function isInChain(
  { database }: WithdrawalsContext,
  { chain, name }: ConnectedChain,
  { height, blockHash }: RemainingDeposit,
): Promise<boolean> {
  if (height === null || blockHash === null || (await chain.blockHash(height)) !== blockHash) return false;
  return await isBlockInChain(database, name, { height, hash: blockHash });
}

/** Writes off deposits of a withdrawal; it continues with the others, or fails if there are none. */
export async function writeOffDeposits(
  context: WithdrawalsContext,
  withdrawal: Withdrawal,
  versions: readonly Version[],
  lost: readonly RemainingDeposit[],
): Promise<number> {
  if (lost.length === 0) return 0;
  const ids = new Set(lost.map(({ id }) => id));
  return await withLockedFunds(context, withdrawal, async (unit, locked, { wallets, funds }) => {
    const currentVersions = (await findVersions(unit, [locked.id])).get(locked.id) ?? [];
    const present = funds.filter(({ id, state }) => ids.has(id) && state === 'mined');
    if (isMinedOrEnded(locked) || currentVersions.length !== versions.length || present.length !== lost.length)
      return 0;
    const tipHeight = (await readLastHeight(unit, locked.chain)) ?? 0;
    for (const walletId of wallets.keys()) {
      const writtenOff = present.flatMap((each) => (each.walletId === walletId ? [each.id] : []));
      if (writtenOff.length > 0) await recordDeposits(context, unit, walletId, { ...noChanges, writtenOff }, tipHeight);
    }
    // None of the existing versions can still be mined.
    await db(unit)
      .updateTable('withdrawal_versions')
      .set({ sent_at: null })
      .where('withdrawal_id', '=', locked.id)
      .execute();
    const remainingFunds = funds.filter(({ id }) => !ids.has(id));
    const withoutTransaction = { amount: null, fee: null, feeRate: null };
    if (remainingFunds.length > 0) {
      await updateWithdrawal(context, unit, locked, {
        ...withoutTransaction,
        spent: sumOf(remainingFunds),
        status: 'waiting',
        waitsFor: rebuilding,
      });
      return present.length;
    }
    await updateWithdrawal(context, unit, locked, {
      ...{ ...withoutTransaction, status: 'failed', failure: SPENT_EXTERNALLY, waitsFor: null, nonce: null },
    });
    if (locked.purpose === 'refund') await releaseTransactions(context, unit, wallets, funds, 'written_off');
    return present.length;
  });
}

/** Restores written-off deposits whose spending a reorg has undone; returns their number. */
export async function restoreUnspent(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  tipHeight: number,
): Promise<number> {
  const { name } = connected;
  const rows = await findWrittenOffDeposits(context.database, name, tipHeight - STORED_BLOCKS);
  if (rows.length === 0) return 0;
  const states = await readOutputStates(
    context,
    connected,
    rows.map(({ paymentKey }) => paymentKey),
  );
  if (!states) return 0;
  const unspent = rows.filter(({ paymentKey }) => states.get(paymentKey) === 'unspent');
  for (const { id, walletId } of unspent)
    await context.database.inTransaction(async (unit) => {
      // An invoice moved in the meantime: the next round finds the deposit again.
      if (!(await lockAffectedWallets(unit, [walletId]))) return;
      await recordDeposits(
        context,
        unit,
        walletId,
        { ...noChanges, restored: [id] },
        (await readLastHeight(unit, name)) ?? 0,
      );
    });
  return unspent.length;
}
