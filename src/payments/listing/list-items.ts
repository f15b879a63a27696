import type { Selectable } from 'kysely';
import { minorUnitsOf } from '../../api/currency.ts';
import {
  type AuthorizationStatus,
  type FailureReason,
  toApiStatus,
  type TransactionStatus,
} from '../../api/fiat-transaction.ts';
import type { Metadata } from '../../api/metadata.ts';
import type { PayerDetails } from '../../api/payer.ts';
import type { Database } from '../../database/database.ts';
import { hasAnyId } from '../../database/search.ts';
import { amountNumber } from '../../shared/money.ts';
import { formatInstant } from '../../shared/time.ts';
import { attemptPayer, type ListedPayer, suppliedPayer, maskPayer } from '../listed-payer.ts';
import { db, type FiatTransactionTable } from '../schema.ts';
import type { ListReader } from './list.ts';

/** The columns that `toListItems` needs. */
export const listedColumns = [
  ...(['id', 'merchant_id', 'transaction_id', 'status', 'reason', 'authorization_status', 'description'] as const),
  ...(['currency', 'amount_minor', 'amount_charged_minor', 'amount_received_minor', 'amount_refunded_minor'] as const),
  ...(['additional_currency', 'rate_merchant_final', 'payment_method', 'reusable_link_id', 'payer'] as const),
  ...(['metadata', 'created_at', 'updated_at'] as const),
];
type Row = Pick<Selectable<FiatTransactionTable>, (typeof listedColumns)[number]>;

interface Listed {
  card?: { brand: string | null; last4: string };
  payer?: ListedPayer;
}

/** The amount of a row in major units. */
export function amountOf(row: Pick<Row, 'amount_minor' | 'currency'>): number {
  return amountNumber(BigInt(row.amount_minor), minorUnitsOf(row.currency));
}

/** The received amount of a row less succeeded and pending refunds. */
export function keptMinor(row: Pick<Row, 'amount_received_minor' | 'amount_refunded_minor'>): number {
  return Math.max(0, row.amount_received_minor - row.amount_refunded_minor);
}

/** Converts rows to items of the list, with the card and payer of each. */
export async function toListItems(database: Database, reader: ListReader, rows: readonly Row[]) {
  const listed = await readListed(database, reader, rows);
  return rows.map((row, index) => ({ ...toListItem(row), ...listed[index] }));
}

/** Reads the card and the payer of each row, in the same order: names and emails masked unless the reader sees them. */
export async function readListed(
  database: Database,
  reader: ListReader,
  rows: readonly Pick<Row, 'id' | 'payer'>[],
): Promise<Listed[]> {
  const attempts = await readLastAttempts(database, reader.merchantId, rows);
  return rows.map((row) => {
    const attempt = attempts.get(row.id);
    const supplied = row.payer === null ? undefined : suppliedPayer(JSON.parse(row.payer) as PayerDetails);
    const entered = attempt && attemptPayer({ payerName: attempt.payer_name, payerEmail: attempt.payer_email });
    const payer = entered ?? supplied;
    return {
      ...(attempt && { card: { brand: attempt.brand, last4: attempt.last4 } }),
      ...(payer && { payer: reader.canSeePayers ? payer : maskPayer(payer) }),
    };
  });
}

/** Reads the card attempt of each transaction that paid, or else the last one. */
async function readLastAttempts(database: Database, merchantId: number, rows: readonly Pick<Row, 'id'>[]) {
  if (rows.length === 0) return new Map<number, never>();
  const ids = rows.map(({ id }) => id);
  const attempts = await db(database)
    .selectFrom('card_attempts')
    .select(['fiat_transaction_id', 'state', 'brand', 'last4', 'payer_name', 'payer_email'])
    .where('merchant_id', '=', merchantId)
    .where(hasAnyId(database.engine, 'fiat_transaction_id', ids))
    .orderBy('number')
    .execute();
  const last = new Map<number, (typeof attempts)[number]>();
  for (const attempt of attempts)
    if (last.get(attempt.fiat_transaction_id)?.state !== 'approved') last.set(attempt.fiat_transaction_id, attempt);
  return last;
}

function toListItem(row: Row) {
  const number = (minor: number) => amountNumber(BigInt(minor), minorUnitsOf(row.currency));
  return {
    id: row.id,
    merchant_id: row.merchant_id,
    amount: amountOf(row),
    amount_charged: number(row.amount_charged_minor),
    transaction_id: row.transaction_id,
    currency: row.currency,
    status: toApiStatus(row.status as TransactionStatus),
    description: row.description,
    additional_currency: row.additional_currency,
    rate_merchant_final: Number(row.rate_merchant_final),
    created_at: formatInstant(row.created_at),
    payment_method: row.payment_method,
    updated_at: formatInstant(row.updated_at),
    ...(row.reason !== null && { reason: row.reason as FailureReason }),
    ...(row.reusable_link_id !== null && { reusable_link_id: row.reusable_link_id }),
    ...(row.authorization_status !== null && { authorization_status: row.authorization_status as AuthorizationStatus }),
    ...(row.metadata !== null && { metadata: JSON.parse(row.metadata) as Metadata }),
    amount_received: number(row.amount_received_minor),
    amount_kept: number(keptMinor(row)),
  };
}
