import { eventsOf } from '../webhooks/record-event.ts';
import {
  type CardAttempt,
  type FiatTransaction,
  combinedStatement,
  type PaymentInstructions,
  type PaymentRefund,
  type PaymentTables,
  refundRecord,
  attemptRecord,
  instructionsRecord,
} from './schema.ts';
import type { Runner } from '../database/engine.ts';
import type { Kysely } from 'kysely';
import type { Instant } from '../shared/time.ts';
import { instructionsOf, type PaymentReceipt, toReceipt } from './push/instructions.ts';
import { attemptsOf } from './store.ts';

type Reader = Runner;
type Owner = Pick<FiatTransaction, 'merchantId' | 'id'>;

/** The ways in which a transaction was tried to be paid, each in the order of its numbers. */
export interface Tries {
  attempts: CardAttempt[];
  instructions: PaymentInstructions[];
}

export interface TransactionEventRow {
  sequence: number;
  type: string;
  at: Instant;
  status: string;
  detail: string | null;
}

/** All that hangs on a transaction, each kind in the order in which it came. */
export interface Belongings extends Tries {
  receipts: PaymentReceipt[];
  refunds: PaymentRefund[];
  events: TransactionEventRow[];
}

const triesOf = combinedStatement(queriesOfTries);

const belongingsOf = combinedStatement((query, owner: Owner, on) => ({
  ...queriesOfTries(query, owner),
  receipts: query
    .selectFrom('payment_receipts as receipt')
    .innerJoin('payment_instructions as instructions', 'instructions.id', 'receipt.payment_instructions_id')
    .select(['receipt.receipt_key', 'receipt.amount_minor', 'receipt.received_at', 'instructions.number'])
    .where('receipt.merchant_id', '=', owner.merchantId)
    .where('receipt.fiat_transaction_id', '=', owner.id)
    .orderBy('receipt.id'),
  refunds: query
    .selectFrom('refunds')
    .select(refundRecord.columns)
    .where('merchant_id', '=', owner.merchantId)
    .where('fiat_transaction_id', '=', owner.id)
    .orderBy('number'),
  events: eventsOf(on, { ...owner, kind: 'fiat_transaction' }),
}));

function queriesOfTries(query: Kysely<PaymentTables>, owner: Owner) {
  return { attempts: attemptsOf(query, owner), instructions: instructionsOf(query, owner) };
}

export async function readTries(reader: Reader, { merchantId, id }: Owner): Promise<Tries> {
  const { attempts, instructions } = await triesOf(reader, { merchantId, id });
  return { attempts: attempts.map(attemptRecord.read), instructions: instructions.map(instructionsRecord.read) };
}

export async function readBelongings(reader: Reader, { merchantId, id }: Owner): Promise<Belongings> {
  const rows = await belongingsOf(reader, { merchantId, id });
  return {
    attempts: rows.attempts.map(attemptRecord.read),
    instructions: rows.instructions.map(instructionsRecord.read),
    receipts: rows.receipts.map(toReceipt),
    refunds: rows.refunds.map(refundRecord.read),
    events: rows.events,
  };
}
