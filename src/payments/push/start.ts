import { pushAcquirerFor } from '../../acquirers/registry.ts';
import { db, type FiatTransaction, type PaymentInstructions, instructionsRecord } from '../schema.ts';
import type { PaymentMethod } from '../../api/method-catalogue.ts';
import { type Instant, SECOND } from '../../shared/time.ts';
import { displayName } from '../../merchants/merchants.ts';
import type { OfferedPaymentMethod } from '../../methods/availability.ts';
import { describeError } from '../../system/log.ts';
import { Problem, validationProblem } from '../../api/problem-error.ts';
import { randomId } from '../../system/random.ts';
import { AlreadyWithdrawn, type ExpectedPayment, type PushProvider } from '../../acquirers/push-port.ts';
import { readTries } from '../related-records.ts';
import { linkUrl, type PaymentsContext, pushProviderNamed } from '../context.ts';
import { expireIfDue, isExpired } from '../expire.ts';
import { areOpen, isMoneyMoving, findOpenInstructions, listInstructions, updateInstructions } from './instructions.ts';
import { offeredMethods, prospectOf } from '../quote.ts';
import { moneyMoving, type Payer, requirePayable } from '../payable.ts';
import { receive } from './receipts.ts';
import { takeMethod } from '../switch-method.ts';
import { lockTransaction, rememberBuyer } from '../store.ts';
import { leftToPay } from '../transaction.ts';
import { transition } from '../transition.ts';
import { LOOK_PAUSE } from './polling.ts';

/** When instructions whose process died are asked about; later than any answer can still come. */
const CUT_OFF: Instant = 30 * SECOND;

/** Ways to pay that may be begun for one transaction, the same one again included: each is kept, and followed for a week. */
const MAX_INSTRUCTIONS = 20;

/** A way to pay that the buyer begins. */
export interface MethodStart {
  paymentMethod: string;
  /** Code of the bank or coin, where the method asks for one. */
  choice: string | null;
}

/**
 * Has the provider make what the buyer needs to pay by a method, and takes back what was made for
 * another one. The same again answers the same; with money on its way nothing is switched.
 */
export async function beginMethod(
  context: PaymentsContext,
  found: FiatTransaction,
  start: MethodStart,
  payer: Payer,
): Promise<FiatTransaction> {
  const transaction = await expireIfDue(context, found);
  const { attempts, instructions } = await readTries(context.database, transaction);
  requirePayable(transaction, attempts, instructions);
  const method = await requireOffered(context, transaction, start.paymentMethod);
  const provider = requireCarrier(context, method);
  await requireChoice(provider, transaction, method, start.choice);

  const open = instructions.find(areOpen);
  // What has come in part is completed by new instructions, for what is left.
  const isForAll = open?.state === 'issuing' || open?.amountMinor === leftToPay(transaction);
  const isSame = open?.paymentMethod === method.code && open.choice === start.choice && isForAll;
  const isOver = open !== undefined && isExpired(open, context.clock.now());
  if (open && isSame && (!isOver || open.confirmations !== null)) return transaction;
  requireSameWay(transaction, method);
  if (open) await takeBack(context, open, isOver ? 'expired' : 'withdrawn');

  const begun = await writeDown(context, transaction, method, start, provider, payer);
  return await issue(context, begun.transaction, begun.instructions, method, provider);
}

function requireCarrier(context: PaymentsContext, method: PaymentMethod): PushProvider {
  const provider = pushAcquirerFor(context.acquirers, method);
  if (provider) return provider;
  throw new Problem('provider_unavailable', 'No provider for this method is set up in this installation.');
}

async function requireOffered(
  context: PaymentsContext,
  transaction: FiatTransaction,
  code: string,
): Promise<OfferedPaymentMethod> {
  const offered = (await offeredMethods(context, transaction)).filter(({ action }) => action !== 'card');
  const method = offered.find((candidate) => candidate.code === code);
  if (method) return method;
  const possible = offered.map((candidate) => candidate.code).join(', ') || 'none';
  const detail = `is not offered for this payment; possible: ${possible}`;
  throw validationProblem([{ pointer: '/payment_method', code: 'payment_method_not_offered', detail }]);
}

async function requireChoice(
  provider: PushProvider,
  transaction: FiatTransaction,
  method: OfferedPaymentMethod,
  choice: string | null,
): Promise<void> {
  const offered = method.choice === undefined ? null : await provider.choices(prospectOf(transaction, method));
  const choices = offered?.choices.map(({ code }) => code) ?? [];
  const isRight = method.choice === undefined ? choice === null : choice !== null && choices.includes(choice);
  if (isRight) return;
  const detail = method.choice === undefined ? 'is not asked for' : `must be one of ${choices.join(', ')}`;
  throw validationProblem([{ pointer: '/choice', code: 'invalid_choice', detail }]);
}

/** The buyer may switch until money moves; what has come in part is completed in the way in which it came. */
function requireSameWay({ receivedMinor, paymentMethod }: FiatTransaction, method: PaymentMethod): void {
  if (receivedMinor === 0n || paymentMethod === method.code) return;
  throw new Problem('partly_paid', `Part of the amount has arrived by ${paymentMethod}: pay the rest by it as well.`);
}

/**
 * Takes back what is open for a transaction, so that another way to pay may begin. What has arrived by
 * it counts; a provider that does not answer leaves everything as it is.
 */
export async function withdrawOpenInstructions(context: PaymentsContext, transaction: FiatTransaction): Promise<void> {
  const open = await findOpenInstructions(context.database, transaction);
  if (open) await takeBack(context, open, 'withdrawn');
}

async function takeBack(
  context: PaymentsContext,
  open: PaymentInstructions,
  closeAs: 'withdrawn' | 'expired',
): Promise<void> {
  const provider = pushProviderNamed(context, open.provider);
  if (!provider) throw new Problem('provider_unavailable', UNTAKEN);
  const askedAt = context.clock.now();
  let payment;
  try {
    payment = await provider.withdraw(open.instructionsKey);
  } catch (error) {
    context.log.warn(
      { provider: open.provider, error: describeError(error) },
      'a provider did not take back what it issued',
    );
    throw new Problem('provider_unavailable', UNTAKEN);
  }
  const received = await receive(context, open.instructionsKey, payment, { closeAs, askedAt });
  if (!received || isMoneyMoving(received.instructions)) throw moneyMoving();
  if (payment.receipts.length === 0) return;
  if (received?.transaction.status === 'confirmed')
    throw new Problem('already_paid', 'The transaction is paid already; nothing more is needed.');
}

const UNTAKEN = 'The way to pay that was begun could not be ended just now. Try again in a minute.';

/** Written down before the provider is asked, so that neither a second tab nor a crash begins a second way. */
async function writeDown(
  context: PaymentsContext,
  found: FiatTransaction,
  method: OfferedPaymentMethod,
  start: MethodStart,
  provider: PushProvider,
  payer: Payer,
): Promise<{ transaction: FiatTransaction; instructions: PaymentInstructions }> {
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockTransaction(unit, found.merchantId, found.id);
    const { attempts, instructions: before } = await readTries(unit, locked);
    requirePayable(locked, attempts, before);
    const now = context.clock.now();
    if (isExpired(locked, now)) throw new Problem('link_expired', 'The payment link has expired; nothing was charged.');
    requireSameWay(locked, method);
    if (before.length >= MAX_INSTRUCTIONS)
      throw new Problem('too_many_ways', 'This payment has been begun in too many ways. Ask the shop for a new link.');
    if (before.some(areOpen)) {
      throw new Problem('submit_in_progress', 'Another way to pay was begun just now. Reload the page to see it.');
    }
    const seen = payer.location ? await rememberBuyer(unit, locked, payer.location) : locked;
    const priced = await takeMethod(unit, seen, method);
    const row = await db(unit)
      .insertInto('payment_instructions')
      .values(
        instructionsRecord.write({
          merchantId: locked.merchantId,
          transactionId: locked.id,
          number: before.length + 1,
          instructionsKey: randomId(context.random),
          paymentMethod: method.code,
          amountMinor: leftToPay(priced),
          feeFixMinor: priced.feeFixMinor,
          feePercentMillionths: priced.feePercentMillionths,
          choice: start.choice,
          provider: provider.name,
          state: 'issuing',
          instructions: null,
          reference: null,
          expiresAt: null,
          confirmations: null,
          nextCheckAt: now + CUT_OFF,
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

async function issue(
  context: PaymentsContext,
  transaction: FiatTransaction,
  instructions: PaymentInstructions,
  method: PaymentMethod,
  provider: PushProvider,
): Promise<FiatTransaction> {
  const expected: ExpectedPayment = {
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
    const issued = await provider.issue(expected);
    return await context.database.inTransaction(async (unit) => {
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
        isOpen ? { ...change, state: 'issued', nextCheckAt: Math.min(expiresAt, now + LOOK_PAUSE) } : change,
        now,
      );
      return locked;
    });
  } catch (error) {
    const isOvertaken = error instanceof AlreadyWithdrawn;
    if (!isOvertaken)
      context.log.warn({ provider: provider.name, error: describeError(error) }, 'a provider issued nothing');
    // It may have issued without our hearing of it: it is taken back, now or by the job that asks later.
    await takeBack(context, instructions, 'withdrawn');
    if (isOvertaken)
      throw new Problem(
        'submit_in_progress',
        'This payment was changed at the same moment. Reload the page to see it.',
      );
    throw new Problem('provider_unavailable', 'This way to pay does not work just now. Try again, or choose another.');
  }
}
