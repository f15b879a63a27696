import { db, type WaitsFor } from './schema.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { formatInstant, type Instant } from '../shared/time.ts';
import type { WithdrawalStatus } from '../api/withdrawal.ts';
import type { UnitOfWork } from '../database/database.ts';
import { wakeJob } from '../jobs/runner.ts';
import { randomId } from '../system/random.ts';
import type { WithdrawalsContext } from './context.ts';
import { withdrawalJobName } from '../chains/cursor.ts';
import { assignDeposits } from '../deposits/deposit.ts';
import { readApiWithdrawal } from './api-withdrawal.ts';
import { toRow, type Withdrawal } from './withdrawal.ts';

/** A withdrawal without a transaction. */
const withoutTransaction = {
  status: 'waiting',
  ...{ failure: null, nonce: null, amount: null, fee: null, feeRate: null, txHash: null },
  ...{ block: null, isReverted: false, feePaid: null, writtenOff: null, cancelRequestedAt: null, isCancelled: false },
} as const;

type NewWithdrawal = Omit<
  Withdrawal,
  keyof typeof withoutTransaction | 'id' | 'publicId' | 'waitsFor' | 'sequence' | 'createdAt' | 'updatedAt'
>;

const waitForPreparation: WaitsFor = {
  reason: 'queued',
  detail: 'Its transaction will be created next.',
  feeNow: null,
  limit: null,
};

function destinationWait(heldUntil: Instant): WaitsFor {
  const detail = `The destination is new. The withdrawal is held until ${formatInstant(heldUntil)} and can be canceled until then.`;
  return { reason: 'new_destination', detail, feeNow: null, limit: null };
}

/**
 * Inserts a withdrawal, and assigns it the deposits that it spends. The unit of work holds the locks of their wallets.
 */
export async function insertWithdrawal(
  context: WithdrawalsContext,
  unit: UnitOfWork,
  values: NewWithdrawal,
  depositIds: readonly number[],
): Promise<Withdrawal> {
  const now = context.clock.now();
  const fields: Omit<Withdrawal, 'id'> = {
    ...values,
    ...withoutTransaction,
    publicId: randomId(context.random),
    waitsFor: values.heldUntil === null ? waitForPreparation : destinationWait(values.heldUntil),
    ...{ sequence: 1, createdAt: now, updatedAt: now },
  };
  const { id } = await db(unit)
    .insertInto('withdrawals')
    .values(toRow(fields))
    .returning('id')
    .executeTakeFirstOrThrow();
  await assignDeposits(unit, depositIds, id);
  const withdrawal = { ...fields, id };
  await recordWithdrawalEvent(context, unit, withdrawal, null);
  return withdrawal;
}

type Changes = Partial<Omit<Withdrawal, 'id' | 'sequence' | 'createdAt' | 'updatedAt'>>;

/**
 * Updates a withdrawal that the unit of work has locked; returns it. Records an event if its status, reason to wait or
 * transaction changed. The reason `sending` is not reported: the event follows once it is sent.
 */
export async function updateWithdrawal(
  context: WithdrawalsContext,
  unit: UnitOfWork,
  before: Withdrawal,
  changes: Changes,
): Promise<Withdrawal> {
  const next = { ...before, ...changes };
  const reasonOf = ({ waitsFor }: Withdrawal) =>
    waitsFor?.reason === 'broadcasting' ? null : (waitsFor?.reason ?? null);
  const isSending = next.waitsFor?.reason === 'broadcasting' && next.status === before.status;
  const isReported =
    !isSending &&
    (next.status !== before.status ||
      reasonOf(next) !== reasonOf(before) ||
      (next.txHash !== before.txHash && before.txHash !== null) ||
      next.cancelRequestedAt !== before.cancelRequestedAt ||
      (next.block === null) !== (before.block === null));
  const changed = {
    ...next,
    sequence: isReported ? before.sequence + 1 : before.sequence,
    updatedAt: context.clock.now(),
  };
  await db(unit).updateTable('withdrawals').set(toRow(changed)).where('id', '=', before.id).execute();
  if (isReported) await recordWithdrawalEvent(context, unit, changed, before.status);
  if (changed.status !== before.status) {
    const labels = { from: before.status, to: changed.status };
    unit.afterCommit(() => context.metrics.withdrawalTransitions.inc(labels));
  }
  return changed;
}

async function recordWithdrawalEvent(
  context: WithdrawalsContext,
  unit: UnitOfWork,
  withdrawal: Withdrawal,
  before: WithdrawalStatus | null,
): Promise<void> {
  const { merchantId, id, sequence, status, updatedAt: at } = withdrawal;
  wakeJob(unit, withdrawalJobName(withdrawal.chain));
  const described = await readApiWithdrawal(unit, withdrawal);
  await recordEvent(context, unit, {
    ...{ merchantId, sequence, status, at },
    subject: { kind: 'withdrawal', id },
    type: 'crypto.withdrawal.updated',
    previousStatus: before,
    detail: withdrawal.failure ?? withdrawal.waitsFor?.reason ?? null,
    // Webhooks do not contain user names.
    data: { ...described, requestedByName: null, previous_status: before, sequence },
  });
}
