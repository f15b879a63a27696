import type { SentState } from '../../chains/port.ts';
import type { Spender } from '../../chains/spender.ts';
import type { ChainName } from '../../contract/crypto-currency.ts';
import type { UnitOfWork } from '../../platform/database/database.ts';
import type { ConnectedChain } from '../connected-chains.ts';
import type { InvoicesContext } from '../context.ts';
import { postWithdrawal } from '../ledger.ts';
import { readRules } from '../rules.ts';
import { findPayments, findTransactions, readHeight } from '../store.ts';
import { settle } from '../transition.ts';
import type { Wallet } from '../transaction.ts';
import { GONE, makeVersion } from './make.ts';
import { idsOf } from './plan.ts';
import type { Circumstances } from './prepared.ts';
import { findFunds, type HeldPayment, isRead, lockWallets, lockWithdrawal } from './store.ts';
import { confirmationsOf, isSigned, type SignedVersion, type Version, type Withdrawal } from './withdrawal.ts';
import { change, give } from './write.ts';

/** Blocks that a transaction is waited for before another one with a higher fee takes its place: an hour, three minutes. */
const PATIENCE: Readonly<Record<ChainName, number>> = { bitcoin: 6, ethereum: 15 };

type Found = { version: Version; sent: Exclude<SentState, { state: 'unknown' }> };

/**
 * Sends what is signed, and looks what has become of what was sent; whatever was ever made may be the one that is
 * mined. Being sent twice is the same as once. Answers how much was done.
 */
export async function follow(
  context: InvoicesContext,
  connected: ConnectedChain,
  spender: Spender,
  { withdrawal, versions, ...circumstances }: Circumstances & { withdrawal: Withdrawal; versions: readonly Version[] },
): Promise<number> {
  const { chain } = connected;
  const [newest] = versions.filter(isSigned);
  if (newest && newest.sentAt === null) {
    const answer = await chain.send(newest.raw);
    if (answer.kind === 'sent') return await markSent(context, withdrawal, newest);
    // Before anything is concluded: one of them may be there all the same.
    const found = await look(connected, versions);
    if (!found) return await markRefused(context, withdrawal, newest, answer.reason);
    return await take(context, connected, withdrawal, found);
  }
  const found = await look(connected, versions);
  if (found) {
    const done = await take(context, connected, withdrawal, found);
    if (done > 0 || found.sent.state !== 'waiting' || !newest || versions[0]?.raw === null) return done;
    const isLate = circumstances.tip.height - (newest.signedHeight ?? newest.since) >= PATIENCE[connected.name];
    return isLate ? await makeVersion(context, connected, spender, { withdrawal, versions, ...circumstances }) : 0;
  }
  if (!newest) return await letGoOfGone(context, withdrawal);
  const again = await chain.send(newest.raw);
  if (again.kind === 'sent') return withdrawal.status === 'sent' ? 0 : await markSent(context, withdrawal, newest);
  const foundNow = await look(connected, versions);
  if (foundNow) return await take(context, connected, withdrawal, foundNow);
  return await markRefused(context, withdrawal, newest, again.reason);
}

/** The one of the transactions that the node knows, a mined one before one that waits. */
async function look({ chain }: ConnectedChain, versions: readonly Version[]): Promise<Found | null> {
  let waiting: Found | null = null;
  for (const version of versions) {
    if (version.txHash === null) continue;
    const sent = await chain.lookUp(version.txHash, version.since);
    if (sent.state === 'mined' || sent.state === 'failed') return { version, sent };
    if (sent.state === 'waiting') waiting ??= { version, sent };
  }
  return waiting;
}

async function take(
  context: InvoicesContext,
  { name, chain }: ConnectedChain,
  withdrawal: Withdrawal,
  { version, sent }: Found,
): Promise<number> {
  if (sent.state === 'waiting') {
    const isThere = withdrawal.status === 'sent' && version.sentAt !== null;
    // Another one of it is still to be signed.
    const isOld = withdrawal.status === 'to_sign' && version.raw !== null;
    return isThere || isOld ? 0 : await markSent(context, withdrawal, version);
  }
  // Whoever reads the chain is not there yet.
  if (!(await isRead(context.database, name, sent.block))) return 0;
  const paid = version.txHash === null ? null : await chain.feePaid(version.txHash);
  // On chains with accounts the ledger records the fee that was paid in this block.
  if (withdrawal.sender !== null && paid?.block.hash !== sent.block.hash) return 0;
  return await withMoney(context, withdrawal, async (unit, locked, { wallets }) => {
    if (locked.block !== null || !(await isRead(unit, name, sent.block))) return 0;
    await noteSent(context, unit, version);
    const isReverted = sent.state === 'failed';
    const mined = await change(context, unit, locked, {
      ...{ block: sent.block, isReverted, status: 'sent', waitsFor: null },
      ...{ txHash: version.txHash, amount: version.amount, fee: version.fee, feeRate: version.feeRate },
    });
    await postWithdrawal(context, unit, wallets, mined, paid?.fee ?? null);
    return 1;
  });
}

async function markSent(context: InvoicesContext, withdrawal: Withdrawal, version: Version): Promise<number> {
  return await context.database.inUnit(async (unit) => {
    const locked = await lockWithdrawal(unit, withdrawal.id);
    if (isOver(locked)) return 0;
    await noteSent(context, unit, version);
    await change(context, unit, locked, { status: 'sent', waitsFor: null, txHash: version.txHash });
    return 1;
  });
}

async function noteSent({ clock }: InvoicesContext, unit: UnitOfWork, { id }: Version): Promise<void> {
  await unit.query
    .updateTable('withdrawal_versions')
    .set({ sent_at: clock.now(), refusal: null })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute();
}

/** The node does not take it, and has none of the others: it is tried again, unless its money is gone. */
async function markRefused(
  context: InvoicesContext,
  withdrawal: Withdrawal,
  version: SignedVersion,
  reason: string,
): Promise<number> {
  if ((await letGoOfGone(context, withdrawal)) > 0) return 1;
  const detail = `The node does not take it: ${reason}`;
  if (withdrawal.status === 'waiting' && withdrawal.waitsFor?.detail === detail) return 0;
  return await context.database.inUnit(async (unit) => {
    const locked = await lockWithdrawal(unit, withdrawal.id);
    if (isOver(locked)) return 0;
    await unit.query.updateTable('withdrawal_versions').set({ refusal: reason }).where('id', '=', version.id).execute();
    context.log.warn({ withdrawal: locked.publicId, reason }, 'a withdrawal was refused');
    const waitsFor = { reason: 'refused' as const, detail, feeNow: null, limit: null };
    await change(context, unit, locked, { status: 'waiting', waitsFor });
    return 1;
  });
}

/** What was to be sent was taken back by its payer for good: the rest is free for another withdrawal. */
async function letGoOfGone(context: InvoicesContext, withdrawal: Withdrawal): Promise<number> {
  const isGone = ({ state }: HeldPayment) => state === 'gone';
  if (!(await findFunds(context.database, [withdrawal.id])).some(isGone)) return 0;
  return await withMoney(context, withdrawal, async (unit, locked, { funds }) => {
    if (isOver(locked) || !funds.some(isGone)) return 0;
    await give(unit, idsOf(funds), null);
    await change(context, unit, locked, { status: 'failed', failure: GONE, waitsFor: null, nonce: null });
    return 1;
  });
}

function isOver({ status, block }: Withdrawal): boolean {
  return block !== null || status === 'confirmed' || status === 'failed';
}

/** What is mined is over once it is deep enough: confirmed, and with it what it gives back; or failed. */
export async function conclude(context: InvoicesContext, withdrawal: Withdrawal, tipHeight: number): Promise<number> {
  const { minConfirmations } = await readRules(context.database, withdrawal.merchantId, withdrawal.code);
  const needed = minConfirmations > 0 ? minConfirmations : 1;
  if (confirmationsOf(withdrawal, tipHeight) < needed) return 0;
  return await withMoney(context, withdrawal, async (unit, locked, { wallets }) => {
    const now = (await readHeight(unit, locked.chain)) ?? 0;
    if (locked.status !== 'sent' || !locked.block || confirmationsOf(locked, now) < needed) return 0;
    if (!(await isRead(unit, locked.chain, locked.block))) return 0;
    if (locked.isReverted) {
      const failure = 'The transaction failed in its block: it moved nothing, and its fee is gone.';
      await change(context, unit, locked, { status: 'failed', failure });
      return 1;
    }
    await change(context, unit, locked, { status: 'confirmed' });
    await settleRefund(context, unit, wallets, locked, { from: 'refunding', to: 'refunded' });
    return 1;
  });
}

/** A block was taken back, and with it what it held. */
export async function takeBack(context: InvoicesContext, withdrawal: Withdrawal): Promise<number> {
  return await withMoney(context, withdrawal, async (unit, locked, { wallets }) => {
    if (!locked.block || (await isRead(unit, locked.chain, locked.block))) return 0;
    const unmined = { status: 'sent', block: null, isReverted: false, failure: null } as const;
    await postWithdrawal(context, unit, wallets, await change(context, unit, locked, unmined), null);
    await settleRefund(context, unit, wallets, locked, { from: 'refunded', to: 'refunding' });
    return 1;
  });
}

async function settleRefund(
  context: InvoicesContext,
  unit: UnitOfWork,
  wallets: ReadonlyMap<number, Wallet>,
  { transactionId }: Withdrawal,
  { from, to }: { from: 'refunding' | 'refunded'; to: 'refunding' | 'refunded' },
): Promise<void> {
  if (transactionId === null) return;
  const [transaction] = await findTransactions(unit, [transactionId]);
  const wallet = transaction && wallets.get(transaction.walletId);
  if (!wallet || transaction.rejection !== from) return;
  await settle(
    context,
    unit,
    wallet,
    { ...transaction, rejection: to },
    { payments: await findPayments(unit, [transactionId]), tipHeight: (await readHeight(unit, wallet.chain)) ?? 0 },
  );
}

/** Works on a withdrawal that is locked, with the wallets whose money it spends. */
export async function withMoney<Result>(
  context: InvoicesContext,
  { id }: Withdrawal,
  work: (
    unit: UnitOfWork,
    locked: Withdrawal,
    money: { wallets: ReadonlyMap<number, Wallet>; funds: readonly HeldPayment[] },
  ) => Promise<Result>,
): Promise<Result | 0> {
  const before = await findFunds(context.database, [id]);
  return await context.database.inUnit(async (unit) => {
    const wallets = await lockWallets(unit, [...new Set(before.map(({ walletId }) => walletId))]);
    const locked = await lockWithdrawal(unit, id);
    const funds = await findFunds(unit, [id]);
    // Somebody has given it more meanwhile, of wallets that are not locked.
    if (funds.some(({ walletId }) => !wallets.has(walletId))) return 0;
    return await work(unit, locked, { wallets, funds });
  });
}
