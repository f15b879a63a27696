import { db, type WaitsFor } from './schema.ts';
import type { Signed, Spender } from '../chains/spender.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { WithdrawalsContext } from './context.ts';
import { readRules } from '../wallets/rules.ts';
import { readHeight } from '../chains/cursor.ts';
import { assignFunds, findFunds } from '../deposits/deposit.ts';
import { findWallets, lockWallets } from '../wallets/wallet.ts';
import { readDestination } from './destinations.ts';
import { readFeeLimit } from './fee-limit.ts';
import { filterSpendable, sumOf } from './funds.ts';
import { endUnsent } from './cancel.ts';
import { idsOf } from './plan.ts';
import { prepareCancel, priceOfCancel } from './prepare-cancel.ts';
import { prepareTransfer, requireNonce } from './prepare-transfer.ts';
import { type Circumstances, coinsOf, type Order, type Prepared, tooLittle } from './prepared.ts';
import { highestOf, priceOf, tooDear } from './price.ts';
import { findVersions, isOver, lockWithdrawal, withFunds } from './store.ts';
import type { Version, Withdrawal } from './withdrawal.ts';
import { updateWithdrawal } from './write.ts';
import { writeOffSpent } from './write-off.ts';

/**
 * Makes a transaction for a withdrawal: the first, or with a higher fee one in place of those before. It is
 * written down with its signature and its name before anybody else has seen it. Answers how much was done.
 */
export async function makeVersion(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  order: Circumstances & { withdrawal: Withdrawal; versions: readonly Version[] },
): Promise<number>;
/**
 * In place of one that the node refuses; `same` where it would be that very transaction. Its price tops those that
 * a node has accepted, or all that are signed.
 */
export async function makeVersion(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  order: Circumstances & {
    withdrawal: Withdrawal;
    versions: readonly Version[];
    unlike: string;
    above?: 'sent' | 'signed';
  },
): Promise<number | 'same'>;
export async function makeVersion(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  {
    withdrawal: before,
    versions,
    unlike,
    above = 'sent',
    ...circumstances
  }: Circumstances & {
    withdrawal: Withdrawal;
    versions: readonly Version[];
    unlike?: string;
    above?: 'sent' | 'signed';
  },
): Promise<number | 'same'> {
  const { database, clock } = context;
  if (before.heldUntil !== null && clock.now() < before.heldUntil) return 0;
  const withdrawal = await refreshTerms(context, before, versions);
  const funds = await findFunds(database, [withdrawal.id]);
  const wallets = await findWallets(database, [...new Set(funds.map(({ walletId }) => walletId))]);
  // Of a wallet whose number another transaction has used, it is the first one again.
  const isFirst = versions.length === 0 || (spender.kind === 'accounts' && withdrawal.nonce === null);
  if (isFirst && spender.kind === 'coins') {
    // After a restore they may have been spent by a transaction that this database does not know.
    const lost = await writeOffSpent(
      context,
      connected,
      withdrawal,
      versions,
      async () => await Promise.resolve(false),
    );
    if (lost === 'spending') return await wait(context, withdrawal, spentInPool, versions);
    if (lost > 0) return lost;
  }
  const isCancel = withdrawal.cancelRequestedAt !== null;
  if (isCancel && isFirst) return await cancelUnsent(context, withdrawal);
  const now = await circumstances.feeRate();
  const { withdrawalLimits } = context;
  const price = isCancel
    ? priceOfCancel(context, connected, versions, now)
    : priceOf(connected.name, now, {
        limit: withdrawal.feeLimit,
        most: withdrawalLimits.maxFeeRates[connected.name],
        before: isFirst ? null : highestOf(versions.filter((each) => each.sentAt !== null || above === 'signed')),
      });
  if ('waitsFor' in price) return await wait(context, withdrawal, price.waitsFor, versions);
  const order: Order = { withdrawal, funds, wallets, versions, ...price, ...circumstances };
  if (isFirst && spender.kind === 'coins') {
    const left = await leaveOut(context, order, spender.costOfCoin(price.rate));
    if (left > 0) return left;
  }
  const prepared = isCancel
    ? await prepareCancel(context, connected, spender, order)
    : spender.kind === 'coins'
      ? prepareCoins(context, spender, order)
      : await prepareTransfer(context, connected, spender, order);
  if (prepared.kind === 'written_off') return 1;
  if (prepared.kind === 'wait') return await wait(context, withdrawal, prepared.waitsFor, versions);
  if (prepared.transaction.data === unlike) return 'same';
  const { transaction, nonce } = prepared;
  const signed = spender.canSign ? await sign(spender, withdrawal, transaction.data) : null;
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockAll(unit, order);
    if (!locked) return 0;
    if (isFirst && !(await isStillThere(context, unit, locked, order))) return 1;
    if (nonce !== null && !(await requireNonce(unit, connected, withdrawal, nonce))) return 0;
    await insertVersion(context, unit, order, prepared, signed);
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

/** Its number was used by another transaction: none of its own can be mined any more. */
async function cancelUnsent(context: WithdrawalsContext, withdrawal: Withdrawal): Promise<number> {
  return await withFunds(context, withdrawal, async (unit, locked, money) => {
    if (isOver(locked) || locked.nonce !== null) return 0;
    await endUnsent(context, unit, locked, money);
    return 1;
  });
}

const spentInPool: WaitsFor = {
  reason: 'turn',
  detail: 'Another transaction that spends the same money waits for a block.',
  feeNow: null,
  limit: null,
};

/** Frees coins that would cost more than they bring; a withdrawal of nothing else waits for a lower fee. */
async function leaveOut(context: WithdrawalsContext, order: Order, cost: bigint): Promise<number> {
  const { withdrawal, funds } = order;
  const rest = funds.filter(({ amount }) => amount > cost);
  if (rest.length === 0 || rest.length === funds.length) return 0;
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockAll(unit, order);
    if (!locked) return 0;
    const left = idsOf(funds.filter(({ amount }) => amount <= cost));
    await assignFunds(unit, left, null);
    await updateWithdrawal(context, unit, locked, { spent: sumOf(rest), destination: withdrawal.destination });
    return left.length;
  });
}

const sending: WaitsFor = {
  reason: 'sending',
  detail: 'It is written down and about to be sent.',
  feeNow: null,
  limit: null,
};

/** Signs a transaction that was made while the key was elsewhere. */
export async function signVersion(
  context: WithdrawalsContext,
  spender: Spender,
  withdrawal: Withdrawal,
  version: Version,
): Promise<number> {
  const signed = await sign(spender, withdrawal, version.unsigned);
  return await takeSigned(context, withdrawal, version, signed);
}

/** Writes down what was signed, here or elsewhere, before it is sent. */
export async function takeSigned(
  context: WithdrawalsContext,
  withdrawal: Withdrawal,
  version: Version,
  { raw, txHash }: Signed,
): Promise<number> {
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockWithdrawal(unit, withdrawal.id);
    if (locked.status !== 'to_sign') return 0;
    await db(unit)
      .updateTable('withdrawal_versions')
      .set({ raw, tx_hash: txHash, refusal: null, signed_height: await readHeight(unit, locked.chain) })
      .where('id', '=', version.id)
      .execute();
    await updateWithdrawal(context, unit, locked, { status: 'waiting', waitsFor: sending, txHash });
    return 1;
  });
}

async function sign(spender: Spender, { sender }: Withdrawal, unsigned: string): Promise<Signed> {
  if (spender.kind === 'coins') return await spender.sign(unsigned);
  if (!sender) throw new Error('A transfer has no sender');
  return await spender.sign(unsigned, sender.path);
}

/** Limit and destination as they are now; a transaction that is out there goes where it goes. */
async function refreshTerms(
  { database, clock }: WithdrawalsContext,
  withdrawal: Withdrawal,
  versions: readonly Version[],
): Promise<Withdrawal> {
  const { merchantId, code, purpose } = withdrawal;
  const feeLimit = purpose === 'sweep' || purpose === 'refund' ? await readFeeLimit(database, merchantId, code) : null;
  if (purpose !== 'sweep' || versions.length > 0) return { ...withdrawal, feeLimit };
  const destination = await readDestination(database, merchantId, code, clock.now());
  return { ...withdrawal, feeLimit, destination: destination ?? withdrawal.destination };
}

function prepareCoins(
  context: WithdrawalsContext,
  spender: Extract<Spender, { kind: 'coins' }>,
  order: Order,
): Prepared {
  const { withdrawal, rate } = order;
  const built = spender.build({ coins: coinsOf(order), destination: withdrawal.destination, feeRate: rate });
  if (built.kind === 'too_little') return tooLittle(withdrawal, built.fee);
  const { fee } = built;
  return (
    tooDear(context, withdrawal, { amount: withdrawal.spent, fee }) ?? {
      ...{ kind: 'ready', transaction: built, rate, nonce: null },
    }
  );
}

async function wait(
  context: WithdrawalsContext,
  withdrawal: Withdrawal,
  waitsFor: WaitsFor,
  versions: readonly Version[],
): Promise<number> {
  const { feeLimit, destination } = withdrawal;
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockWithdrawal(unit, withdrawal.id);
    const isOver = locked.status === 'confirmed' || locked.status === 'failed' || locked.block !== null;
    const isMadeMeanwhile = locked.nonce !== withdrawal.nonce || locked.txHash !== withdrawal.txHash;
    if (isOver || isMadeMeanwhile || JSON.stringify(locked.waitsFor) === JSON.stringify(waitsFor)) return 0;
    await updateWithdrawal(context, unit, locked, {
      waitsFor,
      feeLimit,
      ...(versions.length === 0 && { destination }),
    });
    return 1;
  });
}

/** Locks a withdrawal with its wallets; null where somebody else has gone on with it meanwhile. */
async function lockAll(unit: UnitOfWork, { withdrawal, funds, versions }: Order): Promise<Withdrawal | null> {
  await lockWallets(unit, [...new Set(funds.map(({ walletId }) => walletId))]);
  const locked = await lockWithdrawal(unit, withdrawal.id);
  const made = (await findVersions(unit, [withdrawal.id])).get(withdrawal.id) ?? [];
  const present = await findFunds(unit, [withdrawal.id]);
  const isSame =
    locked.status === withdrawal.status &&
    locked.block === null &&
    locked.cancelRequestedAt === withdrawal.cancelRequestedAt &&
    made.length === versions.length &&
    idsOf(present).join() === idsOf(funds).join();
  return isSame ? locked : null;
}

/** Lets go what is no longer what it was: a block was taken back, or somebody has decided otherwise. */
async function isStillThere(
  context: WithdrawalsContext,
  unit: UnitOfWork,
  locked: Withdrawal,
  { funds, tip }: Order,
): Promise<boolean> {
  if (locked.source === null) return true;
  const { minConfirmations } = await readRules(unit, locked.merchantId, locked.code);
  const present = await findFunds(unit, [locked.id]);
  const fit = await filterSpendable(unit, present, locked.source, { tipHeight: tip.height, minConfirmations });
  if (fit.length === funds.length) return true;
  const isKept = new Set(idsOf(fit));
  await assignFunds(
    unit,
    idsOf(present).filter((id) => !isKept.has(id)),
    null,
  );
  const isWhole = locked.purpose !== 'refund' && fit.length > 0;
  if (isWhole) await updateWithdrawal(context, unit, locked, { spent: sumOf(fit) });
  else {
    await assignFunds(unit, idsOf(fit), null);
    await updateWithdrawal(context, unit, locked, { status: 'failed', waitsFor: null, failure: GONE });
  }
  return false;
}

export const GONE = 'The money that it was to send is no longer there, or no longer what it was.';

async function insertVersion(
  { clock }: WithdrawalsContext,
  unit: UnitOfWork,
  { withdrawal, versions, tip, priority }: Order,
  { transaction, rate }: Extract<Prepared, { kind: 'ready' }>,
  signed: Signed | null,
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
