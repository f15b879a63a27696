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
  choice: string | null;
  provider: string;
  state: InstructionsState;
  instructions: Instructions | null;
  reference: string | null;
  expiresAt: Instant | null;
  checksMade: number;
  createdAt: Instant;
}

/** Instructions that may still be followed: no other way to pay may begin beside them. */
export function areOpen({ state }: PaymentInstructions): boolean {
  return state === 'issuing' || state === 'issued';
}

export function toInstructions(row: Selectable<PaymentInstructionsTable>): PaymentInstructions {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    transactionId: row.fiat_transaction_id,
    number: row.number,
    instructionsKey: row.instructions_key,
    paymentMethod: row.payment_method,
    choice: row.choice,
    provider: row.provider,
    state: row.state as InstructionsState,
    instructions: row.instructions === null ? null : instructionsSchema.parse(JSON.parse(row.instructions)),
    reference: row.reference,
    expiresAt: row.expires_at,
    checksMade: row.checks_made,
    createdAt: row.created_at,
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
  receivedAt: Instant;
}

/** Everything that has arrived for a transaction, by whatever instructions. */
export async function listReceipts(reader: Reader, transaction: FiatTransaction): Promise<PaymentReceipt[]> {
  const rows = await reader.query
    .selectFrom('payment_receipts')
    .select(['amount_minor', 'received_at'])
    .where('merchant_id', '=', transaction.merchantId)
    .where('fiat_transaction_id', '=', transaction.id)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ amountMinor: BigInt(row.amount_minor), receivedAt: row.received_at }));
}
