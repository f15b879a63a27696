import { isExpired } from '../expire.ts';
import { db, type FiatTransaction, type PaymentInstructions } from '../schema.ts';
import type { Instant } from '../../shared/time.ts';
import type { UnitOfWork } from '../../database/database.ts';
import type { PushPayment, PushAcquirer, Receipt } from '../../acquirers/push-port.ts';
import { isPaid, isRejected, paymentDiscrepancy } from '../review/rules.ts';
import { readPaymentAttempts } from '../related-records.ts';
import type { PaymentsContext } from '../context.ts';
import { agreedNetAmount, netAmountWhenPaid, setNetAmount } from '../net-amount.ts';
import {
  areInstructionsOpen,
  countReceipts,
  findInstructions,
  hasPendingConfirmations,
  listInstructions,
  withdrawOtherInstructions,
  sumReceipts,
  updateInstructions,
} from './instructions.ts';
import { type InstructionsState, isAttemptOpen } from '../states.ts';
import { listAttempts, lockTransaction } from '../store.ts';
import { reprice } from '../switch-method.ts';
import { keptAmount } from '../transaction.ts';
import { type StatusChange, transition } from '../transition.ts';
import { formatAmount } from '../review/timeline-text.ts';
import { POLL_INTERVAL, nextClosedPollAt } from './poll-schedule.ts';

export interface AppliedReceipts {
  transaction: FiatTransaction;
  instructions: PaymentInstructions;
}

/**
 * The only entry point for money that buyers send: a notification, an answer to a question, what was true when
 * something was taken back. The same answer twice changes nothing more. Exactly the amount confirms; less or more is
 * shown, and waits for the rest, for the merchant, or for the end. A provider that reads in our database is read here,
 * under the lock of the transaction, whatever it `told`: its answer is of now and of all instructions of the
 * transaction, and receipts that it no longer lists are reversed. With `closeAs` what is still open is over. `askedAt` is the moment before another provider was asked,
 * where it was: what was seen since is not in its answer.
 */
export async function applyReceipts(
  context: PaymentsContext,
  instructionsKey: string,
  told: PushPayment | null,
  { closeAs, askedAt }: { closeAs?: 'withdrawn' | 'expired' | undefined; askedAt?: Instant } = {},
): Promise<AppliedReceipts | null> {
  const known = await findInstructions(context.database, instructionsKey);
  if (!known) {
    context.log.warn({ receipts: told?.receipts.length }, 'money came for a payment that is not known');
    return null;
  }
  const provider = context.acquirers.push.find(({ name }) => name === known.provider);
  return await context.database.inUnit(async (unit) => {
    const transaction = await lockTransaction(unit, known.merchantId, known.transactionId);
    const all = await listInstructions(unit, transaction);
    const found = all.find((each) => each.instructionsKey === instructionsKey);
    if (!found) throw new Error('Instructions are gone');
    const current = provider?.readCurrentPayments
      ? await readCurrentPayments(unit, provider, transaction, found, all)
      : null;
    const payment = current?.get(found) ?? told;
    if (!payment) return { instructions: found, transaction };
    // Arrivals less reversals are one change; of a provider whose receipts only grow each arrival is one.
    const changes = current
      ? await replaceReceipts(context, unit, current)
      : await insertNewReceipts(context, unit, transaction, found, payment.receipts);
    const changeMinor = changes.reduce((sum, each) => sum + each, 0n);
    const isOvertaken = current === null && (await isStaleReport(unit, found, payment, { changes, askedAt }));
    const latest = isOvertaken ? { ...payment, confirmations: found.confirmations } : payment;
    const isFirst = changeMinor > 0n && transaction.receivedMinor === 0n && transaction.status !== 'confirmed';
    const priced = isFirst ? await reprice(unit, transaction, found) : transaction;
    const after = { ...priced, receivedMinor: priced.receivedMinor + changeMinor };
    const followAll = async (): Promise<[PaymentInstructions, PaymentInstructions][]> => {
      const followed: [PaymentInstructions, PaymentInstructions][] = [];
      for (const [each, answer] of current ?? [[found, latest]]) {
        const isEnough = answer.receipts.length > 0 && keptAmount(after) >= after.chargedMinor;
        const isReversed = current !== null && !isEnough && !isPaid(after);
        const options = { isEnough, isReversed, closeAs: each === found ? closeAs : undefined };
        followed.push([each, await updateState(context, unit, each, answer, options)]);
      }
      return followed;
    };
    // Whether a reversed transaction is open again depends on what its instructions are then.
    const followed = changeMinor < 0n ? await followAll() : null;
    let changed = priced;
    for (const each of changes) changed = await applyReceivedChange(context, unit, changed, each);
    if (changeMinor > 0n) await withdrawOtherInstructions(unit, changed, context.clock.now(), found);
    const pairs = followed ?? (await followAll());
    const over = pairs.find(
      ([before, now]) =>
        (areInstructionsOpen(before) && !areInstructionsOpen(now)) ||
        (hasPendingConfirmations(before) && !hasPendingConfirmations(now)),
    );
    const instructions = pairs.find(([before]) => before === found)?.[1] ?? found;
    const isOver = changes.length === 0 && over !== undefined;
    return { instructions, transaction: await awaitOrReopen(context, unit, changed, isOver ? over[1] : null) };
  });
}

type CurrentPayments = ReadonlyMap<PaymentInstructions, PushPayment>;

/** All payments of a transaction with a provider that reads in our database; null where it does not have this one. */
async function readCurrentPayments(
  unit: UnitOfWork,
  provider: PushAcquirer,
  transaction: FiatTransaction,
  found: PaymentInstructions,
  all: readonly PaymentInstructions[],
): Promise<CurrentPayments | null> {
  const others = all.filter((each) => each !== found && each.provider === provider.name);
  const byProvider = await sumReceipts(unit, transaction, [found, ...others]);
  // Before anything has arrived, the price is that of the method that is paid by.
  const owedMinor =
    transaction.receivedMinor === 0n
      ? found.amountMinor
      : transaction.chargedMinor - (transaction.receivedMinor - byProvider);
  const siblings = others.map(({ instructionsKey }) => instructionsKey);
  const answers = await provider.readCurrentPayments?.(unit, found.instructionsKey, { siblings, owedMinor });
  if (!answers?.has(found.instructionsKey)) return null;
  return new Map(
    [found, ...others].flatMap((each): [PaymentInstructions, PushPayment][] => {
      const answer = answers.get(each.instructionsKey);
      return answer ? [[each, answer]] : [];
    }),
  );
}

/**
 * Whether an answer is older than what is known: where receipts only grow, one with fewer than are known was overtaken
 * on the way, and so was one that has not seen what was seen since.
 */
async function isStaleReport(
  unit: UnitOfWork,
  found: PaymentInstructions,
  payment: PushPayment,
  { changes, askedAt }: { changes: readonly bigint[]; askedAt: Instant | undefined },
): Promise<boolean> {
  const isUnseen = found.confirmations !== null && payment.confirmations === null && changes.length === 0;
  return (
    payment.receipts.length < (await countReceipts(unit, found)) ||
    (isUnseen && (askedAt === undefined || found.updatedAt >= askedAt))
  );
}

/** Has exactly these receipts stand; returns by how much their sum has changed, where it has. */
async function replaceReceipts(
  context: PaymentsContext,
  unit: UnitOfWork,
  current: CurrentPayments,
): Promise<bigint[]> {
  let changeMinor = 0n;
  for (const [instructions, { receipts }] of current)
    changeMinor += await replaceReceiptsOf(context, unit, instructions, receipts);
  return changeMinor === 0n ? [] : [changeMinor];
}

async function replaceReceiptsOf(
  context: PaymentsContext,
  unit: UnitOfWork,
  { merchantId, transactionId, id }: PaymentInstructions,
  receipts: readonly Receipt[],
): Promise<bigint> {
  const rows = await db(unit)
    .selectFrom('payment_receipts')
    .select(['id', 'receipt_key', 'amount_minor'])
    .where('merchant_id', '=', merchantId)
    .where('payment_instructions_id', '=', id)
    .execute();
  const known = new Map(rows.map((row) => [row.receipt_key, row]));
  let changeMinor = 0n;
  for (const { receiptKey, amountMinor, receivedAt } of receipts) {
    const row = known.get(receiptKey);
    known.delete(receiptKey);
    const difference = amountMinor - BigInt(row?.amount_minor ?? 0);
    if (row && difference === 0n) continue;
    changeMinor += difference;
    const amount_minor = Number(amountMinor);
    if (row) {
      await db(unit).updateTable('payment_receipts').set({ amount_minor }).where('id', '=', row.id).execute();
      continue;
    }
    await db(unit)
      .insertInto('payment_receipts')
      .values({
        merchant_id: merchantId,
        fiat_transaction_id: transactionId,
        payment_instructions_id: id,
        receipt_key: receiptKey,
        amount_minor,
        received_at: receivedAt,
        created_at: context.clock.now(),
      })
      .execute();
  }
  for (const { id: rowId, amount_minor } of known.values()) {
    changeMinor -= BigInt(amount_minor);
    await db(unit).deleteFrom('payment_receipts').where('id', '=', rowId).execute();
  }
  return changeMinor;
}

/** Writes down what had not been seen; answers the amounts, in the order in which they came. */
async function insertNewReceipts(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  instructions: PaymentInstructions,
  receipts: readonly Receipt[],
): Promise<bigint[]> {
  const arrived: bigint[] = [];
  for (const { receiptKey, amountMinor, receivedAt } of receipts) {
    const written = await db(unit)
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

interface StateOptions {
  isEnough: boolean;
  /** Whether deposits can have been reversed, and what is there does not pay the transaction. */
  isReversed: boolean;
  closeAs: 'withdrawn' | 'expired' | undefined;
}

/** The instructions as they are by what the provider knows now. */
async function updateState(
  context: PaymentsContext,
  unit: UnitOfWork,
  found: PaymentInstructions,
  payment: PushPayment,
  options: StateOptions,
): Promise<PaymentInstructions> {
  const now = context.clock.now();
  const state = nextState(found, payment, options, now);
  const confirmations = state === 'paid' && !options.isReversed ? null : payment.confirmations;
  if (state === found.state && confirmations === found.confirmations) return found;
  return await updateInstructions(unit, found, { ...nextCheck(found, state, confirmations, now), confirmations }, now);
}

/** What is over is asked about for a while yet; what was refused is not. */
function nextCheck(found: PaymentInstructions, state: InstructionsState, confirmations: number | null, now: Instant) {
  if (state !== found.state)
    return { state, checksMade: 0, nextCheckAt: state === 'refused' ? null : nextClosedPollAt(now, 0) };
  if (areInstructionsOpen(found)) return {};
  return confirmations === null
    ? { checksMade: 0, nextCheckAt: nextClosedPollAt(now, 0) }
    : { nextCheckAt: now + POLL_INTERVAL };
}

function nextState(
  found: PaymentInstructions,
  payment: PushPayment,
  { isEnough, isReversed, closeAs }: StateOptions,
  now: Instant,
): InstructionsState {
  // What paid was reversed, and is on its way no more: other instructions may be issued, at the price of then.
  const isLess = payment.receipts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n) < found.amountMinor;
  if (found.state === 'paid' && isReversed && isLess && payment.confirmations === null)
    return found.expiresAt !== null && !isExpired(found, now) ? 'withdrawn' : 'expired';
  if (!areInstructionsOpen(found)) return found.state;
  if (isEnough) return 'paid';
  // What is on its way cannot be ended by anybody.
  if (payment.confirmations !== null) return found.state;
  if (payment.state === 'refused') return 'refused';
  // Closed there without our hearing of it: what takes no more is not shown as if it did.
  return closeAs ?? (payment.state === 'closed' ? 'withdrawn' : found.state);
}

/** Applies a change of the received amount: whatever the transaction is by now, money that arrives counts. */
async function applyReceivedChange(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  changeMinor: bigint,
): Promise<FiatTransaction> {
  const receivedMinor = transaction.receivedMinor + changeMinor;
  const after = { ...transaction, receivedMinor };
  const detail = `${formatAmount(changeMinor > 0n ? changeMinor : -changeMinor, transaction)} ${changeMinor > 0n ? 'received' : 'reversed'}`;
  const next = await statusAfter(context, unit, after, changeMinor < 0n);
  const delivered = await updateNetAmount(unit, transaction, { ...after, status: next.to });
  const isVoid = receivedMinor === 0n && next.to !== 'waiting' && !isRejected(after);
  return await transition(context, unit, delivered, { ...next, ...(isVoid && noAcceptance), detail, receivedMinor });
}

/** An acceptance ends with the money that it was for: what comes later is not accepted by it. */
const noAcceptance = { acceptedMinor: null, decision: null } as const;

async function statusAfter(
  context: PaymentsContext,
  unit: UnitOfWork,
  after: FiatTransaction,
  isReversal: boolean,
): Promise<Pick<StatusChange, 'to' | 'reason'>> {
  const { status, reason } = after;
  const mismatch = paymentDiscrepancy(after);
  // The merchant wanted none of it: whatever comes now, the whole included, they decide about it as well.
  if (isRejected(after)) return { to: 'failed', reason: 'rejected' };
  if (isPaid(after)) return { to: 'confirmed', ...(mismatch && { reason: mismatch }) };
  const why = mismatch ?? (status === 'confirmed' || reason === 'reversed' ? 'reversed' : null);
  if (status === 'failed') return { to: 'failed', reason: why ?? 'expired' };
  if (!isReversal) return { to: 'waiting', ...(why && { reason: why }) };
  const { attempts, instructions } = await readPaymentAttempts(unit, after);
  const isUnderWay =
    instructions.some((each) => areInstructionsOpen(each) || hasPendingConfirmations(each)) ||
    attempts.some(({ state }) => isAttemptOpen(state));
  // Of what was refunded the buyer is not asked again.
  if (!isUnderWay && after.refundedMinor > 0n) return { to: 'failed', reason: 'reversed' };
  if (!isUnderWay && isExpired(after, context.clock.now())) return { to: 'failed', reason: why ?? 'expired' };
  return { to: isUnderWay || mismatch ? 'waiting' : 'pending', ...(why && { reason: why }) };
}

/** Keeps the delivered amount of a transaction that is paid, was paid, or is paid by another amount. */
async function updateNetAmount(
  unit: UnitOfWork,
  before: FiatTransaction,
  after: FiatTransaction,
): Promise<FiatTransaction> {
  const wasPaid = before.status === 'confirmed';
  if (after.status !== 'confirmed') return wasPaid ? await setNetAmount(unit, before, agreedNetAmount(before)) : before;
  const deliveredMinor = netAmountWhenPaid(after);
  const isSame = wasPaid ? deliveredMinor === netAmountWhenPaid(before) : after.acceptedMinor === null;
  return isSame ? before : await setNetAmount(unit, before, deliveredMinor);
}

/** What has been seen on a chain is waited for; where what was issued is over with nothing, the buyer may choose anew. */
async function awaitOrReopen(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  over: PaymentInstructions | null,
): Promise<FiatTransaction> {
  const instructions = await listInstructions(unit, transaction);
  const isMoving = instructions.some(hasPendingConfirmations);
  const reason = transaction.reason === 'reversed' ? { reason: transaction.reason } : {};
  if (isMoving && transaction.status === 'pending')
    return await transition(context, unit, transaction, { to: 'waiting', ...reason, detail: 'payment seen' });
  if (!over || transaction.status !== 'waiting') return transaction;
  // What has arrived in part is waited for; its end is the expiry's.
  if (isMoving || transaction.receivedMinor > 0n || instructions.some(areInstructionsOpen)) return transaction;
  const attempts = await listAttempts(unit, transaction);
  if (attempts.some(({ state }) => isAttemptOpen(state))) return transaction;
  const detail = over.state;
  // Of what was refunded the buyer is not asked again.
  if (transaction.refundedMinor > 0n)
    return await transition(context, unit, transaction, { to: 'failed', reason: 'reversed', detail });
  return await transition(context, unit, transaction, { to: 'pending', ...reason, ...noAcceptance, detail });
}
