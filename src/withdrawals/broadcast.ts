import { db, type WaitsFor } from './schema.ts';
import type { SendAnswer, SentState } from '../chains/port.ts';
import type { Spender } from '../chains/spender.ts';
import { inCoins } from '../api/crypto-amount.ts';
import { chains, feeCodeOf } from '../shared/crypto-currency.ts';
import { finalBlock, isRead } from '../chains/blocks.ts';
import { readHeight } from '../chains/cursor.ts';
import { assignFunds, findDeposits, findFunds, type HeldDeposit } from '../deposits/deposit.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { WithdrawalsContext } from './context.ts';
import { closeUnattributed } from '../invoices/review.ts';
import { readRules } from '../wallets/rules.ts';
import { findTransactions } from '../invoices/store.ts';
import { reevaluate } from '../invoices/transition.ts';
import type { Wallet } from '../wallets/schema.ts';
import { postWithdrawal } from './ledger.ts';
import { GONE, makeVersion } from './make.ts';
import { idsOf } from './plan.ts';
import type { Circumstances } from './prepared.ts';
import { releaseTransactions } from './release.ts';
import { isOver, lockWithdrawal, withFunds } from './store.ts';
import { writeOffSpent } from './write-off.ts';
import { confirmationsOf, isSigned, type SignedVersion, type Version, type Withdrawal } from './withdrawal.ts';
import { updateWithdrawal } from './write.ts';

type Found = { version: Version; sent: Exclude<SentState, { state: 'unknown' }> };

/**
 * Sends what is signed, and looks what has become of what was sent; whatever was ever made may be the one that is
 * mined. Being sent twice is the same as once. Answers how much was done.
 */
export async function trackBroadcast(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  { withdrawal, versions, ...circumstances }: Circumstances & { withdrawal: Withdrawal; versions: readonly Version[] },
): Promise<number> {
  const { chain } = connected;
  const [newest] = versions.filter(isSigned);
  const order = { withdrawal, versions, ...circumstances };
  const isToSign = versions[0]?.raw === null;
  const { replaceAfterBlocks } = chains[connected.name];
  const isLate =
    newest !== undefined && circumstances.tip.height - (newest.signedHeight ?? newest.since) >= replaceAfterBlocks;
  if (newest && newest.sentAt === null) {
    const answer = await chain.send(newest.raw);
    if (answer.kind === 'sent') return await markSent(context, withdrawal, newest);
    // Before anything is concluded: one of them may be there all the same.
    const found = await findBroadcast(connected, versions);
    if (!found) return await replaceRefused(context, connected, spender, order, newest, answer);
    const done = await recordBroadcast(context, connected, withdrawal, found);
    if (done > 0 || found.sent.state !== 'waiting' || isToSign) return done;
    // Refused beside the one that it is to replace: it is topped in turn, or at once where its price is below today's.
    const isPricedOut = answer.cause === 'price' && (await circumstances.feeRate()).amount > newest.feeRate;
    if (!isLate && !isPricedOut) return 0;
    const made = await makeVersion(context, connected, spender, { ...order, unlike: newest.unsigned, above: 'signed' });
    return made === 'same' ? 0 : made;
  }
  const found = await findBroadcast(connected, versions);
  if (found) {
    const done = await recordBroadcast(context, connected, withdrawal, found);
    if (done > 0 || found.sent.state !== 'waiting' || isToSign || !isLate) return done;
    return await makeVersion(context, connected, spender, order);
  }
  if (!newest) return await checkUnsigned(context, connected, order);
  const again = await chain.send(newest.raw);
  if (again.kind === 'sent') {
    // The one in its place can still be signed.
    const isMarked = withdrawal.status === 'sent' || (withdrawal.status === 'to_sign' && isToSign);
    return isMarked ? 0 : await markSent(context, withdrawal, newest);
  }
  const foundNow = await findBroadcast(connected, versions);
  if (foundNow) return await recordBroadcast(context, connected, withdrawal, foundNow);
  return await replaceRefused(context, connected, spender, order, newest, again);
}

/**
 * The node refuses a transaction, and has none of the others. Spent coins are written off, and another transaction is
 * made where that may be accepted; any other refusal is shown, and the same transaction is sent again later.
 */
async function replaceRefused(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  order: Circumstances & { withdrawal: Withdrawal; versions: readonly Version[] },
  newest: SignedVersion,
  { reason, cause }: Extract<SendAnswer, { kind: 'refused' }>,
): Promise<number> {
  const { withdrawal, versions } = order;
  if ((await releaseDropped(context, withdrawal)) > 0) return 1;
  if (cause === 'nonce') {
    const released = await releaseNonce(context, connected, spender, order);
    if (released > 0) return released;
  }
  // The one in its place waits for its signature already: only their money is looked after.
  if (versions[0]?.raw === null) return await checkUnsigned(context, connected, order);
  if (cause !== undefined && cause !== 'nonce') {
    const isOneKnown = async () => (await findBroadcast(connected, versions)) !== null;
    const lost =
      cause === 'inputs' ? await writeOffSpent(context, connected, withdrawal, versions, isOneKnown) : 'spending';
    if (typeof lost === 'number' && lost > 0) return lost;
    const made = await makeVersion(context, connected, spender, { ...order, unlike: newest.unsigned });
    if (made !== 'same') return made;
  }
  return await markRefused(context, withdrawal, newest, reason);
}

/** What waits for a signature elsewhere: its money may be spent there by another transaction. */
async function checkUnsigned(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  { withdrawal, versions }: { withdrawal: Withdrawal; versions: readonly Version[] },
): Promise<number> {
  if ((await releaseDropped(context, withdrawal)) > 0) return 1;
  const isOneKnown = async () => (await findBroadcast(connected, versions)) !== null;
  const lost = await writeOffSpent(context, connected, withdrawal, versions, isOneKnown);
  return lost === 'spending' ? 0 : lost;
}

/**
 * Its number was used by a transaction that this service did not make, for good: the withdrawal gets another one, after
 * its money is counted again.
 */
async function releaseNonce(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  { withdrawal, versions, tip }: Circumstances & { withdrawal: Withdrawal; versions: readonly Version[] },
): Promise<number> {
  const { sender, nonce } = withdrawal;
  const deep = await finalBlock(context.database, connected.name, tip.height);
  if (spender.kind !== 'accounts' || !sender || nonce === null || !deep) return 0;
  const used = (await connected.chain.sentBy([sender.address], deep))?.get(sender.address) ?? 0;
  if (used <= nonce || (await findBroadcast(connected, versions))) return 0;
  return await withFunds(context, withdrawal, async (unit, locked) => {
    if (isOver(locked) || locked.nonce !== nonce) return 0;
    await updateWithdrawal(context, unit, locked, {
      ...{ nonce: null, amount: null, fee: null, feeRate: null, status: 'waiting', waitsFor: counting },
    });
    return 1;
  });
}

const counting: WaitsFor = {
  reason: 'turn',
  detail: 'Its number was used by a transaction that this service did not make; its money is counted again.',
  feeNow: null,
  limit: null,
};

/** The one of the transactions that the node knows, a mined one before one that waits. */
async function findBroadcast({ chain }: ConnectedChain, versions: readonly Version[]): Promise<Found | null> {
  let waiting: Found | null = null;
  for (const version of versions) {
    if (version.txHash === null) continue;
    const sent = await chain.lookUp(version.txHash, version.since);
    if (sent.state === 'mined' || sent.state === 'failed') return { version, sent };
    if (sent.state === 'waiting') waiting ??= { version, sent };
  }
  return waiting;
}

async function recordBroadcast(
  context: WithdrawalsContext,
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
  const feePaid = paid?.fee ?? null;
  return await withFunds(context, withdrawal, async (unit, locked, { wallets }) => {
    if (locked.block !== null || !(await isRead(unit, name, sent.block))) return 0;
    await noteSent(context, unit, version);
    const { cancels: isCancelled } = version;
    // On chains with accounts it moves nothing, as one that failed.
    const isReverted = sent.state === 'failed' || (isCancelled && locked.sender !== null);
    const mined = await updateWithdrawal(context, unit, locked, {
      ...{ block: sent.block, isReverted, isCancelled, feePaid, status: 'sent', waitsFor: null },
      ...{ txHash: version.txHash, amount: version.amount, fee: version.fee, feeRate: version.feeRate },
    });
    await postWithdrawal(context, unit, wallets, mined);
    return 1;
  });
}

async function markSent(context: WithdrawalsContext, withdrawal: Withdrawal, version: Version): Promise<number> {
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockWithdrawal(unit, withdrawal.id);
    if (isOver(locked)) return 0;
    await noteSent(context, unit, version);
    await updateWithdrawal(context, unit, locked, { status: 'sent', waitsFor: null, txHash: version.txHash });
    return 1;
  });
}

async function noteSent({ clock }: WithdrawalsContext, unit: UnitOfWork, { id }: Version): Promise<void> {
  await db(unit)
    .updateTable('withdrawal_versions')
    .set({ sent_at: clock.now(), refusal: null })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute();
}

/** The node does not take it, and has none of the others: it is tried again. */
async function markRefused(
  context: WithdrawalsContext,
  withdrawal: Withdrawal,
  version: SignedVersion,
  reason: string,
): Promise<number> {
  const detail = `The node does not take it: ${reason}`;
  if (withdrawal.status === 'waiting' && withdrawal.waitsFor?.detail === detail) return 0;
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockWithdrawal(unit, withdrawal.id);
    if (isOver(locked)) return 0;
    await db(unit).updateTable('withdrawal_versions').set({ refusal: reason }).where('id', '=', version.id).execute();
    context.log.warn({ withdrawal: locked.publicId, reason }, 'a withdrawal was refused');
    const waitsFor = { reason: 'refused' as const, detail, feeNow: null, limit: null };
    await updateWithdrawal(context, unit, locked, { status: 'waiting', waitsFor });
    return 1;
  });
}

/** What was to be sent was taken back by its payer for good: the rest is free for another withdrawal. */
async function releaseDropped(context: WithdrawalsContext, withdrawal: Withdrawal): Promise<number> {
  const isGone = ({ state }: HeldDeposit) => state === 'gone';
  if (!(await findFunds(context.database, [withdrawal.id])).some(isGone)) return 0;
  return await withFunds(context, withdrawal, async (unit, locked, { funds }) => {
    if (isOver(locked) || !funds.some(isGone)) return 0;
    await assignFunds(unit, idsOf(funds), null);
    await updateWithdrawal(context, unit, locked, { status: 'failed', failure: GONE, waitsFor: null, nonce: null });
    return 1;
  });
}

/** What is mined is over once it is deep enough: confirmed, and with it what it gives back; or failed. */
export async function finalize(
  context: WithdrawalsContext,
  withdrawal: Withdrawal,
  tipHeight: number,
): Promise<number> {
  const { minConfirmations } = await readRules(context.database, withdrawal.merchantId, withdrawal.code);
  const needed = minConfirmations > 0 ? minConfirmations : 1;
  if (confirmationsOf(withdrawal, tipHeight) < needed) return 0;
  return await withFunds(context, withdrawal, async (unit, locked, { wallets, funds }) => {
    const now = (await readHeight(unit, locked.chain)) ?? 0;
    if (locked.status !== 'sent' || !locked.block || confirmationsOf(locked, now) < needed) return 0;
    if (!(await isRead(unit, locked.chain, locked.block))) return 0;
    if (locked.isCancelled) {
      await updateWithdrawal(context, unit, locked, { status: 'failed', failure: describeCancel(locked) });
      // Unattributed coins are spent: what was returned of them stands in their place.
      if (locked.sender !== null || locked.source !== 'stray')
        await releaseTransactions(context, unit, wallets, funds, 'withdrawal_cancelled');
      return 1;
    }
    if (locked.isReverted) {
      const failure = 'The transaction failed in its block: it moved nothing, and its fee is gone.';
      await updateWithdrawal(context, unit, locked, { status: 'failed', failure });
      return 1;
    }
    await updateWithdrawal(context, unit, locked, { status: 'confirmed' });
    await updateRefund(context, unit, wallets, locked, { from: 'refunding', to: 'refunded' });
    return 1;
  });
}

function describeCancel({ sender, code, fee, feePaid }: Withdrawal): string {
  const feeCode = feeCodeOf(code);
  const paid = `${inCoins((sender === null ? fee : feePaid) ?? 0n, feeCode)} ${feeCode.toUpperCase()}`;
  return sender === null
    ? `Cancelled: the money was returned to the wallet, less a fee of ${paid}.`
    : `Cancelled: the money stays at the wallet. Cancelling cost a fee of ${paid}.`;
}

/** A block was taken back, and with it what it held. */
export async function revertOrphaned(context: WithdrawalsContext, withdrawal: Withdrawal): Promise<number> {
  return await withFunds(context, withdrawal, async (unit, locked, { wallets, funds }) => {
    if (!locked.block || (await isRead(unit, locked.chain, locked.block))) return 0;
    const unmined = {
      status: 'sent',
      block: null,
      isReverted: false,
      isCancelled: false,
      feePaid: null,
      failure: null,
    } as const;
    await postWithdrawal(context, unit, wallets, await updateWithdrawal(context, unit, locked, unmined));
    await updateRefund(context, unit, wallets, locked, {
      from: locked.isCancelled ? 'failed' : 'refunded',
      to: 'refunding',
    });
    if (locked.isCancelled && locked.source === 'stray' && locked.status === 'failed') {
      const tipHeight = (await readHeight(unit, locked.chain)) ?? 0;
      for (const wallet of wallets.values()) {
        const own = funds.filter(({ walletId }) => walletId === wallet.id);
        await closeUnattributed(context, unit, wallet, own, locked.requestedBy ?? '', tipHeight);
      }
    }
    return 1;
  });
}

async function updateRefund(
  context: WithdrawalsContext,
  unit: UnitOfWork,
  wallets: ReadonlyMap<number, Wallet>,
  { transactionId, destination: refundAddress }: Withdrawal,
  { from, to }: { from: 'refunding' | 'refunded' | 'failed'; to: 'refunding' | 'refunded' },
): Promise<void> {
  if (transactionId === null) return;
  const [transaction] = await findTransactions(unit, [transactionId]);
  const wallet = transaction && wallets.get(transaction.walletId);
  if (!wallet || transaction.rejection !== from) return;
  await reevaluate(
    context,
    unit,
    wallet,
    { ...transaction, rejection: to, refundAddress },
    { payments: await findDeposits(unit, [transactionId]), tipHeight: (await readHeight(unit, wallet.chain)) ?? 0 },
  );
}
