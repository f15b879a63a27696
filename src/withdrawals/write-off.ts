import { db } from '../wallets/crypto-tables.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { InvoicesContext } from '../invoices/context.ts';
import { noNews, receive } from '../deposits/record.ts';
import { lockOwners, readHeight, readTip } from '../invoices/store.ts';
import { KEPT_BLOCKS } from '../wallets/wallets.ts';
import { releaseTransactions } from './release.ts';
import { sumOf } from './money.ts';
import { findFunds, findVersions, type HeldPayment, isOver, isRead, withMoney } from './store.ts';
import type { Version, WaitsFor, Withdrawal } from './withdrawal.ts';
import { change } from './write.ts';

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
  context: InvoicesContext,
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
  const lost: HeldPayment[] = [];
  for (const payment of spent) if (await isInChain(context, connected, payment)) lost.push(payment);
  return await writeOff(context, withdrawal, versions, lost);
}

/** The states of outputs, of a chain that has the last block that was read; null where that is none, and on other chains. */
async function readStates({ database }: InvoicesContext, { chain, name }: ConnectedChain, keys: readonly string[]) {
  const at = await readTip(database, name);
  return at ? await chain.coinStates(keys, at) : null;
}

/** Whether the block of a deposit is in the chain, by the node and by what was read. */
export async function isInChain(
  { database }: InvoicesContext,
  { chain, name }: ConnectedChain,
  { height, blockHash }: HeldPayment,
): Promise<boolean> {
  if (height === null || blockHash === null || (await chain.hashAt(height)) !== blockHash) return false;
  const tip = (await readHeight(database, name)) ?? 0;
  return height <= tip - KEPT_BLOCKS || (await isRead(database, name, { height, hash: blockHash }));
}

/** Writes off deposits of a withdrawal; it continues with the others, or fails where there are none. */
export async function writeOff(
  context: InvoicesContext,
  withdrawal: Withdrawal,
  versions: readonly Version[],
  lost: readonly HeldPayment[],
): Promise<number> {
  if (lost.length === 0) return 0;
  const ids = new Set(lost.map(({ id }) => id));
  return await withMoney(context, withdrawal, async (unit, locked, { wallets, funds }) => {
    const made = (await findVersions(unit, [locked.id])).get(locked.id) ?? [];
    const present = funds.filter(({ id, state }) => ids.has(id) && state === 'mined');
    if (isOver(locked) || made.length !== versions.length || present.length !== lost.length) return 0;
    const tipHeight = (await readHeight(unit, locked.chain)) ?? 0;
    for (const walletId of wallets.keys()) {
      const writtenOff = present.flatMap((each) => (each.walletId === walletId ? [each.id] : []));
      if (writtenOff.length > 0) await receive(context, unit, walletId, { ...noNews, writtenOff }, tipHeight);
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
      await change(context, unit, locked, { ...unmade, spent: sumOf(rest), status: 'waiting', waitsFor: rebuilding });
      return present.length;
    }
    await change(context, unit, locked, {
      ...{ ...unmade, status: 'failed', failure: SPENT_ELSEWHERE, waitsFor: null, nonce: null },
    });
    if (locked.purpose === 'refund') await releaseTransactions(context, unit, wallets, funds, 'written_off');
    return present.length;
  });
}

/** Restores deposits that were written off, where a reorg has undone what spent them. Returns how many. */
export async function restoreUnspent(
  context: InvoicesContext,
  connected: ConnectedChain,
  tipHeight: number,
): Promise<number> {
  const { name } = connected;
  const rows = await db(context.database)
    .selectFrom('chain_payments')
    .select(['id', 'wallet_id', 'payment_key'])
    .where('chain', '=', name)
    .where('written_off_at', 'is not', null)
    .where('written_off_height', '>', tipHeight - KEPT_BLOCKS)
    .where('state', '=', 'mined')
    .orderBy('wallet_id')
    .orderBy('id')
    .execute();
  if (rows.length === 0) return 0;
  const states = await readStates(
    context,
    connected,
    rows.map(({ payment_key: key }) => key),
  );
  if (!states) return 0;
  const unspent = rows.filter(({ payment_key: key }) => states.get(key) === 'unspent');
  for (const { id, wallet_id: walletId } of unspent)
    await context.database.inUnit(async (unit) => {
      // Moved meanwhile: the next round finds it again.
      if (!(await lockOwners(unit, [walletId]))) return;
      await receive(context, unit, walletId, { ...noNews, restored: [id] }, (await readHeight(unit, name)) ?? 0);
    });
  return unspent.length;
}
