import { pushAcquirerFor } from '../../acquirers/registry.ts';
import { db, type FiatTransaction, type PaymentInstructions, instructionsRecord } from '../schema.ts';
import type { PaymentMethod } from '../../api/method-catalogue.ts';
import { type Instant, SECOND } from '../../shared/time.ts';
import { displayName } from '../../merchants/merchants.ts';
import type { OfferedPaymentMethod } from '../../methods/availability.ts';
import { describeError } from '../../system/log.ts';
import { Problem, validationProblem } from '../../api/problem-error.ts';
import { randomId } from '../../system/random.ts';
import { AlreadyWithdrawn, type PushPaymentRequest, type PushAcquirer } from '../../acquirers/push-port.ts';
import { readPaymentAttempts } from '../related-records.ts';
import { linkUrl, type PaymentsContext, findPushAcquirer } from '../context.ts';
import { expireIfDue, isExpired } from '../expire.ts';
import {
  areInstructionsOpen,
  hasPendingConfirmations,
  findOpenInstructions,
  listInstructions,
  updateInstructions,
} from './instructions.ts';
import { listOfferedMethods, quoteFor } from '../quote.ts';
import { pendingConfirmationsProblem, type Payer, requirePayable } from '../payable.ts';
import { applyReceipts } from './receipts.ts';
import { switchMethod } from '../switch-method.ts';
import { lockTransaction, recordBuyerLocation } from '../store.ts';
import { remainingAmount } from '../transaction.ts';
import { transition } from '../transition.ts';
import { POLL_INTERVAL } from './poll-schedule.ts';

/** When instructions whose process died are asked about; later than any answer can still come. */
const STALE_ISSUE_AFTER: Instant = 30 * SECOND;

/** Ways to pay that may be begun for one transaction, the same one again included: each is kept, and followed for a week. */
const MAX_INSTRUCTIONS = 20;

/** A way to pay that the buyer begins. */
export interface MethodSelection {
  paymentMethod: string;
  /** Code of the bank or coin, where the method asks for one. */
  choice: string | null;
}

/**
 * Has the provider make what the buyer needs to pay by a method, and takes back what was made for
 * another one. The same again answers the same; with money on its way nothing is switched.
 */
export async function startPushPayment(
  context: PaymentsContext,
  found: FiatTransaction,
  start: MethodSelection,
  payer: Payer,
): Promise<FiatTransaction> {
  const transaction = await expireIfDue(context, found);
  const { attempts, instructions } = await readPaymentAttempts(context.database, transaction);
  requirePayable(transaction, attempts, instructions);
  const method = await requireOfferedMethod(context, transaction, start.paymentMethod);
  const provider = requirePushAcquirer(context, method);
  await requireChoice(provider, transaction, method, start.choice);

  const open = instructions.find(areInstructionsOpen);
  // What has come in part is completed by new instructions, for what is left.
  const isForAll = open?.state === 'issuing' || open?.amountMinor === remainingAmount(transaction);
  const isSame = open?.paymentMethod === method.code && open.choice === start.choice && isForAll;
  const isOver = open !== undefined && isExpired(open, context.clock.now());
  if (open && isSame && (!isOver || open.confirmations !== null)) return transaction;
  requireSameMethod(transaction, method);
  if (open) await withdrawInstructions(context, open, isOver ? 'expired' : 'withdrawn');

  const begun = await insertInstructions(context, transaction, method, start, provider, payer);
  return await issueInstructions(context, begun.transaction, begun.instructions, method, provider);
}

function requirePushAcquirer(context: PaymentsContext, method: PaymentMethod): PushAcquirer {
  const provider = pushAcquirerFor(context.acquirers, method);
  if (provider) return provider;
  throw new Problem('provider_unavailable', 'No provider for this method is set up in this installation.');
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

async function requireChoice(
  provider: PushAcquirer,
  transaction: FiatTransaction,
  method: OfferedPaymentMethod,
  choice: string | null,
): Promise<void> {
  const offered = method.choice === undefined ? null : await provider.listChoices(quoteFor(transaction, method));
  const choices = offered?.choices.map(({ code }) => code) ?? [];
  const isRight = method.choice === undefined ? choice === null : choice !== null && choices.includes(choice);
  if (isRight) return;
  const detail = method.choice === undefined ? 'is not asked for' : `must be one of ${choices.join(', ')}`;
  throw validationProblem([{ pointer: '/choice', code: 'invalid_choice', detail }]);
}

/** The buyer may switch until money moves; what has come in part is completed in the way in which it came. */
function requireSameMethod({ receivedMinor, paymentMethod }: FiatTransaction, method: PaymentMethod): void {
  if (receivedMinor === 0n || paymentMethod === method.code) return;
  throw new Problem('partly_paid', `Part of the amount has arrived by ${paymentMethod}: pay the rest by it as well.`);
}

/**
 * Takes back what is open for a transaction, so that another way to pay may begin. What has arrived by
 * it counts; a provider that does not answer leaves everything as it is.
 */
export async function withdrawOpenInstructions(context: PaymentsContext, transaction: FiatTransaction): Promise<void> {
  const open = await findOpenInstructions(context.database, transaction);
  if (open) await withdrawInstructions(context, open, 'withdrawn');
}

async function withdrawInstructions(
  context: PaymentsContext,
  open: PaymentInstructions,
  closeAs: 'withdrawn' | 'expired',
): Promise<void> {
  const provider = findPushAcquirer(context, open.provider);
  if (!provider) throw new Problem('provider_unavailable', WITHDRAW_FAILED);
  const askedAt = context.clock.now();
  let payment;
  try {
    payment = await provider.withdraw(open.instructionsKey);
  } catch (error) {
    context.log.warn(
      { provider: open.provider, error: describeError(error) },
      'a provider did not take back what it issued',
    );
    throw new Problem('provider_unavailable', WITHDRAW_FAILED);
  }
  const received = await applyReceipts(context, open.instructionsKey, payment, { closeAs, askedAt });
  if (!received || hasPendingConfirmations(received.instructions)) throw pendingConfirmationsProblem();
  if (payment.receipts.length === 0) return;
  if (received?.transaction.status === 'confirmed')
    throw new Problem('already_paid', 'The transaction is paid already; nothing more is needed.');
}

const WITHDRAW_FAILED = 'The way to pay that was begun could not be ended just now. Try again in a minute.';

/** Written down before the provider is asked, so that neither a second tab nor a crash begins a second way. */
async function insertInstructions(
  context: PaymentsContext,
  found: FiatTransaction,
  method: OfferedPaymentMethod,
  start: MethodSelection,
  provider: PushAcquirer,
  payer: Payer,
): Promise<{ transaction: FiatTransaction; instructions: PaymentInstructions }> {
  return await context.database.inUnit(async (unit) => {
    const locked = await lockTransaction(unit, found.merchantId, found.id);
    const { attempts, instructions: before } = await readPaymentAttempts(unit, locked);
    requirePayable(locked, attempts, before);
    const now = context.clock.now();
    if (isExpired(locked, now)) throw new Problem('link_expired', 'The payment link has expired; nothing was charged.');
    requireSameMethod(locked, method);
    if (before.length >= MAX_INSTRUCTIONS)
      throw new Problem('too_many_ways', 'This payment has been begun in too many ways. Ask the shop for a new link.');
    if (before.some(areInstructionsOpen)) {
      throw new Problem('submit_in_progress', 'Another way to pay was begun just now. Reload the page to see it.');
    }
    const seen = payer.location ? await recordBuyerLocation(unit, locked, payer.location) : locked;
    const priced = await switchMethod(unit, seen, method);
    const row = await db(unit)
      .insertInto('payment_instructions')
      .values(
        instructionsRecord.write({
          merchantId: locked.merchantId,
          transactionId: locked.id,
          number: before.length + 1,
          instructionsKey: randomId(context.random),
          paymentMethod: method.code,
          amountMinor: remainingAmount(priced),
          feeFixMinor: priced.feeFixMinor,
          feePercentMillionths: priced.feePercentMillionths,
          choice: start.choice,
          provider: provider.name,
          state: 'issuing',
          instructions: null,
          reference: null,
          expiresAt: null,
          confirmations: null,
          nextCheckAt: now + STALE_ISSUE_AFTER,
          checksMade: 0,
          createdAt: now,
          updatedAt: now,
        }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    const transaction = await transition(context, unit, priced, {
      to: 'waiting',
      detail: method.code,
      ...(locked.receivedMinor > 0n && { reason: 'underpaid' }),
    });
    return { transaction, instructions: instructionsRecord.read(row) };
  });
}

async function issueInstructions(
  context: PaymentsContext,
  transaction: FiatTransaction,
  instructions: PaymentInstructions,
  method: PaymentMethod,
  provider: PushAcquirer,
): Promise<FiatTransaction> {
  const expected: PushPaymentRequest = {
    instructionsKey: instructions.instructionsKey,
    method,
    choice: instructions.choice,
    merchantId: transaction.merchantId,
    paymentReference: transaction.reference,
    amountMinor: instructions.amountMinor,
    currency: transaction.currency,
    country: transaction.country,
    merchantName: await displayName(context.database, transaction.merchantId),
    description: transaction.description,
    returnUrl: `${linkUrl(context, transaction.linkId)}/return`,
    expiresAt: transaction.expiresAt,
  };
  try {
    const issued = await provider.issueInstructions(expected);
    return await context.database.inUnit(async (unit) => {
      const locked = await lockTransaction(unit, transaction.merchantId, transaction.id);
      const now = context.clock.now();
      const expiresAt = Math.min(issued.expiresAt, transaction.expiresAt);
      const change = {
        instructions: issued.instructions,
        reference: issued.reference,
        expiresAt,
      };
      const current = (await listInstructions(unit, locked)).find(({ id }) => id === instructions.id);
      // Paid or refused before the provider had answered: what was issued is kept all the same.
      const isOpen = current?.state === 'issuing';
      await updateInstructions(
        unit,
        instructions,
        isOpen ? { ...change, state: 'issued', nextCheckAt: Math.min(expiresAt, now + POLL_INTERVAL) } : change,
        now,
      );
      return locked;
    });
  } catch (error) {
    const isOvertaken = error instanceof AlreadyWithdrawn;
    if (!isOvertaken)
      context.log.warn({ provider: provider.name, error: describeError(error) }, 'a provider issued nothing');
    // It may have issued without our hearing of it: it is taken back, now or by the job that asks later.
    await withdrawInstructions(context, instructions, 'withdrawn');
    if (isOvertaken)
      throw new Problem(
        'submit_in_progress',
        'This payment was changed at the same moment. Reload the page to see it.',
      );
    throw new Problem('provider_unavailable', 'This way to pay does not work just now. Try again, or choose another.');
  }
}
