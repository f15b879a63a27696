import { db, type FiatTransaction, pipelinedStatement, transactionRecord } from './schema.ts';
import { type FailureReason, toApiStatus, type TransactionStatus } from '../api/fiat-transaction.ts';
import type { Selectable } from 'kysely';
import { recordEvent } from '../webhooks/record-event.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { FiatTransactionTable } from './schema.ts';
import type { PaymentsContext } from './context.ts';
import { detailAfter } from './detail.ts';
import { emailStatusChange } from './emails.ts';
import { type RelatedRecords, readRelatedRecords } from './related-records.ts';
import { canTransition } from './states.ts';
import type { ReviewDecision } from './transaction.ts';

export interface StatusChange {
  to: TransactionStatus;
  reason?: FailureReason;
  /** One line for the timeline, such as a decline code. */
  detail?: string;
  receivedMinor?: bigint;
  /** The review that caused the change; null clears an earlier one. */
  decision?: ReviewDecision | null;
  /** The received amount that the merchant accepts as full payment; null clears an earlier acceptance. */
  acceptedMinor?: bigint | null;
  /** The transaction before its amounts were changed, if they were. Determines the emails. */
  before?: FiatTransaction;
  /** The transaction's records, as the unit of work has read and changed them. Without them, they are read again. */
  related?: RelatedRecords;
}

/**
 * The only code that changes a transaction's status. Writes row, event and webhook in the given unit of work, which
 * must hold the transaction's lock.
 */
export async function transition(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  change: StatusChange,
): Promise<FiatTransaction> {
  if (!canTransition(transaction.status, change.to)) {
    throw new Error(`Invalid status transition from ${transaction.status} to ${change.to}`);
  }
  const now = context.clock.now();
  const changed: FiatTransaction = {
    ...transaction,
    status: change.to,
    reason: change.reason ?? null,
    // A deposit that a reorg reversed and restored is not late.
    late:
      transaction.late ||
      (transaction.status === 'failed' && change.to === 'confirmed' && transaction.reason !== 'reversed'),
    receivedMinor: change.receivedMinor ?? transaction.receivedMinor,
    ...(change.decision !== undefined && {
      decidedBy: change.decision?.by ?? null,
      decidedAt: change.decision && now,
      decisionReason: change.decision?.reason ?? null,
    }),
    acceptedMinor: change.acceptedMinor === undefined ? transaction.acceptedMinor : change.acceptedMinor,
    sequence: transaction.sequence + 1,
    updatedAt: now,
  };
  await updateStatus(unit, {
    set: transactionRecord.write({
      status: changed.status,
      reason: changed.reason,
      late: changed.late,
      receivedMinor: changed.receivedMinor,
      decidedBy: changed.decidedBy,
      decidedAt: changed.decidedAt,
      decisionReason: changed.decisionReason,
      acceptedMinor: changed.acceptedMinor,
      sequence: changed.sequence,
      updatedAt: changed.updatedAt,
    }),
    merchantId: transaction.merchantId,
    id: transaction.id,
    sequence: transaction.sequence,
  });

  const event = {
    sequence: changed.sequence,
    type: 'fiat.transaction.updated' as const,
    at: changed.updatedAt,
    status: changed.status,
    detail: change.detail ?? change.reason ?? null,
  };
  const related = change.related ?? (await readRelatedRecords(unit, changed));
  const data = {
    ...detailAfter(context, changed, related, event),
    previous_status: toApiStatus(transaction.status),
    sequence: changed.sequence,
  };
  await recordEvent(context, unit, {
    merchantId: transaction.merchantId,
    subject: { kind: 'fiat_transaction', id: transaction.id },
    previousStatus: transaction.status,
    data,
    ...event,
  });
  await emailStatusChange(context, unit, change.before ?? transaction, changed);
  unit.afterCommit(() => context.metrics.transitions.inc({ from: transaction.status, to: changed.status }));
  return changed;
}

/**
 * Allocates the next sequence number of a transaction for an event that does not change its status. The unit holds its
 * lock.
 */
export async function nextSequence(
  { clock }: Pick<PaymentsContext, 'clock'>,
  unit: UnitOfWork,
  { merchantId, id, sequence }: FiatTransaction,
): Promise<number> {
  const { numUpdatedRows } = await db(unit)
    .updateTable('fiat_transactions')
    .set({ sequence: sequence + 1, updated_at: clock.now() })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .where('sequence', '=', sequence)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) throw new Error('The transaction changed while it was locked');
  return sequence + 1;
}

type StatusColumns = Pick<
  Selectable<FiatTransactionTable>,
  | 'status'
  | 'reason'
  | 'late'
  | 'amount_received_minor'
  | 'decided_by'
  | 'decided_at'
  | 'decision_reason'
  | 'accepted_minor'
  | 'sequence'
  | 'updated_at'
>;

/** Fails if the transaction has changed even though the unit holds its lock. */
const updateStatus = pipelinedStatement(
  (
    query,
    { set, merchantId, id, sequence }: { set: StatusColumns; merchantId: number; id: number; sequence: number },
  ) =>
    query
      .updateTable('fiat_transactions')
      .set(set)
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id)
      .where('sequence', '=', sequence),
  { rows: 1 },
);
