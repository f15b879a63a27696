import type { AcquirerAccount } from '../../acquirers/registry.ts';
import { db, type FiatTransaction, type PaymentInstructions, instructionsRecord } from '../schema.ts';
import type { PaymentMethod } from '../../api/method-catalog.ts';
import { readDisplayName } from '../../merchants/merchants.ts';
import type { OfferedPaymentMethod } from '../../methods/availability.ts';
import { describeError } from '../../system/log.ts';
import { Problem, validationProblem } from '../../api/problem-error.ts';
import { randomId } from '../../system/random.ts';
import { NotProcessed } from '../../acquirers/port.ts';
import { networkOf } from '../../http/address.ts';
import {
  AlreadyWithdrawn,
  type QuoteRequest,
  type PushPayer,
  type PushPayment,
  type PushPaymentRequest,
  type PushAcquirer,
} from '../../acquirers/push-port.ts';
import { lockWithAttempts, readPaymentAttempts } from '../related-records.ts';
import { linkUrl, type PaymentsContext, pushAcquirerOf, pushKeyOf } from '../context.ts';
import { expireIfDue } from '../expire.ts';
import {
  areInstructionsOpen,
  hasPendingConfirmations,
  findOpenInstructions,
  listInstructions,
  updateInstructions,
} from './instructions.ts';
import { listOfferedMethods, quoteFor } from '../quote.ts';
import { linkExpiredProblem, pendingConfirmationsProblem, type BuyerContext, requirePayable } from '../payable.ts';
import { completePayer, type KnownPayer, toPushPayer } from '../payer.ts';
import { applyReceipts } from './receipts.ts';
import { moveInstructions, type PushAccounts, requirePushAccounts, STALE_ISSUE_AFTER } from './accounts.ts';
import { switchMethod } from '../switch-method.ts';
import { lockTransaction, recordBuyerLocation } from '../store.ts';
import { remainingAmount } from '../transaction.ts';
import { isExpired } from '../expiry.ts';
import { transition } from '../transition.ts';
import { POLL_INTERVAL } from './poll-schedule.ts';

/** Maximum instructions per transaction, repeated methods included: all are stored, and polled for about a week. */
const MAX_INSTRUCTIONS = 20;

/** The payment method that the buyer selects. */
export interface MethodSelection {
  paymentMethod: string;
  /** Code of the bank or coin; null for a method without a choice. */
  choice: string | null;
  /** Details that the payer entered. */
  payer?: KnownPayer;
}

/**
 * Starts a push payment: the acquirer issues instructions, and open instructions of another method are withdrawn. The
 * same selection again keeps the issued instructions. Pending confirmations prevent a switch.
 */
export async function startPushPayment(
  context: PaymentsContext,
  transaction: FiatTransaction,
  selection: MethodSelection,
  buyer: BuyerContext,
): Promise<FiatTransaction> {
  const current = await expireIfDue(context, transaction);
  const { attempts, instructions } = await readPaymentAttempts(context.database, current);
  requirePayable(current, attempts, instructions);
  const method = await requireOfferedMethod(context, current, selection.paymentMethod);
  const knownPayer = completePayer(selection.payer ?? {}, current);
  const viewer = buyer.location && networkOf(buyer.location.address);
  const quote = quoteFor(current, method, viewer);
  const accounts = requirePushAccounts(context, quote, knownPayer);
  const [account] = accounts;
  await requireChoice(account.push, quote, selection.choice);

  const open = instructions.find(areInstructionsOpen);
  // After a partial payment, new instructions are issued for the remaining amount.
  const isFullAmount = open?.state === 'issuing' || open?.amountMinor === remainingAmount(current);
  const isSame = open?.paymentMethod === method.code && open.choice === selection.choice && isFullAmount;
  const hasExpired = open !== undefined && isExpired(open, context.clock.now());
  if (open && isSame && (!hasExpired || open.confirmations !== null)) return current;
  requireSameMethod(current, method);
  if (open) await withdrawInstructions(context, current, open, hasExpired ? 'expired' : 'withdrawn');

  const inserted = await insertInstructions(context, current, method, selection, account, buyer);
  const { transaction: started } = inserted;
  return await issueInstructions(context, started, inserted.instructions, {
    ...{ method, viewer, accounts },
    payer: toPushPayer(knownPayer, {
      ipAddress: buyer.location?.address,
      locale: started.buyerLocale ?? started.locale ?? undefined,
    }),
  });
}

async function requireOfferedMethod(
  context: PaymentsContext,
  transaction: FiatTransaction,
  code: string,
): Promise<OfferedPaymentMethod> {
  const offered = (await listOfferedMethods(context, transaction)).filter(({ action }) => action !== 'card');
  const method = offered.find((candidate) => candidate.code === code);
  if (method) return method;
  const possible = offered.map((candidate) => candidate.code).join(', ') || 'none';
  const detail = `is not offered for this payment; possible: ${possible}`;
  throw validationProblem([{ pointer: '/payment_method', code: 'payment_method_not_offered', detail }]);
}

async function requireChoice(acquirer: PushAcquirer, quote: QuoteRequest, choice: string | null): Promise<void> {
  const { method } = quote;
  const offered = method.choice === undefined ? null : await acquirer.listChoices(quote);
  const choices = offered?.choices.map(({ code }) => code) ?? [];
  const isValid = method.choice === undefined ? choice === null : choice !== null && choices.includes(choice);
  if (isValid) return;
  const reason = choice === null ? undefined : offered?.unavailable?.get(choice);
  if (reason !== undefined) throw new Problem('rate_unavailable', reason, { headers: { 'Retry-After': '60' } });
  const detail =
    method.choice === undefined ? 'must be omitted for this payment method' : `must be one of ${choices.join(', ')}`;
  throw validationProblem([{ pointer: '/choice', code: 'invalid_choice', detail }]);
}

/** The buyer can switch methods until the first receipt. A partial payment is completed by its own method. */
function requireSameMethod({ receivedMinor, paymentMethod }: FiatTransaction, method: PaymentMethod): void {
  if (receivedMinor === 0n || paymentMethod === method.code) return;
  throw new Problem(
    'partially_paid',
    `Part of the amount was received by ${paymentMethod}. Pay the remaining amount by the same method.`,
  );
}

/**
 * Withdraws a transaction's open instructions, so that another payment attempt can start. Received funds count. If the
 * acquirer call fails, nothing changes.
 */
export async function withdrawOpenInstructions(context: PaymentsContext, transaction: FiatTransaction): Promise<void> {
  const open = await findOpenInstructions(context.database, transaction);
  if (open) await withdrawInstructions(context, transaction, open, 'withdrawn');
}

async function withdrawInstructions(
  context: PaymentsContext,
  transaction: FiatTransaction,
  open: PaymentInstructions,
  closeAs: 'withdrawn' | 'expired',
): Promise<void> {
  const acquirer = pushAcquirerOf(context, open);
  if (!acquirer) throw new Problem('acquirer_unavailable', CANCEL_FAILED);
  const requestedAt = context.clock.now();
  let payment;
  try {
    payment = (await acquirer.withdraw(pushKeyOf(open, transaction))) ?? CLOSED;
  } catch (error) {
    context.log.warn(
      { account: open.accountKey, error: describeError(error) },
      'acquirer could not withdraw payment instructions',
    );
    throw new Problem('acquirer_unavailable', CANCEL_FAILED);
  }
  const applied = await applyReceipts(context, open.instructionsKey, payment, { closeAs, requestedAt });
  if (!applied || hasPendingConfirmations(applied.instructions)) throw pendingConfirmationsProblem();
  if (payment.receipts.length === 0) return;
  if (applied?.transaction.status === 'confirmed')
    throw new Problem('already_paid', 'The transaction is already paid.');
}

/** State of instructions that their acquirer cannot withdraw: a late payment is still accepted. */
export const CLOSED: PushPayment = { state: 'closed', receipts: [], confirmations: null };

const CANCEL_FAILED = 'The started payment method could not be canceled. Try again in a minute.';

/**
 * Inserts instructions before the acquirer is called, so that neither a second tab nor a crash starts a second payment.
 */
async function insertInstructions(
  context: PaymentsContext,
  transaction: FiatTransaction,
  method: OfferedPaymentMethod,
  selection: MethodSelection,
  account: AcquirerAccount,
  buyer: BuyerContext,
): Promise<{ transaction: FiatTransaction; instructions: PaymentInstructions }> {
  return await context.database.inTransaction(async (unit) => {
    const { locked, attempts, instructions: existing } = await lockWithAttempts(unit, transaction);
    requirePayable(locked, attempts, existing);
    const now = context.clock.now();
    if (isExpired(locked, now)) throw linkExpiredProblem();
    requireSameMethod(locked, method);
    if (existing.length >= MAX_INSTRUCTIONS)
      throw new Problem(
        'too_many_payment_attempts',
        'Too many payment attempts for this link. Ask the merchant for a new link.',
      );
    if (existing.some(areInstructionsOpen)) {
      throw new Problem('submit_in_progress', 'Another payment method was just started. Reload the page to see it.');
    }
    const located = buyer.location ? await recordBuyerLocation(unit, locked, buyer.location) : locked;
    const priced = await switchMethod(unit, located, method);
    const row = await db(unit)
      .insertInto('payment_instructions')
      .values(
        instructionsRecord.write({
          merchantId: locked.merchantId,
          transactionId: locked.id,
          number: existing.length + 1,
          instructionsKey: randomId(context.random),
          paymentMethod: method.code,
          amountMinor: remainingAmount(priced),
          feeFixMinor: priced.feeFixMinor,
          feePercentMillionths: priced.feePercentMillionths,
          choice: selection.choice,
          accountKey: account.key,
          acquirerReference: null,
          state: 'issuing',
          instructions: null,
          reference: null,
          expiresAt: null,
          confirmations: null,
          isInReview: false,
          nextCheckAt: now + STALE_ISSUE_AFTER,
          checksMade: 0,
          createdAt: now,
          updatedAt: now,
        }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    const waiting = await transition(context, unit, priced, {
      to: 'waiting',
      detail: method.code,
      ...(locked.receivedMinor > 0n && { reason: 'underpaid' }),
    });
    return { transaction: waiting, instructions: instructionsRecord.read(row) };
  });
}

async function issueInstructions(
  context: PaymentsContext,
  transaction: FiatTransaction,
  instructions: PaymentInstructions,
  {
    method,
    viewer,
    accounts,
    payer,
  }: { method: PaymentMethod; viewer: string | null; accounts: PushAccounts; payer: PushPayer },
): Promise<FiatTransaction> {
  const [account, next, ...rest] = accounts;
  const request: PushPaymentRequest = {
    instructionsKey: instructions.instructionsKey,
    method,
    viewer,
    choice: instructions.choice,
    merchantId: transaction.merchantId,
    paymentReference: transaction.reference,
    amountMinor: instructions.amountMinor,
    currency: transaction.currency,
    country: transaction.country,
    merchantName: await readDisplayName(context.database, transaction.merchantId),
    description: transaction.description,
    returnUrl: `${linkUrl(context, transaction.linkId)}/return`,
    expiresAt: transaction.expiresAt,
    payer,
  };
  try {
    const issued = await account.push.issueInstructions(request);
    return await context.database.inTransaction(async (unit) => {
      const locked = await lockTransaction(unit, transaction.merchantId, transaction.id);
      const now = context.clock.now();
      const expiresAt = Math.min(issued.expiresAt, transaction.expiresAt);
      const change = {
        instructions: issued.instructions,
        reference: issued.reference,
        // Without one in the response, the payment's first report has stored it.
        ...(issued.acquirerReference !== null && { acquirerReference: issued.acquirerReference }),
        expiresAt,
      };
      const current = (await listInstructions(unit, locked)).find(({ id }) => id === instructions.id);
      // The issued instructions are stored even when they were paid or refused before the acquirer's response.
      const isIssuing = current?.state === 'issuing';
      await updateInstructions(
        unit,
        instructions,
        isIssuing ? { ...change, state: 'issued', nextCheckAt: Math.min(expiresAt, now + POLL_INTERVAL) } : change,
        now,
      );
      return locked;
    });
  } catch (error) {
    const isWithdrawn = error instanceof AlreadyWithdrawn;
    if (!isWithdrawn)
      context.log.warn(
        { account: instructions.accountKey, error: describeError(error) },
        'acquirer issued no instructions',
      );
    if (next && error instanceof NotProcessed && (await moveInstructions(context, instructions, next))) {
      const moved = { ...instructions, accountKey: next.key };
      return await issueInstructions(context, transaction, moved, { method, viewer, payer, accounts: [next, ...rest] });
    }
    // The response may have been lost: withdraws the instructions, now or later by the instructions job.
    await withdrawInstructions(context, transaction, instructions, 'withdrawn');
    if (isWithdrawn)
      throw new Problem('submit_in_progress', 'The payment was changed by another request. Reload the page to see it.');
    throw new Problem(
      'acquirer_unavailable',
      'This payment method is unavailable at the moment. Try again, or choose another one.',
    );
  }
}
