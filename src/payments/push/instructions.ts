import type { Runner } from '../../database/engine.ts';
import {
  db,
  type FiatTransaction,
  instructionsRecord,
  type PaymentInstructions,
  type PaymentReceiptTable,
  type PaymentTables,
  statement,
} from '../schema.ts';
import type { Kysely, Selectable } from 'kysely';
import type { Instant } from '../../shared/time.ts';
import type { UnitOfWork } from '../../database/database.ts';
import { wakeJob } from '../../jobs/runner.ts';

type Reader = Runner;

/** Open instructions may still be paid: no other payment attempt may start. */
export function areInstructionsOpen({ state }: Pick<PaymentInstructions, 'state'>): boolean {
  return state === 'issuing' || state === 'issued';
}

/** A deposit for these instructions, open or not, awaits confirmations: no other payment attempt may start. */
export function hasPendingConfirmations({ confirmations }: PaymentInstructions): boolean {
  return confirmations !== null;
}

/** The query for a transaction's payment instructions, by number. */
export function instructionsQuery(
  query: Kysely<PaymentTables>,
  { merchantId, id }: Pick<FiatTransaction, 'merchantId' | 'id'>,
) {
  return query
    .selectFrom('payment_instructions')
    .select(instructionsRecord.columns)
    .where('merchant_id', '=', merchantId)
    .where('fiat_transaction_id', '=', id)
    .orderBy('number');
}

const selectInstructions = statement(instructionsQuery);

export async function listInstructions(
  reader: Reader,
  { merchantId, id }: Pick<FiatTransaction, 'merchantId' | 'id'>,
): Promise<PaymentInstructions[]> {
  return (await selectInstructions(reader, { merchantId, id })).rows.map(instructionsRecord.read);
}

export async function findOpenInstructions(
  reader: Reader,
  transaction: FiatTransaction,
): Promise<PaymentInstructions | null> {
  return (await listInstructions(reader, transaction)).find(areInstructionsOpen) ?? null;
}

export async function findInstructions(reader: Reader, instructionsKey: string): Promise<PaymentInstructions | null> {
  const row = await db(reader)
    .selectFrom('payment_instructions')
    .selectAll()
    .where('instructions_key', '=', instructionsKey)
    .executeTakeFirst();
  return row ? instructionsRecord.read(row) : null;
}

/** Schedules the withdrawal of a transaction's other open instructions after one of them was paid. */
export async function withdrawOtherInstructions(
  unit: UnitOfWork,
  transaction: FiatTransaction,
  now: Instant,
  except?: PaymentInstructions,
): Promise<void> {
  const { merchantId, id } = transaction;
  const { numAffectedRows } = await scheduleWithdrawals(unit, { now, merchantId, id, except: except?.id ?? 0 });
  if (numAffectedRows) wakeJob(unit, INSTRUCTIONS_JOB);
}

/** The job that polls acquirers for receipts, and withdraws expired instructions. */
export const INSTRUCTIONS_JOB = 'instructions';

const scheduleWithdrawals = statement(
  (query, values: { now: Instant; merchantId: number; id: number; except: number }) =>
    query
      .updateTable('payment_instructions')
      .set({ next_check_at: values.now })
      .where('merchant_id', '=', values.merchantId)
      .where('fiat_transaction_id', '=', values.id)
      .where('state', '=', 'issued')
      .where('id', '!=', values.except),
);

/** Updates instructions and returns them. */
export async function updateInstructions(
  unit: UnitOfWork,
  instructions: PaymentInstructions,
  change: Partial<PaymentInstructions>,
  now: Instant,
): Promise<PaymentInstructions> {
  const row = await db(unit)
    .updateTable('payment_instructions')
    .set(instructionsRecord.write({ ...change, updatedAt: now }))
    .where('merchant_id', '=', instructions.merchantId)
    .where('id', '=', instructions.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return instructionsRecord.read(row);
}

export interface PaymentReceipt {
  /** The acquirer's ID of the receipt. */
  receiptKey: string;
  amountMinor: bigint;
  /** Number of the paid instructions. */
  instructionsNumber: number;
  receivedAt: Instant;
}

export function toReceipt(
  row: Pick<Selectable<PaymentReceiptTable>, 'receipt_key' | 'amount_minor' | 'received_at'> & { number: number },
): PaymentReceipt {
  return {
    receiptKey: row.receipt_key,
    amountMinor: BigInt(row.amount_minor),
    instructionsNumber: row.number,
    receivedAt: row.received_at,
  };
}

/** Counts the receipts of instructions. */
export async function countReceipts(reader: Reader, instructions: PaymentInstructions): Promise<number> {
  const { count } = await db(reader)
    .selectFrom('payment_receipts')
    .select((expression) => expression.fn.countAll<number | string>().as('count'))
    .where('merchant_id', '=', instructions.merchantId)
    .where('payment_instructions_id', '=', instructions.id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The key of the last receipt of instructions; undefined without one. */
export async function findLastReceiptKey(
  reader: Reader,
  instructions: PaymentInstructions,
): Promise<string | undefined> {
  const row = await db(reader)
    .selectFrom('payment_receipts')
    .select('receipt_key')
    .where('merchant_id', '=', instructions.merchantId)
    .where('payment_instructions_id', '=', instructions.id)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row?.receipt_key;
}

/** Sums the receipts of the given instructions of a transaction. */
export async function sumReceipts(
  reader: Reader,
  { merchantId, id }: Pick<FiatTransaction, 'merchantId' | 'id'>,
  instructions: readonly PaymentInstructions[],
): Promise<bigint> {
  const rows = await db(reader)
    .selectFrom('payment_receipts')
    .select('amount_minor')
    .where('merchant_id', '=', merchantId)
    .where('fiat_transaction_id', '=', id)
    .where(
      'payment_instructions_id',
      'in',
      instructions.map((each) => each.id),
    )
    .execute();
  return rows.reduce((sum, { amount_minor: amountMinor }) => sum + BigInt(amountMinor), 0n);
}
