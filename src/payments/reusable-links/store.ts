import { sql } from 'kysely';
import type { ReusableLinksQuery } from '../../api/reusable-link.ts';
import { engineOf, type Runner } from '../../database/engine.ts';
import { hasPairs } from '../../database/metadata-index.ts';
import { pagingOf } from '../../http/cursor.ts';
import { db, type ReusableLink, reusableLinkRecord } from '../schema.ts';

/** The ID in the URL of a reusable link: 96 random bits, short enough for a poster's QR code. */
function isReusableLinkId(text: string): boolean {
  return /^(?:[a-z2-7]{2}-)?[\w-]{16}$/.test(text);
}

export async function findReusableLink(
  reader: Runner,
  publicId: string,
  merchantId?: number,
): Promise<ReusableLink | null> {
  if (!isReusableLinkId(publicId)) return null;
  const row = await db(reader)
    .selectFrom('reusable_links')
    .select(reusableLinkRecord.columns)
    .where('public_id', '=', publicId)
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? 0))
    .executeTakeFirst();
  return row ? reusableLinkRecord.read(row) : null;
}

/** Reads a page of a merchant's reusable links, newest first. */
export async function readReusableLinks(
  reader: Runner,
  merchantId: number,
  query: ReusableLinksQuery,
): Promise<{ links: ReusableLink[]; nextCursor: string | null }> {
  const { cursor, limit, pageOf } = pagingOf(query);
  const rows = await db(reader)
    .selectFrom('reusable_links')
    .select(reusableLinkRecord.columns)
    .where('merchant_id', '=', merchantId)
    .$if(query.status !== undefined, (rest) =>
      rest.where('archived_at', query.status === 'archived' ? 'is not' : 'is', null),
    )
    // A merchant has few reusable links: no index.
    .$if(query.metadata !== undefined, (rest) => rest.where(hasPairs(engineOf(reader), query.metadata ?? {})))
    .$if(cursor !== null, (rest) => rest.where('id', '<', cursor ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const { shown, nextCursor } = pageOf(rows);
  return { links: shown.map(reusableLinkRecord.read), nextCursor };
}

/** Sales of a reusable link. */
export interface Sales {
  /** Quantity of paid transactions. */
  sold: number;
  /** Quantity of open transactions. */
  reserved: number;
  /** Received by paid transactions, less refunds. */
  revenueMinor: bigint;
}

/** Reads the sales of reusable links from their transactions, by public ID. */
export async function readSales(
  reader: Runner,
  merchantId: number,
  publicIds: readonly string[],
): Promise<ReadonlyMap<string, Sales>> {
  const sales = new Map(publicIds.map((id) => [id, { sold: 0, reserved: 0, revenueMinor: 0n }]));
  if (publicIds.length === 0) return sales;
  const rows = await db(reader)
    .selectFrom('fiat_transactions')
    .select([
      'reusable_link_id',
      'status',
      sql<number>`cast(sum(reusable_link_quantity) as bigint)`.as('quantity'),
      sql<number>`cast(sum(amount_received_minor - amount_refunded_minor) as bigint)`.as('revenue'),
    ])
    .where('merchant_id', '=', merchantId)
    .where('reusable_link_id', 'in', [...publicIds])
    .where('status', 'in', ['pending', 'waiting', 'confirmed'])
    .groupBy(['reusable_link_id', 'status'])
    .execute();
  for (const { reusable_link_id: id, status, quantity, revenue } of rows) {
    const total = id === null ? undefined : sales.get(id);
    if (!total) continue;
    if (status === 'confirmed') {
      total.sold += quantity;
      total.revenueMinor += BigInt(revenue);
    } else total.reserved += quantity;
  }
  return sales;
}
