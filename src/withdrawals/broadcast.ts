import { db, type WaitsFor } from './schema.ts';
import { type BroadcastResult, ChainError, type TransactionState } from '../chains/port.ts';
import type { Spender } from '../chains/spender.ts';
import { toCoins } from '../api/crypto-amount.ts';
import { chains, feeCodeOf } from '../shared/crypto-currency.ts';
import { findFinalBlock, isBlockInChain } from '../chains/blocks.ts';
import { readLastHeight, scanJobName } from '../chains/cursor.ts';
import { assignDeposits, findDeposits, findDepositsByWithdrawal, type RemainingDeposit } from '../deposits/deposit.ts';
import type { UnitOfWork } from '../database/database.ts';
import { wakeJob } from '../jobs/runner.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { WithdrawalsContext } from './context.ts';
import { closeUnattributedDeposits } from '../invoices/review.ts';
import { readInvoiceRules } from '../wallets/rules.ts';
import { findTransactions } from '../invoices/store.ts';
import { reevaluate } from '../invoices/transition.ts';
import type { Wallet } from '../wallets/schema.ts';
import { postWithdrawal } from './ledger.ts';
import { FUNDS_CHANGED, createVersion } from './create-version.ts';
import { depositIds } from './plan.ts';
import type { ChainConditions } from './prepared.ts';
import { releaseTransactions } from './release.ts';
import { isMinedOrEnded, lockWithdrawal, withLockedFunds } from './store.ts';
import { writeOffSpent } from './write-off.ts';
import { confirmationsOf, isSigned, type SignedVersion, type Version, type Withdrawal } from './withdrawal.ts';
import { updateWithdrawal } from './write.ts';

type KnownBroadcast = { version: Version; transaction: Exclude<TransactionState, { state: 'unknown' }> };

/**
 * Broadcasts the signed transaction of a withdrawal, and records its progress. Any of its versions may be mined.
 * Sending one twice is harmless. Returns the number of changes.
 */
export async function trackBroadcast(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  { withdrawal, versions, ...conditions }: ChainConditions & { withdrawal: Withdrawal; versions: readonly Version[] },
): Promise<number> {
  const { chain } = connected;
  const [newest] = versions.filter(isSigned);
  const request = { withdrawal, versions, ...conditions };
  const awaitsSignature = versions[0]?.raw === null;
  const { replaceAfterBlocks } = chains[connected.name];
  const isLate =
    newest !== undefined && conditions.tip.height - (newest.signedHeight ?? newest.since) >= replaceAfterBlocks;
  // A canceled transaction is not sent again, while the canceling one awaits its signature.
  if (newest && withdrawal.cancelRequestedAt !== null && !newest.cancels) {
    const known = await findBroadcast(connected, versions);
    return known
      ? await recordBroadcast(context, connected, withdrawal, known)
      : await checkUnsigned(context, connected, request);
  }
  if (newest && newest.sentAt === null) {
    const result = await chain.broadcast(newest.raw);
    if (result.kind === 'sent') return await markSent(context, withdrawal, newest, awaitsSignature);
    // Check first: the node may already have one of the versions.
    const broadcast = await findBroadcast(connected, versions);
    if (!broadcast) return await replaceRejected(context, connected, spender, request, newest, result);
    const recordedCount = await recordBroadcast(context, connected, withdrawal, broadcast);
    if (recordedCount > 0 || broadcast.transaction.state !== 'waiting' || awaitsSignature) return recordedCount;
    // The node rejected the replacement of the pending version: raise the fee once the withdrawal is late, or now if its fee is
    // below the market rate.
    const isBelowMarketRate = result.cause === 'fee' && (await conditions.feeRate()).amount > newest.feeRate;
    if (!isLate && !isBelowMarketRate) return 0;
    const created = await createVersion(context, connected, spender, {
      ...request,
      rejectedTransaction: newest.unsigned,
      outbid: 'signed',
    });
    return created === 'same' ? 0 : created;
  }
  const broadcast = await findBroadcast(connected, versions);
  if (broadcast) {
    const recordedCount = await recordBroadcast(context, connected, withdrawal, broadcast);
    if (recordedCount > 0 || broadcast.transaction.state !== 'waiting' || awaitsSignature || !isLate)
      return recordedCount;
    return await createVersion(context, connected, spender, request);
  }
  if (!newest) return await checkUnsigned(context, connected, request);
  const resent = await chain.broadcast(newest.raw);
  if (resent.kind === 'sent') {
    // Its replacement still awaits a signature.
    const isMarkedSent = withdrawal.status === 'sent' || (withdrawal.status === 'to_sign' && awaitsSignature);
    return isMarkedSent ? 0 : await markSent(context, withdrawal, newest);
  }
  const foundAfterwards = await findBroadcast(connected, versions);
  if (foundAfterwards) return await recordBroadcast(context, connected, withdrawal, foundAfterwards);
  return await replaceRejected(context, connected, spender, request, newest, resent);
}

/**
 * Handles a rejection by a node that has no version of the withdrawal. Writes off spent deposits and creates another
 * version if it may be accepted. Otherwise reports the rejection; the same transaction is sent again later.
 */
async function replaceRejected(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  request: ChainConditions & { withdrawal: Withdrawal; versions: readonly Version[] },
  newest: SignedVersion,
  { reason, cause }: Extract<BroadcastResult, { kind: 'refused' }>,
): Promise<number> {
  const { withdrawal, versions } = request;
  if ((await releaseDropped(context, withdrawal)) > 0) return 1;
  if (cause === 'nonce') {
    const released = await releaseNonce(context, connected, spender, request);
    if (released > 0) return released;
  }
  // A replacement already awaits its signature: only check that its deposits are unspent.
  if (versions[0]?.raw === null) return await checkUnsigned(context, connected, request);
  if (cause !== undefined && cause !== 'nonce') {
    const isAnyVersionKnown = async () => (await findBroadcast(connected, versions)) !== null;
    const lost =
      cause === 'inputs'
        ? await writeOffSpent(context, connected, withdrawal, versions, isAnyVersionKnown)
        : 'spending';
    if (typeof lost === 'number' && lost > 0) return lost;
    const created = await createVersion(context, connected, spender, {
      ...request,
      rejectedTransaction: newest.unsigned,
    });
    if (created !== 'same') return created;
  }
  return await recordRejection(context, withdrawal, newest, reason);
}

/** Checks a withdrawal that awaits an external signature: another transaction may have spent its deposits. */
async function checkUnsigned(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  { withdrawal, versions }: { withdrawal: Withdrawal; versions: readonly Version[] },
): Promise<number> {
  if ((await releaseDropped(context, withdrawal)) > 0) return 1;
  const isAnyVersionKnown = async () => (await findBroadcast(connected, versions)) !== null;
  const lost = await writeOffSpent(context, connected, withdrawal, versions, isAnyVersionKnown);
  return lost === 'spending' ? 0 : lost;
}

/**
 * Releases a nonce that was used by a final transaction outside this service. The withdrawal gets another nonce after
 * its funds are recounted.
 */
async function releaseNonce(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  { withdrawal, versions, tip }: ChainConditions & { withdrawal: Withdrawal; versions: readonly Version[] },
): Promise<number> {
  const { sender, nonce } = withdrawal;
  const final = await findFinalBlock(context.database, connected.name, tip.height);
  if (spender.kind !== 'account' || !sender || nonce === null || !final) return 0;
  const sentCount = (await connected.chain.transactionCounts([sender.address], final))?.get(sender.address) ?? 0;
  if (sentCount <= nonce || (await findBroadcast(connected, versions))) return 0;
  return await withLockedFunds(context, withdrawal, async (unit, locked) => {
    if (isMinedOrEnded(locked) || locked.nonce !== nonce) return 0;
    await updateWithdrawal(context, unit, locked, {
      ...{ nonce: null, amount: null, fee: null, feeRate: null, status: 'waiting', waitsFor: recountingFunds },
    });
    return 1;
  });
}

const recountingFunds: WaitsFor = {
  reason: 'queued',
  detail: 'Another transaction used its nonce. Its available funds are being recalculated.',
  feeNow: null,
  limit: null,
};

/** Finds the version that the node knows; a mined one takes precedence. */
async function findBroadcast({ chain }: ConnectedChain, versions: readonly Version[]): Promise<KnownBroadcast | null> {
  let waiting: KnownBroadcast | null = null;
  // A pruned node may know another version.
  let unfinished: ChainError | null = null;
  for (const version of versions) {
    if (version.txHash === null) continue;
    try {
      const transaction = await chain.findTransaction(version.txHash, version.since, version.unsigned);
      if (transaction.state === 'mined' || transaction.state === 'failed') return { version, transaction };
      if (transaction.state === 'waiting') waiting ??= { version, transaction };
    } catch (error) {
      if (!(error instanceof ChainError && error.kind === 'behind')) throw error;
      unfinished = error;
    }
  }
  if (!waiting && unfinished) throw unfinished;
  return waiting;
}

async function recordBroadcast(
  context: WithdrawalsContext,
  { name, chain }: ConnectedChain,
  withdrawal: Withdrawal,
  { version, transaction }: KnownBroadcast,
): Promise<number> {
  if (transaction.state === 'waiting') {
    const isRecorded = withdrawal.status === 'sent' && version.sentAt !== null;
    // A newer version awaits its signature.
    const isSuperseded = withdrawal.status === 'to_sign' && version.raw !== null;
    return isRecorded || isSuperseded ? 0 : await markSent(context, withdrawal, version);
  }
  // This block has not been scanned yet.
  if (!(await isBlockInChain(context.database, name, transaction.block))) return 0;
  const paid = version.txHash === null ? null : await chain.feePaid(version.txHash);
  // On account-based chains, the ledger records the fee that was paid in this block.
  if (withdrawal.sender !== null && paid?.block.hash !== transaction.block.hash) return 0;
  const feePaid = paid?.fee ?? null;
  return await withLockedFunds(context, withdrawal, async (unit, locked, { wallets }) => {
    if (locked.block !== null || !(await isBlockInChain(unit, name, transaction.block))) return 0;
    await setSentAt(context, unit, version);
    const { cancels: isCancelled } = version;
    // On account-based chains, a cancellation moves nothing, like a reverted transaction.
    const isReverted = transaction.state === 'failed' || (isCancelled && locked.sender !== null);
    const mined = await updateWithdrawal(context, unit, locked, {
      ...{ block: transaction.block, isReverted, isCancelled, feePaid, status: 'sent', waitsFor: null },
      ...{ txHash: version.txHash, amount: version.amount, fee: version.fee, feeRate: version.feeRate },
    });
    await postWithdrawal(context, unit, wallets, mined);
    // The wallet's balance can be compared with its movements now.
    wakeJob(unit, scanJobName(name));
    return 1;
  });
}

/** Marks a version as sent. If another version awaits its signature, the withdrawal still does. */
async function markSent(
  context: WithdrawalsContext,
  withdrawal: Withdrawal,
  version: Version,
  awaitsSignature = false,
): Promise<number> {
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockWithdrawal(unit, withdrawal.id);
    if (isMinedOrEnded(locked)) return 0;
    await setSentAt(context, unit, version);
    if (awaitsSignature && locked.status === 'to_sign') return 1;
    await updateWithdrawal(context, unit, locked, { status: 'sent', waitsFor: null, txHash: version.txHash });
    return 1;
  });
}

async function setSentAt({ clock }: WithdrawalsContext, unit: UnitOfWork, { id }: Version): Promise<void> {
  await db(unit)
    .updateTable('withdrawal_versions')
    .set({ sent_at: clock.now(), refusal: null })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute();
}

/** Records a rejection by the node; the transaction is sent again later. */
async function recordRejection(
  context: WithdrawalsContext,
  withdrawal: Withdrawal,
  version: SignedVersion,
  reason: string,
): Promise<number> {
  const detail = `The node rejected the transaction: ${reason}`;
  if (withdrawal.status === 'waiting' && withdrawal.waitsFor?.detail === detail) return 0;
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockWithdrawal(unit, withdrawal.id);
    if (isMinedOrEnded(locked)) return 0;
    await db(unit).updateTable('withdrawal_versions').set({ refusal: reason }).where('id', '=', version.id).execute();
    context.log.warn({ withdrawal: locked.publicId, reason }, 'node rejected a withdrawal');
    const waitsFor = { reason: 'rejected' as const, detail, feeNow: null, limit: null };
    await updateWithdrawal(context, unit, locked, { status: 'waiting', waitsFor });
    return 1;
  });
}

/** Fails a withdrawal of which a deposit was dropped, and releases its other deposits. */
async function releaseDropped(context: WithdrawalsContext, withdrawal: Withdrawal): Promise<number> {
  const isDropped = ({ state }: RemainingDeposit) => state === 'gone';
  if (!(await findDepositsByWithdrawal(context.database, [withdrawal.id])).some(isDropped)) return 0;
  return await withLockedFunds(context, withdrawal, async (unit, locked, { funds }) => {
    if (isMinedOrEnded(locked) || !funds.some(isDropped)) return 0;
    await assignDeposits(unit, depositIds(funds), null);
    await updateWithdrawal(context, unit, locked, {
      status: 'failed',
      failure: FUNDS_CHANGED,
      waitsFor: null,
      nonce: null,
    });
    return 1;
  });
}

/** Finalizes a mined withdrawal with enough confirmations: confirmed, with its refund, or failed. */
export async function finalize(
  context: WithdrawalsContext,
  withdrawal: Withdrawal,
  tipHeight: number,
): Promise<number> {
  const { minConfirmations } = await readInvoiceRules(context.database, withdrawal.merchantId, withdrawal.code);
  const needed = minConfirmations > 0 ? minConfirmations : 1;
  if (confirmationsOf(withdrawal, tipHeight) < needed) return 0;
  return await withLockedFunds(context, withdrawal, async (unit, locked, { wallets, funds }) => {
    const currentHeight = (await readLastHeight(unit, locked.chain)) ?? 0;
    if (locked.status !== 'sent' || !locked.block || confirmationsOf(locked, currentHeight) < needed) return 0;
    if (!(await isBlockInChain(unit, locked.chain, locked.block))) return 0;
    if (locked.isCancelled) {
      await updateWithdrawal(context, unit, locked, { status: 'failed', failure: describeCancellation(locked) });
      // Unattributed deposits are spent; the returned output replaces them.
      if (locked.sender !== null || locked.source !== 'stray')
        await releaseTransactions(context, unit, wallets, funds, 'withdrawal_cancelled');
      return 1;
    }
    if (locked.isReverted) {
      const failure = 'The transaction was reverted in its block: it moved no funds, but its fee was paid.';
      await updateWithdrawal(context, unit, locked, { status: 'failed', failure });
      // The refund has failed: a manager can withdraw the funds.
      if (locked.purpose === 'refund') await releaseTransactions(context, unit, wallets, funds);
      return 1;
    }
    await updateWithdrawal(context, unit, locked, { status: 'confirmed' });
    await updateRefundStatus(context, unit, wallets, locked, { from: 'refunding', to: 'refunded' });
    return 1;
  });
}

function describeCancellation({ sender, code, fee, feePaid }: Withdrawal): string {
  const feeCode = feeCodeOf(code);
  const paid = `${toCoins((sender === null ? fee : feePaid) ?? 0n, feeCode)} ${feeCode.toUpperCase()}`;
  return sender === null
    ? `Canceled: the funds were returned to the wallet, less a fee of ${paid}.`
    : `Canceled: the funds stay in the wallet. The cancellation cost a fee of ${paid}.`;
}

/** Reverses a withdrawal whose block was orphaned. */
export async function revertOrphaned(context: WithdrawalsContext, withdrawal: Withdrawal): Promise<number> {
  return await withLockedFunds(context, withdrawal, async (unit, locked, { wallets, funds }) => {
    if (!locked.block || (await isBlockInChain(unit, locked.chain, locked.block))) return 0;
    const unminedState = {
      status: 'sent',
      block: null,
      isReverted: false,
      isCancelled: false,
      feePaid: null,
      failure: null,
    } as const;
    await postWithdrawal(context, unit, wallets, await updateWithdrawal(context, unit, locked, unminedState));
    await updateRefundStatus(context, unit, wallets, locked, {
      from: locked.isCancelled || locked.isReverted ? 'failed' : 'refunded',
      to: 'refunding',
    });
    if (locked.isCancelled && locked.source === 'stray' && locked.status === 'failed') {
      const tipHeight = (await readLastHeight(unit, locked.chain)) ?? 0;
      for (const wallet of wallets.values()) {
        const walletFunds = funds.filter(({ walletId }) => walletId === wallet.id);
        await closeUnattributedDeposits(context, unit, wallet, walletFunds, locked.requestedBy ?? '', tipHeight);
      }
    }
    return 1;
  });
}

async function updateRefundStatus(
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
    { deposits: await findDeposits(unit, [transactionId]), tipHeight: (await readLastHeight(unit, wallet.chain)) ?? 0 },
  );
}
