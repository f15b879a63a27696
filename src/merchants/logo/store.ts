import { createHash } from 'node:crypto';
import type { Logo } from '../../api/logo.ts';
import type { Runner } from '../../database/engine.ts';
import type { UnitOfWork } from '../../database/database.ts';
import { formatInstant, type Instant } from '../../shared/time.ts';
import { db, statement } from '../schema.ts';
import type { EncodedImage } from './image-worker.ts';

/** The URL of a logo, relative to the service. */
export function logoPath(hash: string): string {
  return `/logos/${hash}.png`;
}

/** A merchant's uploaded logo; null without one. */
export async function findLogo(database: Runner, merchantId: number, publicUrl: string): Promise<Logo | null> {
  const row = await db(database)
    .selectFrom('merchant_logos')
    .select(['hash', 'width', 'height', 'uploaded_at'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  if (!row) return null;
  const { hash, width, height, uploaded_at: at } = row;
  return { url: `${publicUrl}${logoPath(hash)}`, width, height, uploaded_at: formatInstant(at) };
}

const selectContent = statement((query, { hash }: { hash: string }) =>
  query.selectFrom('merchant_logos').select('content').where('hash', '=', hash).limit(1),
);

/** The PNG file with a hash, as long as a merchant uses it. */
export async function readLogoFile(database: Runner, hash: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const [row] = (await selectContent(database, { hash })).rows;
  return row ? Uint8Array.from(Buffer.from(row.content, 'base64')) : null;
}

/** Stores a merchant's logo in place of its previous one. */
export async function storeLogo(
  unit: UnitOfWork,
  { merchantId, image, now, by }: { merchantId: number; image: EncodedImage; now: Instant; by: string },
): Promise<void> {
  const { png, width, height } = image;
  const row = {
    hash: createHash('sha256').update(png).digest('hex'),
    ...{ width, height, uploaded_at: now, uploaded_by: by },
    content: Buffer.from(png).toString('base64'),
  };
  await db(unit)
    .insertInto('merchant_logos')
    .values({ merchant_id: merchantId, ...row })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(row))
    .execute();
}

export async function removeLogo(unit: UnitOfWork, merchantId: number): Promise<void> {
  await db(unit).deleteFrom('merchant_logos').where('merchant_id', '=', merchantId).execute();
}
