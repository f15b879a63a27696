import { eventsQuery } from '../webhooks/record-event.ts';
import {
  authorizationRecord,
  type CardAttempt,
  type CardAuthorization,
  type FiatTransaction,
  combinedStatement,
  type PaymentInstructions,
  type PaymentRefund,
  type PaymentTables,
  refundRecord,
  type Dispute,
  disputeRecord,
  attemptRecord,
  instructionsRecord,
} from './schema.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import type { Kysely } from 'kysely';
import type { Instant } from '../shared/time.ts';
import { instructionsQuery, type PaymentReceipt, toReceipt } from './push/instructions.ts';
import { authorizationsQuery } from './authorizations/store.ts';
import { attemptsQuery, lockQuery, lockTransaction, toLocked } from './store.ts';

type Reader = Runner;
type Owner = Pick<FiatTransaction, 'merchantId' | 'id'>;

/** The payment attempts of a transaction: card charges and push payments, each by number. */
export interface PaymentAttempts {
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

/** All records of a transaction, each kind in chronological order. */
export interface RelatedRecords extends PaymentAttempts {
  receipts: PaymentReceipt[];
  authorizations: CardAuthorization[];
  refunds: PaymentRefund[];
  disputes: Dispute[];
  events: TransactionEventRow[];
}

const selectAttempts = combinedStatement(attemptQueries);

const selectRelatedRecords = combinedStatement((query, owner: Owner, reader) => ({
  ...attemptQueries(query, owner),
  receipts: query
    .selectFrom('payment_receipts as receipt')
    .innerJoin('payment_instructions as instructions', 'instructions.id', 'receipt.payment_instructions_id')
    .select(['receipt.receipt_key', 'receipt.amount_minor', 'receipt.received_at', 'instructions.number'])
    .where('receipt.merchant_id', '=', owner.merchantId)
    .where('receipt.fiat_transaction_id', '=', owner.id)
    .orderBy('receipt.id'),
  authorizations: authorizationsQuery(query, owner),
  refunds: query
    .selectFrom('refunds')
    .select(refundRecord.columns)
    .where('merchant_id', '=', owner.merchantId)
    .where('fiat_transaction_id', '=', owner.id)
    .orderBy('number'),
  disputes: query
    .selectFrom('disputes')
    .select(disputeRecord.columns)
    .where('merchant_id', '=', owner.merchantId)
    .where('fiat_transaction_id', '=', owner.id)
    .orderBy('number'),
  events: eventsQuery(reader, { ...owner, kind: 'fiat_transaction' }),
}));

function attemptQueries(query: Kysely<PaymentTables>, owner: Owner) {
  return { attempts: attemptsQuery(query, owner), instructions: instructionsQuery(query, owner) };
}

export async function readPaymentAttempts(reader: Reader, transaction: FiatTransaction): Promise<PaymentAttempts> {
  const { merchantId, id } = transaction;
  if (isNew(transaction)) return recordsOfNew(transaction);
  return toAttempts(await selectAttempts(reader, { merchantId, id }));
}

/** Locks a transaction like `lockTransaction`, and reads its payment attempts under the lock. */
export async function lockWithAttempts(
  unit: UnitOfWork,
  transaction: FiatTransaction,
): Promise<PaymentAttempts & { locked: FiatTransaction }> {
  const { merchantId, id } = transaction;
  if (isNew(transaction)) {
    const locked = await lockTransaction(unit, merchantId, id);
    return { locked, ...(await readPaymentAttempts(unit, locked)) };
  }
  const [result, rows] = await selectAttempts.after(unit, lockQuery(unit, merchantId, id), { merchantId, id });
  return { locked: toLocked(result), ...toAttempts(rows) };
}

/** Locks a transaction like `lockTransaction`, and reads all of its records under the lock. */
export async function lockWithRelatedRecords(
  unit: UnitOfWork,
  merchantId: number,
  id: number,
): Promise<{ locked: FiatTransaction; related: RelatedRecords }> {
  const [result, rows] = await selectRelatedRecords.after(unit, lockQuery(unit, merchantId, id), { merchantId, id });
  return { locked: toLocked(result), related: toRelatedRecords(rows) };
}

/** True before the first change. Every payment attempt, and every other record of a payment, changes the sequence. */
function isNew({ sequence }: FiatTransaction): boolean {
  return sequence === 0;
}

/** The records of a transaction before its first change: the event of its creation. */
export function recordsOfNew(transaction: Pick<FiatTransaction, 'createdAt'>): RelatedRecords {
  return {
    attempts: [],
    instructions: [],
    receipts: [],
    authorizations: [],
    refunds: [],
    disputes: [],
    events: [creationEvent(transaction)],
  };
}

/** The first event of every transaction. */
export function creationEvent({ createdAt: at }: Pick<FiatTransaction, 'createdAt'>) {
  return { sequence: 0, type: 'fiat.transaction.created', at, status: 'pending', detail: null };
}

/** Replaces an attempt with its current state. */
export function withAttempt(related: RelatedRecords, attempt: CardAttempt): RelatedRecords {
  return { ...related, attempts: related.attempts.map((each) => (each.id === attempt.id ? attempt : each)) };
}

function toAttempts({ attempts, instructions }: Awaited<ReturnType<typeof selectAttempts>>): PaymentAttempts {
  return { attempts: attempts.map(attemptRecord.read), instructions: instructions.map(instructionsRecord.read) };
}

export async function readRelatedRecords(reader: Reader, transaction: FiatTransaction): Promise<RelatedRecords> {
  const { merchantId, id } = transaction;
  if (isNew(transaction)) return recordsOfNew(transaction);
  return toRelatedRecords(await selectRelatedRecords(reader, { merchantId, id }));
}

function toRelatedRecords(rows: Awaited<ReturnType<typeof selectRelatedRecords>>): RelatedRecords {
  return {
    attempts: rows.attempts.map(attemptRecord.read),
    instructions: rows.instructions.map(instructionsRecord.read),
    receipts: rows.receipts.map(toReceipt),
    authorizations: rows.authorizations.map(authorizationRecord.read),
    refunds: rows.refunds.map(refundRecord.read),
    disputes: rows.disputes.map(disputeRecord.read),
    events: rows.events,
  };
}
