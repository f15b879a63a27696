import { db, type WaitsFor } from './schema.ts';
import type { SignedTransaction, Spender } from '../chains/spender.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { WithdrawalsContext } from './context.ts';
import { readPreferences } from '../merchants/preferences/store.ts';
import { readInvoiceRules } from '../wallets/rules.ts';
import { readLastHeight } from '../chains/cursor.ts';
import { assignDeposits, findDepositsByWithdrawal } from '../deposits/deposit.ts';
import { findWallets, lockWallets } from '../wallets/wallet.ts';
import { readDestination } from './destinations.ts';
import { readFeeLimit } from './fee-limit.ts';
import { filterSpendable, sumOf } from './funds.ts';
import { endUnsentWithdrawal } from './cancel.ts';
import { depositIds } from './plan.ts';
import { prepareCancel, chooseCancelFeeRate } from './prepare-cancel.ts';
import { endUnneededGasFunding, prepareTransfer, isNonceAvailable } from './prepare-transfer.ts';
import {
  type ChainConditions,
  outputsToSpend,
  type TransactionRequest,
  type Prepared,
  amountTooSmall,
} from './prepared.ts';
import { highestFeeRate, chooseFeeRate, checkFeeShare } from './fee-rate.ts';
import { findVersions, isMinedOrEnded, lockWithdrawal, withLockedFunds } from './store.ts';
import type { Version, Withdrawal } from './withdrawal.ts';
import { updateWithdrawal } from './write.ts';
import { writeOffSpent } from './write-off.ts';

/**
 * Creates a transaction for a withdrawal: the first version, or a replacement with a higher fee. It is stored with its
 * signature and hash before it is sent anywhere. Returns the number of changes.
 */
export async function createVersion(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  order: ChainConditions & { withdrawal: Withdrawal; versions: readonly Version[] },
): Promise<number>;
/**
 * Replaces a transaction that the node rejected; returns `same` if the result would be identical. Its fee rate outbids
 * the versions that a node has accepted, or all signed ones.
 */
export async function createVersion(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  order: ChainConditions & {
    withdrawal: Withdrawal;
    versions: readonly Version[];
    rejectedTransaction: string;
    outbid?: 'sent' | 'signed';
  },
): Promise<number | 'same'>;
export async function createVersion(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  {
    withdrawal: stored,
    versions,
    rejectedTransaction,
    outbid = 'sent',
    ...conditions
  }: ChainConditions & {
    withdrawal: Withdrawal;
    versions: readonly Version[];
    rejectedTransaction?: string;
    outbid?: 'sent' | 'signed';
  },
): Promise<number | 'same'> {
  const { database, clock } = context;
  if (stored.heldUntil !== null && clock.now() < stored.heldUntil) return 0;
  if (await endUnneededGasFunding(context, stored)) return 1;
  const withdrawal = await refreshSettings(context, stored, versions);
  if (withdrawal === null) return await cancelUnsent(context, stored);
  const funds = await findDepositsByWithdrawal(database, [withdrawal.id]);
  const wallets = await findWallets(database, [...new Set(funds.map(({ walletId }) => walletId))]);
  // After another transaction used its nonce, it starts over with a first version.
  const isFirst = versions.length === 0 || (spender.kind === 'account' && withdrawal.nonce === null);
  if (isFirst && spender.kind === 'utxo') {
    // After a restore, deposits may have been spent by a transaction that this database lacks.
    const lost = await writeOffSpent(
      context,
      connected,
      withdrawal,
      versions,
      async () => await Promise.resolve(false),
    );
    if (lost === 'spending') return await recordWait(context, withdrawal, spentInMempool, versions);
    if (lost > 0) return lost;
  }
  // On account-based chains, dropped deposits must not count as spent outside the service.
  if (isFirst && funds.some(({ state }) => state === 'gone')) {
    const hasAll = await database.inTransaction(async (unit) => {
      const locked = await lockIfUnchanged(unit, { withdrawal: stored, funds, versions });
      return locked !== null && (await hasAllFunds(context, unit, locked, { funds, ...conditions }));
    });
    if (!hasAll) return 1;
  }
  const isCancel = withdrawal.cancelRequestedAt !== null;
  if (isCancel && isFirst) return await cancelUnsent(context, withdrawal);
  const feeRate = await conditions.feeRate();
  const { withdrawalLimits } = context;
  const chosen = isCancel
    ? chooseCancelFeeRate(context, connected, versions, feeRate)
    : chooseFeeRate(connected.name, feeRate, {
        limit: withdrawal.feeLimit,
        maxRate: withdrawalLimits.maxFeeRates[connected.name],
        before: isFirst ? null : highestFeeRate(versions.filter((each) => each.sentAt !== null || outbid === 'signed')),
      });
  if ('waitsFor' in chosen) return await recordWait(context, withdrawal, chosen.waitsFor, versions);
  const request: TransactionRequest = { withdrawal, funds, wallets, versions, ...chosen, ...conditions };
  if (isFirst && spender.kind === 'utxo') {
    const released = await releaseUneconomicDeposits(context, request, spender.feePerInput(chosen.rate));
    if (released > 0) return released;
  }
  const prepared = isCancel
    ? await prepareCancel(context, connected, spender, request)
    : spender.kind === 'utxo'
      ? prepareUtxoTransfer(context, spender, request)
      : await prepareTransfer(context, connected, spender, request);
  if (prepared.kind === 'written_off') return 1;
  if (prepared.kind === 'wait') return await recordWait(context, withdrawal, prepared.waitsFor, versions);
  if (prepared.transaction.data === rejectedTransaction) return 'same';
  const { transaction, nonce } = prepared;
  const signed = spender.canSign ? await signTransaction(spender, withdrawal, transaction.data) : null;
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockIfUnchanged(unit, request);
    if (!locked) return 0;
    if (isFirst && !(await hasAllFunds(context, unit, locked, request))) return 1;
    if (nonce !== null && !(await isNonceAvailable(unit, connected, withdrawal, nonce))) return 0;
    await insertVersion(context, unit, request, prepared, signed);
    const { amount, fee } = transaction;
    await updateWithdrawal(context, unit, locked, {
      ...{
        amount,
        fee,
        nonce,
        feeRate: prepared.rate,
        writtenOff: isCancel ? locked.writtenOff : (prepared.writtenOff ?? null),
      },
      destination: withdrawal.destination,
      feeLimit: withdrawal.feeLimit,
      txHash: signed?.txHash ?? transaction.txHash ?? locked.txHash,
      ...(signed
        ? { status: locked.status === 'sent' ? 'sent' : 'waiting', waitsFor: locked.status === 'sent' ? null : sending }
        : { status: 'to_sign', waitsFor: null }),
    });
    return 1;
  });
}

/** Cancels a withdrawal without a mineable transaction: there is none, or another one used its nonce. */
async function cancelUnsent(context: WithdrawalsContext, withdrawal: Withdrawal): Promise<number> {
  return await withLockedFunds(context, withdrawal, async (unit, locked, lockedFunds) => {
    if (isMinedOrEnded(locked) || locked.nonce !== null) return 0;
    await endUnsentWithdrawal(context, unit, locked, lockedFunds);
    return 1;
  });
}

const spentInMempool: WaitsFor = {
  reason: 'queued',
  detail: 'Another transaction in the mempool spends the same coins.',
  feeNow: null,
  limit: null,
};

/**
 * Releases deposits that cost more to spend than they are worth. A withdrawal of only such deposits waits for a lower
 * fee.
 */
async function releaseUneconomicDeposits(
  context: WithdrawalsContext,
  request: TransactionRequest,
  cost: bigint,
): Promise<number> {
  const { withdrawal, funds } = request;
  const economicDeposits = funds.filter(({ amount }) => amount > cost);
  if (economicDeposits.length === 0 || economicDeposits.length === funds.length) return 0;
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockIfUnchanged(unit, request);
    if (!locked) return 0;
    const uneconomic = depositIds(funds.filter(({ amount }) => amount <= cost));
    await assignDeposits(unit, uneconomic, null);
    await updateWithdrawal(context, unit, locked, {
      spent: sumOf(economicDeposits),
      destination: withdrawal.destination,
    });
    return uneconomic.length;
  });
}

const sending: WaitsFor = {
  reason: 'broadcasting',
  detail: 'The transaction is recorded and will be sent next.',
  feeNow: null,
  limit: null,
};

/** Signs a transaction that was created while the key was not available. */
export async function signVersion(
  context: WithdrawalsContext,
  spender: Spender,
  withdrawal: Withdrawal,
  version: Version,
): Promise<number> {
  const signed = await signTransaction(spender, withdrawal, version.unsigned);
  return await recordSigned(context, withdrawal, version, signed);
}

/** Records a signed transaction before it is sent. */
export async function recordSigned(
  context: WithdrawalsContext,
  withdrawal: Withdrawal,
  version: Version,
  { raw, txHash }: SignedTransaction,
): Promise<number> {
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockWithdrawal(unit, withdrawal.id);
    if (locked.status !== 'to_sign') return 0;
    await db(unit)
      .updateTable('withdrawal_versions')
      .set({ raw, tx_hash: txHash, refusal: null, signed_height: await readLastHeight(unit, locked.chain) })
      .where('id', '=', version.id)
      .execute();
    await updateWithdrawal(context, unit, locked, { status: 'waiting', waitsFor: sending, txHash });
    return 1;
  });
}

async function signTransaction(spender: Spender, { sender }: Withdrawal, unsigned: string): Promise<SignedTransaction> {
  if (spender.kind === 'utxo') return await spender.sign(unsigned);
  if (!sender) throw new Error('The transfer has no sender.');
  const { raw } = await spender.sign(unsigned, sender.path);
  // The operator may have configured another account since, which has another wallet at the same path.
  return await spender.verifySigned(unsigned, raw, sender.address);
}

/**
 * Applies the current fee limit and destination. The destination of an existing transaction is kept. Null for a sweep
 * that had no transaction when its destination was removed, or automatic withdrawals were turned off.
 */
async function refreshSettings(
  { database, clock }: WithdrawalsContext,
  withdrawal: Withdrawal,
  versions: readonly Version[],
): Promise<Withdrawal | null> {
  const { merchantId, code, purpose } = withdrawal;
  const feeLimit = purpose === 'sweep' || purpose === 'refund' ? await readFeeLimit(database, merchantId, code) : null;
  if (purpose !== 'sweep' || versions.length > 0) return { ...withdrawal, feeLimit };
  const { 'auto-withdrawal': isOn } = await readPreferences(database, merchantId, ['auto-withdrawal']);
  const destination = await readDestination(database, merchantId, code, clock.now());
  return isOn !== true || destination === null ? null : { ...withdrawal, feeLimit, destination };
}

function prepareUtxoTransfer(
  context: WithdrawalsContext,
  spender: Extract<Spender, { kind: 'utxo' }>,
  request: TransactionRequest,
): Prepared {
  const { withdrawal, rate } = request;
  const built = spender.build({ outputs: outputsToSpend(request), destination: withdrawal.destination, feeRate: rate });
  if (built.kind === 'too_little') return amountTooSmall(withdrawal, built.fee);
  const { fee } = built;
  return (
    checkFeeShare(context, withdrawal, { amount: withdrawal.spent, fee }) ?? {
      ...{ kind: 'ready', transaction: built, rate, nonce: null },
    }
  );
}

async function recordWait(
  context: WithdrawalsContext,
  withdrawal: Withdrawal,
  waitsFor: WaitsFor,
  versions: readonly Version[],
): Promise<number> {
  const { feeLimit, destination } = withdrawal;
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockWithdrawal(unit, withdrawal.id);
    const isClosed = locked.status === 'confirmed' || locked.status === 'failed' || locked.block !== null;
    const hasNewTransaction = locked.nonce !== withdrawal.nonce || locked.txHash !== withdrawal.txHash;
    const hasNewDestination = versions.length === 0 && locked.destination !== destination;
    const isChange =
      hasNewDestination || locked.feeLimit !== feeLimit || withoutFee(locked.waitsFor) !== withoutFee(waitsFor);
    if (isClosed || hasNewTransaction || !isChange) return 0;
    await updateWithdrawal(context, unit, locked, {
      waitsFor,
      feeLimit,
      ...(versions.length === 0 && { destination }),
    });
    return 1;
  });
}

/** A reason to wait without the fee in its text, which changes with each block and is not recorded alone. */
function withoutFee(waitsFor: WaitsFor | null): string {
  return JSON.stringify(waitsFor && { ...waitsFor, detail: waitsFor.detail.replace(/fee (?:is|of) [\d.]+/u, '') });
}

/** Locks a withdrawal with its wallets; null if another process advanced it in the meantime. */
async function lockIfUnchanged(
  unit: UnitOfWork,
  { withdrawal, funds, versions }: Pick<TransactionRequest, 'withdrawal' | 'funds' | 'versions'>,
): Promise<Withdrawal | null> {
  await lockWallets(unit, [...new Set(funds.map(({ walletId }) => walletId))]);
  const locked = await lockWithdrawal(unit, withdrawal.id);
  const currentVersions = (await findVersions(unit, [withdrawal.id])).get(withdrawal.id) ?? [];
  const currentFunds = await findDepositsByWithdrawal(unit, [withdrawal.id]);
  const isUnchanged =
    locked.status === withdrawal.status &&
    locked.block === null &&
    locked.cancelRequestedAt === withdrawal.cancelRequestedAt &&
    currentVersions.length === versions.length &&
    depositIds(currentFunds).join() === depositIds(funds).join();
  return isUnchanged ? locked : null;
}

/** Checks that all deposits can still be spent; releases those that cannot after a reorg or a review. */
async function hasAllFunds(
  context: WithdrawalsContext,
  unit: UnitOfWork,
  locked: Withdrawal,
  { funds, tip }: Pick<TransactionRequest, 'funds' | 'tip'>,
): Promise<boolean> {
  if (locked.source === null) return true;
  const { minConfirmations } = await readInvoiceRules(unit, locked.merchantId, locked.code);
  const currentFunds = await findDepositsByWithdrawal(unit, [locked.id]);
  const spendable = await filterSpendable(unit, currentFunds, locked.source, {
    tipHeight: tip.height,
    minConfirmations,
  });
  if (spendable.length === funds.length) return true;
  const spendableIds = new Set(depositIds(spendable));
  await assignDeposits(
    unit,
    depositIds(currentFunds).filter((id) => !spendableIds.has(id)),
    null,
  );
  const canContinue = locked.purpose !== 'refund' && spendable.length > 0;
  if (canContinue) await updateWithdrawal(context, unit, locked, { spent: sumOf(spendable) });
  else {
    await assignDeposits(unit, depositIds(spendable), null);
    await updateWithdrawal(context, unit, locked, { status: 'failed', waitsFor: null, failure: FUNDS_CHANGED });
  }
  return false;
}

export const FUNDS_CHANGED = 'Its deposits were dropped, or their review has changed.';

async function insertVersion(
  { clock }: WithdrawalsContext,
  unit: UnitOfWork,
  { withdrawal, versions, tip, priority }: TransactionRequest,
  { transaction, rate }: Extract<Prepared, { kind: 'ready' }>,
  signed: SignedTransaction | null,
): Promise<void> {
  await db(unit)
    .insertInto('withdrawal_versions')
    .values({
      merchant_id: withdrawal.merchantId,
      withdrawal_id: withdrawal.id,
      number: (versions[0]?.number ?? 0) + 1,
      unsigned: transaction.data,
      raw: signed?.raw ?? null,
      tx_hash: signed?.txHash ?? transaction.txHash,
      amount: transaction.amount.toString(),
      fee: transaction.fee.toString(),
      fee_rate: rate.toString(),
      priority_rate: priority?.toString() ?? null,
      since: tip.height,
      signed_height: signed ? tip.height : null,
      sent_at: null,
      refusal: null,
      cancels: withdrawal.cancelRequestedAt === null ? 0 : 1,
      created_at: clock.now(),
    })
    .execute();
}
