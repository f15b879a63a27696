import type { Instant } from '../contract/time.ts';
import type { UnitOfWork } from '../platform/database/database.ts';
import type { PushPayment, Receipt } from '../providers/push-port.ts';
import { isRejected, mismatchOf } from './acceptable.ts';
import type { PaymentsContext } from './context.ts';
import { deliveredOf, setDelivered } from './deliver.ts';
import {
  areOpen,
  countReceipts,
  findInstructions,
  isMoneyMoving,
  type InstructionsState,
  listInstructions,
  type PaymentInstructions,
  releaseOthers,
  updateInstructions,
} from './instructions-store.ts';
import { isOpen } from './states.ts';
import { listAttempts, lockTransaction } from './store.ts';
import { takePrice } from './take-method.ts';
import { type FiatTransaction, keptOf } from './transaction.ts';
import { transition } from './transition.ts';
import { inWords } from './words.ts';
import { LOOK_PAUSE, nextWatch } from './watch.ts';

export interface Received {
  transaction: FiatTransaction;
  instructions: PaymentInstructions;
}

/**
 * The only way in which money that a buyer sent changes anything: a notification, an answer to a
 * question, what was true when something was taken back. Said twice or out of order, it changes
 * nothing more. Exactly the amount confirms; less or more is shown, and waits for the rest, for the
 * merchant, or for the end. With `closeAs` what is still open is over. `askedAt` is the moment before
 * the provider was asked, where it was: what was seen since is not in its answer.
 */
export async function receive(
  context: PaymentsContext,
  instructionsKey: string,
  payment: PushPayment,
  { closeAs, askedAt }: { closeAs?: 'withdrawn' | 'expired' | undefined; askedAt?: Instant } = {},
): Promise<Received | null> {
  const known = await findInstructions(context.database, instructionsKey);
  if (!known) {
    context.log.warn({ receipts: payment.receipts.length }, 'money came for a payment that is not known');
    return null;
  }
  return await context.database.inUnit(async (unit) => {
    const transaction = await lockTransaction(unit, known.merchantId, known.transactionId);
    const found = await findInstructions(unit, instructionsKey);
    if (!found) throw new Error('Instructions are gone');
    const arrived = await keepNew(context, unit, transaction, found, payment.receipts);
    // Receipts only grow in number: who tells of fewer than are known was overtaken on the way, and knows nothing
    // newer. So was who has not seen what was seen meanwhile.
    const isUnseen = found.confirmations !== null && payment.confirmations === null && arrived.length === 0;
    const isOvertaken =
      payment.receipts.length < (await countReceipts(unit, found)) ||
      (isUnseen && (askedAt === undefined || found.updatedAt >= askedAt));
    const told = isOvertaken ? { ...payment, confirmations: found.confirmations } : payment;
    const isFirst = arrived.length > 0 && transaction.receivedMinor === 0n && transaction.status !== 'confirmed';
    let credited = isFirst ? await takePrice(unit, transaction, found) : transaction;
    for (const amountMinor of arrived) credited = await credit(context, unit, credited, amountMinor);
    if (arrived.length > 0) await releaseOthers(unit, credited, context.clock.now(), found);
    const isEnough = payment.receipts.length > 0 && keptOf(credited) >= credited.chargedMinor;
    const instructions = await follow(context, unit, found, told, { isEnough, closeAs });
    const isOver = areOpen(found) && !areOpen(instructions);
    const hasVanished = isMoneyMoving(found) && !isMoneyMoving(instructions);
    const over = (isOver || hasVanished) && arrived.length === 0 ? instructions : null;
    return { instructions, transaction: await awaitOrReopen(context, unit, credited, over) };
  });
}

/** Writes down what had not been seen; answers the amounts, in the order in which they came. */
async function keepNew(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  instructions: PaymentInstructions,
  receipts: readonly Receipt[],
): Promise<bigint[]> {
  const arrived: bigint[] = [];
  for (const { receiptKey, amountMinor, receivedAt } of receipts) {
    const written = await unit.query
      .insertInto('payment_receipts')
      .values({
        merchant_id: transaction.merchantId,
        fiat_transaction_id: transaction.id,
        payment_instructions_id: instructions.id,
        receipt_key: receiptKey,
        amount_minor: Number(amountMinor),
        received_at: receivedAt,
        created_at: context.clock.now(),
      })
      .onConflict((conflict) => conflict.columns(['merchant_id', 'payment_instructions_id', 'receipt_key']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (written) arrived.push(amountMinor);
  }
  return arrived;
}

/** The instructions as they are by what the provider knows now. */
async function follow(
  context: PaymentsContext,
  unit: UnitOfWork,
  found: PaymentInstructions,
  payment: PushPayment,
  options: { isEnough: boolean; closeAs: 'withdrawn' | 'expired' | undefined },
): Promise<PaymentInstructions> {
  const state = nextState(found, payment, options);
  const confirmations = state === 'paid' ? null : payment.confirmations;
  if (state === found.state && confirmations === found.confirmations) return found;
  const now = context.clock.now();
  return await updateInstructions(unit, found, { ...nextCheck(found, state, confirmations, now), confirmations }, now);
}

/** What is over is asked about for a while yet; what was refused is not. */
function nextCheck(found: PaymentInstructions, state: InstructionsState, confirmations: number | null, now: Instant) {
  if (state !== found.state)
    return { state, checks_made: 0, next_check_at: state === 'refused' ? null : nextWatch(now, 0) };
  if (areOpen(found)) return {};
  return confirmations === null
    ? { checks_made: 0, next_check_at: nextWatch(now, 0) }
    : { next_check_at: now + LOOK_PAUSE };
}

function nextState(
  found: PaymentInstructions,
  payment: PushPayment,
  { isEnough, closeAs }: { isEnough: boolean; closeAs: 'withdrawn' | 'expired' | undefined },
): InstructionsState {
  if (!areOpen(found)) return found.state;
  if (isEnough) return 'paid';
  // What is on its way cannot be ended by anybody.
  if (payment.confirmations !== null) return found.state;
  if (payment.state === 'refused') return 'refused';
  // Closed there without our hearing of it: what takes no more is not shown as if it did.
  return closeAs ?? (payment.state === 'closed' ? 'withdrawn' : found.state);
}

/** Money has arrived: whatever has become of the payment meanwhile, it counts. */
async function credit(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  arrived: bigint,
): Promise<FiatTransaction> {
  const { status } = transaction;
  const receivedMinor = transaction.receivedMinor + arrived;
  const detail = `${inWords(arrived, transaction)} received`;
  const mismatch = mismatchOf({ ...transaction, receivedMinor });
  const change = { detail, receivedMinor, ...(mismatch && { reason: mismatch }) };
  if (status === 'confirmed') {
    const delivered = await completeDelivery(unit, transaction, receivedMinor);
    return await transition(context, unit, delivered, { to: 'confirmed', ...change });
  }
  // The merchant wanted none of it: whatever comes now, and be it the whole, they decide about it as well.
  if (isRejected(transaction))
    return await transition(context, unit, transaction, { ...change, to: 'failed', reason: 'rejected' });
  if (!mismatch) return await transition(context, unit, transaction, { to: 'confirmed', ...change });
  return await transition(context, unit, transaction, { to: status === 'failed' ? 'failed' : 'waiting', ...change });
}

/** Of less, which the merchant took, more may still come; what comes beyond the whole is nobody's yet. */
async function completeDelivery(
  unit: UnitOfWork,
  transaction: FiatTransaction,
  receivedMinor: bigint,
): Promise<FiatTransaction> {
  const { chargedMinor } = transaction;
  if (transaction.receivedMinor >= chargedMinor) return transaction;
  const counted = receivedMinor < chargedMinor ? receivedMinor : chargedMinor;
  return await setDelivered(unit, transaction, deliveredOf({ ...transaction, receivedMinor: counted }));
}

/** What has been seen on a chain is waited for; where what was issued is over with nothing, the buyer may choose anew. */
async function awaitOrReopen(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  over: PaymentInstructions | null,
): Promise<FiatTransaction> {
  const instructions = await listInstructions(unit, transaction);
  const isMoving = instructions.some(isMoneyMoving);
  if (isMoving && transaction.status === 'pending')
    return await transition(context, unit, transaction, { to: 'waiting', detail: 'payment seen' });
  if (!over || transaction.status !== 'waiting') return transaction;
  // What has arrived in part is waited for; its end is the expiry's.
  if (isMoving || transaction.receivedMinor > 0n || instructions.some(areOpen)) return transaction;
  const attempts = await listAttempts(unit, transaction);
  if (attempts.some(({ state }) => isOpen(state))) return transaction;
  return await transition(context, unit, transaction, { to: 'pending', detail: over.state });
}
