import type { FailureReason } from '../contract/fiat-transaction.ts';
import { minorUnitsOf } from '../contract/currency.ts';
import { formatMinor } from '../contract/money.ts';
import type { UnitOfWork } from '../platform/database/database.ts';
import type { PushPayment, Receipt } from '../providers/push-port.ts';
import type { PaymentsContext } from './context.ts';
import {
  areOpen,
  findInstructions,
  type InstructionsState,
  type PaymentInstructions,
  updateInstructions,
} from './instructions-store.ts';
import { lockTransaction } from './store.ts';
import type { FiatTransaction } from './transaction.ts';
import { transition } from './transition.ts';

export interface Received {
  transaction: FiatTransaction;
  instructions: PaymentInstructions;
}

/**
 * The only way in which money that a buyer sent changes anything: a notification, an answer to a
 * question, what was true when something was taken back. Said twice or out of order, it changes
 * nothing more. Exactly the amount confirms; less or more is shown, and waits for the rest, for the
 * merchant, or for the end. With `closeAs` what is still open is over.
 */
export async function receive(
  context: PaymentsContext,
  instructionsKey: string,
  payment: PushPayment,
  closeAs?: 'withdrawn' | 'expired',
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
    const receivedMinor = transaction.receivedMinor + arrived;
    const state = nextState(found, payment, { isEnough: receivedMinor >= transaction.chargedMinor, closeAs });
    const instructions =
      state === found.state
        ? found
        : await updateInstructions(unit, found, { state, next_check_at: null }, context.clock.now());
    const isOver = areOpen(found) && !areOpen(instructions);
    return {
      instructions,
      transaction:
        arrived > 0n
          ? await credit(context, unit, transaction, receivedMinor, arrived)
          : isOver
            ? await reopen(context, unit, transaction, state)
            : transaction,
    };
  });
}

/** Writes down what had not been seen; answers its sum. */
async function keepNew(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  instructions: PaymentInstructions,
  receipts: readonly Receipt[],
): Promise<bigint> {
  let sum = 0n;
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
    if (written) sum += amountMinor;
  }
  return sum;
}

function nextState(
  found: PaymentInstructions,
  payment: PushPayment,
  { isEnough, closeAs }: { isEnough: boolean; closeAs: 'withdrawn' | 'expired' | undefined },
): InstructionsState {
  if (!areOpen(found)) return found.state;
  if (isEnough) return 'paid';
  if (payment.state === 'refused') return 'refused';
  return closeAs ?? found.state;
}

/** Money has arrived: whatever has become of the payment meanwhile, it counts. */
async function credit(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  receivedMinor: bigint,
  arrived: bigint,
): Promise<FiatTransaction> {
  const { currency, chargedMinor, status } = transaction;
  const detail = `${formatMinor(arrived, minorUnitsOf(currency))} ${currency} received`;
  const mismatch: FailureReason = receivedMinor < chargedMinor ? 'underpaid' : 'overpaid';
  if (status === 'confirmed') {
    return await transition(context, unit, transaction, { to: 'confirmed', reason: mismatch, detail, receivedMinor });
  }
  if (receivedMinor === chargedMinor)
    return await transition(context, unit, transaction, { to: 'confirmed', detail, receivedMinor });
  const to = status === 'failed' ? 'failed' : 'waiting';
  return await transition(context, unit, transaction, { to, reason: mismatch, detail, receivedMinor });
}

/** What was issued is over and nothing has come by it: the buyer may choose anew, if there is time. */
async function reopen(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  state: InstructionsState,
): Promise<FiatTransaction> {
  // What has arrived in part is waited for; its end is the expiry's.
  if (transaction.status !== 'waiting' || transaction.receivedMinor > 0n) return transaction;
  return await transition(context, unit, transaction, { to: 'pending', detail: state });
}
