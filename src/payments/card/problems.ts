import type { UnitOfWork } from '../../database/database.ts';
import type { PaymentsContext } from '../context.ts';
import { recordRefundEvent } from '../refunds/outcome.ts';
import { lockWithRelatedRecords, type RelatedRecords } from '../related-records.ts';
import type { CardAttempt, FiatTransaction } from '../schema.ts';
import { updateAttempt } from '../store.ts';

export interface ChargeReport {
  subject?: string;
  problem: string;
  advice?: string;
}

export const endedAfterApproval: ChargeReport = {
  problem: 'was reported both as approved and as declined or canceled',
};

/**
 * Records a problem of a charge that only the acquirer can solve: in the transaction's timeline and as an error in the
 * log, unless it is the last report of this charge. The status stays.
 */
export async function recordProblem(
  context: PaymentsContext,
  attempt: CardAttempt,
  report: ChargeReport & { code?: string | undefined },
  { isReversalOver = false }: { isReversalOver?: boolean } = {},
): Promise<void> {
  const { merchantId, transactionId } = attempt;
  await context.database.inTransaction(async (unit) => {
    const { locked, related } = await lockWithRelatedRecords(unit, merchantId, transactionId);
    const current = related.attempts.find(({ attemptKey }) => attemptKey === attempt.attemptKey);
    if (isReversalOver && current?.state === 'duplicate')
      await updateAttempt(unit, current, { state: 'reversed', nextCheckAt: null }, context.clock.now());
    await recordProblemOfLocked(context, unit, locked, { attempt, related }, report);
  });
}

/** The same within a database transaction that has locked the payment. */
export async function recordProblemOfLocked(
  context: PaymentsContext,
  unit: UnitOfWork,
  locked: FiatTransaction,
  { attempt, related }: { attempt: CardAttempt; related: RelatedRecords },
  { code, ...report }: ChargeReport & { code?: string | undefined },
): Promise<FiatTransaction> {
  if (isLastReport(related, attempt, report)) return locked;
  const { accountKey, transactionId, number } = attempt;
  const { subject = 'charge', problem } = report;
  context.log.error(
    { account: accountKey, transaction: transactionId, attempt: number, code },
    `${subject} ${problem}`,
  );
  return await recordRefundEvent(context, unit, locked, reportText(attempt, report));
}

export function reportText(
  { number, last4 }: CardAttempt,
  { subject = 'charge', problem, advice = 'check it with the acquirer' }: ChargeReport,
): string {
  return `${subject} (attempt ${number}) to card ending ${last4} ${problem}: ${advice}`;
}

/** True if the timeline's last report of this charge is `report`. */
export function isLastReport({ events }: RelatedRecords, attempt: CardAttempt, report: ChargeReport): boolean {
  const text = reportText(attempt, report);
  const start = text.slice(0, text.indexOf(report.problem));
  return events.findLast(({ detail }) => detail?.startsWith(start))?.detail === text;
}
