import { db, type WaitsFor } from './schema.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { WithdrawalsContext } from './context.ts';
import { isRead, KEPT_BLOCKS } from '../chains/blocks.ts';
import { readHeight, readTip } from '../chains/cursor.ts';
import { noChanges } from '../deposits/changes.ts';
import { findFunds, findWrittenOff, type HeldDeposit } from '../deposits/deposit.ts';
import { recordDeposits } from '../invoices/record-deposits.ts';
import { lockOwners } from '../invoices/store.ts';
import { releaseTransactions } from './release.ts';
import { sumOf } from './funds.ts';
import { findVersions, isOver, withFunds } from './store.ts';
import type { Version, Withdrawal } from './withdrawal.ts';
import { updateWithdrawal } from './write.ts';

const SPENT_ELSEWHERE = 'Its money was spent by a transaction that this service did not make.';
const rebuilding: WaitsFor = {
  reason: 'turn',
  detail: 'Deposits that were spent elsewhere are written off; its transaction is made again without them.',
  feeNow: null,
  limit: null,
};

/**
 * Writes off coins of a withdrawal that blocks show as spent, none of its own transactions being known to the node.
 * Returns how many, or `spending` where another transaction that waits for a block spends one.
 */
export async function writeOffSpent(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  withdrawal: Withdrawal,
  versions: readonly Version[],
  isOneKnown: () => Promise<boolean>,
): Promise<number | 'spending'> {
  const mined = (await findFunds(context.database, [withdrawal.id])).filter(({ state }) => state === 'mined');
  const states = await readStates(
    context,
    connected,
    mined.map(({ paymentKey }) => paymentKey),
  );
  if (!states) return 0;
  const spent = mined.filter(({ paymentKey }) => states.get(paymentKey) === 'spent');
  if (spent.length === 0) return [...states.values()].includes('spending') ? 'spending' : 0;
  // A deposit whose block was undone is missing too, and our own transaction may have been mined in the meantime.
  if (await isOneKnown()) return 0;
  const lost: HeldDeposit[] = [];
  for (const payment of spent) if (await isInChain(context, connected, payment)) lost.push(payment);
  return await writeOff(context, withdrawal, versions, lost);
}

/** The states of outputs, of a chain that has the last block that was read; null where that is none, and on other chains. */
async function readStates({ database }: WithdrawalsContext, { chain, name }: ConnectedChain, keys: readonly string[]) {
  const at = await readTip(database, name);
  return at ? await chain.coinStates(keys, at) : null;
}

/** Whether the block of a deposit is in the chain, by the node and by what was read. */
export async function isInChain(
  { database }: WithdrawalsContext,
  { chain, name }: ConnectedChain,
  { height, blockHash }: HeldDeposit,
): Promise<boolean> {
  if (height === null || blockHash === null || (await chain.hashAt(height)) !== blockHash) return false;
  const tip = (await readHeight(database, name)) ?? 0;
  return height <= tip - KEPT_BLOCKS || (await isRead(database, name, { height, hash: blockHash }));
}

/** Writes off deposits of a withdrawal; it continues with the others, or fails where there are none. */
export async function writeOff(
  context: WithdrawalsContext,
  withdrawal: Withdrawal,
  versions: readonly Version[],
  lost: readonly HeldDeposit[],
): Promise<number> {
  if (lost.length === 0) return 0;
  const ids = new Set(lost.map(({ id }) => id));
  return await withFunds(context, withdrawal, async (unit, locked, { wallets, funds }) => {
    const made = (await findVersions(unit, [locked.id])).get(locked.id) ?? [];
    const present = funds.filter(({ id, state }) => ids.has(id) && state === 'mined');
    if (isOver(locked) || made.length !== versions.length || present.length !== lost.length) return 0;
    const tipHeight = (await readHeight(unit, locked.chain)) ?? 0;
    for (const walletId of wallets.keys()) {
      const writtenOff = present.flatMap((each) => (each.walletId === walletId ? [each.id] : []));
      if (writtenOff.length > 0) await recordDeposits(context, unit, walletId, { ...noChanges, writtenOff }, tipHeight);
    }
    // None of them can be mined any more.
    await db(unit)
      .updateTable('withdrawal_versions')
      .set({ sent_at: null })
      .where('withdrawal_id', '=', locked.id)
      .execute();
    const rest = funds.filter(({ id }) => !ids.has(id));
    const unmade = { amount: null, fee: null, feeRate: null };
    if (rest.length > 0) {
      await updateWithdrawal(context, unit, locked, {
        ...unmade,
        spent: sumOf(rest),
        status: 'waiting',
        waitsFor: rebuilding,
      });
      return present.length;
    }
    await updateWithdrawal(context, unit, locked, {
      ...{ ...unmade, status: 'failed', failure: SPENT_ELSEWHERE, waitsFor: null, nonce: null },
    });
    if (locked.purpose === 'refund') await releaseTransactions(context, unit, wallets, funds, 'written_off');
    return present.length;
  });
}

/** Restores deposits that were written off, where a reorg has undone what spent them. Returns how many. */
export async function restoreUnspent(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  tipHeight: number,
): Promise<number> {
  const { name } = connected;
  const rows = await findWrittenOff(context.database, name, tipHeight - KEPT_BLOCKS);
  if (rows.length === 0) return 0;
  const states = await readStates(
    context,
    connected,
    rows.map(({ paymentKey }) => paymentKey),
  );
  if (!states) return 0;
  const unspent = rows.filter(({ paymentKey }) => states.get(paymentKey) === 'unspent');
  for (const { id, walletId } of unspent)
    await context.database.inTransaction(async (unit) => {
      // Moved meanwhile: the next round finds it again.
      if (!(await lockOwners(unit, [walletId]))) return;
      await recordDeposits(
        context,
        unit,
        walletId,
        { ...noChanges, restored: [id] },
        (await readHeight(unit, name)) ?? 0,
      );
    });
  return unspent.length;
}
