import type { Selectable, Updateable } from 'kysely';
import { instructions as instructionsSchema, type Instructions } from '../contract/instructions.ts';
import type { Instant } from '../contract/time.ts';
import type { Database, UnitOfWork } from '../platform/database/database.ts';
import type { PaymentInstructionsTable } from '../platform/database/tables.ts';
import type { FiatTransaction } from './transaction.ts';

type Reader = Pick<Database, 'query'>;

/**
 * The life of what a buyer was told to do: `issuing` (the provider is asked), `issued`, and then
 * `paid`, `refused`, `withdrawn` (the buyer took another way, the merchant cancelled) or `expired`.
 */
export type InstructionsState = 'issuing' | 'issued' | 'withdrawn' | 'expired' | 'refused' | 'paid';

/** What a buyer was told to do, by one method. */
export interface PaymentInstructions {
  id: number;
  merchantId: number;
  transactionId: number;
  number: number;
  instructionsKey: string;
  paymentMethod: string;
  /** What was asked for, and the fee in it. */
  amountMinor: bigint;
  feeFixMinor: bigint;
  feePercentMillionths: number;
  choice: string | null;
  provider: string;
  state: InstructionsState;
  instructions: Instructions | null;
  reference: string | null;
  expiresAt: Instant | null;
  /** Of what was seen on a chain and does not count yet. */
  confirmations: number | null;
  checksMade: number;
  /** When the provider is asked next what has come; null when it is asked no more. */
  nextCheckAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
}

/** Instructions that may still be followed: no other way to pay may begin beside them. */
export function areOpen({ state }: Pick<PaymentInstructions, 'state'>): boolean {
  return state === 'issuing' || state === 'issued';
}

/** Money that was seen by these instructions, still open or not, and does not count yet: nothing may begin beside it. */
export function isMoneyMoving({ confirmations }: PaymentInstructions): boolean {
  return confirmations !== null;
}

export function toInstructions(row: Selectable<PaymentInstructionsTable>): PaymentInstructions {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    transactionId: row.fiat_transaction_id,
    number: row.number,
    instructionsKey: row.instructions_key,
    paymentMethod: row.payment_method,
    amountMinor: BigInt(row.amount_minor),
    feeFixMinor: BigInt(row.fee_fix_minor),
    feePercentMillionths: row.fee_percent_millionths,
    choice: row.choice,
    provider: row.provider,
    state: row.state as InstructionsState,
    instructions: row.instructions === null ? null : instructionsSchema.parse(JSON.parse(row.instructions)),
    reference: row.reference,
    expiresAt: row.expires_at,
    confirmations: row.confirmations,
    checksMade: row.checks_made,
    nextCheckAt: row.next_check_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export async function listInstructions(reader: Reader, transaction: FiatTransaction): Promise<PaymentInstructions[]> {
  const rows = await reader.query
    .selectFrom('payment_instructions')
    .selectAll()
    .where('merchant_id', '=', transaction.merchantId)
    .where('fiat_transaction_id', '=', transaction.id)
    .orderBy('number')
    .execute();
  return rows.map(toInstructions);
}

export async function findOpenInstructions(
  reader: Reader,
  transaction: FiatTransaction,
): Promise<PaymentInstructions | null> {
  return (await listInstructions(reader, transaction)).find(areOpen) ?? null;
}

export async function findInstructions(reader: Reader, instructionsKey: string): Promise<PaymentInstructions | null> {
  const row = await reader.query
    .selectFrom('payment_instructions')
    .selectAll()
    .where('instructions_key', '=', instructionsKey)
    .executeTakeFirst();
  return row ? toInstructions(row) : null;
}

/** What is open beside money that has come is of no more use: its provider is to take it back, as soon as it can be asked. */
export async function releaseOthers(
  unit: UnitOfWork,
  transaction: FiatTransaction,
  now: Instant,
  except?: PaymentInstructions,
): Promise<void> {
  await unit.query
    .updateTable('payment_instructions')
    .set({ next_check_at: now })
    .where('merchant_id', '=', transaction.merchantId)
    .where('fiat_transaction_id', '=', transaction.id)
    .where('state', '=', 'issued')
    .where('id', '!=', except?.id ?? 0)
    .execute();
}

/** Writes to instructions; answers them as they then are. */
export async function updateInstructions(
  unit: UnitOfWork,
  found: PaymentInstructions,
  change: Updateable<PaymentInstructionsTable>,
  now: Instant,
): Promise<PaymentInstructions> {
  const row = await unit.query
    .updateTable('payment_instructions')
    .set({ ...change, updated_at: now })
    .where('merchant_id', '=', found.merchantId)
    .where('id', '=', found.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toInstructions(row);
}

export interface PaymentReceipt {
  amountMinor: bigint;
  /** Number of the instructions that it came by. */
  instructionsNumber: number;
  receivedAt: Instant;
}

/** Everything that has arrived for a transaction, by whatever instructions. */
export async function listReceipts(reader: Reader, transaction: FiatTransaction): Promise<PaymentReceipt[]> {
  const rows = await reader.query
    .selectFrom('payment_receipts as receipt')
    .innerJoin('payment_instructions as instructions', 'instructions.id', 'receipt.payment_instructions_id')
    .select(['receipt.amount_minor', 'receipt.received_at', 'instructions.number'])
    .where('receipt.merchant_id', '=', transaction.merchantId)
    .where('receipt.fiat_transaction_id', '=', transaction.id)
    .orderBy('receipt.id')
    .execute();
  return rows.map((row) => ({
    amountMinor: BigInt(row.amount_minor),
    instructionsNumber: row.number,
    receivedAt: row.received_at,
  }));
}

/** How many times money has come by these instructions. */
export async function countReceipts(reader: Reader, instructions: PaymentInstructions): Promise<number> {
  const { count } = await reader.query
    .selectFrom('payment_receipts')
    .select((expression) => expression.fn.countAll<number | string>().as('count'))
    .where('merchant_id', '=', instructions.merchantId)
    .where('payment_instructions_id', '=', instructions.id)
    .executeTakeFirstOrThrow();
  return Number(count);
}
