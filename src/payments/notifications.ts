import type { Notification } from '../acquirers/adapter.ts';
import type { CaptureOutcome } from '../acquirers/capture.ts';
import type { ChargeOutcome } from '../acquirers/port.ts';
import {
  applyCaptureOutcome,
  applyExternalCapture,
  applyReportedRelease,
  isModificationDue,
  requestModification,
} from './authorizations/outcome.ts';
import { findAuthorization, findAuthorizationOfCharge } from './authorizations/store.ts';
import { applyOutcome } from './card/outcome.ts';
import { endedAfterApproval, recordProblem } from './card/problems.ts';
import { recordLateFailedReversal } from './card/resolve.ts';
import { applyDispute } from './disputes.ts';
import { chargeKeyOf, type PaymentsContext, pushKeyOf } from './context.ts';
import { findInstructions } from './push/instructions.ts';
import { applyReceipts } from './push/receipts.ts';
import { applyRefundOutcome, refreshRefund } from './refunds/outcome.ts';
import { findRefund } from './refunds/store.ts';
import type { CardAttempt } from './schema.ts';
import { findAttempt, findById } from './store.ts';

/**
 * Applies a notification of an acquirer's account, through the entry point of its kind. An account reports only about
 * its own payments. Throws if the acquirer must be polled and does not respond: the notification is applied later.
 */
export async function applyNotification(
  context: PaymentsContext,
  accountKey: string,
  notification: Notification,
): Promise<void> {
  switch (notification.kind) {
    case 'charge':
    case 'charge_changed':
      await applyChargeNotification(context, accountKey, notification);
      break;
    case 'push_payment':
    case 'push_payment_changed':
      await applyPushNotification(context, accountKey, notification);
      break;
    case 'refund':
    case 'refund_changed':
      await applyRefundNotification(context, accountKey, notification);
      break;
    case 'capture':
      await applyCaptureNotification(context, accountKey, notification);
      break;
    case 'external_capture':
      await applyExternalCaptureNotification(context, accountKey, notification);
      break;
    case 'reversal_failed':
      await applyFailedReversal(context, accountKey, notification);
      break;
    case 'dispute':
      if (!(await applyDispute(context, accountKey, notification.dispute)))
        logUnknown(context, accountKey, notification);
  }
}

async function applyFailedReversal(
  context: PaymentsContext,
  accountKey: string,
  notification: Extract<Notification, { kind: 'reversal_failed' }>,
): Promise<void> {
  const attempt = await findAttempt(context.database, notification.attemptKey);
  if (attempt?.accountKey !== accountKey) {
    logUnknown(context, accountKey, notification);
    return;
  }
  // A valid charge has no reversal.
  if (attempt.state !== 'approved') await recordLateFailedReversal(context, attempt);
}

async function applyCaptureNotification(
  context: PaymentsContext,
  accountKey: string,
  notification: Extract<Notification, { kind: 'capture' }>,
): Promise<void> {
  const { database } = context;
  const { modificationKey, outcome, captured } = notification;
  const found = await findAuthorization(database, 'modification_key', modificationKey);
  const current = found?.accountKey === accountKey ? found : null;
  if (current) await applyCaptureOutcome(context, modificationKey, withLateFlag(outcome));
  // It may have failed before, and been replaced.
  const authorization =
    current ?? (captured ? await findAuthorizationOfCharge(database, accountKey, captured.chargeReference) : null);
  if (!authorization) logUnknown(context, accountKey, notification);
  else if (captured) await applyExternalCapture(context, authorization, { ...captured, modificationKey });
}

async function applyExternalCaptureNotification(
  context: PaymentsContext,
  accountKey: string,
  notification: Extract<Notification, { kind: 'external_capture' }>,
): Promise<void> {
  const attempt = await findAttempt(context.database, notification.attemptKey);
  if (attempt?.accountKey !== accountKey) {
    logUnknown(context, accountKey, notification);
    return;
  }
  const outcome = withLateFlag(notification.outcome);
  if (await findAuthorization(context.database, 'attempt_key', attempt.attemptKey))
    await applyExternalCapture(context, attempt, { ...notification, outcome });
  // The acquirer captures it itself.
  else if (outcome.kind === 'refused' && attempt.state === 'approved')
    await recordProblem(context, attempt, { problem: 'could not be captured', code: outcome.code });
}

/** Marks late failures that earlier releases stored without the flag. Notifications report no other `capture_failed`. */
function withLateFlag<Outcome extends CaptureOutcome>(outcome: Outcome): Outcome {
  return outcome.kind === 'refused' && outcome.code === 'capture_failed' ? { ...outcome, isLate: true } : outcome;
}

/**
 * Applies a charge notification to the charge's authorization: it may report the outcome of a capture or a void, or
 * that the acquirer has released the amount.
 */
async function refreshAuthorization(
  context: PaymentsContext,
  attempt: CardAttempt,
  outcome: ChargeOutcome | null,
): Promise<void> {
  const authorization = await findAuthorization(context.database, 'attempt_key', attempt.attemptKey);
  const isPolled = context.acquirers.find(attempt.accountKey)?.card?.fetchOutcome !== undefined;
  if (isPolled && authorization && isModificationDue(authorization)) {
    await requestModification(context, authorization);
    return;
  }
  if (outcome?.kind !== 'declined' || outcome.isReleased === false) return;
  if (authorization) await applyReportedRelease(context, attempt.attemptKey);
  else if (attempt.state === 'approved') await recordProblem(context, attempt, endedAfterApproval);
}

/** False for an amount in a currency other than the transaction's: it is not applied, and the operator must investigate it. */
async function isInCurrencyOf(
  context: PaymentsContext,
  { merchantId, transactionId, accountKey }: { merchantId: number; transactionId: number; accountKey: string },
  { kind, currency }: { kind: string; currency?: string },
): Promise<boolean> {
  if (currency === undefined) return true;
  const transaction = await findById(context.database, merchantId, transactionId);
  if (transaction?.currency === currency) return true;
  context.log.error(
    { account: accountKey, transaction: transactionId, kind, currency },
    'the acquirer reported an amount in another currency',
  );
  return false;
}

type ChargeNotification = Extract<Notification, { kind: 'charge' | 'charge_changed' }>;
type PushNotification = Extract<Notification, { kind: 'push_payment' | 'push_payment_changed' }>;
type RefundNotification = Extract<Notification, { kind: 'refund' | 'refund_changed' }>;

async function applyChargeNotification(
  context: PaymentsContext,
  accountKey: string,
  notification: ChargeNotification,
): Promise<void> {
  const { attemptKey } = notification;
  const attempt = await findAttempt(context.database, attemptKey);
  if (attempt?.accountKey !== accountKey) {
    logUnknown(context, accountKey, notification);
    return;
  }
  if (notification.kind === 'charge') {
    if (!(await isInCurrencyOf(context, attempt, notification))) return;
    await applyOutcome(context, attemptKey, notification.outcome);
    if (!notification.wasUnknown) await refreshAuthorization(context, attempt, notification.outcome);
    return;
  }
  const transaction = await findById(context.database, attempt.merchantId, attempt.transactionId);
  const card = context.acquirers.find(accountKey)?.card;
  if (!transaction || !card?.fetchOutcome) return;
  const key = chargeKeyOf(attempt, transaction);
  const outcome = await card.fetchOutcome({ ...key, reference: key.reference ?? notification.reference ?? null });
  if (outcome) await applyOutcome(context, attemptKey, outcome);
  await refreshAuthorization(context, attempt, outcome);
}

async function applyPushNotification(
  context: PaymentsContext,
  accountKey: string,
  notification: PushNotification,
): Promise<void> {
  const { instructionsKey } = notification;
  const instructions = await findInstructions(context.database, instructionsKey);
  if (instructions?.accountKey !== accountKey) {
    logUnknown(context, accountKey, notification);
    return;
  }
  if (notification.kind === 'push_payment') {
    if (!(await isInCurrencyOf(context, instructions, notification))) return;
    await applyReceipts(context, instructionsKey, notification.payment);
    return;
  }
  const transaction = await findById(context.database, instructions.merchantId, instructions.transactionId);
  const push = context.acquirers.find(accountKey)?.push;
  if (!transaction || !push) return;
  const requestedAt = context.clock.now();
  const key = pushKeyOf(instructions, transaction);
  const payment = await push.fetchPayment({
    ...key,
    acquirerReference: key.acquirerReference ?? notification.reference ?? null,
  });
  if (payment) await applyReceipts(context, instructionsKey, payment, { requestedAt });
}

async function applyRefundNotification(
  context: PaymentsContext,
  accountKey: string,
  notification: RefundNotification,
): Promise<void> {
  const { refundKey } = notification;
  const refund = await findRefund(context.database, refundKey);
  if (refund?.accountKey !== accountKey) {
    logUnknown(context, accountKey, notification);
    return;
  }
  if (notification.kind === 'refund') {
    await applyRefundOutcome(context, refundKey, notification.outcome);
    return;
  }
  const transaction = await findById(context.database, refund.merchantId, refund.transactionId);
  if (!transaction) return;
  const acquirerReference = refund.acquirerReference ?? notification.reference ?? null;
  await refreshRefund(context, { ...refund, acquirerReference }, transaction);
}

function logUnknown({ log }: PaymentsContext, accountKey: string, { kind }: Notification): void {
  log.warn({ account: accountKey, kind }, 'notification for a payment that this acquirer account does not have');
}
