import type { DisputeReport } from '../acquirers/adapter.ts';
import { minorUnitsOf } from '../api/currency.ts';
import type { EventTypeOf } from '../api/webhook-events.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import { type DisputeState, disputeStates, isDisputeClosed, isResponseDue } from '../shared/dispute.ts';
import { formatMinor } from '../shared/money.ts';
import { formatInstant } from '../shared/time.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import type { PaymentsContext } from './context.ts';
import { toDisputeSummary } from './detail.ts';
import { findInstructions } from './push/instructions.ts';
import { db, type Dispute, disputeRecord, type FiatTransaction } from './schema.ts';
import { findAttempt, lockTransaction } from './store.ts';
import { nextSequence } from './transition.ts';

/**
 * The only entry point for disputes. Repeated reports and those older than the last one change nothing. A dispute does
 * not change the transaction's status: the payment was received, and the bank decides the dispute. Returns false if the account
 * has no such payment.
 */
export async function applyDispute(
  context: PaymentsContext,
  accountKey: string,
  report: DisputeReport,
): Promise<boolean> {
  const { database } = context;
  const disputed =
    (await findAttempt(database, report.chargeKey)) ?? (await findInstructions(database, report.chargeKey));
  if (disputed?.accountKey !== accountKey) return false;
  await database.inTransaction(async (unit) => {
    const transaction = await lockTransaction(unit, disputed.merchantId, disputed.transactionId);
    const disputes = await listDisputes(unit, transaction);
    const stored = disputes.findLast((each) => each.accountKey === accountKey && isAbout(report, each));
    if (stored && (stored.reportedAt > report.updatedAt || isUnchanged(stored, report))) return;
    if (stored && report.isDebit && !isResponseDue(stored.state)) return;
    const dispute = stored
      ? await updateDispute(context, unit, stored, report)
      : await insertDispute(context, unit, transaction, { number: disputes.length + 1, accountKey, report });
    await recordDisputeEvent(context, unit, transaction, dispute, stored?.state ?? null);
  });
  return true;
}

/** Lists the disputes of a transaction, by number. */
async function listDisputes(
  reader: Runner,
  { merchantId, id }: Pick<FiatTransaction, 'merchantId' | 'id'>,
): Promise<Dispute[]> {
  const rows = await db(reader)
    .selectFrom('disputes')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('fiat_transaction_id', '=', id)
    .orderBy('number')
    .execute();
  return rows.map(disputeRecord.read);
}

/** Counts a merchant's open disputes of payments through an account. */
export async function countOpenDisputes(reader: Runner, merchantId: number, accountKey: string): Promise<number> {
  const { count } = await db(reader)
    .selectFrom('disputes')
    .select((expression) => expression.fn.countAll<number | bigint | string>().as('count'))
    .where('merchant_id', '=', merchantId)
    .where('account_key', '=', accountKey)
    .where(
      'state',
      'in',
      disputeStates.filter((state) => !isDisputeClosed(state)),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * True if a report is about a stored dispute. Until the acquirer reports a dispute's reference, it is stored with the key
 * of its charge.
 */
function isAbout({ chargeKey, disputeKey }: DisputeReport, stored: Dispute): boolean {
  if (stored.chargeKey !== chargeKey) return false;
  return disputeKey === null || stored.disputeKey === disputeKey || stored.disputeKey === chargeKey;
}

function isUnchanged(stored: Dispute, report: DisputeReport): boolean {
  return (
    stored.state === report.state &&
    stored.amountMinor === report.amountMinor &&
    stored.currency === report.currency &&
    stored.reasonCode === report.reasonCode &&
    stored.reason === report.reason &&
    stored.respondBy === report.respondBy
  );
}

function toFields(report: DisputeReport) {
  const { state, amountMinor, currency, reasonCode, reason, respondBy, updatedAt: reportedAt } = report;
  return { state, amountMinor, currency, reasonCode, reason, respondBy, reportedAt };
}

async function insertDispute(
  { clock }: PaymentsContext,
  unit: UnitOfWork,
  { merchantId, id: transactionId }: FiatTransaction,
  { number, accountKey, report }: { number: number; accountKey: string; report: DisputeReport },
): Promise<Dispute> {
  const now = clock.now();
  const { chargeKey } = report;
  const disputeKey = report.disputeKey ?? chargeKey;
  const row = await db(unit)
    .insertInto('disputes')
    .values(
      disputeRecord.write({
        ...{ merchantId, transactionId, number, accountKey, disputeKey, chargeKey },
        ...toFields(report),
        createdAt: now,
        updatedAt: now,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return disputeRecord.read(row);
}

async function updateDispute(
  { clock }: PaymentsContext,
  unit: UnitOfWork,
  { merchantId, id, disputeKey }: Dispute,
  report: DisputeReport,
): Promise<Dispute> {
  const change = { ...toFields(report), disputeKey: report.disputeKey ?? disputeKey, updatedAt: clock.now() };
  const row = await db(unit)
    .updateTable('disputes')
    .set(disputeRecord.write(change))
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return disputeRecord.read(row);
}

async function recordDisputeEvent(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  dispute: Dispute,
  previousState: DisputeState | null,
): Promise<void> {
  const sequence = await nextSequence(context, unit, transaction);
  const type: EventTypeOf<'fiat_transaction'> = isDisputeClosed(dispute.state)
    ? 'fiat.dispute.closed'
    : previousState === null
      ? 'fiat.dispute.created'
      : 'fiat.dispute.updated';
  const amount = `${formatMinor(dispute.amountMinor, minorUnitsOf(dispute.currency))} ${dispute.currency}`;
  const deadline =
    isResponseDue(dispute.state) && dispute.respondBy !== null
      ? `, respond by ${formatInstant(dispute.respondBy)}`
      : '';
  await recordEvent(context, unit, {
    merchantId: transaction.merchantId,
    type,
    subject: { kind: 'fiat_transaction', id: transaction.id },
    sequence,
    at: context.clock.now(),
    status: transaction.status,
    previousStatus: transaction.status,
    detail: `dispute of ${amount}: ${dispute.state}${deadline}`,
    data: {
      transaction_id: transaction.reference,
      ...toDisputeSummary(dispute),
      previous_status: previousState,
      sequence,
    },
  });
}
