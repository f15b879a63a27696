import { sql } from 'kysely';
import { Problem } from '../../api/problem-error.ts';
import { lockRows, type UnitOfWork } from '../../database/database.ts';
import type { Runner } from '../../database/engine.ts';
import { type Instant, MINUTE } from '../../shared/time.ts';
import type { PaymentsContext } from '../context.ts';
import { db, type FiatTransaction, type ReusableLink } from '../schema.ts';
import { transactionTopic } from '../store.ts';
import { findReusableLink } from './store.ts';

/** Lifetime of a transaction that reserves stock. */
export const RESERVATION_LIFETIME: Instant = 30 * MINUTE;

/** Reads the number that can still be bought; null without a limit. */
export async function readAvailable(
  reader: Runner,
  { merchantId, publicId, stock }: { merchantId: number; publicId: string; stock: number | null },
): Promise<number | null> {
  if (stock === null) return null;
  const { taken } = await db(reader)
    .selectFrom('fiat_transactions')
    .select(sql<number>`cast(coalesce(sum(reusable_link_quantity), 0) as bigint)`.as('taken'))
    .where('merchant_id', '=', merchantId)
    .where('reusable_link_id', '=', publicId)
    .where('status', 'in', ['pending', 'waiting', 'confirmed'])
    .executeTakeFirstOrThrow();
  return Math.max(0, stock - taken);
}

/**
 * Reserves stock until the unit of work ends: the row lock serializes buyers of the same link. The open transaction
 * that the unit of work then writes is the reservation, so stock is released when that transaction fails or expires.
 * Returns the link's stock. Throws `sold_out`, or `not_found` for a link that was archived.
 */
export async function reserveStock(
  unit: UnitOfWork,
  { merchantId, publicId, quantity }: { merchantId: number; publicId: string; quantity: number },
  isRenewal = false,
): Promise<number | null> {
  const row = await lockRows(
    unit,
    db(unit)
      .selectFrom('reusable_links')
      .select(['stock', 'archived_at'])
      .where('merchant_id', '=', merchantId)
      .where('public_id', '=', publicId),
  ).executeTakeFirst();
  if (!row || (row.archived_at !== null && !isRenewal))
    throw new Problem('not_found', 'The reusable link is archived.');
  const available = await readAvailable(unit, { merchantId, publicId, stock: row.stock });
  if (available !== null && available < quantity)
    throw new Problem('sold_out', `The reusable link has only ${available} left, but ${quantity} were requested.`);
  return row.stock;
}

/**
 * Shortens the lifetime of a link's open transactions, for a link that now has stock. A payment in progress may still
 * end, and then the rest of the lifetime counts. Runs after the change: a buyer who locks the link later sees its stock.
 */
export async function shortenReservations(
  { database, clock }: Pick<PaymentsContext, 'database' | 'clock'>,
  { merchantId, publicId }: ReusableLink,
): Promise<void> {
  const now = clock.now();
  const expiresAt = now + RESERVATION_LIFETIME;
  await database.inTransaction(async (unit) => {
    const shortened = await db(unit)
      .updateTable('fiat_transactions')
      .set({ expires_at: expiresAt, updated_at: now })
      .where('merchant_id', '=', merchantId)
      .where('reusable_link_id', '=', publicId)
      .where('status', 'in', ['pending', 'waiting'])
      .where('expires_at', '>', expiresAt)
      .returning('id')
      .execute();
    for (const { id } of shortened) unit.announce(transactionTopic(merchantId, id));
  });
}

/** Reserves the quantity of a failed transaction again. */
export async function reserveForRenewal(unit: UnitOfWork, transaction: FiatTransaction): Promise<void> {
  const { merchantId, reusableLinkId, reusableLinkQuantity } = transaction;
  if (reusableLinkId === null || reusableLinkQuantity === null) return;
  await reserveStock(unit, { merchantId, publicId: reusableLinkId, quantity: reusableLinkQuantity }, true);
}

/** Maximum lifetime of a renewed transaction: limited while it reserves stock, otherwise null. */
export async function maximumLifetimeOf(
  reader: Runner,
  { merchantId, reusableLinkId }: FiatTransaction,
): Promise<Instant | null> {
  const link = reusableLinkId === null ? null : await findReusableLink(reader, reusableLinkId, merchantId);
  return link && link.stock !== null ? RESERVATION_LIFETIME : null;
}
